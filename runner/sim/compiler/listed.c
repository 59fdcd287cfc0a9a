// How many instructions of each kind a kernel has that touch memory, in the code and not in a run: what machine code
// can be held against (compile/sass_listed.c).
// SPDX-License-Identifier: MIT
#include "sim/rules/rules.h"
#include "sim/core/state.h"

#include <string.h>

static bool is_one_of(const struct memory_op *op, enum atomic_type from, enum atomic_type to)
{
    return op->kind >= ACCESS_ATOMIC && op->type >= from && op->type <= to;
}

// What the loop for an atomic loads.
static uint32_t loop_bytes(const struct memory_op *op)
{
    return op->type == ATOMIC_U64 || op->type == ATOMIC_S64 || op->type == ATOMIC_F64 ? 8 : 4;
}

// The machine's instructions for one of PTX, with the bytes of each; -1: that is not known.
static int machine_instructions(const struct inst *i, uint32_t bytes[4])
{
    static const uint8_t sizes[] = {
        [ELEM_U8] = 1, [ELEM_S8] = 1, [ELEM_U16] = 2, [ELEM_S16] = 2, [ELEM_32] = 4, [ELEM_S32] = 4, [ELEM_64] = 8};
    const struct memory_op *op = i->memory;
    const uint32_t unit = op->loops || op->halves ? loop_bytes(op) : sizes[i->elem];
    struct rules_piece pieces[4];
    if (op->follows) return 0;
    if (op->unit == UNIT_TILE || op->unit == UNIT_CLUSTER) return -1;
    if (op->form == RULES_AGGREGATE && i->r[0]) return -1; // some lanes may do it again for themselves
    const bool plain = op->kind < ACCESS_ATOMIC && !op->matrices && op->unit != UNIT_COPY;
    bytes[0] = !plain                ? 0
        : op->joined                 ? op->joined
        : op->used && i->vector == 2 ? unit
                                     : unit * (i->vector ? i->vector : 1);
    if (!op->used || op->joined || i->vector != 4) return 1;
    const int count = (int)rules_pieces(op->used, pieces);
    for (int k = 0; k < count; k++) bytes[k] = pieces[k].words * unit;
    return count;
}

int sim_listed_at(enum sim_listed_kind kind, uint32_t bytes)
{
    const int width = bytes ? __builtin_ctz(bytes) : SIM_NO_WIDTH;
    return (int)kind * SIM_WIDTHS + (width < SIM_NO_WIDTH ? width : SIM_NO_WIDTH);
}

static void list(const struct sim_kernel *k, const struct inst *from, const struct inst *to, int32_t counts[SIM_LISTED])
{
    static const int first[] = {[SPACE_GLOBAL] = SIM_LD_GLOBAL,
        [SPACE_SHARED] = SIM_LD_SHARED,
        [SPACE_LOCAL] = SIM_LD_LOCAL,
        [SPACE_GENERIC] = SIM_LD_GENERIC};
    bool unknown[SIM_LISTED_KINDS] = {0};
    uint32_t bytes[4];
    memset(counts, 0, SIM_LISTED * sizeof *counts);
    for (size_t n = 0; n < k->site_count; n++) {
        const struct inst *i = k->site_insts[n];
        if (i < from || i > to) continue;
        const struct memory_op *op = i->memory;
        if (i->space == SPACE_CONST || i->space == SPACE_PARAM || i->space == SPACE_FRAME) continue;
        if (op->unit == UNIT_ELSEWHERE) continue;
        const int kind = first[i->space] + (op->kind >= ACCESS_ATOMIC ? 2 : op->kind == ACCESS_STORE);
        const int more = machine_instructions(i, bytes);
        for (int m = 0; m < more; m++) counts[sim_listed_at((enum sim_listed_kind)kind, bytes[m])]++;
        unknown[kind] |= more < 0;
        // Sums of 16-bit floats where shared memory may be: a path for each space, with a loop on one of them.
        if (is_one_of(op, ATOMIC_F16, ATOMIC_B16) && i->space != SPACE_GLOBAL)
            for (int all = SIM_LD_SHARED; all < SIM_LISTED_KINDS; all++) unknown[all] = true;
    }
    for (int at = 0; at < SIM_LISTED; at++)
        if (unknown[at / SIM_WIDTHS]) counts[at] = -1;
}

