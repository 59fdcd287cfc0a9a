// The loop: give every free worker its next point, wait for a result, a signal or a point's time to be over, write the
// row when the point has been in every context. What comes before (devices, report, which points are left) is in
// setup.c, what comes after (order, claims, summary) below it.
// SPDX-License-Identifier: MIT
#include "run/run.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/say.h"
#include "measure/contexts.h"
#include "measure/counts.h"
#include "plan/asks.h"
#include "run/lanes.h"
#include "run/engine.h"
#include "run/interrupt.h"
#include "store/each_launch.h"
#include "store/keys.h"
#include "store/row_lines.h"
#include "store/samples.h"

static bool engine_measure(struct engine *);

// What comes after the last point: plan order, claims, the summary, the exit status; and the function that ties it
// together.

static void announce(const struct engine *e)
{
    const struct experiment *x = plan_experiment(e->plan);
    struct str devices = {0};
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
    RUN_TELL(e->observer, started, each->context, &s);
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
    RUN_TELL(e->observer, finished, each->context, &s);
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
    RUN_TELL(e->observer, finished, each->context, &s);
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

// Rows that are written, until they are synced and told of.
// Tells the observer of rows once they are on the disk. Rows are synced together where they come quickly: one by one,
// the disk would set the pace.

static const double together_s = 0.05; // rows of this time are synced together

// Seconds until the last point is done, as it went so far; NAN: unknown
static double tell_time_left(const struct engine *e)
{
    double visits = (double)(e->todo_count * e->contexts), gone = (double)e->visits;
    if (e->done == e->todo_count) return 0;
    return e->visits ? (clock_awake() - e->begun) / gone * fmax(visits - gone, 1) : NAN;
}

static void tell(struct engine *e, const struct written *w)
{
    struct run_point p = {.point = w->task->point + 1,
        .done = ++e->told,
        .todo = e->todo_count,
        .names = e->head.names,
        .values = w->task->values,
        .name_count = e->head.name_count,
        .result = &w->result,
        .left_s = tell_time_left(e),
        .parts = w->task->parts,
        .in_context = w->task->in_context,
        .part_count = w->task->part_count};
    RUN_TELL(e->observer, point, each->context, &p);
}

// A worker has got it for the first time
static void tell_begun(const struct engine *e, const struct task *t)
{
    const struct run_point p = {.point = t->point + 1,
        .done = e->told,
        .todo = e->todo_count,
        .names = e->head.names,
        .values = t->values,
        .name_count = e->head.name_count,
        .left_s = tell_time_left(e)};
    RUN_TELL(e->observer, begun, each->context, &p);
}

// Syncs what was written and tells of it
static bool tell_all(struct engine *e)
{
    bool ok = !e->written_count || report_sync(e->report, e->diags);
    for (size_t i = 0; i < e->written_count; i++) {
        if (ok) tell(e, &e->written[i]);
        task_free(e->written[i].task);
    }
    if (e->written_count) e->synced = clock_seconds();
    e->written_count = 0;
    return ok;
}

// Seconds until the rows that wait must be synced; INFINITY: none waits
static double tell_due(const struct engine *e)
{
    return e->written_count ? e->synced + together_s - clock_seconds() : INFINITY;
}

// A second GPU costs a run about a second: its driver starts, and contexts of two GPUs are made one after the other. So
// a run begins on the first, and the others are opened once it has seen how long its points take, if enough is left.

enum { VISITS_SEEN = 3 }; // the first may have compiled

bool run_worth(const struct engine *e, double now)
{
    const double left = (double)(e->todo_count * e->contexts) - (double)e->visits;
    if (e->visits < VISITS_SEEN) return now - e->begun > e->options->worth_s;
    return (now - e->first) / (double)(e->visits - 1) * left > e->options->worth_s;
}

static bool worth_it(const struct engine *e)
{
    bool awake = false;
    for (size_t i = 0; i < e->lanes.count; i++) awake |= !e->lanes.items[i].asleep && !e->lanes.items[i].gone;
    if (!awake) return true;
    if (e->end != RUN_COMPLETE || !todo_left(&e->todo)) return false; // what is begun stays where it is
    return run_worth(e, clock_awake());
}

// What the run said of its devices when it began has changed.
static bool join(struct engine *e, struct lane *lane)
{
    struct run_summary so_far = {.kept = e->points - e->todo_count};
    lane->asleep = lane->opening = false;
    lane->id = *worker_identity(lane->worker);
    snprintf(lane->name, sizeof lane->name, "%s", lane->id.name);
    lanes_know(&e->lanes, lane, e->plan, e->options->rounds);
    if (lane->visits > e->contexts) e->contexts = lane->visits;
    record_devices(&e->runfile, &e->lanes, e->compiler);
    return record_run(&e->runfile, &e->lanes, e->options, &so_far, false, e->diags);
}

// Begins to open a lane that sleeps where that is worth it, and lets it take part once it is open; waits for nothing.
// False: it does not open, and `why` says so; or the run cannot go on (e->diags).
static bool wake(struct engine *e, struct lane *lane, struct diags *why)
{
    if (!lane->asleep || lane->gone) return true;
    if (!lane->opening) {
        if (!worth_it(e)) return true;
        lane->opening = true;
        return worker_begin(lane->worker, why);
    }
    const int opened = worker_opened(lane->worker, why);
    if (opened <= 0) return opened == 0;
    if (!join(e, lane)) return false;
    char line[160];
    snprintf(line, sizeof line, "%s takes part from here on: some %.0f s are left", lane->name, tell_time_left(e));
    RUN_TELL(e->observer, note, each->context, line);
    return true;
}

// Lanes that do, or soon will
static size_t wake_taking_part(const struct engine *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->lanes.count; i++)
        n += !e->lanes.items[i].gone && (!e->lanes.items[i].asleep || e->lanes.items[i].opening);
    return n;
}

