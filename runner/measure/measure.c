// The measurement of one point: measure_point and sample are the list of steps; what a step needs is above them.
// SPDX-License-Identifier: MIT
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/chance.h"
#include "base/clock.h"
#include "base/doing.h"
#include "measure/contexts.h"
#include "measure/counts.h"
#include "measure/result.h"
#include "measure/statuses.h"
#include "plan/asks.h"
#include "plan/job.h"
#include "spec/columns.h"

static bool measure_judge(struct point *, const struct result_check *, const char *when);

static bool measure_warm_up(struct point *);

static bool measure_over(struct point *, enum status);

static const double first_s = 0.05, longest_s = 1.6;

struct cool cool_begin(double most) { return (struct cool){.most = most, .wait = first_s}; }

double cool_next(struct cool *c, bool throttled)
{
    if (!throttled) {
        c->wait = first_s;
        return 0;
    }
    const double wait = fmin(c->wait, c->most - c->spent);
    if (wait <= 0) return 0;
    c->spent += wait;
    c->wait = fmin(2 * c->wait, longest_s);
    return wait;
}

double phases_wait(unsigned *seen, double now_us, double chance)
{
    enum { PARTS = 8, ALL = (1 << PARTS) - 1 };
    static const double period_us = 100.15; // of an H100 and an H200
    const double now = fmod(now_us, period_us) / period_us * PARTS;
    const unsigned at = (unsigned)now;
    unsigned ahead = 1;
    if (*seen == ALL) *seen = 0;
    while (*seen >> (at + ahead) % PARTS & 1) ahead++;
    *seen |= 1u << (at + ahead) % PARTS;
    return (at + ahead + chance - now) * period_us / PARTS;
}

// Can the point be put elsewhere, and be the same point?
// What leaves marks, and pages that move by themselves, are what they are only where they were put.
static bool places_possible(const struct point *p)
{
    if (!p->id.places || !asks_is(p->job, SETTING_TIMED, "launch") || asks_leaves(p->job) != LEAVES_NOTHING)
        return false;
    for (size_t i = 0; i < p->job->buffer_count; i++)
        if (asks_memory_of(&p->job->buffers[i], "managed")) return false;
    return true;
}

// Takes what the samples of this place gave into the mean of those before it.
static void places_keep(struct point *p)
{
    const double width = 2 * 1.959963984540054; // of a 95 % interval, in standard errors
    p->time = stats_interval(p->times.sorted, p->times.count);
    struct portion here = {.time_us = p->time.median,
        .error_us = (p->time.high - p->time.low) / width,
        .samples = (double)p->times.count,
        .place_us = {p->time.median, NAN, NAN},
        .discarded = (double)p->discarded};
    for (size_t k = 0; k < RESULT_REPORTS; k++) {
        struct interval report = stats_interval(p->reports[k].sorted, p->reports[k].count);
        here.reports[k] = report.median;
        here.report_errors[k] = (report.high - report.low) / width;
    }
    if (p->times.count) contexts_join(&p->r->part, &here, ++p->placed);
    else p->r->part.discarded += here.discarded;
}

// Moves the point, with no samples yet. False: the point is over.
static bool places_move(struct point *p)
{
    if (!p->ops->move(p->dev, &p->diags)) return measure_over(p, STATUS_FAILED);
    stats_clear(&p->times);
    for (size_t i = 0; i < RESULT_REPORTS; i++) stats_clear(&p->reports[i]);
    p->discarded = 0;
    return measure_warm_up(p);
}

// Timed work is verified. No launch is timed on inputs that it has seen. Before each sample the inputs are made anew
// from another seed, and outputs are poisoned. Variables of the source are as they were loaded. All timed launches are
// alike to a kernel, and none can know whether its result is looked at, for that is settled when it has ended. Where a
// look at all elements would take long, a look is at some of them, which are drawn each time.
//
// Each timed launch is looked at, unless that takes too long. Then some are, and this holds: no time is believed that
// is below that of a launch which was looked at and was right. Half of all launches take no longer than the median, so
// one of them is soon there. Who is right in some launches alone, or in some contexts, gains nothing by the others.

