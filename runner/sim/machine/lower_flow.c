// Control flow, and what looks across lanes.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/machine/lower.h"

static void branch(struct lower *l, uint32_t target)
{
    const struct sass_inst *in = l->in;
    struct machine_branch *b = arena_alloc(l->arena, sizeof *b);
    struct inst *i = lower_emit(l, "c_branch");
    i->branch = b, i->offset = target;
    if (target / SASS_BYTES >= l->code.count) lower_fail(l, "a branch out of the code");
    if (in->op != SASS_BRA) return;
    if (in->page && sass_bits(in, 32, 2) == 2)
        b->uniform = lower_uniform(l, (uint32_t)sass_bits(in, 24, 6), true), b->inverted = sass_bit(in, 30);
    else if (in->page) lower_fail(l, "BRA by a uniform predicate");
    else if (sass_bits(in, 32, 2) == 1) b->any = true;
    else if (sass_bits(in, 87, 4) != SASS_PT) b->in = lower_predicate(l, 87, 90, false);
}

static void jump(struct lower *l, const char *op, int64_t from)
{
    struct inst *i = lower_emit(l, op);
    i->branch = arena_alloc(l->arena, sizeof(struct machine_branch));
    i->r[0] = lower_register(l, (uint32_t)sass_bits(l->in, 24, 8), true);
    i->r[5] = l->block;
    i->offset = from;
}

static uint32_t barrier_slot(const struct lower *l, int bit)
{
    return l->barriers + (uint32_t)sass_bits(l->in, bit, 4) * MACHINE_REGISTER;
}
// Behind the barriers: the lanes for which each was brought back from a register.
static uint32_t restored_slot(const struct lower *l, int bit)
{
    return l->barriers + 16 * MACHINE_REGISTER + (uint32_t)sass_bits(l->in, bit, 4) * 4;
}

// Lanes come together for a barrier of the block that follows.
static bool for_barrier(const struct lower *l)
{
    const struct sass_inst *in = l->in + 1, *end = l->code.insts + l->code.count;
    while (in < end && !sass_ends(in)) in++;
    return in < end && in->op == SASS_BAR;
}

static void sync_warp(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const bool all = sass_bits(in, 9, 3) == 4;
    struct inst *i = lower_put(l, "c_warpsync",
        all ? lower_number(l, ~0u) : lower_register(l, (uint32_t)sass_bits(in, 24, 8), true), 0, 0, 0);
    i->elem = sass_bits(in, 85, 2) == 1, i->vector = all && for_barrier(l);
    i->r[5] = l->block;
}

static void sync_block(struct lower *l)
{
    const struct sass_inst *in = l->in;
    enum { SYNC, ARRIVE, RED, BY_REGISTER = 2, BY_NUMBER = 5, COUNT = 0 };
    const unsigned mode = (unsigned)sass_bits(in, 77, 3), form = (unsigned)sass_bits(in, 9, 3),
                   how = (unsigned)sass_bits(in, 74, 2);
    if ((form != BY_NUMBER && form != BY_REGISTER) || mode > RED) return (void)lower_fail(l, "a form of BAR");
    const uint32_t count = (uint32_t)sass_bits(in, 42, 12);
    const uint32_t which = form == BY_REGISTER ? lower_register(l, (uint32_t)sass_bits(in, 32, 8), true)
                                               : lower_number(l, (uint32_t)sass_bits(in, 54, 4));
    struct inst *i = lower_put(l, "bar", which, count ? lower_number(l, count) : 0, 0, 0);
    i->offset = mode == RED ? 2 + (int64_t)how : mode == ARRIVE;
    if (mode != RED) return;
    i->r[2] = lower_predicate(l, 87, 90, false);
    i->r[3] = l->voted + (how == COUNT ? 0 : MACHINE_REGISTER);
}

static bool special_register(struct lower *l, uint32_t *slot)
{
    static const struct {
        uint8_t number, special;
    } known[] = {{0x00, SPECIAL_LANE}, {0x21, SPECIAL_TID_X}, {0x22, SPECIAL_TID_Y}, {0x23, SPECIAL_TID_Z},
        {0x25, SPECIAL_CTAID_X}, {0x26, SPECIAL_CTAID_Y}, {0x27, SPECIAL_CTAID_Z}, {0x43, SPECIAL_SM},
        {0x38, SPECIAL_MASK_EQ}, {0x39, SPECIAL_MASK_LT}, {0x3a, SPECIAL_MASK_LE}, {0x3b, SPECIAL_MASK_GT},
        {0x3c, SPECIAL_MASK_GE}};
    const unsigned n = (unsigned)sass_bits(l->in, 72, 8);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].number == n) return *slot = lower_special(l, known[k].special, 0), true;
    if (n == 0x88 && l->clusters) return *slot = lower_special(l, SPECIAL_CLUSTER, CLUSTER_RANK), true;
    if (n == 0xff || n == 0x88) return *slot = l->zero, true; // zero; the rank in a cluster of one
    if (n == 0x2e || n == 0x2f)
        return *slot = lower_number(l, (uint32_t)((n == 0x2f ? WINDOW_SHARED : WINDOW_LOCAL) >> 32)), true;
    return false;
}