// One that opens is waited for: there is work for it
static bool wake_expected(const struct engine *e)
{
    bool opening = false;
    for (size_t i = 0; i < e->lanes.count; i++) opening |= !e->lanes.items[i].gone && e->lanes.items[i].opening;
    return opening && e->end == RUN_COMPLETE && todo_left(&e->todo);
}

enum { AHEAD = 4 }; // points compiled before their turn

// The lane that measures a point: the one that asks, or the one of the device that the point names.
static size_t lane_of(const struct engine *e, const struct task *t, size_t asking)
{
    for (size_t i = 0; i < e->lanes.count && e->lanes.swept; i++)
        if (strcmp(e->lanes.items[i].asked, engine_device(e, t->values)) == 0) return i;
    return asking;
}

// The task ends here: it waits with its result until its row is synced.
static bool append(struct engine *e, struct lane *lane, struct task *t, struct result *r)
{
    struct value *all = arena_alloc(t->arena, (e->shape.count + 1) * sizeof *all);
    struct value *derived = arena_alloc(t->arena, (e->head.derived_count + 1) * sizeof *derived);
    char reason[WHY_TEXT];
    counts_beside(r);
    struct row row = {.point = t->point + 1, .values = t->values, .result = r, .reason = why_text(&r->why, reason)};
    struct diags said = {0};
    snprintf(r->device, sizeof r->device, "%s", lane->id.name);
    r->columns[COLUMN_GPU] = lane->number;
    snprintf(row.key, sizeof row.key, "%s", t->key);
    shape_fill(&e->shape, &row, all);
    derive_row(e->derive, all, derived, t->arena, &said);
    run_script_derive(e, all, derived, t->arena);
    run_script_key(&e->scripted, t->point, t->key);
    engine_say(e, &said);
    row.derived = derived;
    const bool counted = lane->worker && status_has_numbers(r->status) && worker_launches(lane->worker)->size;
    const bool told =
        !counted || each_launch_add(&e->launches, t->key, &t->job, worker_launches(lane->worker), e->diags);
    if (!told || !report_append(e->report, &row, e->diags)) {
        task_free(t);
        return false;
    }
    e->done++;
    e->busy += isfinite(r->busy_s) ? r->busy_s : 0;
    mem_grow(&e->written, &e->written_room, e->written_count + 1, sizeof *e->written);
    e->written[e->written_count++] = (struct written){t, *r};
    return tell_due(e) > 0 || tell_all(e);
}

