// `gpuexp report REPORT.csv...`: a page to look at and to pass on, or the rows in another form.
// SPDX-License-Identifier: MIT
#include "base/say.h"
#include "cli/commands.h"
#include "page/export.h"

int command_report(const struct options *o, struct diags *d)
{
    char path[4096];
    const struct html_options options = {
        .reports = o->operands,
        .count = o->operand_count,
        .output = o->value[OPTION_OUTPUT],
        .x = o->value[OPTION_X],
        .y = o->value[OPTION_Y],
    };
    if (export_write(o->value[OPTION_FORMAT], &options, path, d) && *path && !options_given(o, OPTION_QUIET))
        say(stdout, "%s\n", path);
    return 0;
}
