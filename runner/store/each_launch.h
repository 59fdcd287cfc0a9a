// `x.launches.csv` beside a report: what each launch of a sequence counted, in the order of the launches, by the key of
// the row that has their sum. Only rows that the report has stay in it. Guarded by the report's lock.
// SPDX-License-Identifier: MIT
#ifndef STORE_EACH_LAUNCH_H
#define STORE_EACH_LAUNCH_H
#include "plan/job.h"
#include "spec/columns.h"
#include "store/lock.h"

enum { EACH_LAUNCH_COLUMNS = COLUMN_COUNT }; // numbers of one launch, by column; NAN: not counted

// Adds the launches of a point, before its row. `counts`: EACH_LAUNCH_COLUMNS doubles of each.
bool each_launch_add(struct lock *, const char *report, const char *key, const struct job *, const struct str *counts,
    struct diags *);
// Puts it into the order of the report's rows, from the files beside `reports` (NULL-terminated; the last one that has
// a point's counts). Nothing where there are none.
bool each_launch_order(struct lock *, const char *report, const char *const *reports, struct diags *);
char *each_launch_path(const char *report); // for the caller to free
#endif