// A point that is wrong before any device gets it has a row too.
static bool append_failed(struct engine *e, struct lane *lane, struct task *t, const struct diags *why)
{
    struct result r;
    result_init(&r);
    if (t->job.unfit) r.status = STATUS_SKIPPED;
    why_note(&r.why, SAID, diags_first(why));
    return append(e, lane, t, &r);
}

static void compile_ahead(struct engine *e, struct worker *w)
{
    for (size_t i = 0; i < AHEAD; i++) {
        size_t point = todo_peek(&e->todo, i);
        struct diags ignored = {0};
        struct job job;
        if (point == SIZE_MAX || e->todo.next + i < e->ahead) continue; // done already, or passed on
        struct arena *a = arena_new();
        struct value *values = arena_alloc(a, (e->head.name_count + 1) * sizeof *values);
        plan_values(e->plan, point, values);
        bool made = job_make(e->plan, values, a, &job, &ignored);
        if (made && e->options->rounds) made = by_base(e->plan, values, a, &job, &ignored);
        if (made) worker_ahead(w, &job);
        arena_free(a);
        diags_clear(&ignored);
        e->ahead = e->todo.next + i + 1;
    }
}

// The worker's device cannot be opened again: the others take its points. Without another worker the run ends.
static bool retire(struct engine *e, size_t index, struct diags *why)
{
    struct lane *lane = &e->lanes.items[index];
    size_t living = 0;
    lane->gone = true;
    lane->task = lane->next = NULL;
    const struct visits *block = &lane->block;
    for (size_t i = 0; i < block->count; i++) todo_return(&e->todo, block->tasks[i]->position);
    for (size_t i = 0; i < block->waiting_count; i++) todo_return(&e->todo, block->waiting[i]->position);
    block_release(&lane->block); // of another GPU they are other parts
    todo_drop_worker(&e->todo, index);
    for (size_t i = 0; i < e->lanes.count; i++) living += !e->lanes.items[i].gone;
    const char *again = lane->asleep ? "" : " again";
    if (!living || e->lanes.swept)
        return diag_system(e->diags, "the rows that are there are whole; run again to go on",
            "%s cannot be opened%s: %s", lane->spec, again, diags_first(why));
    LOCAL(str_release) struct str s = {0};
    str_addf(&s, "%s cannot be opened%s (%s); its points go to the others", lane->spec, again, diags_first(why));
    RUN_TELL(e->observer, note, each->context, s.text);
    return true;
}

