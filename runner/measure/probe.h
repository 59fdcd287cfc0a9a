// Timed work is verified. Twice in each context a launch is timed like the others and its result verified: at a random
// one of the first samples, on inputs filled anew from another seed, and once more behind the last sample. The last is
// repeated where it took longer than the others: a launch may have been disturbed. Outputs are poisoned before,
// variables of the source are as they were loaded, so that a result of an earlier launch is no help, and no kernel can
// know from within which launch it will be: not by counting, because the sample is drawn, not by the clock, because
// waits are. One that reads the poison does its work then, and takes longer: measure/belong.h.
// SPDX-License-Identifier: MIT
#ifndef MEASURE_PROBE_H
#define MEASURE_PROBE_H
#include "measure/measure_inside.h"

// Keeps what the verified first launch wrote as a number, for the contexts that follow.
bool probe_keep(struct point *);
// Can a timed launch of this point be verified?
bool probe_possible(const struct point *);
// Takes a sample that is verified; `other`: on other inputs, if the point has random ones. False: the point is over.
bool probe_take(struct point *, bool other);
// Their times by those they should be like; NAN: none.
double probe_ratio(const struct probed *, double median);
#endif
