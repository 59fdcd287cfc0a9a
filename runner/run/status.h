// How far a report and its shards are, from the files alone: it needs no device, no plan and no scheduler, and disturbs
// nobody.
// SPDX-License-Identifier: MIT
#ifndef RUN_STATUS_H
#define RUN_STATUS_H
#include <stdio.h>

#include "base/diag.h"
#include "base/json.h"
#include "base/str.h"

struct status_part { // one file, or all of a report
    const char *name;
    size_t points, done, failed, left; // failed: failed, wrong, timeout
    bool known, running;               // known: the number of its points
    double seconds;                    // until it is done, at its present speed; NAN: not known
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
};
// One block for `report` ("reports/x.csv"; the report itself, its shards, or both). Returns 0: all points are there; 1:
// all are there, some failed; 75: points are left; 2 or 3 as diags say.
int run_status(const char *report, const struct status_to *, struct diags *);
void run_status_metrics(const struct status_to *); // prints the families, each with its name, and the end
#endif
