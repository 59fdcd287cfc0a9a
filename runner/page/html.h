// Reports as one HTML file that needs nothing else: no script, no font, no picture from outside.
// SPDX-License-Identifier: MIT
#ifndef REPORT_HTML_H
#define REPORT_HTML_H
#include "base/diag.h"
#include "page/draw.h"

struct html_options {
    const char *const *reports;
    size_t count;
    const char *output; // NULL: beside the first of them (x.csv: x.html)
    struct chart_wish wish;
};
bool html_write(const struct html_options *, char output[4096], struct diags *); // `output` gets the path

void html_table(const struct view *, struct str *); // the rows, and what is the same in all of them
#endif
