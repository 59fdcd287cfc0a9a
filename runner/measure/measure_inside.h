// The inside of one point's measurement, for the files that take part in it (measure.c, contexts.c).
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/contexts.h"
#include "measure/measure.h"
#include "measure/result.h"
#include "measure/taken.h"
#include "plan/job.h"

struct point {
    const struct device_ops *ops;
    struct device *dev;
    const struct job *job;
    struct result *r;
    struct device_identity id;
    struct diags diags;
    bool cold, verified, blind; // blind: `check` took it all the same when it was spoiled
    bool counts;                // it is wrong or hangs on an order, and what it does can be counted
    size_t batch, contexts;
    uint64_t chance;
    unsigned phases; // of the device's own period, which samples have begun in
    struct stats times, clocks, reports[RESULT_REPORTS];
    size_t discarded, place, placed; // in this place, from 0; places that gave samples
    int tries;                       // samples whose surroundings were looked at
    double restore_s;
    struct stop_answer reached; // of what the goal is about
    int of;                     // which is that value which the kernel reports, from 1; 0: the time
    struct interval time;
    double sampling_s, rested; // seconds; rests behind throttled samples are no sampling
    // Of measure.c: what the launches read, and how the last one is looked at. How many seconds a look at all takes,
    // one of this kind, and all so far in this place. What the quickest launch took that was looked at. How many
    // samples were taken because none of the others backed the median.
    enum device_inputs inputs;
    struct device_look look;
    double check_s, look_s, audited_s, looked_us;
    size_t unbacked;
    struct str *taken; // all samples; NULL: nobody wants them
};

// Whether there are samples enough: for what `precision` names, else for the time and each value that is reported. And
// why there were not, as status and reason (contexts.c).
struct stop_answer goal_ask(struct point *, const struct stop *);
void goal_say_missed(struct point *);