// Takes a new point: makes its job and puts it into the block of the lane that is to measure it (`*to`; SIZE_MAX: it
// needs no lane, or there is none left and `*none` says so). False: the run cannot go on.
static bool take(struct engine *e, size_t asking, size_t *to, bool *none)
{
    struct diags why = {0};
    size_t position, point = todo_next(&e->todo, asking, &position);
    *to = SIZE_MAX;
    *none = point == SIZE_MAX;
    if (*none) return true;
    struct task *t = mem_alloc(sizeof *t);
    *t = (struct task){.arena = arena_new(), .point = point, .position = position};
    t->values = arena_alloc(t->arena, (e->head.name_count + 1) * sizeof *t->values);
    plan_values(e->plan, point, t->values);
    size_t index = lane_of(e, t, asking);
    struct lane *lane = &e->lanes.items[index];
    bool made = job_make(e->plan, t->values, t->arena, &t->job, &why), ok = true;
    if (made && e->options->rounds) made = by_base(e->plan, t->values, t->arena, &t->job, &why);
    engine_key(e, lane, made ? &t->job : NULL, t->values, t->key);
    if (made) {
        // The last context is sampled in any case: the row is made from its result.
        t->part_count = parts_find(e->parts, t->key, lane->name, t->parts, lane->visits - 1);
        for (size_t i = 0; i < t->part_count; i++) t->rested_s += t->parts[i].rested_s;
        e->visits += t->part_count;
        t->marks = asks_leaves(&t->job) != LEAVES_NOTHING;
        block_add(&lane->block, t);
        compile_ahead(e, lane->worker);
        *to = index;
    } else {
        ok = append_failed(e, lane, t, &why);
    }
    diags_clear(&why);
    return ok;
}

// What is timed on the host's bus is timed while no other device uses it: such a point waits until it is alone, no
// other begins meanwhile, and none beside it.
static bool bus_is_free(const struct engine *e, size_t index)
{
    const struct lane *lanes = e->lanes.items;
    const bool alone = asks_bus(&lanes[index].next->job);
    for (size_t i = 0; i < e->lanes.count; i++) {
        if (i == index) continue;
        const bool waits = lanes[i].next && asks_bus(&lanes[i].next->job);
        if (lanes[i].task ? alone || asks_bus(&lanes[i].task->job) : waits && (i < index || !alone)) return false;
    }
    return true;
}

// Hands the next point of the lane's block to its worker. `*none`: it has to wait.
static bool visit(struct engine *e, size_t index, bool *none)
{
    struct lane *lane = &e->lanes.items[index];
    struct diags why = {0};
    bool ok = true;
    if (!lane->next) lane->next = block_next(&lane->block);
    *none = !lane->next || !bus_is_free(e, index);
    if (*none) return true;
    struct task *t = lane->next;
    lane->next = NULL;
    t->begun = clock_awake();
    t->job.context = lane->block.context;
    t->job.contexts = (unsigned)lane->visits;
    t->job.check_s = t->check_s, t->job.look_s = t->look_s, t->job.looked_us = t->looked_us;
    if (lane->block.counting) t->job.does = DOES_COUNTS;
    else t->job.does = t->part_count + 1 < lane->visits || counts_apart(&t->job, &lane->id) ? DOES_TIMES : DOES_ALL;
    if (!worker_start(lane->worker, &why)) {
        ok = retire(e, index, &why);
    } else if (!worker_give(lane->worker, &t->job, &why)) {
        block_remove(&lane->block, t);
        ok = append_failed(e, lane, t, &why);
    } else {
        lane->task = t;
        if (!t->part_count && t->job.does != DOES_COUNTS) tell_begun(e, t);
    }
    diags_clear(&why);
    return ok;
}

// A new point, or the next visit of one that was begun. `*none`: there is nothing for this lane. `over`: nothing is
// begun any more.
static bool give(struct engine *e, size_t index, bool over, bool *none)
{
    struct visits *block = &e->lanes.items[index].block;
    const bool several = e->lanes.items[index].visits > 1;
    size_t most = e->todo_count / wake_taking_part(e) + 1, to; // a lane's share: none takes what others wait for
    if (block_counts(block, clock_awake(), several, over)) return visit(e, index, none);
    while (!e->lanes.items[index].next && block_wants_more(block, clock_awake(), most)) {
        if (!take(e, index, &to, none)) return false;
        if (*none) break;
        if (to == SIZE_MAX) return true;
        if (to != index) return visit(e, to, none);
    }
    if (*none) block->filling = false;
    *none = !block->count && !block_counts(block, clock_awake(), several, true);
    return *none || visit(e, index, none);
}

