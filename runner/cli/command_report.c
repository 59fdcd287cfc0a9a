// `gpuexp report REPORT.csv...`: a page to look at and to pass on, or the rows in another form; of a folder, a book.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "base/say.h"
#include "cli/commands.h"
#include "study/looking.h"
#include "page/export.h"
#include "page/view.h"
#include "store/leftovers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// A table that the program wrote beside a report (`x.samples.csv`): `reports/*.csv` names those too.
static bool is_beside(const char *path)
{
    char report[4096];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".csv") != 0) return false;
    for (const char *p = dot - 1; p > name; p--) { // x.samples.csv stands beside x.csv
        if (*p != '.') continue;
        snprintf(report, sizeof report, "%.*s.csv", (int)(p - path), path);
        if (file_exists(report)) return !view_is_report(path);
    }
    return false;
}

int command_report(const struct options *o, struct diags *d)
{
    char path[4096];
    const char **reports = mem_alloc((o->operand_count + 1) * sizeof *reports);
    size_t count = 0;
    for (size_t i = 0; i < o->operand_count; i++) {
        if (o->operand_count > 1 && is_beside(o->operands[i])) {
            if (!options_given(o, OPTION_QUIET))
                say(stderr, "%s is a table beside a report: left out\n", o->operands[i]);
        } else {
            leftovers_remove(o->operands[i], false);
            reports[count++] = o->operands[i];
        }
    }
    struct request request = options_request(o);
    const struct html_options options = {
        .reports = reports,
        .count = count,
        .output = o->value[OPTION_OUTPUT],
        .wish = {.x = o->value[OPTION_X],
            .y = o->value[OPTION_Y],
            .by = o->value[OPTION_BY],
            .panels = o->value[OPTION_PANELS],
            .log = o->value[OPTION_LOG],
            .kind = o->value[OPTION_KIND]},
        .look = looking_at,
        .context = &request,
    };
    struct stat at;
    const bool book = count == 1 && !o->value[OPTION_FORMAT] && stat(reports[0], &at) == 0 && S_ISDIR(at.st_mode);
    const bool written = book ? book_write(reports[0], &options, path, d)
                              : export_write(o->value[OPTION_FORMAT], &options, path, d) && *path;
    if (written && !options_given(o, OPTION_QUIET)) say(stdout, "%s\n", path);
    free(reports);
    return 0;
}
