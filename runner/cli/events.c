// Each function is one kind of line; see events.h.
// SPDX-License-Identifier: MIT
#include "cli/events.h"

#include "base/json.h"
#include "measure/result.h"

#include <math.h>

static struct json begin(const char *event)
{
    struct json j = json_begin(stdout, true);
    json_object(&j, NULL);
    json_text(&j, "event", event);
    return j;
}

static void end(struct json *j)
{
    json_end(j);
    fflush(stdout); // who reads must not wait for the next one
}

static void add_point(struct json *j, const struct plan *plan, const struct run_point *p)
{
    json_text(j, "experiment", plan_experiment(plan)->name);
    json_count(j, "point", p->point);
    json_object(j, "values");
    for (size_t i = 0; i < p->name_count; i++) json_value(j, p->names[i], p->values[i]);
    json_close(j);
}

void events_started(const struct run_start *s)
{
    struct json j = begin("start");
    json_text(&j, "experiment", s->experiment);
    json_text(&j, "report", s->report);
    json_text(&j, "devices", s->devices);
    if (s->shards > 1) json_count(&j, "shard", s->shard), json_count(&j, "shards", s->shards);
    json_count(&j, "points", s->points);
    json_count(&j, "kept", s->kept);
    json_count(&j, "left", s->todo);
    end(&j);
}

void events_begun(const struct plan *plan, const struct run_point *p)
{
    struct json j = begin("begun");
    add_point(&j, plan, p);
    end(&j);
}

void events_sampled(size_t sampled, size_t contexts, double left_s)
{
    struct json j = begin("sampled");
    json_count(&j, "contexts", sampled);
    json_count(&j, "of", contexts);
    json_number(&j, "left_s", left_s);
    end(&j);
}

void events_row(const struct plan *plan, const struct run_point *p)
{
    const struct kernel *k = plan_experiment(plan)->kernel;
    const struct result *r = p->result;
    char reason[WHY_TEXT];
    struct json j = begin("row");
    add_point(&j, plan, p);
    json_text(&j, "status", status_names[r->status]);
    if (*why_text(&r->why, reason)) json_text(&j, "reason", reason);
    json_object(&j, "columns");
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (isfinite(r->columns[c])) json_number(&j, column_table[c].name, r->columns[c]);
    for (size_t i = 0; i < k->report_count; i++)
        if (isfinite(r->reports[i])) json_number(&j, k->reports[i].name, r->reports[i]);
    json_close(&j);
    json_count(&j, "done", p->done);
    json_count(&j, "left", p->todo - p->done);
    json_number(&j, "left_s", p->left_s);
    end(&j);
}

void events_claim(bool broken, struct where at, const char *line)
{
    struct json j = begin("claim");
    json_text(&j, "came", broken ? "broken" : "not checked");
    if (at.file) json_text(&j, "file", at.file);
    if (at.line) json_count(&j, "line", (uint64_t)at.line);
    json_text(&j, "text", line);
    end(&j);
}

void events_line(const char *kind, const char *line)
{
    struct json j = begin(kind);
    json_text(&j, "text", line);
    end(&j);
}

void events_finished(const struct plan *plan, const struct run_summary *s)
{
    static const char *const ends[] = {[RUN_COMPLETE] = "complete",
        [RUN_STOPPED] = "stopped",
        [RUN_OUT_OF_TIME] = "out of time",
        [RUN_ABORTED] = "broken off"};
    struct json j = begin("end");
    json_text(&j, "experiment", plan_experiment(plan)->name);
    json_text(&j, "report", s->report);
    json_text(&j, "end", ends[s->end]);
    json_count(&j, "points", s->points);
    json_count(&j, "measured", s->measured);
    json_count(&j, "left", s->left);
    json_object(&j, "statuses");
    for (int i = 0; i < STATUS_COUNT; i++)
        if (s->status[i]) json_count(&j, status_names[i], s->status[i]);
    json_close(&j);
    json_count(&j, "holding", s->holding);
    json_count(&j, "broken", s->broken);
    json_count(&j, "not_checked", s->unchecked);
    json_number(&j, "seconds", s->seconds);
    json_count(&j, "exit_status", (uint64_t)s->exit_status);
    end(&j);
}
