// One point explained: its findings, printed or as JSON. For a point that the simulator has run, and for a report's
// row.
// SPDX-License-Identifier: MIT
#ifndef CLI_EXPLAINING_H
#define CLI_EXPLAINING_H
#include "base/json.h"
#include "plan/plan.h"
#include "reason/findings.h"
#include "reason/study.h"
#include "spec/kernel.h"

struct explaining {
    const struct plan *plan;
    const struct value *values;
    const struct job *job;
    const struct kernel *kernel;
    const char *status, *reason;
    const char *device,
        *limits; // its name, in words or as a simulator; what is said of it (see evidence_device) or NULL
    const double *columns;
    const struct device_places *places; // NULL: none
    struct study *trial;                // to try other values on; not the one that has `places`
    struct json *json;                  // NULL: text
    // The time of the report's row that differs from this one in that alone ("stride=1"); NAN: there is none. NULL: of
    // no report.
    double (*other_time)(void *rows, const char *test);
    void *rows;
    const char *prove; // run what can be tested, on this device; NULL: do not
    bool numbers;      // it has some
    bool whole;        // see struct evidence
};
// `room` is for the device and must live as long.
void explaining_evidence(const struct explaining *, struct evidence *, struct profile *room);
void explaining_point(const struct explaining *);
#endif
