// The header of a report, and a row in its order: the two must always fit, so they are in one file.
// SPDX-License-Identifier: MIT
#pragma once
#include "store/report.h"
#include "store/table.h"

// The kernel of a row with these values: where it is an axis, its value.
const char *head_kernel(const struct report_head *, const struct value *values);
void head_text(const struct report_head *, struct str *);
void head_row(const struct report_head *, const struct row *, struct str *);
// Adds a number with the digits of its column; nothing for one that is not known.
void head_number(double, int digits, struct str *);
// False after saying how `table` differs from the report that `head` asks for, and what to do. `other`, where not NULL:
// other columns are none to complain of, only to know of.
bool head_same(const struct report_head *, struct table *, bool *other, struct diags *);
// The first difference of two headers in one sentence; false when there is none.
bool head_difference(char *const *these, size_t these_count, char *const *those, size_t those_count, char why[256]);
// The same column twice (a plan name and a derived one, say).
bool head_unique(const struct report_head *, struct diags *);
