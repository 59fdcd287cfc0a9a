// When to stop sampling: an object with parameters, asked after every sample. The goal is a half width of the median's
// interval; under a floor of samples it is never met, at a ceiling of samples or time it is missed, and then it says
// how far it got.
// SPDX-License-Identifier: MIT
#ifndef MEASURE_STOP_H
#define MEASURE_STOP_H
#include "measure/stats.h"

enum stop_state { STOP_GO_ON, STOP_MET, STOP_MISSED };

struct stop {
    double precision; // the goal: (high - low) / 2 / median
    size_t min_samples, max_samples;
    double max_time; // seconds
};

struct stop_answer {
    enum stop_state state;
    struct interval interval; // reached so far
    double drift;             // what kept a narrow interval from being believed; 0: nothing
};

// `tried` counts discarded samples too: they have a ceiling as well, or a device that is always throttled would never
// end. `seconds`: since sampling began.
struct stop_answer stop_ask(const struct stop *, const struct stats *, size_t tried, double seconds);
#endif
