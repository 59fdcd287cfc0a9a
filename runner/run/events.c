// A run told as JSON lines.
// SPDX-License-Identifier: MIT
#include "run/run.h"

#include <math.h>

#include "base/json.h"
#include "measure/result.h"
#include "spec/columns.h"

const char *const run_ends[] = {[RUN_COMPLETE] = "complete",
    [RUN_STOPPED] = "stopped",
    [RUN_OUT_OF_TIME] = "out of time",
    [RUN_ABORTED] = "broken off"};

static struct json begin(const char *event)
{
    struct json j = json_begin(stdout, true);
    json_add(&j, "{ event:%s", event);
    return j;
}

static void end(struct json *j)
{
    json_end(j);
    fflush(stdout); // who reads must not wait for the next one
}

static void add_point(struct json *j, const struct plan *plan, const struct run_point *p)
{
    json_add(j, "experiment:%s point:%zu values:{", plan_experiment(plan)->name, p->point);
    for (size_t i = 0; i < p->name_count; i++) json_value(j, p->names[i], p->values[i]);
    json_close(j);
}

static void started(void *plan, const struct run_start *s)
{
    (void)plan;
    struct json j = begin("start");
    json_add(&j, "experiment:%s report:%s devices:%s", s->experiment, s->report, s->devices);
    if (s->shards > 1) json_add(&j, "shard:%u shards:%u", s->shard, s->shards);
    json_add(&j, "points:%zu kept:%zu left:%zu", s->points, s->kept, s->todo);
    end(&j);
}

static void begun(void *plan, const struct run_point *p)
{
    struct json j = begin("begun");
    add_point(&j, *(const struct plan **)plan, p);
    end(&j);
}

static void visit(void *plan, size_t sampled, size_t contexts, double left_s)
{
    (void)plan;
    struct json j = begin("sampled");
    json_add(&j, "contexts:%zu of:%zu left_s:%g", sampled, contexts, left_s);
    end(&j);
}

static void row(void *plan, const struct run_point *p)
{
    const struct kernel *k = plan_experiment(*(const struct plan **)plan)->kernel;
    const struct result *r = p->result;
    char reason[WHY_TEXT];
    struct json j = begin("row");
    add_point(&j, *(const struct plan **)plan, p);
    json_text(&j, "status", status_names[r->status]);
    if (*why_text(&r->why, reason)) json_text(&j, "reason", reason);
    json_object(&j, "columns");
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (isfinite(r->columns[c])) json_number(&j, column_table[c].name, r->columns[c]);
    for (size_t i = 0; i < k->report_count; i++)
        if (isfinite(r->reports[i])) json_number(&j, k->reports[i].name, r->reports[i]);
    json_add(&j, "} done:%zu left:%zu left_s:%g", p->done, p->todo - p->done, p->left_s);
    end(&j);
}

static void claim(void *plan, bool broken, struct where at, const char *line)
{
    (void)plan;
    struct json j = begin("claim");
    json_text(&j, "came", broken ? "broken" : "not checked");
    if (at.file) json_text(&j, "file", at.file);
    if (at.line) json_count(&j, "line", (uint64_t)at.line);
    json_text(&j, "text", line);
    end(&j);
}

static void say_line(const char *kind, const char *line)
{
    struct json j = begin(kind);
    json_text(&j, "text", line);
    end(&j);
}

static void finished(void *plan, const struct run_summary *s)
{
    struct json j = begin("end");
    json_add(&j, "experiment:%s report:%s end:%s points:%zu measured:%zu left:%zu statuses:{",
        plan_experiment(*(const struct plan **)plan)->name, s->report, run_ends[s->end], s->points, s->measured,
        s->left);
    for (int i = 0; i < STATUS_COUNT; i++)
        if (s->status[i]) json_count(&j, status_names[i], s->status[i]);
    json_add(&j, "} holding:%zu broken:%zu not_checked:%zu seconds:%g exit_status:%u", s->holding, s->broken,
        s->unchecked, s->seconds, (unsigned)s->exit_status);
    end(&j);
}

static void note(void *plan, const char *line) { (void)plan, say_line("note", line); }
static void script(void *plan, const char *line) { (void)plan, say_line("script", line); }

struct run_observer events_observer(const struct plan **plan)
{
    return (struct run_observer){.context = plan,
        .note = note,
        .started = started,
        .begun = begun,
        .point = row,
        .visit = visit,
        .claim = claim,
        .line = script,
        .finished = finished};
}
