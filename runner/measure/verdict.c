// Ratios of times with their intervals, on the scale of logarithms.
// SPDX-License-Identifier: MIT
#include "measure/verdict.h"

#include "measure/stats.h"

#include <math.h>

// What an interval of one context leaves out: as seen on H100 and H200 between contexts and between processes.
static const double unseen_us = 0.12, unseen_share = 0.002;

// Student's t for 99 %, known to an eighth of a degree, rounded towards the wider: a report has many rows.
static double wide(double degrees)
{
    enum { EACH = 8, MOST = 64 };
    static double known[EACH * MOST + 1];
    const size_t i = degrees < MOST ? (size_t)(EACH * degrees) : EACH * MOST;
    if (known[i] == 0) known[i] = stats_student(0.99, (double)i / EACH);
    return known[i];
}

static double narrow(double degrees) // for 95 %, of which there are few
{
    static double of, known;
    if (of != degrees) known = stats_student(0.95, of = degrees);
    return known;
}

// The square of the relative standard error, and the degrees of freedom that it is known with.
static double variance(const struct timing *t, double *degrees)
{
    double half = (t->high - t->low) / 2, error;
    if (t->contexts >= 2) {
        *degrees = t->contexts - 1;
        error = half / narrow(*degrees) / t->us;
        return error * error;
    }
    *degrees = 1000;
    error = half / 1.959963984540054 / t->us;
    return error * error + (unseen_us / t->us) * (unseen_us / t->us) + unseen_share * unseen_share;
}

struct ratio verdict_ratio(const struct timing *old, const struct timing *new)
{
    struct ratio r = {NAN, NAN, NAN};
    double of_old, of_new;
    if (!(old->us > 0) || !(new->us > 0)) return r;
    r.value = new->us / old->us;
    double a = variance(old, &of_old), b = variance(new, &of_new), both = a + b;
    if (!isfinite(both)) return r;
    // Welch's degrees: those of the side that is known worse count most.
    double degrees = both > 0 ? both * both / (a * a / of_old + b * b / of_new) : 1000;
    double width = wide(degrees) * sqrt(both);
    r.low = r.value * exp(-width);
    r.high = r.value * exp(width);
    return r;
}

struct ratio verdict_paired(const double *old, const double *old_errors, const double *new, const double *new_errors,
    size_t count)
{
    struct ratio r = {NAN, NAN, NAN};
    double sum = 0, squares = 0, known = 0;
    for (size_t i = 0; i < count; i++) {
        const double a = old_errors[i] / old[i], b = new_errors[i] / new[i];
        if (!(old[i] > 0) || !(new[i] > 0)) return r;
        sum += log(new[i] / old[i]);
        known += (isfinite(a) ? a * a : 0) + (isfinite(b) ? b * b : 0);
    }
    if (!count) return r;
    const double n = (double)count, mean = sum / n;
    r.value = exp(mean);
    if (count < 2) return r;
    for (size_t i = 0; i < count; i++) {
        const double d = log(new[i] / old[i]) - mean;
        squares += d * d;
    }
    // Rounds that agree better than their samples know are so by luck.
    const double width = wide(n - 1) * sqrt(fmax(squares / (n - 1), known / n) / n);
    r.low = r.value * exp(-width);
    r.high = r.value * exp(width);
    return r;
}

enum verdict_kind verdict_of(const struct ratio *r, double threshold)
{
    double least = 1 / (1 + threshold), most = 1 + threshold;
    if (!(r->low > 0) || !(r->high > 0)) return VERDICT_UNSURE;
    if (r->low > 1 && r->value >= most) return VERDICT_SLOWER;
    if (r->high < 1 && r->value <= least) return VERDICT_FASTER;
    return r->low >= least && r->high <= most ? VERDICT_SAME : VERDICT_UNSURE;
}

struct ratio verdict_mean(const struct ratio *all, size_t count)
{
    double sum = 0, low = 0, high = 0;
    for (size_t i = 0; i < count; i++) {
        sum += log(all[i].value);
        low += log(all[i].low);
        high += log(all[i].high);
    }
    if (!count) return (struct ratio){NAN, NAN, NAN};
    return (struct ratio){exp(sum / (double)count), exp(low / (double)count), exp(high / (double)count)};
}
