// How far a report and its shards are, from the files alone: it needs no device, no plan and no scheduler, and disturbs
// nobody.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdio.h>

#include "base/diag.h"
#include "base/json.h"
#include "base/str.h"

struct status_part { // one file, or all of a report
    const char *name;
    size_t points, done, failed, left; // failed: failed, wrong, timeout
    bool known, running;               // known: the number of its points
    double seconds;                    // until it is done, at its present speed; NAN: not known
    double pace;                       // seconds for a point; NAN: not known
    struct str state;
};

// What is found goes to `json` as objects of a list, to `metrics` as OpenMetrics, to `page` as rows and squares, or to
// `out` as lines for people.
enum { STATUS_METRICS = 6 };
struct status_to {
    FILE *out;
    struct json *json;        // NULL: another
    struct str *metrics;      // STATUS_METRICS of them, the lines of each family; NULL: another
    struct status_page *page; // NULL: another (run/status_page.h)
    const char *asked;        // the options that were asked for, as lines of a run file; NULL: whatever the report has
};
// One block for `report` ("reports/x.csv"; the report itself, its shards, or both). Returns 0: nothing is left to
// measure, though perhaps to merge; 1: the same, some failed; 75: points are left; 2: shards of two plans; 2 or 3 as
// diags say.
int run_status(const char *report, const struct status_to *, struct diags *);
void run_status_metrics(const struct status_to *); // prints the families, each with its name, and the end
