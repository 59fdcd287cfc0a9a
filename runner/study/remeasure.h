// Measures the points of which two reports cannot tell whether they differ: both kernels anew, in turns, as `judge`
// does. For `compare --remeasure`.
// SPDX-License-Identifier: MIT
#pragma once
#include "study/judging.h"
#include "store/pairs.h"

struct remeasured {
    struct judging judging;
    struct arena *arena;
    const char **names, **points; // what tells points apart; those that are asked for
    size_t point_count, room;
    bool stopped; // by a signal, before all were measured
};

void remeasure_begin(struct remeasured *, const struct pairs *, double threshold);
void remeasure_add(struct remeasured *, const struct pairs_side *, const struct cells *); // a point to be measured
// Of reports OLD and NEW, from the texts that their run files keep. False: why not, in diags.
bool remeasure(struct remeasured *, const char *old, const char *new, const struct request *,
    const struct run_observer *, struct diags *);
// What was found of a point; false: nothing was.
bool remeasure_find(const struct remeasured *, const struct pairs_side *, const struct cells *,
    struct judging_verdict *);
void remeasure_end(struct remeasured *);