// The point has been in every context, or something ended it: its row.
static bool finish(struct engine *e, struct lane *lane, struct task *t, struct result *r)
{
    r->busy_s = t->busy_s;
    r->wall_s = t->wall_s;
    if (lane->visits > 1 && status_has_numbers(r->status))
        contexts_conclude(&t->job, t->parts, lane->block.rounds > 1 ? t->in_context : NULL, t->part_count, r);
    if (t->rested_s > 0) why_note(&r->why, RESTED, t->rested_s);
    block_remove(&lane->block, t);
    if (!status_has_numbers(r->status) || !counts_apart(&t->job, &lane->id)) return append(e, lane, t, r);
    t->timed = *r;
    block_wait(&lane->block, t, clock_awake());
    return true;
}

static bool counted(struct engine *e, struct lane *lane, struct task *t, const struct result *r, double spent)
{
    e->counting = fmax(e->counting, spent);
    counts_join(&t->timed, r);
    block_remove(&lane->block, t);
    return append(e, lane, t, &t->timed);
}

// No further context is needed. What is held against another kernel has all that the other has, and what the last visit
// would count is counted there.
static bool known(const struct lane *lane, const struct task *t)
{
    const bool counts = t->job.does == DOES_TIMES && !counts_apart(&t->job, &lane->id) && counts_asked(&t->job);
    return lane->block.rounds < 2 && !counts && contexts_enough(&t->job, t->parts, t->part_count);
}

static bool visited(struct engine *e, struct lane *lane, struct result *r)
{
    struct task *t = lane->task;
    double spent = clock_awake() - t->begun;
    lane->task = NULL;
    if (t->job.does == DOES_COUNTS) return counted(e, lane, t, r, spent);
    if (!e->visits++) e->first = clock_awake();
    if (spent > e->longest) e->longest = spent;
    t->busy_s += r->busy_s;
    t->wall_s += r->wall_s;
    t->rested_s += r->part.rested_s;
    if (block_astray(t, r)) return lane->next = t, true;
    if (r->check_s > 0) t->check_s = r->check_s;
    if (r->look_s > 0) t->look_s = r->look_s;
    if (r->looked_us > 0) t->looked_us = r->looked_us;
    if (status_has_numbers(r->status) && worker_samples(lane->worker)->size &&
        !samples_add(&e->samples, t->key, t->part_count + 1, worker_samples(lane->worker), e->diags))
        return false;
    if (status_has_numbers(r->status) && lane->visits > 1) {
        t->in_context[t->part_count] = t->job.context;
        t->parts[t->part_count++] = r->part;
        if (t->part_count < lane->visits && !known(lane, t)) {
            RUN_TELL(e->observer, visit, each->context, t->part_count, lane->visits, tell_time_left(e));
            return parts_add(e->parts, t->key, lane->name, &r->part, e->diags);
        }
        e->visits += lane->visits - t->part_count;
    } else {
        e->visits += lane->visits - t->part_count - 1;
    }
    return finish(e, lane, t, r);
}

// Takes a result that is there. A worker that died is started again at once: where its device does not open any more
// the point was not at fault, and another worker measures it.
static bool collect(struct engine *e, size_t index)
{
    struct lane *lane = &e->lanes.items[index];
    struct diags why = {0};
    struct result r;
    bool ok = true;
    if (!lane->task || !worker_collect(lane->worker, &r)) return true;
    if (worker_fd(lane->worker) < 0 && !worker_start(lane->worker, &why)) {
        if (e->lanes.count > 1) ok = retire(e, index, &why);
        else ok = visited(e, lane, &r) && retire(e, index, &why);
    } else {
        ok = visited(e, lane, &r);
    }
    diags_clear(&why);
    return ok;
}

static bool wake_up(struct engine *e, size_t index)
{
    LOCAL(diags_clear) struct diags why = {0};
    return wake(e, &e->lanes.items[index], &why) || (!diags_errors(e->diags) && retire(e, index, &why));
}