// Looks may take such a share of the time that the samples of a place take, and so long in any case.
static const double share = 0.25, free_s = 5e-4;
// So far below the time of a launch that was looked at a median may lie: contexts differ by as much.
static const double near = 0.99;
// A look at so many bytes, or one that takes so long, costs about what a sample does beside what is timed.
static const double look_bytes = 0x1p25, look_s = 3e-4;

// Are the launches of this point timed on fresh inputs?
static bool audit_renews(const struct point *p) { return p->ops->renew && asks_is(p->job, SETTING_TIMED, "launch"); }

// Are they looked at, too?
static bool audit_verifies(const struct point *p)
{
    return audit_renews(p) && p->verified && p->inputs != INPUTS_UNREADY;
}

static uint64_t drawn(struct point *p) { return 1 + (uint64_t)(0x1p52 * chance_draw(&p->chance)); }

// One of so many elements is looked at.
static uint32_t part(const struct point *p)
{
    double bytes = 0;
    for (size_t i = 0; i < p->job->buffer_count; i++) bytes += (double)p->job->buffers[i].bytes;
    const double parts = fmax(bytes / look_bytes, p->check_s / look_s);
    return parts > 1 ? (uint32_t)fmin(ceil(parts), 65536) : 1;
}

static bool renew(struct point *p, uint64_t seed)
{
    const struct device_look look = {.part = part(p), .pick = drawn(p)};
    enum device_inputs inputs = INPUTS_SAME;
    p->look = look;
    if (!p->ops->renew(p->dev, seed, &look, &inputs, &p->diags)) return measure_over(p, STATUS_FAILED);
    if (seed) p->inputs = inputs;
    return true;
}

// Makes the next launch one like no other. False: the point is over.
static bool audit_renew(struct point *p) { return !audit_renews(p) || renew(p, drawn(p)); }

// Behind the last sample: the point has its own inputs again, which its counts are about.
static bool audit_end(struct point *p) { return !audit_renews(p) || p->inputs != INPUTS_OTHER || renew(p, 0); }

// Is a launch of so many microseconds as quick as the median?
static bool is_quick(const struct point *p, double us)
{
    return near * us <= stats_median(p->times.sorted, p->times.count);
}

// Was such a one looked at, in this context or an earlier one?
static bool audit_backs(const struct point *p)
{
    if (!audit_verifies(p) || !p->times.count) return true;
    return p->looked_us > 0 && is_quick(p, p->looked_us);
}

static bool is_due(const struct point *p, double us)
{
    const double takes = p->look_s > 0 ? p->look_s : p->check_s;
    if (p->audited_s + takes <= share * p->sampling_s + free_s) return true;
    return p->reached.state != STOP_GO_ON && is_quick(p, us) && !audit_backs(p);
}

// Behind a sample that counts, which took so long: looks at what it left, if it is its turn. False: the point is over.
static bool audit_take(struct point *p, double us)
{
    struct result_check v = {0};
    if (!audit_verifies(p) || !is_due(p, us)) return true;
    const double began = clock_seconds();
    if (!p->ops->check(p->dev, &p->look, &v, &p->diags)) return measure_over(p, STATUS_FAILED);
    const double took = clock_seconds() - began;
    p->audited_s += took;
    if (!(p->look_s > 0) || took < p->look_s) p->look_s = took;
    p->r->look_s = p->look_s;
    if (!(p->looked_us > 0) || us < p->looked_us) p->r->looked_us = p->looked_us = us;
    return measure_judge(p, &v, "on a timed launch: ");
}

// There are samples enough, but none that backs the median. Quick ones that came first are soon outnumbered; so many
// more are taken at most.
static bool audit_waits(struct point *p)
{
    enum { MORE = 32 };
    if (p->reached.state == STOP_GO_ON || audit_backs(p)) return false;
    return ++p->unbacked <= p->times.count + MORE;
}

// Says so where no input could be varied: a result could have been kept from launch to launch.
static void audit_say(struct point *p)
{
    if (audit_verifies(p) && p->inputs == INPUTS_SAME) why_note(&p->r->why, UNVARIED);
}

// What a verdict makes of a point: nothing where all is right, else its status and the sentence that says what was
// found.

// A result that was made of what the kernel itself changed is right by accident.
static bool say_changed(struct point *p, const struct result_check *v)
{
    if (v->changed_at == UINT64_MAX) why_note(&p->r->why, WRITES, v->changed);
    else why_note(&p->r->why, WRITES_AT, v->changed, v->changed, (unsigned long long)v->changed_at);
    return measure_over(p, STATUS_FAILED);
}

