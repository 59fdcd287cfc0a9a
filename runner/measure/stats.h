// Statistics of repeated measurements: pure functions over sorted samples, no I/O, no assumption about how times are
// distributed. A `struct stats` keeps samples sorted, each with its number in the order of measurement. stats_init
// allocates all memory, stats_release frees it.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Fewer samples than this have no 95 % interval: even [smallest, largest] of 5 misses the median once in 16 times.
enum { STATS_INTERVAL_LEAST = 6 };

struct stats {
    double *sorted, *scratch;
    size_t *turn; // of each sorted sample: its number in the order of measurement
    size_t count, room;
};
void stats_init(struct stats *, size_t room);
void stats_release(struct stats *);
static inline void stats_clear(struct stats *s) { s->count = 0; }
// Keeps the sample; false when there is no room or it is not a number. A binary search and one move: cheap up to 10^5.
bool stats_add(struct stats *, double sample);

int stats_rising(const void *, const void *); // of doubles, for qsort
// The middle one, or the mean of the two in the middle; NAN without samples.
double stats_median(const double *sorted, size_t n);
// The 95 % confidence interval of the median by order statistics: [sorted[*low], sorted[*high]] holds the
// median of the population in at least 95 % of cases, because the number of samples below it is binomial(n, 1/2).
// Exact up to STATS_EXACT samples, then by the normal approximation of the ranks. False below STATS_INTERVAL_LEAST.
enum { STATS_EXACT = 500 };
bool stats_interval_ranks(size_t n, size_t *low, size_t *high);

// Student's t: how many standard errors to either side hold that share of the distribution with `df` degrees.
double stats_student(double share, double df);

struct interval {
    double median, low, high; // NAN where not known
    double half_width; // (high - low) / 2 / median; INFINITY when there is no interval or the median is not above 0
};
struct interval stats_interval(const double *sorted, size_t n);

// How much the later half of the samples differs from the earlier one, as median / median - 1, when the two halves'
// intervals (with fewer than STATS_INTERVAL_LEAST samples in a half, their ranges) do not overlap; else 0.
double stats_drift(const struct stats *);
