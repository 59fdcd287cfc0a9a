// Statistics of repeated measurements: pure functions over sorted samples, no I/O, no assumption about how times are
// distributed. A `struct stats` keeps samples sorted, and of each when it came; its memory is taken once by stats_init,
// so that nothing else here ever allocates. stats_release gives it back.
// SPDX-License-Identifier: MIT
#ifndef MEASURE_STATS_H
#define MEASURE_STATS_H
#include <stdbool.h>
#include <stddef.h>

// Fewer samples than this have no 95 % interval: even [least, greatest] of 5 misses the median once in 16 times.
enum { STATS_INTERVAL_LEAST = 6 };

struct stats {
    double *sorted, *scratch;
    size_t *turn; // of each sorted sample: the how manieth it was
    size_t count, room;
};
void stats_init(struct stats *, size_t room);
void stats_release(struct stats *);
// Keeps the sample; false when there is no room or it is not a number. A binary search and one move: cheap up to 10^5.
bool stats_add(struct stats *, double sample);

// NAN for none, the middle one, or the mean of the two in the middle.
double stats_median(const double *sorted, size_t n);
// The 95 % confidence interval of the median by order statistics: [sorted[*low], sorted[*high]] holds the median of
// whatever the samples come from in at least 95 % of cases, because the number of samples below it is binomial(n, 1/2).
// Exact up to STATS_EXACT samples, then by the normal approximation of the ranks. False below STATS_INTERVAL_LEAST.
enum { STATS_EXACT = 500 };
bool stats_interval_ranks(size_t n, size_t *low, size_t *high);

struct interval {
    double median, low, high; // NAN where not known
    double half_width; // (high - low) / 2 / median; INFINITY when there is no interval or the median is not above 0
};
struct interval stats_interval(const double *sorted, size_t n);

// How much the later half of the samples differs from the earlier one, as median / median - 1, when the two halves'
// intervals (below STATS_INTERVAL_LEAST samples a half: their ranges) do not even touch; else 0.
double stats_drift(const struct stats *);
#endif
