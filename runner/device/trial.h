// Whether a point could run on a device, found out before anything runs: what the device cannot do, its limits and this
// machine's memory, and whether the kernel compiles. Each distinct text is compiled once.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/device.h"

enum { TRIAL_TEXTS = 64 }; // compiled at most; points with other texts are not tried by compiling

enum trial_answer {
    TRIAL_RUNS,
    TRIAL_SKIPPED, // the device cannot do what the point asks for
    TRIAL_REFUSED  // it cannot run here
};
enum trial_about { TRIAL_OF_DEVICE, TRIAL_OF_CODE, TRIAL_OF_BLOCK, TRIAL_OF_SHARED, TRIAL_OF_GRID, TRIAL_OF_MEMORY };
struct trial_result {
    enum trial_answer answer;
    enum trial_about about; // why it does not run
};

struct trial;
struct trial *trial_new(const struct device_ops *, struct device *); // both may be NULL: then it only compiles
void trial_free(struct trial *);
// `why` gets one sentence for what is not TRIAL_RUNS; of a text that does not compile, the compiler's, with its place.
// Where nothing here can compile, that is a warning, once.
struct trial_result trial_point(struct trial *, const struct job *, struct diags *why);
// One launch of a job against the limits; `fixed`: what its code takes itself, NULL or -1 where nobody knows. False:
// `why` says.
bool trial_limits_hold(const struct device_limits *, const struct job *, const struct job_launch *,
    const struct code_entry *fixed, enum trial_about *, struct diags *why);
size_t trial_left_out(const struct trial *); // distinct texts that were not compiled
