// A report as one HTML page that needs nothing else: what was the same for all points, a chart, the table.
// SPDX-License-Identifier: MIT
#ifndef CLI_PAGE_H
#define CLI_PAGE_H
#include "base/diag.h"
#include "base/str.h"

// `x` and `y` are columns to draw; NULL: the axis with the most values, and the first of time, bandwidth and counts that is known.
bool page_html(const char *report, const char *x, const char *y, struct str *, struct diags *);
#endif
