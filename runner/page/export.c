// The table of forms. A new one is a row in each of the two lists, and a file that writes it.
// SPDX-License-Identifier: MIT
#include "page/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct choice export_formats[] = {
    {"html", "a page with charts and tables, in one file that needs nothing else"},
    {"svg", "its charts as one picture, for light and dark"},
    {"md", "a Markdown table of the axes and of what the chart draws"},
    {"csv", "the rows that count, without what is for gpuexp alone"},
    {"json", "a JSON array with an object for each row that counts"},
    {"jsonl", "JSON Lines: an object for each row that counts, with the columns as keys"},
    {NULL, NULL},
};
static bool (*const writers[])(const struct html_options *, char[4096], struct diags *) = {
    html_write, picture_write, picture_markdown, plain_csv, plain_list, plain_lines};
_Static_assert(sizeof writers / sizeof *writers + 1 == sizeof export_formats / sizeof *export_formats, "one for each");

bool export_write(const char *format, const struct html_options *o, char output[4096], struct diags *d)
{
    const int i = format ? choice_find(export_formats, format) : 0;
    return i >= 0 && writers[i](o, output, d);
}

bool export_path(const struct html_options *o, enum beside form, char path[4096], struct diags *d)
{
    LOCAL(mem_drop) char *beside = beside_path(o->reports[0], form);
    snprintf(path, 4096, "%s", o->output ? o->output : beside);
    const char *kept = form == BESIDE_ROWS && !o->output ? NULL : beside_named(path, false);
    if (kept)
        return diag_user(d, (struct where){.file = path}, "name another file with -o",
            "may not end in %s, as what a run keeps beside its report", kept);
    for (size_t i = 0; i < o->count; i++)
        if (strcmp(path, o->reports[i]) == 0)
            return diag_user(d, (struct where){.file = path}, "name another file with -o",
                "is a report to be read: it is not overwritten");
    return true;
}
