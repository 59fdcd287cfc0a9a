// `gpuexp merge`: the shards of one plan joined into one report.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "cli/summary.h"
#include "store/merge.h"

static void say(void *context, const char *line)
{
    if (!*(const bool *)context) fprintf(stderr, "%s\n", line);
}

int command_merge(const struct options *o, struct diags *d)
{
    bool quiet = options_given(o, OPTION_QUIET);
    struct merge_summary s = {0};
    const struct merge_options options = {
        .inputs = o->operands,
        .input_count = o->operand_count,
        .output = o->value[OPTION_OUTPUT],
        .mixed = options_given(o, OPTION_MIXED),
    };
    int status = report_merge(&options, &s, say, &quiet, d);
    if (diags_errors(d) || quiet) return status;
    printf("%zu of %zu points from %zu shards: ", s.rows, s.points, s.shards);
    summary_statuses(s.status, stdout);
    if (s.missing) printf("; %zu missing", s.missing);
    printf("; %s\n", s.output);
    return status;
}