// The kernel that says what is right made something else of the same inputs.
static bool say_unlike(struct point *p, const struct result_check *v)
{
    struct why *w = &p->r->why;
    if (v->allowed) {
        if (!why_has(w, WHY_COARSE_ALLOWED)) why_note(w, COARSE_ALLOWED, v->unlike, 100 * v->coarse);
        p->blind = true;
        p->r->check_s = 0; // told in each context, as a weak check is
        return true;
    }
    if (!v->unlike_count) why_note(w, COARSE, v->unlike, 100 * v->coarse);
    else why_note(w, UNLIKE, v->unlike, (unsigned long long)v->unlike_count, (unsigned long long)v->unlike_at);
    return measure_over(p, STATUS_WRONG);
}

// Ends the point as wrong where the check found something; `when` it was: "" or "on a timed launch: ".
static bool measure_judge(struct point *p, const struct result_check *v, const char *when)
{
    if (v->changed) return say_changed(p, v);
    if (v->unlike && !say_unlike(p, v)) return false;
    if (v->left && !why_has(&p->r->why, WHY_LEFT)) why_note(&p->r->why, LEFT, v->left);
    if (v->left) p->blind = true, p->r->check_s = 0;
    if (v->wrong == 0) return true;
    why_note(&p->r->why, WRONG, when, (unsigned long long)v->wrong, (unsigned long long)v->checked,
        (unsigned long long)v->first, *v->found.text ? ": " : "", v->found.text);
    if (v->found.unwritten) why_note(&p->r->why, WRONG_UNWRITTEN, v->found.unwritten);
    else if (v->found.error > 0) why_note(&p->r->why, WRONG_BY, v->found.error);
    if (v->found.off > 0 && v->found.off < 1e-5) why_note(&p->r->why, WRONG_LITTLE, v->found.off);
    const size_t launches = job_launches(p->job);
    if (launches > 1) why_note(&p->r->why, WRONG_AFTER, launches, job_launch(p->job, launches - 1).entry);
    return measure_over(p, STATUS_WRONG);
}

// Putting back the state of a sample may take so much of `max_time`: of fewer samples no interval is made. A machine
// that stood still for a moment is given three tries.
static const double restore_least_s = 0.1;
enum {
    RESTORE_TRIES = 3,
    SAMPLES_MOST = 1000000, // a limit for max_samples: their memory is allocated before the first
    COOL_TIMES = 4,         // a point may rest so many times its `max_time`
    BATCH_MOST =
        250 // a whole batch must fit into the launch queue behind the closed gate, else the host's time is measured too
};

// Ends the point with that status; false, so that the chain of steps ends too.
static bool measure_over(struct point *p, enum status status)
{
    p->r->status = status;
    return false;
}

static bool well(struct point *p)
{
    p->r->status = STATUS_OK;
    return true;
}

static bool leaves_something(const struct job *job)
{
    bool leaves = job->report_count > 0;
    for (size_t i = 0; i < job->buffer_count; i++) leaves |= job->buffers[i].access != ACCESS_READ;
    return leaves;
}

// Is a second run in the same sample the same work as the first? If not, a batch would average two different things.
static bool repeats_alike(const struct point *p)
{
    // A second run would find the inputs that the first one has seen, and what it wrote.
    if (audit_verifies(p) && leaves_something(p->job)) return false;
    if (asks_is(p->job, SETTING_TIMED, "allocate")) return true; // it gives back what it takes
    for (size_t i = 0; i < p->job->buffer_count; i++) {
        const struct job_buffer *b = &p->job->buffers[i];
        if (b->access == ACCESS_BOTH || asks_memory_of(b, "managed")) return false;
    }
    return !p->cold && !asks_any(p->job, SETTING_WINDOW_BUFFER) && !asks_any(p->job, SETTING_PERSIST);
}

