// What comes after the last point: plan order, claims, the summary, the exit status; and the function that ties it
// together.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <signal.h>
#include <string.h>

#include "base/say.h"
#include "run/engine.h"
#include "run/interrupt.h"
#include "store/keys.h"
#include "store/row_lines.h"

static void announce(const struct engine *e)
{
    const struct experiment *x = plan_experiment(e->plan);
    struct str devices = {0};
    if (!e->observer->started) return;
    lanes_print(&e->lanes, &devices);
    struct run_start s = {.experiment = x->name,
        .question = x->question,
        .report = e->path,
        .devices = devices.text,
        .points = e->points,
        .kept = e->points - e->todo_count,
        .todo = e->todo_count,
        .shard = e->options->shards > 1 ? e->options->shard : 1,
        .shards = e->options->shards > 1 ? e->options->shards : 1,
        .workers = e->lanes.count};
    e->observer->started(e->observer->context, &s);
    str_release(&devices);
}

// A whole plan of which not one point could run has answered nothing.
static const char *nothing_measured(struct engine *e, struct table *t, const struct run_summary *s)
{
    const int reason = table_column(t, "reason");
    const struct cells *row = NULL;
    if (e->options->shards > 1 || !s->status[STATUS_SKIPPED] || s->status[STATUS_SKIPPED] < e->points) return NULL;
    for (int i = 0; i < STATUS_COUNT; i++)
        if (i != STATUS_SKIPPED && s->status[i]) return NULL;
    if (reason >= 0 && t->count) row = table_row(t, 0, e->diags);
    return arena_strdup(e->arena,
        row && *cells_text(row, (size_t)reason) ? cells_text(row, (size_t)reason) : "skipped");
}

// Checks the claims on the rows of the file: they are about the report, not about what this process thinks it wrote.
static bool read_back(struct engine *e, struct run_summary *s, struct claims *claims)
{
    struct table t;
    struct tally tally;
    const bool shard = e->options->shards > 1; // the whole is the merge's to judge
    bool ok = table_open(&t, e->path, e->diags) && tally_rows(&t, &tally, e->diags);
    if (ok) memcpy(s->status, tally.status, sizeof s->status);
    if (ok && e->end == RUN_COMPLETE)
        ok = claims_check(plan_experiment(e->plan), &t, shard, e->sandbox, e->observer, claims, e->diags);
    s->broken = claims->broken;
    if (!shard) s->holding = claims->holding, s->unchecked = claims->unchecked;
    s->claims = claims->lines;
    if (ok && e->end == RUN_COMPLETE) s->nothing = nothing_measured(e, &t, s);
    if (ok && e->end == RUN_COMPLETE) run_script_done(e, s);
    table_close(&t);
    return ok;
}

static int status_of(const struct engine *e, const struct run_summary *s)
{
    int errors = diags_exit_status(e->diags);
    if (errors) return errors;
    if (s->end != RUN_COMPLETE) return 75;
    return status_bad(s->status) || s->broken || s->script_failed || s->nothing ? 1 : 0;
}

// The report, then what stands beside it. When every point has its row, the parts are of no use any more.
static bool put_in_order(struct engine *e)
{
    const char *const own[] = {e->path, NULL};
    bool ok = report_finish(e->report, e->diags);
    for (const struct row_lines_table *const *t = row_lines_tables; *t && ok; t++)
        ok = row_lines_order(*t, report_lock(e->report), e->path, &(struct row_lines_from){.reports = own}, e->diags);
    return ok && parts_remove(e->parts, e->diags);
}

static int engine_end(struct engine *e, bool went_well)
{
    struct run_summary s = {.report = e->path,
        .points = e->points,
        .kept = e->points - e->todo_count,
        .measured = e->done,
        .left = e->todo_count - e->done,
        .seconds = clock_awake() - e->begun,
        .busy = NAN};
    struct claims claims = {0};
    // A point that SIGTERM did not wait for is work left.
    const bool left = !went_well && interrupt_signal() == SIGTERM && !diags_exit_status(e->diags);
    if (!went_well) e->end = left ? RUN_STOPPED : RUN_ABORTED;
    s.end = e->end;
    for (size_t i = 0; i < e->lanes.count; i++) {
        s.workers += !e->lanes.items[i].asleep;
        s.processes += worker_started(e->lanes.items[i].worker);
    }
    if (e->done && s.seconds > 0) s.busy = e->busy / (s.seconds * (double)s.workers);
    lanes_leave(&e->lanes);
    if (e->end == RUN_COMPLETE && !put_in_order(e)) s.end = e->end = RUN_ABORTED;
    else report_settle(e->report);
    read_back(e, &s, &claims);
    s.exit_status = status_of(e, &s);
    record_run(&e->runfile, &e->lanes, e->options, &s, true, e->diags);
    if (diags_exit_status(e->diags)) s.exit_status = diags_exit_status(e->diags);
    say_patiently(true);
    if (e->observer->finished) e->observer->finished(e->observer->context, &s);
    claims_release(&claims);
    return s.exit_status;
}

// It was told to stop while it waited for another writer of the report: nothing was begun.
static int end_waiting(const struct engine *e)
{
    struct run_summary s = {.report = e->path,
        .busy = NAN,
        .waited = true,
        .exit_status = 75,
        .end = interrupt_signal() == SIGUSR1 ? RUN_OUT_OF_TIME : RUN_STOPPED};
    if (e->observer->finished) e->observer->finished(e->observer->context, &s);
    return s.exit_status;
}

int run_experiment(struct plan *plan, const struct run_options *options, const struct run_observer *observer,
    struct diags *d)
{
    static const struct run_observer nobody;
    struct engine e = {
        .plan = plan, .options = options, .observer = observer ? observer : &nobody, .diags = d, .end = RUN_COMPLETE};
    int status;
    interrupt_begin();
    clock_notice_stops();
    if (engine_open(&e)) {
        e.begun = clock_awake();
        e.chance = chance_begin();
        announce(&e);
        say_patiently(false); // nobody who reads slowly holds a point up
        bool well = engine_measure(&e);
        while (well && e.end == RUN_COMPLETE && run_script_refine(&e)) well = engine_measure(&e);
        status = engine_end(&e, well);
    } else {
        report_withdraw(e.report);
        status = e.waited ? end_waiting(&e) : diags_exit_status(d);
    }
    engine_close(&e);
    interrupt_end();
    return status;
}
