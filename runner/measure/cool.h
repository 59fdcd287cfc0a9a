// Waiting for a GPU to cool. A clock that is held down by heat comes back when the GPU rests; samples taken meanwhile
// keep it hot. The waits grow and are bounded: a GPU that is never cool must not stop a run.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

struct cool {
    double most;        // seconds in all
    double wait, spent; // the next wait; so far
};
struct cool cool_begin(double most);
// What to wait after a sample, in seconds: nothing behind one that was not throttled.
double cool_next(struct cool *, bool throttled);
