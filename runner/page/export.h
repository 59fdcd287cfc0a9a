// What `gpuexp report` can make of reports: one table, a row for each form.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/beside.h"
#include "base/str.h"
#include "page/html.h"

extern const struct choice export_formats[]; // the usual one first
// In the form of that name. `output` gets the path, or "" where it was printed.
bool export_write(const char *format, const struct html_options *, char output[4096], struct diags *);

// Where an export goes: -o, or beside the first report with this suffix. False: it would overwrite a report.
bool export_path(const struct html_options *, enum beside form, char path[4096], struct diags *);

// What the table has, but html_write.
bool picture_write(const struct html_options *, char output[4096], struct diags *);
bool picture_markdown(const struct html_options *, char output[4096], struct diags *);