static bool across(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const unsigned dst = in->dst & 63;
    struct inst *i;
    struct machine_op *m;
    switch ((enum sass_op)in->op) {
    case SASS_VOTE:
    case SASS_VOTEU: {
        const bool uniform = in->op == SASS_VOTEU;
        i = lower_emit(l, "c_vote");
        if (uniform) i->r[0] = dst == SASS_URZ ? 0 : lower_uniform(l, dst, false);
        else i->r[0] = in->dst == SASS_RZ ? 0 : lower_register(l, in->dst, false);
        i->elem = uniform;
        m = lower_machine(l, i);
        m->in = lower_predicate(l, 87, 90, false);
        m->out = lower_result(l, 81, uniform);
        m->compare = (uint8_t)sass_bits(in, 72, 2);
        return true;
    }
    case SASS_REDUX:
        i = lower_put(l, "c_redux", lower_uniform(l, dst, false),
            lower_register(l, (uint32_t)sass_bits(in, 24, 8), true), 0, 0);
        m = lower_machine(l, i);
        m->is_signed = sass_bit(in, 73), m->compare = (uint8_t)sass_bits(in, 78, 3);
        return true;
    case SASS_R2UR:
    case SASS_R2UR_80:
        i = lower_put(l, "c_r2ur", lower_uniform(l, dst, false),
            lower_register(l, (uint32_t)sass_bits(in, 24, 8), true), 0, 0);
        if (in->op == SASS_R2UR) i->r[2] = lower_result(l, 81, false), i->elem = sass_bit(in, 84);
        return true;
    case SASS_ELECT:
        i = lower_emit(l, "c_elect");
        i->r[0] = dst == SASS_URZ ? 0 : lower_uniform(l, dst, false);
        lower_machine(l, i)->out = lower_result(l, 81, false);
        return true;
    case SASS_USETMAXREG: // asked for again until the registers are there: they are at once
        i = lower_put(l, "m_plop3.all", 0, l->all, l->all, l->all);
        m = lower_machine(l, i);
        m->table = 0xff, m->out = lower_result(l, 81, true);
        return true;
    case SASS_MATCH: {
        const uint32_t of = (uint32_t)sass_bits(in, 24, 8);
        const bool wide = sass_bit(in, 73);
        if (wide) lower_put(l, "m_pair", l->wide[0], lower_register(l, of, true), lower_register(l, of + 1, true), 0);
        i = lower_put(l, wide ? "match.b64" : "match.b32", lower_register(l, in->dst, false),
            wide ? l->wide[0] : lower_register(l, of, true), l->zero, 0);
        i->offset = !sass_bit(in, 79);
        i->r[5] = lower_result(l, 81, false);
        return true;
    }
    case SASS_SHFL: {
        static const uint8_t ways[4] = {3, 0, 1, 2}; // as the core has them: up, down, by bits, by number
        i = lower_emit(l, "shfl");
        const bool by_number = sass_bits(in, 9, 3) == 4 || sass_bits(in, 9, 3) == 7;
        const bool clamp_number = sass_bits(in, 9, 3) == 2 || sass_bits(in, 9, 3) == 7;
        i->r[0] = lower_register(l, in->dst, false);
        i->r[1] = lower_register(l, (uint32_t)sass_bits(in, 24, 8), true);
        i->r[2] = by_number ? lower_number(l, (uint32_t)sass_bits(in, 53, 5))
                            : lower_register(l, (uint32_t)sass_bits(in, 32, 8), true);
        i->r[3] = clamp_number ? lower_number(l, (uint32_t)sass_bits(in, 40, 13))
                               : lower_register(l, (uint32_t)sass_bits(in, 64, 8), true);
        i->r[4] = l->zero;
        i->r[5] = lower_result(l, 81, false);
        i->offset = ways[sass_bits(in, 58, 2)];
        return true;
    }
    default: return false;
    }
}

// The clock, or the time of the whole GPU: `high`: its upper half. False: it is another register.
static bool clock_to(struct lower *l, uint32_t slot, bool high)
{
    enum { CLOCK = 0x50, GLOBAL_TIMER = 0x52 };
    const unsigned n = (unsigned)sass_bits(l->in, 72, 8), low = n & ~1u;
    if (low != CLOCK && low != GLOBAL_TIMER) return false;
    lower_put(l, "clock.32", slot, 0, 0, 0)->offset = high || (n & 1);
    return true;
}

