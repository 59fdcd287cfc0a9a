// `gpuexp replay REPORT.csv`: what its run file says is run again as it was, into a report beside it, and the two are
// compared. The run file has the texts of experiment, kernel and script: what has become of the files does not matter.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "study/again.h"

#include "base/arena.h"
#include "base/beside.h"
#include "base/file.h"
#include "store/runfile.h"

#include <stdlib.h>
#include <string.h>

struct replay {
    struct again of;
    struct options again; // the command line that measures it
    const char *written;  // what it writes
};

// A replay that was stopped goes on; one that came to its end is kept, and the next begins anew.
static void take_output(struct replay *r)
{
    struct options *o = &r->again;
    options_ask_for(o, &r->of.again);
    LOCAL(mem_drop) char *beside = beside_with(r->of.report, ".replay.csv");
    if (!options_given(o, OPTION_OUTPUT)) o->value[OPTION_OUTPUT] = arena_strdup(r->of.arena, beside);
    r->written = o->value[OPTION_OUTPUT];
    if (o->parts > 1) { // a shard's file has its number in its name
        LOCAL(mem_drop) char *part = beside_with(r->written, "");
        r->written = arena_printf(r->of.arena, "%s.%llu-of-%llu.csv", part, (unsigned long long)o->number[OPTION_SHARD],
            (unsigned long long)o->parts);
    }
    LOCAL(mem_drop) char *facts = runfile_read(r->written), *end = facts ? runfile_get(facts, "end", -1) : NULL;
    if (end && strcmp(end, "complete") == 0) o->value[OPTION_FRESH] = "";
}

// Kernels of before their text was kept are read as they are now: they must be the same.
static bool same_kernel(const struct replay *r, struct diags *d)
{
    LOCAL(mem_drop) char *facts = runfile_read(r->written);
    char *now = facts ? runfile_get(facts, "kernel_hash", 0) : NULL,
         *plan = facts ? runfile_get(facts, "plan", 0) : NULL;
    const char *then = again_fact(&r->of, "kernel_hash"), *points = again_fact(&r->of, "plan");
    const bool kernel = !now || !then || strcmp(now, then) == 0,
               same = r->of.named || !plan || !points || strcmp(plan, points) == 0;
    free(now);
    free(plan);
    if (!kernel) return again_cannot(&r->of, d, NULL, "its kernel is another now, and its text was not kept then");
    return same || again_cannot(&r->of, d, NULL, "the same file makes other points now");
}

int command_replay(const struct options *o, struct diags *d)
{
    LOCAL(mem_drop) char *facts = runfile_read(o->operands[0]);
    struct replay r = {
        .of = {.report = o->operands[0], .facts = facts, .arena = arena_new(), .again = options_request(o)},
        .again = *o};
    int status = 0;
    if (!file_exists(r.of.report)) diag_user(d, (struct where){.file = r.of.report}, NULL, "no such report");
    else if (!facts) again_cannot(&r.of, d, NULL, "it has no run file beside it, which says what it was measured with");
    else if (again_take(&r.of, d) && again_device(&r.of, d)) {
        take_output(&r);
        status = command_run(&r.again, d);
        if (status <= 1 && !diags_errors(d) && same_kernel(&r, d)) {
            const char *const both[] = {r.of.report, r.written};
            struct options pair = *o;
            pair.operands = (const char **)both;
            pair.operand_count = 2;
            const int differ = command_compare(&pair, d);
            if (differ > status) status = differ;
        }
    }
    free(r.of.again.overrides);
    arena_free(r.of.arena);
    return status;
}
