// Several contexts of one device. What a short time depends on is drawn anew with each context: its launch path, where
// its buffers lie (some 0.1 us on the GPUs that were looked at). So many samples of one context tell that context's
// time only. A point is sampled in several, and its value and interval are over the contexts: pure functions.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/result.h"
#include "measure/stop.h"
#include "plan/job.h"

// One value a context: their mean, and its 95 % interval by Student's t with one degree less than there are contexts.
struct pooled {
    double value, low, high; // NAN where there is no interval: fewer than two contexts
    double half_width;       // half of the interval / value; INFINITY where there is none
    double between, within;  // standard deviation of the values; what of it the samples within a context explain
};
// `errors`: the standard error of each value as its own context knows it. Values that lie closer together than
// those errors do so by luck: the interval is never narrower than the errors make it.
struct pooled contexts_pool(const double *values, const double *errors, size_t count);
// Of times, in microseconds: the interval also holds what all contexts of one process share.
struct pooled contexts_pool_times(const double *values, const double *errors, size_t count);

// In how many places a context tries a point of so many microseconds (measure/places.h). For a long point it is one:
// places change less of its time than the precision that was asked for.
enum { CONTEXTS_PLACES = RESULT_PLACES };
size_t contexts_places(const struct goals *, size_t contexts, double us);

// When to stop sampling in one of so many places of one of so many contexts: as precise as the whole needs it, no
// more.
struct stop contexts_rule(const struct goals *, size_t contexts, size_t places, size_t room);

// Is the whole known as well as it is to be, so that no further context is needed? Asked behind each of them, from so
// many on: of fewer an interval is narrow by luck too often.
enum { CONTEXTS_LEAST = 5 };
bool contexts_enough(const struct job *, const struct portion *, size_t count);

// Takes what one more visit or place gave, the `of`th, into the mean of those before it.
void contexts_join(struct portion *to, const struct portion *one, size_t of);

// From the parts to the row: value, interval, both components, status and reason. `r` is the last context's result.
// `in_context`: where a context gave several parts, which gave each; NULL: each is of another.
void contexts_conclude(const struct job *, const struct portion *, const unsigned *in_context, size_t count,
    struct result *);

// What follows from a time: bandwidth and operations a second.
void contexts_rates(const struct job *, double time_us, double *columns);