static void start(struct point *p)
{
    const struct job *job = p->job;
    size_t most = (size_t)job->goals.max_samples;
    if (job->goals.max_samples < 1) most = 1;
    if (most > SAMPLES_MOST) most = SAMPLES_MOST;
    result_init(p->r);
    p->ops->identity(p->dev, &p->id);
    snprintf(p->r->device, sizeof p->r->device, "%s", p->id.name);
    p->contexts = p->id.draws ? job->contexts > 1 ? job->contexts : 1 : 0;
    p->chance = chance_begin();
    p->cold = !asks_is(job, SETTING_CACHE, "warm");
    p->batch = 1;
    p->check_s = job->check_s, p->look_s = job->look_s, p->looked_us = job->looked_us;
    if (!p->id.timed) return;
    stats_init(&p->times, most);
    stats_init(&p->clocks, most);
    for (size_t i = 0; i < job->report_count && i < RESULT_REPORTS; i++) stats_init(&p->reports[i], most);
}

static bool fits(struct point *p)
{
    char why[256] = "";
    p->ops->unfit(p->dev, p->job, why);
    if (!why[0]) return true;
    why_note(&p->r->why, SAID, why);
    return measure_over(p, STATUS_SKIPPED);
}

static bool prepare(struct point *p)
{
    double *columns = p->r->columns;
    doing(DOING_OTHER, "compiling, or making the buffers");
    bool skip = false;
    if (!p->ops->prepare(p->dev, p->job, columns, &skip, &p->diags))
        return measure_over(p, skip ? STATUS_SKIPPED : STATUS_FAILED);
    columns[COLUMN_USEFUL_BYTES] = p->job->useful_bytes;
    const double peak = asks_number(p->job, SETTING_PEAK, NAN);
    columns[COLUMN_PEAK_GBPS] = isnan(peak) ? p->id.peak_gbps : peak / 1e9;
    return true;
}

static bool takes_all(const struct weak_answer *a) { return a->asked && a->taken == a->asked; }

// Of what it finds where all is spoiled, less than half where all is a little off? That was asked of all elements where
// of a few it found nothing.
static bool takes_near(const struct weak_answer *little, const struct weak_answer *all)
{
    if (!little->asked || !all->asked) return false;
    return takes_all(little) || little->asked > all->asked ||
        2 * (little->asked - little->taken) < all->asked - all->taken;
}

// Does `check` see too little of the result?
static bool say_weak(struct why *w, const struct result_check *v)
{
    if (takes_all(&v->of_spoiled)) why_note(w, TAKES_ALL, v->of_spoiled.asked);
    else if (takes_near(&v->of_near, &v->of_spoiled)) why_note(w, TAKES_NEAR, v->of_near.taken, v->of_near.asked);
    else if (2 * v->of_spots.taken > v->of_spots.asked) why_note(w, MISSES, v->of_spots.taken, v->of_spots.asked);
    else return false;
    return true;
}

static bool verify(struct point *p)
{
    struct result_check v = {0};
    const double began = clock_seconds();
    // An earlier context has verified it; here timed launches are.
    p->verified = p->job->check_s > 0 && audit_renews(p);
    if (p->verified) return true;
    doing(DOING_OTHER, "running `%s`, and checking its result", p->job->entry);
    const bool ran = p->ops->verify(p->dev, &v, &p->diags);
    p->counts = v.counts;
    if (!ran) return measure_over(p, v.unsupported ? STATUS_SKIPPED : STATUS_FAILED);
    p->verified = v.verified;
    if (v.changed) return measure_judge(p, &v, "");
    if (v.racy[0]) why_note(&p->r->why, SAID, v.racy);
    p->blind = say_weak(&p->r->why, &v);
    if (!v.verified) why_note(&p->r->why, UNVERIFIED, v.unverified ? v.unverified : "the kernel has no check");
    if (v.racy[0] && !v.wrong) return measure_over(p, STATUS_RACY);
    // A weak check is asked, and told, in each context: the last one's reasons stand in the row.
    if (v.verified && !p->blind) p->r->check_s = p->check_s = clock_seconds() - began - v.weak_s;
    return measure_judge(p, &v, v.again ? "launched a second time, on other inputs: " : "");
}

// A sample of so many seconds, without what is timed.
static bool restored_soon(struct point *p, double seconds)
{
    const double most = fmax(p->job->goals.max_time / STATS_INTERVAL_LEAST, restore_least_s);
    if (++p->tries <= RESTORE_TRIES) p->restore_s = p->tries == 1 ? seconds : fmin(p->restore_s, seconds);
    if (p->tries != RESTORE_TRIES || p->restore_s <= most) return true;
    why_note(&p->r->why, RESTORES, p->restore_s, STATS_INTERVAL_LEAST, p->job->goals.max_time);
    return measure_over(p, STATUS_FAILED);
}