static size_t busy_lanes(const struct engine *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->lanes.count; i++) n += e->lanes.items[i].task != NULL;
    return n;
}

// Whether another point may begin, or the run ends here with work left. The estimate is the longest point so far;
// before the first one, it is twice the sampling time, to have time for compiling and verifying.
static bool may_begin(struct engine *e)
{
    if (e->end != RUN_COMPLETE) return false;
    int signal = interrupt_signal();
    if (signal) e->end = signal == SIGUSR1 ? RUN_OUT_OF_TIME : RUN_STOPPED;
    else if (e->options->time_left) {
        double need = e->longest > 0 ? e->longest * 1.25 + 2 : plan_experiment(e->plan)->goals.max_time * 2 + 5;
        for (size_t i = 0; i < e->lanes.count; i++) need += e->counting * (double)e->lanes.items[i].block.waiting_count;
        if (e->options->time_left(e->options->time_context) < need) e->end = RUN_OUT_OF_TIME;
    }
    return e->end == RUN_COMPLETE;
}

static bool give_all(struct engine *e)
{
    for (size_t i = 0; i < e->lanes.count; i++) {
        struct lane *lane = &e->lanes.items[i];
        bool none = false;
        const struct visits *block = &lane->block;
        // A point that fails before the worker gets it leaves the worker free for the next.
        while (!none && !lane->gone && !lane->asleep && !lane->task &&
            (block->count || block->waiting_count || todo_left(&e->todo)) && !(e->lanes.swept && busy_lanes(e))) {
            // What is timed already is counted all the same.
            const bool over = (!block->count && !todo_left(&e->todo)) || !may_begin(e);
            if (over && !block->waiting_count) break;
            if (!report_ready(e->report, e->diags) || !give(e, i, over, &none)) return false;
        }
    }
    return true;
}

static void wait_for_something(const struct engine *e)
{
    LOCAL(mem_drop) struct pollfd *fds = mem_alloc((e->lanes.count + 1) * sizeof *fds);
    double wait = 0.25; // for the observer's clock
    if (tell_due(e) < wait) wait = tell_due(e) > 0 ? tell_due(e) : 0;
    nfds_t count = 0;
    for (size_t i = 0; i < e->lanes.count; i++) {
        const struct lane *lane = &e->lanes.items[i];
        if (lane->opening) fds[count++] = (struct pollfd){.fd = worker_fd(lane->worker), .events = POLLIN};
        if (!lane->task) continue;
        double left = worker_time_left(e->lanes.items[i].worker);
        if (left < wait) wait = left > 0 ? left : 0;
        fds[count++] = (struct pollfd){.fd = worker_fd(e->lanes.items[i].worker), .events = POLLIN};
    }
    if (!interrupt_signal()) fds[count++] = (struct pollfd){.fd = interrupt_fd(), .events = POLLIN};
    poll(fds, count, (int)(wait * 1000) + 1);
    clock_awake(); // timeout(1) and SLURM send SIGCONT to what was never stopped: no more than this wait is lost to it
}

static bool measure(struct engine *e)
{
    while (give_all(e)) {
        if (tell_due(e) <= 0 && !tell_all(e)) return false;
        if (!busy_lanes(e) && !wake_expected(e)) return true;
        wait_for_something(e);
        if (interrupt_at_once()) return false;
        RUN_TELL(e->observer, tick, each->context);
        for (size_t i = 0; i < e->lanes.count; i++)
            if (!collect(e, i) || !wake_up(e, i)) return false;
        if (e->beat == 0 || clock_seconds() - e->beat > LOCK_BEAT_S) {
            e->beat = clock_seconds();
            if (!report_ready(e->report, e->diags)) return false;
        }
    }
    return false;
}

// False: the run cannot go on (diags), or is to end at once. What was written is told in either case.
static bool engine_measure(struct engine *e)
{
    bool ok = measure(e);
    return tell_all(e) && ok;
}
