// Runs a point as it is and with one value changed, and says what that gained.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/plan.h"
#include "reason/evidence.h"
#include "study/study.h"

struct proof {
    double before_us, after_us; // of a device without times: what its counts stand for
    bool timed, kept;           // of a device with times; it stands in the report already
    char why[480];              // where it could not be found
};
// `test` is "name=value"; `device` what to run on. False: `why` says why not.
bool proving_run(const struct plan *, const struct value *values, const struct job *, const char *test,
    const char *device, const struct evidence *, struct proof *);
// Counts the point with that value alone, within the study's bounds; the function is told what is known of it. False:
// it has no numbers.
typedef void proving_seen(void *context, const struct evidence *);
bool proving_look(const struct plan *, const struct value *values, const struct job *, const char *test, struct study *,
    const struct evidence *, proving_seen *, void *context);
