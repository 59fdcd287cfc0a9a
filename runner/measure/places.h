// The places that one context tries a point in. Where the buffers of a short kernel lie makes up to 0.4 us of its time:
// as much as the context itself, or more. Moving costs a millisecond, another context 0.2 s.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/measure_inside.h"

// Can the point be put elsewhere, and be the same point?
bool places_possible(const struct point *);
// Takes what the samples of this place gave into the mean of those before it.
void places_keep(struct point *);
// Moves the point, with no samples yet. False: the point is over.
bool places_move(struct point *);
