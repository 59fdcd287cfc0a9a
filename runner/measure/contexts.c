// The mean over contexts, its interval, and what is said where the goal was missed.
// SPDX-License-Identifier: MIT
#include "measure/contexts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/measure_inside.h"
#include "spec/columns.h"

static bool enough(const struct stop *s, const struct interval *i, size_t count)
{
    return s->enough_samples && count >= s->enough_samples && i->half_width * i->median <= s->enough_us;
}

// An interval narrows with the square root of the samples. Far beyond the ceiling by that measure (four times: the
// interval itself is a draw) is out of reach.
static bool hopeless(const struct stop *s, const struct interval *i, size_t tried, double seconds)
{
    double more = i->half_width / s->precision;
    if (tried < 30) return false;
    more *= more;
    return (double)tried * more > 4 * (double)s->max_samples || seconds * more > 4 * s->max_time;
}

struct stop_answer stop_ask(const struct stop *s, const struct stats *samples, size_t tried, double seconds)
{
    struct stop_answer a = {STOP_GO_ON, stats_interval(samples->sorted, samples->count), 0};
    bool narrow = samples->count >= s->min_samples && a.interval.half_width <= s->precision;
    bool last = tried >= s->max_samples || seconds >= s->max_time;
    // An interval means something only if all samples are of the same thing. When the later ones are slower or faster
    // than the earlier ones (still warming up, another user of the machine), it is narrow by accident: go on.
    double drift = narrow || last ? stats_drift(samples) : 0;
    if (fabs(drift) > s->precision) a.drift = drift;
    if ((narrow && a.drift == 0) || enough(s, &a.interval, samples->count)) a.state = STOP_MET;
    else if (s->soon && samples->count >= s->min_samples && hopeless(s, &a.interval, tried, seconds))
        a.state = STOP_MISSED;
    else if (last) a.state = STOP_MISSED;
    return a;
}

static double mean(const double *values, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++) sum += values[i];
    return sum / (double)(to - from);
}

bool modes_find(const double *values, size_t count, struct modes *m)
{
    enum { MOST = 256, LEAST = 6, EACH = 2 };
    // A gap so many times as wide as the wider group is no chance's, which leaves wide ones among few values; and it
    // must be so large a share of the time that somebody would ask which of the two it is.
    const double wide = fmax(1.5, 24.0 / (double)count), matters = 0.03;
    double sorted[MOST], gap = 0;
    size_t at = 0;
    if (count < LEAST || count > MOST) return false;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, stats_rising);
    for (size_t i = EACH; i + EACH <= count; i++) {
        if (sorted[i] - sorted[i - 1] <= gap) continue;
        gap = sorted[i] - sorted[i - 1];
        at = i;
    }
    if (!at) return false;
    const double spread = fmax(sorted[at - 1] - sorted[0], sorted[count - 1] - sorted[at]);
    *m = (struct modes){mean(sorted, 0, at), mean(sorted, at, count), (double)(count - at) / (double)count};
    return gap > wide * spread && gap > matters * m->quick;
}

// What the goals of a point are about, and what is said where they were missed.

static const struct stats *stats_of(const struct point *p, int of)
{
    const bool known = of > 0 && (size_t)of <= p->job->report_count && of <= RESULT_REPORTS;
    return known ? &p->reports[of - 1] : &p->times;
}

// A reported value may be 0, or below: then no share of it is a goal, but all samples may be the same.
static bool narrow(const struct stats *samples, const struct stop *rule)
{
    const struct interval i = stats_interval(samples->sorted, samples->count);
    return samples->count >= rule->min_samples && (i.high - i.low) / 2 <= rule->precision * fabs(i.median);
}

struct stop_answer goal_ask(struct point *p, const struct stop *rule)
{
    const size_t tried = p->times.count + p->discarded;
    struct stop of_value = *rule;
    of_value.enough_us = 0; // that is about times
    p->of = p->job->goals.of;
    struct stop_answer a = stop_ask(p->of ? &of_value : rule, stats_of(p, p->of), tried, p->sampling_s);
    for (int of = 1; !p->job->goals.of && of <= (int)p->job->report_count && of <= RESULT_REPORTS; of++) {
        const struct stats *samples = stats_of(p, of);
        if (a.state != STOP_MET || !samples->count || narrow(samples, rule)) continue;
        const struct stop_answer b = stop_ask(&of_value, samples, tried, p->sampling_s);
        if (b.state == STOP_MET) continue;
        a = b;
        p->of = of;
    }
    return a;
}

