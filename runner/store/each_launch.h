// `x.launches.csv` beside a report: what each launch of a sequence counted, in the order of the launches, by the key of
// the row that has their sum.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/job.h"
#include "spec/columns.h"
#include "store/row_lines.h"

enum { EACH_LAUNCH_COLUMNS = COLUMN_COUNT }; // numbers of one launch, by column; NAN: not counted

extern const struct row_lines_table each_launch_table;
// Adds the launches of a point, before its row. `counts`: EACH_LAUNCH_COLUMNS doubles of each.
bool each_launch_add(struct kept *, const char *key, const struct job *, const struct str *counts, struct diags *);
