// Whether one time is another: pure functions over two intervals. A difference is told only where it is real and
// matters: its interval leaves out "none", and it is no smaller than a threshold. So a run compared with itself alarms
// nobody.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

struct timing {           // as a row has it
    double us, low, high; // the time and its 95 % interval
    double contexts;      // that the interval is over; NAN or 1: one, and it leaves out what another draws
};

struct ratio {
    double value, low, high; // new / old, and its 99 % interval; NAN where there is none
};

// UNSURE: it may be as large as the threshold, or nothing.
enum verdict_kind { VERDICT_SAME, VERDICT_FASTER, VERDICT_SLOWER, VERDICT_UNSURE };

struct ratio verdict_ratio(const struct timing *old, const struct timing *new);
// The same of two that were measured in turns: `old` and `new` hold what each of `count` rounds gave, in microseconds,
// the errors how well each was known. What a round gave both of them alike (its context, where their buffers lie)
// is no difference.
struct ratio verdict_paired(const double *old, const double *old_errors, const double *new, const double *new_errors,
    size_t count);
enum verdict_kind verdict_of(const struct ratio *, double threshold);
// The geometric mean of several. The points of a run share its contexts: their errors are taken to be one error, not to
// cancel.
struct ratio verdict_mean(const struct ratio *, size_t count);