// Why the goal was missed, with how far it got.
void goal_say_missed(struct point *p)
{
    const struct stop_answer *a = &p->reached;
    const bool timed = stats_of(p, p->of) == &p->times;
    const char *what = timed ? "times" : p->job->reports[p->of - 1].name;
    size_t n = p->times.count;
    p->r->status = STATUS_IMPRECISE;
    struct why *w = &p->r->why;
    if (n == 1) why_note(w, ONE_SAMPLE, p->sampling_s, p->discarded, STATS_INTERVAL_LEAST);
    else if (n < STATS_INTERVAL_LEAST) why_note(w, NO_INTERVAL, n, p->sampling_s, p->discarded, STATS_INTERVAL_LEAST);
    else if (!(a->interval.median > 0) && timed) why_note(w, BELOW_TIMER, (double)n);
    else if (!timed && a->interval.median == 0) why_note(w, NO_SHARE, n, what);
    else if (a->drift != 0)
        why_note(w, DRIFT, what, n, fabs(a->drift) * 100,
            a->drift > 0 ? timed ? "slower" : "larger"
                : timed  ? "faster"
                         : "smaller");
    else if (n < (size_t)p->job->goals.min_samples)
        why_note(w, FEW_IN_TIME, n, p->sampling_s, p->discarded, p->job->goals.min_samples);
    else if (timed) why_note(w, REACHED, a->interval.half_width * 100, n, p->sampling_s, p->job->goals.precision * 100);
    else why_note(w, REACHED_OF, what, a->interval.half_width * 100, n, p->sampling_s, p->job->goals.precision * 100);
}

struct pooled contexts_pool(const double *values, const double *errors, size_t count)
{
    struct pooled p = {NAN, NAN, NAN, INFINITY, NAN, NAN};
    double sum = 0, squares = 0, within = 0;
    if (count == 0) return p;
    for (size_t i = 0; i < count; i++) sum += values[i];
    p.value = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - p.value) * (values[i] - p.value);
        within += isfinite(errors[i]) ? errors[i] * errors[i] : 0;
    }
    p.within = sqrt(within / (double)count);
    if (count < 2) return p;
    p.between = sqrt(squares / (double)(count - 1));
    double half = stats_student(0.95, (double)(count - 1)) * fmax(p.between, p.within) / sqrt((double)count);
    p.low = p.value - half;
    p.high = p.value + half;
    if (p.value != 0) p.half_width = half / fabs(p.value);
    else if (half == 0) p.half_width = 0;
    return p;
}

struct pooled contexts_pool_times(const double *values, const double *errors, size_t count)
{
    struct pooled p = contexts_pool(values, errors, count);
    if (!isfinite(p.half_width)) return p;
    // What all contexts of a process share, and so cannot show: chosen by the intervals of 19 processes on an H200.
    static const double shared_us = 0.02;
    const double half = hypot(p.high - p.value, stats_student(0.95, (double)(count - 1)) * shared_us);
    p.low = p.value - half, p.high = p.value + half;
    if (p.value > 0) p.half_width = half / p.value;
    return p;
}

size_t contexts_places(const struct goals *g, size_t contexts, double us)
{
    static const double lost_us = 0.4;
    return contexts > 1 && lost_us > g->precision * us ? CONTEXTS_PLACES : 1;
}

