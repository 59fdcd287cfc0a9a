// The status line and the plain lines.
// SPDX-License-Identifier: MIT
#include "cli/progress.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/term.h"
#include "measure/result.h"
#include "run/interrupt.h"
#include "spec/columns.h"

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

void events_started(const struct run_start *s)
{
    struct json j = begin("start");
    json_add(&j, "experiment:%s report:%s devices:%s", s->experiment, s->report, s->devices);
    if (s->shards > 1) json_add(&j, "shard:%u shards:%u", s->shard, s->shards);
    json_add(&j, "points:%zu kept:%zu left:%zu", s->points, s->kept, s->todo);
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
    json_add(&j, "contexts:%zu of:%zu left_s:%g", sampled, contexts, left_s);
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
    json_add(&j, "} done:%zu left:%zu left_s:%g", p->done, p->todo - p->done, p->left_s);
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
    json_add(&j, "experiment:%s report:%s end:%s points:%zu measured:%zu left:%zu statuses:{",
        plan_experiment(plan)->name, s->report, ends[s->end], s->points, s->measured, s->left);
    for (int i = 0; i < STATUS_COUNT; i++)
        if (s->status[i]) json_count(&j, status_names[i], s->status[i]);
    json_add(&j, "} holding:%zu broken:%zu not_checked:%zu seconds:%g exit_status:%u", s->holding, s->broken,
        s->unchecked, s->seconds, (unsigned)s->exit_status);
    end(&j);
}

static enum term_colour colour_of(enum status s)
{
    switch (s) {
    case STATUS_OK: return TERM_GREEN;
    case STATUS_IMPRECISE:
    case STATUS_UNVERIFIED:
    case STATUS_SKIPPED: return TERM_YELLOW;
    default: return TERM_RED;
    }
}

static void clear_line(struct progress *p)
{
    if (p->drawn) say_escape(p->out, "\r\033[K");
    p->drawn = false;
}

static void add_bar(struct progress *p, int width, struct str *s)
{
    const double share = p->total ? ((double)(p->before + p->done) + p->ahead) / (double)p->total : 0;
    if (share > p->share) p->share = share;
    const size_t filled = (size_t)(p->share * width + 1e-9);
    str_add(s, "[");
    for (int i = 0; i < width; i++) str_add(s, (size_t)i < filled ? "#" : (size_t)i == filled ? ">" : " ");
    str_add(s, "]");
}

void progress_tick(struct progress *p)
{
    if (!p->live || p->how == PROGRESS_QUIET) return;
    LOCAL(str_release) struct str s = {0};
    int width = term_width(p->out), shown;
    size_t bad = status_bad(p->counts);
    str_addf(&s, "%s ", p->name);
    if (width >= 60) add_bar(p, width >= 100 ? 20 : 10, &s);
    str_addf(&s, " %zu/%zu", p->before + p->done, p->total);
    if (bad) str_addf(&s, ", %zu bad", bad);
    double left = p->left_s - (clock_awake() - p->known);
    if (p->left_s > 0) {
        str_add(&s, ", ");
        units_print_seconds(left < 1 ? 1 : ceil(left), &s);
        str_add(&s, " left");
    }
    if (p->sampled) str_addf(&s, ", %s %zu of %zu", p->visit, p->sampled, p->contexts);
    if (p->last.size) str_addf(&s, "  %s", p->last.text);
    shown = (int)term_text_cut(s.text, width - 1); // the last column stays free: some terminals wrap there
    say_escape(p->out, "\r");
    say(p->out, "%.*s", shown, s.text);
    say_escape(p->out, "\033[K");
    fflush(p->out);
    p->drawn = true;
}

void progress_start(struct progress *p, FILE *out, enum progress_how how, const char *name, size_t total, size_t before)
{
    *p = (struct progress){.out = out,
        .how = how,
        .live = term_is_live(out),
        .name = name,
        .total = total,
        .before = before,
        .visit = "context"};
    p->left_s = NAN;
    progress_tick(p);
}

void progress_note(struct progress *p, const char *line)
{
    if (p->how == PROGRESS_QUIET) return;
    clear_line(p);
    term_paragraph(p->out, 0, line);
    fflush(p->out);
    progress_tick(p);
}

void progress_stopping(struct progress *p)
{
    char line[80];
    const int by = interrupt_signal();
    if (by == SIGTERM) snprintf(line, sizeof line, "SIGTERM: finishing this point, %d s at most", INTERRUPT_PATIENCE_S);
    else if (by == SIGINT) snprintf(line, sizeof line, "finishing this point; Ctrl-C again stops at once");
    else snprintf(line, sizeof line, "%s: finishing this point", by == SIGHUP ? "SIGHUP" : "SIGUSR1");
    if (!p->stopping) progress_note(p, line);
    p->stopping = true;
}

// A line that stays: what went wrong always, and the first that is imprecise; every other result only where there is no
// terminal, and not faster than it can be read.
static bool worth_a_line(const struct progress *p, enum status status, double now)
{
    if (p->how == PROGRESS_QUIET) return status_is_bad(status) && p->counts[status] <= 20;
    if (p->how == PROGRESS_VERBOSE) return true;
    if (!status_has_numbers(status) && p->counts[status] <= 20) return true;
    if (p->live) return status == STATUS_IMPRECISE && p->counts[status] == 1; // why, once
    return p->total <= 100 || now - p->said >= 2 || p->before + p->done == p->total;
}

void progress_visit(struct progress *p, size_t sampled, size_t contexts, double left_s)
{
    double now = clock_seconds();
    p->left_s = left_s;
    p->known = clock_awake();
    p->sampled = sampled;
    p->contexts = contexts;
    p->ahead += 1 / (double)contexts;
    if (p->live || p->how == PROGRESS_QUIET) return;
    if (p->said > 0 && now - p->said < 10) return;
    if (p->said > 0)
        say(p->out, "%s: %zu of %zu done, %s %zu of %zu\n", p->name, p->before + p->done, p->total, p->visit, sampled,
            contexts);
    fflush(p->out);
    p->said = now;
}

void progress_result(struct progress *p, const char *what, enum status status, const char *figures, const char *reason,
    double left_s)
{
    double now = clock_seconds();
    p->left_s = left_s;
    p->known = clock_awake();
    p->sampled = 0;
    if (p->contexts) p->ahead = fmax(p->ahead - (double)(p->contexts - 1) / (double)p->contexts, 0);
    p->done++;
    p->counts[status]++;
    LOCAL(str_release) struct str result = {0};
    str_addf(&result, "%s%s%s", what, *what ? ": " : "", status == STATUS_OK ? "" : status_names[status]);
    if (*figures) str_addf(&result, "%s%s", status == STATUS_OK ? "" : ", ", figures);
    else if (status == STATUS_OK) str_add(&result, "ok");
    str_clear(&p->last);
    text_add_line(&p->last, result.text);
    if (worth_a_line(p, status, now)) {
        clear_line(p);
        say(p->out, "%*zu/%zu  ", (int)snprintf(NULL, 0, "%zu", p->total), p->before + p->done, p->total);
        term_say(p->out, colour_of(status), "%s", p->last.text);
        if (p->live && *reason) { // below, so that no word is broken
            say(p->out, ":\n");
            term_paragraph(p->out, 2, reason);
        } else say(p->out, "%s%s\n", *reason ? ": " : "", reason);
        fflush(p->out);
        p->said = now;
    }
    progress_tick(p);
}

void progress_stop(struct progress *p)
{
    clear_line(p);
    fflush(p->out);
    str_release(&p->last);
}
