// Whether a time can be believed: pure functions. A kernel could be right where it is looked at and idle elsewhere. So
// some timed launches are verified, on poisoned outputs and other inputs, and their times must belong with the others;
// and no time is below what the bytes need that must come from memory.
// SPDX-License-Identifier: MIT
#ifndef MEASURE_BELONG_H
#define MEASURE_BELONG_H
#include "measure/result.h"
#include "plan/job.h"

// Verified launches' times by the times they should be like, one from each context (NAN: none there). True unless one
// is longer by more than `allowed` (0.1: a tenth). With `spread`, unless all but one in eight are, and by more than
// they differ among themselves: other inputs may take another time, but not each of them a longer one than the usual.
bool belong(const double *ratios, size_t count, double allowed, bool spread);
// True unless all but one in eight are longer by more than `allowed`; of fewer than four nothing is said.
bool belong_mostly(const double *ratios, size_t count, double allowed);
// What a verified launch may take longer: little where the flush makes all launches alike, more in a warm cache, which
// poisoning and filling have passed through, and more where there is one context to tell it.
double belong_allowed(const struct job *, size_t contexts);

// Microseconds that no run from a cold cache can be shorter than: the bytes that it must read, over the memory's peak.
// NAN where the cache is warm or something is not known.
double belong_floor(const struct job *, double peak_gbps);

// Ends a result whose time is not to be believed, from the parts of all contexts; false: it was.
bool belong_believed(const struct job *, const struct portion *, size_t count, double time_us, struct result *);
#endif
