// `gpuexp merge`: the shards of one plan joined into one report, and the expectations checked on the whole.
// SPDX-License-Identifier: MIT
#include "base/say.h"
#include "cli/commands.h"
#include "plan/load.h"
#include "run/claims.h"
#include "store/merge.h"
#include "store/runfile.h"
#include "study/again.h"

#include <stdlib.h>

static void note(void *context, const char *line)
{
    if (!*(const bool *)context) say(stderr, "%s\n", line);
}

static void claim(void *context, bool broken, struct where at, const char *line)
{
    if (broken || !*(const bool *)context) summary_claim(broken, at, line);
}

// The run file has the text of the experiment, whatever has become of its file. False: it cannot be had, or read.
static bool check(const struct options *o, const char *report, bool *quiet, struct claims *claims)
{
    LOCAL(mem_drop) char *facts = runfile_read(report);
    struct again r = {.report = report, .facts = facts, .arena = arena_new(), .again = options_request(o)};
    LOCAL(diags_clear) struct diags unheard = {0};
    LOCAL(load_release) struct loaded all = {0};
    LOCAL(table_close) struct table t = {0};
    const struct run_observer told = {.context = quiet, .claim = claim};
    r.again.shards = 0;
    bool good = facts && again_take(&r, &unheard) && load_files(&r.again, &all, &unheard) && all.count == 1;
    good = good && table_open(&t, report, &unheard) &&
        claims_check(all.items[0], &t, false, all.sandbox, &told, claims, &unheard);
    free(r.again.overrides);
    arena_free(r.arena);
    return good;
}

int command_merge(const struct options *o, struct diags *d)
{
    bool quiet = options_given(o, OPTION_QUIET);
    struct merge_summary s = {0};
    struct claims claims = {0};
    const struct merge_options options = {
        .inputs = o->operands,
        .input_count = o->operand_count,
        .output = o->value[OPTION_OUTPUT],
        .mixed = options_given(o, OPTION_MIXED),
    };
    int status = report_merge(&options, &s, note, &quiet, d);
    if (diags_errors(d)) return status;
    // A shard has only some of the points that a claim is about: what is true of the whole, the whole says.
    const bool checked = !s.missing && check(o, s.output, &quiet, &claims);
    if (checked && status <= 1) status = status_bad(s.status) || claims.broken ? 1 : 0;
    if (!quiet) {
        say(stdout, "%zu of %zu points from %zu shards: ", s.rows, s.points, s.shards);
        summary_statuses(s.status, stdout);
        if (s.missing) say(stdout, "; %zu missing", s.missing);
        if (checked) summary_claims(claims.holding, claims.broken, claims.unchecked);
        else if (s.broken) say(stdout, "; the shards found %zu expectations broken", s.broken);
        say(stdout, "; %s\n", s.output);
    }
    claims_release(&claims);
    return status;
}
