// `gpuexp merge`: the shards of one plan joined into one report.
// SPDX-License-Identifier: MIT
#include "base/say.h"
#include "cli/commands.h"
#include "cli/summary.h"
#include "store/merge.h"

static void note(void *context, const char *line)
{
    if (!*(const bool *)context) say(stderr, "%s\n", line);
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
    int status = report_merge(&options, &s, note, &quiet, d);
    if (diags_errors(d) || quiet) return status;
    say(stdout, "%zu of %zu points from %zu shards: ", s.rows, s.points, s.shards);
    summary_statuses(s.status, stdout);
    if (s.missing) say(stdout, "; %zu missing", s.missing);
    say(stdout, "; %s\n", s.output);
    return status;
}