static bool moves(struct lower *l)
{
    const struct sass_inst *in = l->in;
    struct inst *i;
    uint32_t slot;
    switch ((enum sass_op)in->op) {
    case SASS_S2R:
        if (clock_to(l, lower_register(l, in->dst, false), false)) return true;
        if (!special_register(l, &slot)) return lower_fail(l, "S2R of a register that is not known here");
        lower_put(l, "m_mov", lower_register(l, in->dst, false), l->zero, slot, l->zero);
        return true;
    case SASS_S2UR:
        if (clock_to(l, l->temps[0], false)) {
            lower_put(l, "c_r2ur", lower_uniform(l, in->dst & 63, false), l->temps[0], 0, 0);
            return true;
        }
        if (!special_register(l, &slot)) return lower_fail(l, "S2UR of a register that is not known here");
        lower_put(l, "m_mov.all", lower_uniform(l, in->dst & 63, false), l->zero, slot, l->zero);
        return true;
    case SASS_CS2R:
        for (uint32_t k = 0; k < (sass_bit(in, 80) ? 2u : 1u); k++)
            if (sass_bits(in, 72, 8) != 0xff) {
                if (!clock_to(l, lower_register(l, in->dst + k, false), k)) return lower_fail(l, "CS2R");
            } else lower_put(l, "m_mov", lower_register(l, in->dst + k, false), l->zero, l->zero, l->zero);
        return true;
    case SASS_P2R:
    case SASS_R2P:
        if (in->form != 4) return lower_fail(l, "P2R with a mask in a register");
        i = lower_emit(l, in->op == SASS_P2R ? "c_p2r" : "c_r2p");
        i->r[0] = lower_register(l, in->dst, false);
        i->r[1] = lower_source(l, &in->a);
        i->r[2] = l->predicates;
        i->offset = in->b.value, i->elem = (uint8_t)(8 * sass_bits(in, 76, 2));
        return true;
    case SASS_BMOV_R:
    case SASS_BMOV_B: {
        const bool to = in->op == SASS_BMOV_B;
        if (sass_bits(in, 24, 6) > 15) return lower_fail(l, "BMOV of what is no barrier");
        const uint32_t b = barrier_slot(l, 24),
                       r = lower_register(l, to ? (uint32_t)sass_bits(in, 32, 8) : in->dst, to);
        lower_put(l, "c_bmov", to ? b : r, to ? r : b, to ? restored_slot(l, 24) : 0, 0);
        return true;
    }
    default: return false;
    }
}

bool lower_flow(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const int64_t next = (int64_t)in->at + SASS_BYTES;
    uint32_t to;
    switch ((enum sass_op)in->op) {
    case SASS_BRA:
        if (!sass_target(in, &to)) return lower_fail(l, "BRA to nowhere");
        return branch(l, to), true;
    case SASS_CALL_REL:
        if (in->form == 1) return jump(l, "c_call", next + sass_distance(in)), true;
        if (!sass_target(in, &to)) return lower_fail(l, "CALL to nowhere");
        return branch(l, to), true;
    case SASS_CALL_ABS:
        if (in->form != 1) return lower_fail(l, "a form of CALL");
        return jump(l, "c_call", 0), true;
    case SASS_LEPC:
        lower_put(l, "m_mov", lower_register(l, in->dst, false), l->zero, lower_number(l, in->at), l->zero);
        lower_put(l, "m_mov", lower_register(l, in->dst + 1u, false), l->zero, l->zero, l->zero);
        return true;
    case SASS_BRX: return jump(l, "c_jump", next + sass_distance(in)), true;
    case SASS_RET: return jump(l, "c_back", next + sass_distance(in)), true;
    case SASS_BSSY: lower_put(l, "c_bssy", barrier_slot(l, 16), restored_slot(l, 16), 0, 0); return true;
    case SASS_BSYNC:
        lower_put(l, "c_bsync", barrier_slot(l, 16), restored_slot(l, 16), 0, 0)->r[5] = l->block;
        return true;
    case SASS_BREAK: lower_put(l, "c_break", barrier_slot(l, 16), 0, 0, 0); return true;
    case SASS_WARPSYNC_ALL: return sync_warp(l), true;
    case SASS_EXIT: lower_emit(l, "c_exit"); return true;
    case SASS_BPT: lower_emit(l, "c_trap"); return true;
    case SASS_BAR: return sync_block(l), true;
    case SASS_B2R: {
        enum { RESULT = 2 };
        if (sass_bits(in, 77, 2) != RESULT) return lower_fail(l, "a form of B2R");
        lower_put(l, "c_b2r", in->dst == SASS_RZ ? 0 : lower_register(l, in->dst, false), l->voted,
            lower_result(l, 81, false), l->voted + MACHINE_REGISTER);
        return true;
    }
    case SASS_UCGABAR:
        if (in->form != 4 && in->form != 6) return lower_fail(l, "a form of UCGABAR");
        return lower_emit(l, in->form == 4 ? "cluster.arrive" : "cluster.wait"), true;
    default: return across(l) || moves(l);
    }
}