static void note(struct point *p, enum taken_kind kind, const struct sample *s)
{
    const struct taken t = {.us = s->us / (double)p->batch,
        .clock_mhz = s->clock_mhz,
        .batch = (uint32_t)p->batch,
        .place = (uint32_t)p->place,
        .kind = kind == TAKEN_KEPT && s->throttled ? TAKEN_THROTTLED : kind};
    if (p->taken) str_add_bytes(p->taken, &t, sizeof t);
}

// What ran in a sample went wrong: of several launches this does not say which.
static bool lost(struct point *p)
{
    diag_code(&p->diags, DIAG_SAMPLE, NULL);
    return measure_over(p, STATUS_FAILED);
}

// One run of the batch between two events, from the state that the point asks for. What it is taken for is noted.
static bool measure_sample(struct point *p, enum taken_kind kind, struct sample *s)
{
    const struct device_ops *ops = p->ops;
    struct device *dev = p->dev;
    struct diags *d = &p->diags;
    *s = (struct sample){NAN, NAN, false};
    // A device may stall in step with its own clock, and take launches in turns of eight. Samples at an even pace would
    // all see one phase of either.
    if (p->contexts) {
        const double wait_us = phases_wait(&p->phases, 1e6 * clock_seconds(), chance_draw(&p->chance));
        if (!ops->stir(dev, wait_us, (unsigned)(8 * chance_draw(&p->chance)), d)) return measure_over(p, STATUS_FAILED);
    }
    if (!audit_renew(p)) return false;
    const double began = clock_seconds();
    // The state that the point asks for, before every sample: pages in their place, buffers as they were, no persisting
    // lines.
    if (!ops->restore(dev, d)) return measure_over(p, STATUS_FAILED);
    // The flush comes last: restoring leaves lines in L2.
    if (p->cold && !ops->flush(dev, d)) return measure_over(p, STATUS_FAILED);
    // A closed gate holds the stream until everything is queued: between the events the device never waits for the
    // host.
    if (!ops->begin(dev, d)) return measure_over(p, STATUS_FAILED);
    for (size_t i = 0; i < p->batch; i++)
        if (!ops->submit(dev, d)) return lost(p);
    if (!ops->end(dev, d)) return lost(p);
    // Only now may the host wait and ask for time and clock.
    if (!ops->wait(dev, s, d)) return lost(p);
    if (!isfinite(s->us))
        return diag_system(d, NULL, "the device gave no time for a sample"), measure_over(p, STATUS_FAILED);
    p->r->busy_s += s->us * 1e-6;
    note(p, kind, s);
    return restored_soon(p, clock_seconds() - began - s->us * 1e-6);
}

static bool measure_warm_up(struct point *p)
{
    doing(DOING_SAMPLES, "taking samples, after a first run that ended");
    struct sample unused;
    for (int i = 0; i < p->job->goals.warmup; i++)
        if (!measure_sample(p, TAKEN_WARM_UP, &unused)) return false;
    return true;
}

// Grows until one sample is long enough; measured again each time, because a sample costs more than its runs alone.
static bool choose_batch(struct point *p)
{
    double least = p->job->goals.min_sample * 1e6;
    const size_t launches = job_launches(p->job), most = launches < BATCH_MOST ? BATCH_MOST / launches : 1;
    if (!repeats_alike(p)) return true;
    for (;;) {
        struct sample s;
        if (!measure_sample(p, TAKEN_BATCH, &s)) return false;
        if (s.us >= least || p->batch >= most) return true;
        double want = s.us > 0 ? ceil((double)p->batch * least / s.us * 1.1) : INFINITY;
        if (want > (double)most) want = (double)most;
        p->batch = (size_t)want > p->batch ? (size_t)want : p->batch + 1;
    }
}

// The kernel's own values of the sample just taken.
static bool read_reports(struct point *p)
{
    double values[RESULT_REPORTS];
    size_t n = p->job->report_count < RESULT_REPORTS ? p->job->report_count : RESULT_REPORTS;
    if (n == 0 || !p->ops->reports) return true;
    for (size_t i = 0; i < RESULT_REPORTS; i++) values[i] = NAN;
    if (!p->ops->reports(p->dev, values, &p->diags)) return measure_over(p, STATUS_FAILED);
    for (size_t i = 0; i < n; i++) {
        if (!job_reports(p->job, i)) continue; // another variant's
        if (p->id.timed) stats_add(&p->reports[i], values[i]);
        else p->r->reports[i] = values[i];
    }
    return true;
}

