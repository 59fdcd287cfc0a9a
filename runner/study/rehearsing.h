// A kernel that is to be judged runs once on the simulator, small: there each access is checked, and what could know of
// an earlier launch is launched again on other inputs.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/plan.h"

// The plan's kernels from the second on, at its first point, with their sizes halved until a launch has few threads.
// `why` says what is wrong with the first that is not right there though the first kernel is; the answer is its number.
// 0: nothing is wrong, or nothing can be said (too large, too long, a size that cannot be halved).
// Where the first kernel is right too when inputs that are a formula begin at another place, the others must be, and
// from then on the plan has them begin anywhere.
size_t rehearsing(struct plan *, char why[300]);
