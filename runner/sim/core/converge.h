// How lanes of machine code part and meet: as the code says, by its barriers of convergence, not by where they are.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

// The next group: the one that came last. Called by flow_next for a warp that runs machine code.
const struct inst *converge_next(struct warp *);
// A group that is not run now; it does not join others that are at the same place.
void converge_add(struct warp *, struct group);
extern const struct op converge_ops[];