struct stop contexts_rule(const struct goals *g, size_t contexts, size_t places, size_t room)
{
    // A short context's own median need not be known better than contexts differ, which is more than this on the GPUs
    // that were looked at.
    static const double lost_us = 0.075;
    struct stop s = {.precision = g->precision,
        .min_samples = (size_t)(g->min_samples < 0 ? 0 : g->min_samples),
        .max_samples = room,
        .max_time = g->max_time};
    if (contexts < 2) return s;
    const double apart = sqrt((double)places); // their mean is known so much better than each
    const size_t parts = contexts * places;
    size_t share = (s.min_samples + parts - 1) / parts, most = (room + parts - 1) / parts;
    s.min_samples = share < STATS_INTERVAL_LEAST ? STATS_INTERVAL_LEAST : share;
    // A short kernel's median moves by ticks of the timer, so that few samples may agree by luck.
    const size_t few = places > 1 ? 8 : 30;
    s.enough_samples = s.min_samples < few ? few : s.min_samples;
    s.enough_us = lost_us * apart;
    // The whole interval is what `precision` is about: with each median known so well it is 0.7 of that, if contexts
    // differ by no more than their samples leave open. The rest is for how much they seem to differ by chance.
    const double of_each = stats_student(0.95, (double)(contexts - 1)) / sqrt((double)contexts) / 1.959963984540054;
    s.precision = 0.7 / of_each * g->precision * apart;
    s.max_samples = most < STATS_INTERVAL_LEAST ? STATS_INTERVAL_LEAST : most;
    s.max_time = g->max_time / (double)parts;
    return s;
}

void contexts_rates(const struct job *job, double time_us, double *columns)
{
    columns[COLUMN_GBPS] = job->useful_bytes / time_us / 1e3;
    columns[COLUMN_GFLOPS] = job->flops / time_us / 1e3;
}

static struct pooled pool_times(const struct portion *parts, size_t count)
{
    double values[CONTEXTS_MOST] = {0}, errors[CONTEXTS_MOST] = {0};
    for (size_t i = 0; i < count; i++) values[i] = parts[i].time_us, errors[i] = parts[i].error_us;
    return contexts_pool_times(values, errors, count);
}

static struct pooled pool_reports(const struct portion *parts, size_t count, size_t which)
{
    double values[CONTEXTS_MOST] = {0}, errors[CONTEXTS_MOST] = {0};
    for (size_t i = 0; i < count; i++) values[i] = parts[i].reports[which], errors[i] = parts[i].report_errors[which];
    return contexts_pool(values, errors, count);
}

// Why the goal was missed: what another context draws, which no sample narrows, or the scatter of the samples.
static void say_imprecise(const struct job *job, const struct pooled *p, size_t count, const char *what,
    struct result *r)
{
    double goal = job->goals.precision * 100, whole = p->half_width * 100;
    if (r->status == STATUS_OK) r->status = STATUS_IMPRECISE;
    if (count < 2) why_note(&r->why, ONE_CONTEXT, what);
    else if (p->between * p->between > 2 * p->within * p->within)
        why_note(&r->why, CONTEXTS_DIFFER, what, whole, goal, count, 100 * p->between / fabs(p->value));
    else why_note(&r->why, SAMPLES_SCATTER, what, whole, goal, 100 * p->within / fabs(p->value), count);
}

// Takes one more value, and its error, into a mean.
static void join(double *to, double *to_error, double value, double error, double weight)
{
    *to += (value - *to) * weight;
    *to_error = hypot((1 - weight) * *to_error, weight * error);
}

void contexts_join(struct portion *to, const struct portion *one, size_t of)
{
    const double weight = 1 / (double)of, samples = to->samples, discarded = to->discarded;
    if (of == 1) {
        *to = *one;
        to->discarded += discarded;
        return;
    }
    join(&to->time_us, &to->error_us, one->time_us, one->error_us, weight);
    for (size_t k = 0; k < RESULT_REPORTS; k++)
        join(&to->reports[k], &to->report_errors[k], one->reports[k], one->report_errors[k], weight);
    to->samples = samples + one->samples;
    to->discarded = discarded + one->discarded;
    if (of <= RESULT_PLACES) to->place_us[of - 1] = one->place_us[0];
}

// What several visits of one context gave is one value of it: they share what the context drew.
static size_t join_visits(const struct portion *parts, const unsigned *in_context, size_t count, struct portion *to)
{
    size_t joined = 0, of = 0;
    for (size_t i = 0; i < count; i++) {
        if (!joined || !in_context || in_context[i] != in_context[i - 1]) {
            to[joined++] = (struct portion){0};
            of = 0;
        }
        contexts_join(&to[joined - 1], &parts[i], ++of);
    }
    return joined;
}

