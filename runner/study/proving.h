// Runs a point as it is and with one value changed, and says what that gained.
// SPDX-License-Identifier: MIT
#ifndef STUDY_PROVING_H
#define STUDY_PROVING_H
#include "plan/plan.h"
#include "reason/evidence.h"

struct proof {
    double before_us, after_us; // of a device without times: what its counts stand for
    bool timed, kept;           // of a device with times; it stands in the report already
    char why[480];              // where it could not be found
};
// `test` is "name=value"; `device` what to run on. False: `why` says why not.
bool proving_run(const struct plan *, const struct value *values, const struct job *, const char *test,
    const char *device, const struct evidence *, struct proof *);
#endif