// Samples in one place. `*places`: how many such a point has; the first of its samples tell.
static bool sample_place(struct point *p, size_t *places)
{
    const struct goals *g = &p->job->goals;
    struct stop rule = contexts_rule(g, p->contexts, *places, p->times.room);
    rule.soon = p->contexts > 0;
    p->reached.state = STOP_GO_ON;
    p->sampling_s = p->audited_s = 0;
    p->unbacked = 0;
    struct cool cool = cool_begin(COOL_TIMES * rule.max_time);
    double began = clock_awake(); // `max_time` is of time in which it could sample
    do {
        struct sample s;
        if (!measure_sample(p, TAKEN_KEPT, &s)) return false;
        if (s.throttled) {
            p->discarded++; // the clock was held down: as if measured on another machine
        } else {
            stats_add(&p->times, s.us / (double)p->batch);
            stats_add(&p->clocks, s.clock_mhz);
            if (!read_reports(p) || !audit_take(p, s.us / (double)p->batch)) return false;
        }
        if (!p->placed && p->times.count == STATS_INTERVAL_LEAST && places_possible(p)) {
            *places = contexts_places(g, p->contexts, stats_median(p->times.sorted, p->times.count));
            rule = contexts_rule(g, p->contexts, *places, p->times.room);
            rule.soon = true;
        }
        // What throttled it goes on while it is kept busy: it rests, and the rest is no sampling time.
        const double rest = cool_next(&cool, s.throttled), from = clock_awake();
        p->rested += rest;
        if (rest > 0 && !p->ops->rest(p->dev, rest, &p->diags)) return measure_over(p, STATUS_FAILED);
        began += clock_awake() - from;
        p->sampling_s = clock_awake() - began;
        p->reached = goal_ask(p, &rule);
    } while (p->reached.state == STOP_GO_ON || audit_waits(p));
    if (audit_backs(p)) return true;
    why_note(&p->r->why, UNBACKED, p->unbacked);
    return measure_over(p, STATUS_FAILED);
}

static bool take_samples(struct point *p)
{
    size_t places = 1;
    for (size_t i = 0; i < places; i++) {
        p->place = i;
        if ((i && !places_move(p)) || !sample_place(p, &places)) return false;
        places_keep(p);
    }
    return audit_end(p);
}

static void release(struct point *p)
{
    stats_release(&p->times);
    stats_release(&p->clocks);
    for (size_t i = 0; i < RESULT_REPORTS; i++) stats_release(&p->reports[i]);
    diags_clear(&p->diags);
}

static void fill_times(struct point *p)
{
    double *columns = p->r->columns;
    const struct interval *i = &p->time;
    if (p->reached.state == STOP_MISSED) goal_say_missed(p);
    for (size_t k = 0; k < RESULT_REPORTS; k++)
        p->r->reports[k] = stats_median(p->reports[k].sorted, p->reports[k].count);
    if (p->contexts) columns[COLUMN_CONTEXTS] = 1;
    if (!(i->median > 0)) return; // below the timer: 0 would be a number, and a wrong one
    columns[COLUMN_TIME_US] = i->median;
    columns[COLUMN_TIME_LO_US] = i->low;
    columns[COLUMN_TIME_HI_US] = i->high;
    contexts_rates(p->job, i->median, columns);
    if (!p->contexts) return;
    columns[COLUMN_WITHIN_PCT] = 100 * p->r->part.error_us / i->median;
    p->r->status = STATUS_IMPRECISE;
    why_note(&p->r->why, QUICK_LOOK);
}

