// When to stop sampling: a rule with parameters, asked after every sample. The goal is a half width of the median's
// interval. With fewer samples than `min_samples` it is never met; at `max_samples` or `max_time` it is missed, and the
// answer says how far it got.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/stats.h"

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
