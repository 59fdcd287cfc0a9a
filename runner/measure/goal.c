// What the goals of a point are about, and what is said where they were missed.
// SPDX-License-Identifier: MIT
#include "measure/measure_inside.h"
#include "measure/result.h"

#include <math.h>

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