// From samples to columns.
static bool conclude(struct point *p)
{
    const struct portion *part = &p->r->part;
    double *columns = p->r->columns, time = part->time_us, least = p->job->goals.min_sample * 1e6;
    columns[COLUMN_SAMPLES] = part->samples;
    columns[COLUMN_DISCARDED] = part->discarded;
    if (part->samples == 0) {
        why_note(&p->r->why, THROTTLED, part->discarded);
        return measure_over(p, STATUS_FAILED);
    }
    well(p);
    columns[COLUMN_CLOCK_MHZ] = stats_median(p->clocks.sorted, p->clocks.count);
    p->r->part.clock_mhz = columns[COLUMN_CLOCK_MHZ];
    if (p->contexts < 2) fill_times(p); // else there is more to come, and the whole is judged
    audit_say(p);
    const double sample = time * (double)p->batch;
    if (!(time > 0) || sample >= least) return true;
    if (p->batch == BATCH_MOST) why_note(&p->r->why, SHORT_QUEUE, sample, least);
    else if (p->cold) why_note(&p->r->why, SHORT_COLD, sample, least);
    else why_note(&p->r->why, SHORT_RESTORED, sample, least);
    return true;
}

static enum why_code code_of(const struct diag *x)
{
    switch (x->code) {
    case DIAG_SAMPLE: return WHY_SAMPLE_FAILED;
    case DIAG_NO_COUNTERS: return WHY_NO_COUNTERS;
    case DIAG_NOT_COUNTED: return WHY_NOT_COUNTED;
    case DIAG_NOT_SIMULATED: return WHY_NOT_SIMULATED;
    default: return WHY_SAID;
    }
}

static void say_why(struct point *p)
{
    const struct diags *d = &p->diags;
    struct why *w = &p->r->why;
    const bool bad = p->r->status == STATUS_FAILED || p->r->status == STATUS_SKIPPED;
    bool said = w->count > 0;
    for (size_t i = 0; i < d->count; i++) {
        const struct diag *x = &d->items[i];
        const bool warning = x->kind == DIAG_WARNING;
        size_t same = 0; // a kernel that is loaded twice, as a wrong one is, warns twice
        while (same < i && strcmp(d->items[same].what, x->what) != 0) same++;
        if (same < i || (!warning && !(bad && !said))) continue; // the first error is the cause of those that follow
        if (x->at.file && x->at.line > 0) why_note(w, SAID_AT, x->at.file, x->at.line, x->at.column, x->what);
        else why_add(w, code_of(x), "%s", x->what);
        if (x->hint) why_note(w, SAID, x->hint);
        said |= !warning;
    }
    if (bad && !w->count) why_note(w, SILENT);
}

void measure_point(const struct device_ops *ops, struct device *dev, const struct job *job, struct result *r,
    struct str *taken)
{
    struct point p = {.ops = ops, .dev = dev, .job = job, .r = r, .taken = taken};
    double began = clock_awake();
    start(&p);
    // First: a point that has no meaning on this device is skipped; that is not a failure.
    if (fits(&p)) {
        // Compiling, allocating and filling are all done before anything is timed, and before the result can be looked
        // at.
        const bool counts_alone = job->does == DOES_COUNTS;
        bool going = prepare(&p)
            // Verified first: a wrong result has no bandwidth, so there would be nothing to time.
            && (counts_alone || verify(&p));
        if (going && counts_alone) well(&p);
        else if (going && p.id.timed)
            // The first runs take longer: page tables, instruction fetches, clocks that wake up.
            going = measure_warm_up(&p)
                // Short work is repeated within a sample until the timer's resolution is small beside it.
                && choose_batch(&p)
                // Until the median is known as precisely as was asked, or a ceiling is reached; some launches are
                // verified.
                && take_samples(&p) && conclude(&p);
        else if (going)
            // A device without times can only say whether the result is right, and count.
            going = read_reports(&p) && well(&p);
        // Counted last, in a pass of its own: a profiler changes clocks and launches.
        if (going && (!p.verified || p.blind) && !counts_alone && status_has_numbers(r->status))
            r->status = STATUS_UNVERIFIED; // said even where it is imprecise too
        if ((going || p.counts) && job->does != DOES_TIMES)
            counts_fill(ops, dev, &p.id, job, r, asks_timeout(job) - (clock_awake() - began) - 1, &p.diags);
        if (going && counts_alone && !*r->counts) r->status = STATUS_FAILED;
        // Always: what the point took, or set on the device, must not reach the next one.
        ops->finish(dev);
    }
    if (!status_has_numbers(r->status)) result_blank_metrics(r);
    say_why(&p);
    r->part.rested_s = p.rested;
    release(&p);
    r->wall_s = clock_awake() - began;
}
