// One point explained: its findings, printed or as JSON. For a point that the simulator has run, and for a report's
// row.
// SPDX-License-Identifier: MIT
#ifndef CLI_EXPLAINING_H
#define CLI_EXPLAINING_H
#include "base/json.h"
#include "spec/kernel.h"
#include "plan/plan.h"
#include "reason/findings.h"
#include "reason/study.h"

struct explaining {
    const struct plan *plan;
    const struct value *values;
    const struct job *job;
    const struct kernel *kernel;
    const char *status, *reason, *device; // device: a row's
    const double *columns;
    const struct device_places *places; // NULL: none
    struct study *trial;                // to try other values on; not the one that has `places`
    struct json *json;                  // NULL: text
    const char *prove;                  // run what can be tested, on this device; NULL: do not
    bool numbers;                       // it has some
    bool whole;                         // see struct evidence
};
void explaining_point(const struct explaining *);
#endif