void sim_listed(const struct sim_kernel *k, int32_t counts[SIM_LISTED])
{
    list(k, k->code, k->code + k->code_count, counts);
}

enum { MOST_LOOPS = 12 };
struct more {
    int32_t left[SIM_LISTED];
    int32_t loops[MOST_LOOPS][SIM_LISTED];
    size_t loop_count;
    int tries;
};

static bool is_none(const int32_t left[SIM_LISTED])
{
    for (int at = 0; at < SIM_LISTED; at++)
        if (left[at]) return false;
    return true;
}

// Takes so many turns away; false: there is not as much.
static bool take(int32_t left[SIM_LISTED], const int32_t loop[SIM_LISTED], int turns)
{
    bool any = false;
    for (int at = 0; at < SIM_LISTED; at++) {
        left[at] -= turns * loop[at];
        if (left[at] < 0) return false;
        any |= loop[at] > 0;
    }
    return any;
}

// Whether what is left is more turns of the loops from `n` on.
static bool is_turns(struct more *m, size_t n)
{
    int32_t before[SIM_LISTED];
    if (is_none(m->left)) return true;
    if (n == m->loop_count) return false;
    memcpy(before, m->left, sizeof before);
    bool fits = true;
    for (int turns = 1; fits && m->tries-- > 0; turns++) {
        if (is_turns(m, n + 1)) return true;
        memcpy(m->left, before, sizeof before);
        fits = take(m->left, m->loops[n], turns);
    }
    memcpy(m->left, before, sizeof before);
    return false;
}

// A loop that all lanes of a warp leave together asks for the same, written out or not.
static bool is_written_out(const struct sim_kernel *k, const int32_t counted[SIM_LISTED], const int32_t has[SIM_LISTED])
{
    struct more m = {.tries = 20000, .loop_count = k->loop_count};
    if (m.loop_count > MOST_LOOPS) return false;
    for (size_t n = 0; n < k->loop_count; n++) list(k, k->loops[n].from, k->loops[n].to, m.loops[n]);
    for (int at = 0; at < SIM_LISTED; at++) {
        m.left[at] = counted[at] < 0 ? 0 : has[at] - counted[at];
        if (m.left[at] < 0) return false;
        for (size_t n = 0; n < m.loop_count; n++)
            if (counted[at] <= 0) m.loops[n][at] = 0;
    }
    return is_turns(&m, 0);
}

static bool is_made(const struct sim_counts *c, int kind)
{
    if (kind <= SIM_ST_GLOBAL || kind == SIM_ATOMIC_GLOBAL)
        return (kind == SIM_LD_GLOBAL          ? c->ld_requests
                       : kind == SIM_ST_GLOBAL ? c->st_requests
                                               : c->atom_requests + c->red_requests) > 0;
    if (kind == SIM_LD_SHARED) return c->shared_ld_requests > 0;
    if (kind == SIM_ST_SHARED) return c->shared_st_requests > 0;
    return kind == SIM_ATOMIC_SHARED ? c->shared_atom_requests > 0 : c->accesses > 0;
}

enum sim_fit sim_listed_fit(const struct sim_kernel *k, const struct sim_counts *c, const int32_t has[SIM_LISTED],
    bool stack_told, struct sim_fitted *f)
{
    static const int locals[] = {SIM_LD_LOCAL * SIM_WIDTHS, (SIM_ST_LOCAL + 1) * SIM_WIDTHS};
    enum sim_fit is = SIM_FITS;
    bool in_registers = true;
    sim_listed(k, f->counted);
    for (int at = locals[0]; at < locals[1]; at++) in_registers &= !has[at];
    for (int at = locals[0]; in_registers && at < locals[1]; at++) f->counted[at] = 0;
    const bool written_out = !c->uneven_turns && is_written_out(k, f->counted, has);
    for (int at = 0; at < SIM_LISTED; at++) {
        const bool told = stack_told && at >= locals[0] && at < locals[1];
        f->misfits[at] = false;
        if (f->counted[at] == has[at] || (written_out && f->counted[at] >= 0)) continue;
        if (f->counted[at] < 0 || told) {
            if (is == SIM_FITS && (has[at] || told)) is = SIM_FIT_UNKNOWN;
        } else if (is_made(c, at / SIM_WIDTHS)) {
            f->misfits[at] = true;
            is = SIM_MISFITS;
        }
    }
    return is;
}
