// What the two stamps around a sample say about the GPU's clock, and whether the sample counts as throttled. Pure
// arithmetic, so that it is tested where there is no GPU.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct clock_stamp {
    uint64_t cycles, nanoseconds, sm; // of that SM's own cycle counter
};

struct clock_rule {
    double max_mhz;  // the clock's ceiling; NAN: unknown
    double best_mhz; // the highest clock of a sample so far; 0 at first
};

// The clock between the stamps, in MHz; NAN when they do not say.
double clock_rule_mhz(const struct clock_stamp *before, const struct clock_stamp *after);
// True: the sample ran at a clock clearly below (5 %) the best so far, whatever the reason (not yet awake, too hot, out
// of power); or clearly below the ceiling while `held_down` says that heat or power is the reason. A clock that
// somebody has set lower is neither: it is steady, and a setting is the reason. `held_down` is asked only where the
// answer counts: it takes a system call. Remembers the best clock.
bool clock_rule_throttled(struct clock_rule *, const struct clock_stamp *before, const struct clock_stamp *after,
    bool (*held_down)(void *), void *context);
