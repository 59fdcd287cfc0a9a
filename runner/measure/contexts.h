// Several contexts of one device. What a short time depends on is drawn anew with each context: its launch path, where
// its buffers lie (some 0.1 us on the GPUs that were looked at). So many samples of one context tell that context's
// time only. A point is sampled in several, and its value and interval are over the contexts: pure functions.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "measure/result.h"
#include "measure/stats.h"
#include "plan/job.h"

// When to stop sampling: a rule with parameters, asked after every sample. The goal is a half width of the median's
// interval. With fewer samples than `min_samples` it is never met; at `max_samples` or `max_time` it is missed, and the
// answer says how far it got.

enum stop_state { STOP_GO_ON, STOP_MET, STOP_MISSED };

struct stop {
    double precision; // the goal: (high - low) / 2 / median
    size_t min_samples, max_samples;
    double max_time; // seconds
    // Where the interval of a part is asked for: so many microseconds wide is enough too, from so many samples on. 0:
    // only `precision` is.
    double enough_us;
    size_t enough_samples;
    bool soon; // a goal that is out of reach at this pace is missed now, not at the ceiling
};

struct stop_answer {
    enum stop_state state;
    struct interval interval; // reached so far
    double drift;             // why a narrow interval is not believed; 0: it is
};

// `tried` counts discarded samples too: without a limit for them a device that is always throttled would never
// end. `seconds`: since sampling began.
struct stop_answer stop_ask(const struct stop *, const struct stats *, size_t tried, double seconds);

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

// In how many places a context tries a point of so many microseconds (measure/measure.h). For a long point it is one:
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

// Two times of one kernel: where its contexts, or the places of its buffers within them, fall into two groups, the mean
// of all is a time that nobody sees. Pure functions.

struct modes {
    double quick, slow; // the mean of each group
    double slow_share;  // 0 to 1
};

// Of one value for each context or place. True: there are two groups, and both are more than one value. Values that
// only scatter are one, whatever gap chance leaves among them.
bool modes_find(const double *values, size_t count, struct modes *);