bool contexts_enough(const struct job *job, const struct portion *parts, size_t count)
{
    const int of = job->goals.of;
    double samples = 0;
    if (count < CONTEXTS_LEAST || count > CONTEXTS_MOST) return false;
    for (size_t i = 0; i < count; i++) samples += parts[i].samples;
    if (samples < job->goals.min_samples) return false;
    if (!of && pool_times(parts, count).half_width > job->goals.precision) return false;
    for (size_t i = 0; i < job->report_count && i < RESULT_REPORTS; i++) {
        const struct pooled report = pool_reports(parts, count, i);
        if ((!of || of == (int)i + 1) && isfinite(report.value) && report.half_width > job->goals.precision)
            return false;
    }
    return true;
}

// Where its buffers lie is drawn with each context, and with each place in one.
static void say_modes(const struct portion *parts, size_t count, struct result *r)
{
    double values[CONTEXTS_MOST * RESULT_PLACES];
    size_t n = 0;
    struct modes m;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < RESULT_PLACES; k++)
            if (parts[i].place_us[k] > 0) values[n++] = parts[i].place_us[k];
    if (!modes_find(values, n, &m)) return;
    r->columns[COLUMN_QUICK_US] = m.quick;
    r->columns[COLUMN_SLOW_US] = m.slow;
    r->columns[COLUMN_SLOW_PCT] = 100 * m.slow_share;
    why_note(&r->why, TWO_TIMES, m.quick, 100 - 100 * m.slow_share, n, m.slow);
}

void contexts_conclude(const struct job *job, const struct portion *parts, const unsigned *in_context, size_t count,
    struct result *r)
{
    double *columns = r->columns, samples = 0, discarded = 0, clock = 0;
    struct portion joined[CONTEXTS_MOST] = {0};
    if (count > CONTEXTS_MOST) count = CONTEXTS_MOST;
    const size_t contexts = join_visits(parts, in_context, count, joined);
    struct pooled p = pool_times(joined, contexts);
    for (size_t i = 0; i < count; i++) {
        samples += parts[i].samples;
        discarded += parts[i].discarded;
        clock += parts[i].clock_mhz / (double)count;
    }
    columns[COLUMN_CONTEXTS] = (double)contexts;
    columns[COLUMN_SAMPLES] = samples;
    columns[COLUMN_DISCARDED] = discarded;
    columns[COLUMN_CLOCK_MHZ] = clock;
    if (!(p.value > 0)) { // below the timer: 0 would be a number, and a wrong one
        if (r->status == STATUS_OK) r->status = STATUS_IMPRECISE;
        why_note(&r->why, BELOW_TIMER, samples);
        return;
    }
    columns[COLUMN_TIME_US] = p.value;
    columns[COLUMN_TIME_LO_US] = p.low < 0 ? 0 : p.low;
    columns[COLUMN_TIME_HI_US] = p.high;
    columns[COLUMN_WITHIN_PCT] = 100 * p.within / p.value;
    columns[COLUMN_BETWEEN_PCT] = 100 * p.between / p.value;
    contexts_rates(job, p.value, columns);
    say_modes(parts, count, r);
    if (samples < job->goals.min_samples) {
        if (r->status == STATUS_OK) r->status = STATUS_IMPRECISE;
        why_note(&r->why, FEW, samples, discarded, job->goals.min_samples);
    }
    const int of = job->goals.of; // where the goal is about a reported value, only that one is judged
    if (!of && p.half_width > job->goals.precision) say_imprecise(job, &p, contexts, "time", r);
    for (size_t i = 0; i < job->report_count && i < RESULT_REPORTS; i++) {
        struct pooled report = pool_reports(joined, contexts, i);
        r->reports[i] = report.value;
        if ((!of || of == (int)i + 1) && isfinite(report.value) && report.half_width > job->goals.precision)
            say_imprecise(job, &report, contexts, job->reports[i].name, r);
    }
}
