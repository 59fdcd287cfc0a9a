// Sorted insertion, the median, and its interval from binomial ranks.
// SPDX-License-Identifier: MIT
#include "measure/stats.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void stats_init(struct stats *s, size_t room)
{
    if (room < 1) room = 1;
    *s = (struct stats){.room = room};
    s->sorted = mem_alloc(room * sizeof *s->sorted);
    s->scratch = mem_alloc(room * sizeof *s->scratch);
    s->turn = mem_alloc(room * sizeof *s->turn);
}

void stats_release(struct stats *s)
{
    free(s->sorted);
    free(s->scratch);
    free(s->turn);
    *s = (struct stats){0};
}

bool stats_add(struct stats *s, double sample)
{
    size_t from = 0, to = s->count;
    if (s->count == s->room || isnan(sample)) return false;
    while (from < to) { // after equal ones
        size_t middle = from + (to - from) / 2;
        if (s->sorted[middle] <= sample) from = middle + 1;
        else to = middle;
    }
    memmove(s->sorted + from + 1, s->sorted + from, (s->count - from) * sizeof *s->sorted);
    memmove(s->turn + from + 1, s->turn + from, (s->count - from) * sizeof *s->turn);
    s->sorted[from] = sample;
    s->turn[from] = s->count++;
    return true;
}

int stats_rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double stats_median(const double *sorted, size_t n)
{
    if (n == 0) return NAN;
    return n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

// The largest k with P(fewer than k of n samples are below the median) <= 2.5 %: so many are cut off at each end.
static size_t cut_exact(size_t n)
{
    double term = ldexp(1, -(int)n), below = 0; // of binomial(n, 1/2); 2^-500 is no problem for a double
    size_t k = 0;
    for (; below + term <= 0.025; k++) {
        below += term;
        term *= (double)(n - k) / (double)(k + 1);
    }
    return k;
}

static size_t cut_normal(size_t n)
{
    return (size_t)(((double)n + 1) / 2 - 1.959963984540054 * sqrt((double)n) / 2); // with the continuity correction
}

bool stats_interval_ranks(size_t n, size_t *low, size_t *high)
{
    size_t cut = n <= STATS_EXACT ? cut_exact(n) : cut_normal(n);
    if (cut == 0) return false;
    *low = cut - 1;
    *high = n - cut;
    return true;
}

// With x = sqrt(df) tan(a) the density becomes a power of cos(a), so that a sum over even steps of the angle will do.
double stats_student(double share, double df)
{
    enum { STEPS = 512 };
    const double step = acos(0) / STEPS;
    double parts[STEPS], total = 0, sum = 0;
    if (df > 1000) df = 1000; // closer to the normal distribution than the sum is exact
    for (int i = 0; i < STEPS; i++) total += parts[i] = pow(cos((i + 0.5) * step), df - 1);
    for (int i = 0; i < STEPS; i++) {
        if (sum + parts[i] >= share * total) return sqrt(df) * tan((i + (share * total - sum) / parts[i]) * step);
        sum += parts[i];
    }
    return INFINITY;
}

struct interval stats_interval(const double *sorted, size_t n)
{
    struct interval i = {stats_median(sorted, n), NAN, NAN, INFINITY};
    size_t low, high;
    if (!stats_interval_ranks(n, &low, &high)) return i;
    i.low = sorted[low];
    i.high = sorted[high];
    if (i.median != 0) i.half_width = (i.high - i.low) / 2 / fabs(i.median);
    return i;
}

// The interval of the samples number `from` to `to` in the order of measurement, picked from the sorted ones.
static struct interval part(const struct stats *s, size_t from, size_t to)
{
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->turn[i] >= from && s->turn[i] < to) s->scratch[n++] = s->sorted[i];
    struct interval i = stats_interval(s->scratch, n);
    if (n < STATS_INTERVAL_LEAST) {
        i.low = s->scratch[0];
        i.high = s->scratch[n - 1];
    }
    return i;
}

double stats_drift(const struct stats *s)
{
    size_t n = s->count / 2;
    if (n < 3) return 0; // three against three are apart by chance once in ten times; fewer say nothing
    struct interval early = part(s, 0, n), late = part(s, s->count - n, s->count);
    bool apart = early.high < late.low || late.high < early.low;
    return apart && early.median > 0 ? late.median / early.median - 1 : 0;
}
