// How many instructions of each kind a kernel has that touch memory, in the code and not in a run: what machine code
// can be held against (compile/sass.c).
// SPDX-License-Identifier: MIT
#include "sim/facts.h"
#include "sim/rules.h"
#include "sim/state.h"
#include "sim/tables.h"

#include <string.h>

static bool begins(const char *op, const char *with) { return strncmp(op, with, strlen(with)) == 0; }

static bool is_one_of(const struct memory_op *op, enum atomic_type from, enum atomic_type to)
{
    return op->kind >= ACCESS_ATOMIC && op->type >= from && op->type <= to;
}

// The machine's instructions for one of PTX; -1: that is not known.
static int machine_instructions(const struct inst *i)
{
    const struct memory_op *op = i->memory;
    struct rules_piece pieces[4];
    if (op->follows) return 0;
    if (begins(op->name, "wmma") || facts_has(op->name, "shared::cluster")) return -1;
    if (op->form == RULES_AGGREGATE && i->r[0]) return -1; // some lanes may do it again for themselves
    if (!op->used || op->joined) return 1;
    if (i->vector == 4) return (int)rules_pieces(op->used, pieces);
    return 1;
}

static void list(const struct sim_kernel *k, const struct inst *from, const struct inst *to, int32_t counts[SIM_LISTED])
{
    static const int first[] = {[SPACE_GLOBAL] = SIM_LD_GLOBAL,
        [SPACE_SHARED] = SIM_LD_SHARED,
        [SPACE_LOCAL] = SIM_LD_LOCAL,
        [SPACE_GENERIC] = SIM_LD_GENERIC};
    bool unknown[SIM_LISTED] = {0};
    memset(counts, 0, SIM_LISTED * sizeof *counts);
    for (size_t n = 0; n < k->site_count; n++) {
        const struct inst *i = k->site_insts[n];
        if (i < from || i > to) continue;
        const struct memory_op *op = i->memory;
        const bool copies = begins(op->name, "cp.async") && !facts_has(op->name, "bulk");
        if (i->space == SPACE_CONST || i->space == SPACE_PARAM || i->space == SPACE_FRAME) continue;
        if (!copies && (begins(op->name, "cp.") || facts_has(op->name, "async"))) continue; // by another unit
        const int kind = op->kind >= ACCESS_ATOMIC ? 2 : op->kind == ACCESS_STORE, at = first[i->space] + kind;
        const int more = machine_instructions(i);
        counts[at] += more > 0 ? more : 0;
        unknown[at] |= more < 0;
        // Sums of 16-bit floats where shared memory may be: a path for each space, with a loop on one of them.
        if (is_one_of(op, ATOMIC_F16, ATOMIC_B16) && i->space != SPACE_GLOBAL)
            for (int all = SIM_LD_SHARED; all < SIM_LISTED; all++) unknown[all] = true;
    }
    for (int at = 0; at < SIM_LISTED; at++)
        if (unknown[at]) counts[at] = -1;
}

void sim_listed(const struct sim_kernel *k, int32_t counts[SIM_LISTED])
{
    list(k, k->code, k->code + k->code_count, counts);
}

size_t sim_listed_loops(const struct sim_kernel *k, int32_t (*counts)[SIM_LISTED], size_t most)
{
    for (size_t n = 0; n < k->loop_count && n < most; n++) list(k, k->loops[n].from, k->loops[n].to, counts[n]);
    return k->loop_count;
}
