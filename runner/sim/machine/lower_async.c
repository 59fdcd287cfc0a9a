// Barriers in shared memory, and copies by a unit of its own. A warp makes such a copy once: a loop around it elects
// one lane after the other.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/machine/lower.h"
#include "sim/ops/mbarrier.h"

// 64-bit lanes of a slot of 32, as addresses of shared memory.
static uint32_t widened(struct lower *l, uint32_t slot, uint32_t to)
{
    lower_put(l, "m_pair", to, slot, l->zero, 0)->guard = 0;
    return to;
}

// One or two uniform registers as an address.
static uint32_t address(struct lower *l, uint32_t reg, bool shared, uint32_t to)
{
    const uint32_t low = lower_uniform(l, reg, true);
    if (shared) return widened(l, lower_resident(l, low, l->temps[0]), to);
    lower_put(l, "m_pair", to, low, lower_uniform(l, reg + 1, true), 0)->guard = 0;
    return to;
}

static struct inst *barrier(struct lower *l, enum mbarrier_kind kind, uint32_t at, uint32_t number)
{
    struct inst *i = lower_emit(l, "mbarrier");
    i->elem = (uint8_t)kind, i->vector = MBARRIER_MACHINE, i->space = SPACE_SHARED;
    i->r[1] = number, i->r[4] = at, i->offset = sass_signed(l->in, 40, 24);
    lower_access(l, i, ACCESS_LOAD);
    i->r[5] = 0;
    return i;
}

// Who arrives, and how many bytes are told: none, one, or what a register says.
static bool arrives(struct lower *l)
{
    enum { ONE_AND_BYTES, ONE, ONE_BYTE, BYTES, BYTES_IN_IT, SEVERAL };
    enum { STATE, MASK, REMOTE, REMOTE_MASK, LEAVES };
    const struct sass_inst *in = l->in;
    const unsigned what = (unsigned)sass_bits(in, 84, 3), gives = (unsigned)sass_bits(in, 73, 3);
    const bool result = gives == STATE && in->dst != SASS_RZ;
    const uint32_t number = lower_register(l, (uint32_t)sass_bits(in, 32, 8), true);
    const bool arrival = what == ONE_AND_BYTES || what == ONE || what == SEVERAL;
    if (what == BYTES_IN_IT || what > SEVERAL || (gives != STATE && gives != REMOTE && gives != LEAVES))
        return lower_fail(l, "a form of SYNCS.ARRIVE");
    struct inst *i = barrier(l, arrival ? MBARRIER_ARRIVE : MBARRIER_EXPECT, lower_near_address(l, 64),
        what == ONE            ? 0
            : what == ONE_BYTE ? lower_number(l, 1)
                               : number);
    if (what == ONE_AND_BYTES) i->vector |= MBARRIER_BYTES;
    if (gives == LEAVES) i->vector |= MBARRIER_DROPS;
    if (!result) return true;
    i->r[0] = l->wide[2];
    lower_put(l, "m_unpair", lower_register(l, in->dst, false), l->wide[2], 0, 0);
    return true;
}

static bool syncs(struct lower *l)
{
    enum { PHASE = 2, ARRIVE = 4 };
    const struct sass_inst *in = l->in;
    if (in->form == ARRIVE) return arrives(l);
    if (in->form != PHASE) return lower_fail(l, "a form of SYNCS");
    const uint32_t state = lower_register(l, (uint32_t)sass_bits(in, 32, 8), true), at = lower_near_address(l, 64);
    struct inst *i = barrier(l, MBARRIER_TEST, at, state);
    i->r[0] = lower_result(l, 81, false);
    if (sass_bit(in, 72)) i->vector |= MBARRIER_WAITS;
    return true;
}

// A barrier is made by storing what it is to hold.
static bool makes(struct lower *l)
{
    enum { EXCHANGE = 2 };
    const struct sass_inst *in = l->in;
    if (in->form != EXCHANGE || (in->dst & 63) != SASS_URZ) return lower_fail(l, "a form of SYNCS on what is stored");
    const uint32_t at = lower_uniform(l, (uint32_t)sass_bits(in, 24, 6), true);
    barrier(l, MBARRIER_INIT, lower_resident(l, at, l->temps[0]),
        lower_uniform(l, (uint32_t)sass_bits(in, 32, 6), true));
    return true;
}

// The copies of this thread have come already: they count at once.
static bool copies_arrive(struct lower *l)
{
    enum { COUNT = 1, BYTE = 2 };
    const unsigned how = (unsigned)sass_bits(l->in, 70, 2);
    if (how != COUNT && how != BYTE) return lower_fail(l, "a form of ARRIVES");
    const uint32_t at = lower_uniform(l, (uint32_t)sass_bits(l->in, 64, 6), true);
    lower_emit(l, "cp.follow");
    barrier(l, how == COUNT ? MBARRIER_ARRIVE : MBARRIER_COMPLETE, lower_resident(l, at, l->temps[0]), 0);
    return true;
}

static const uint8_t reductions[8] = {
    ATOMIC_ADD, ATOMIC_MIN, ATOMIC_MAX, ATOMIC_INC, ATOMIC_DEC, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR};

static bool reduction(struct lower *l, struct memory_op *m)
{
    static const uint8_t types[9] = {
        ATOMIC_U32, ATOMIC_S32, ATOMIC_U64, ATOMIC_S64, ATOMIC_F16, ATOMIC_F32, ATOMIC_F32, ATOMIC_F64, ATOMIC_BF16};
    const unsigned type = (unsigned)sass_bits(l->in, 81, 4);
    m->kind = ACCESS_REDUCE, m->atomic = reductions[sass_bits(l->in, 87, 3)];
    if (type > 8 || type == 6) return lower_fail(l, "a form of UBLKRED"), false;
    return m->type = types[type], true;
}

// Of bytes that follow each other: to and from, how many pieces of 16 bytes, and in the upper half to which blocks.
static bool bulk(struct lower *l, bool reduces)
{
    const struct sass_inst *in = l->in;
    const bool to_shared = sass_bit(in, 73), from_shared = sass_bit(in, 74), several = sass_bit(in, 75) && !reduces;
    const uint32_t to = (uint32_t)sass_bits(in, 32, 6), from = (uint32_t)sass_bits(in, 24, 6),
                   size = lower_uniform(l, (uint32_t)sass_bits(in, 64, 6), true);
    struct bulk_op *op = arena_alloc(l->arena, sizeof *op);
    op->to_space = to_shared ? SPACE_SHARED : SPACE_GLOBAL, op->from_space = from_shared ? SPACE_SHARED : SPACE_GLOBAL;
    op->to = address(l, to, to_shared, l->wide[0]);
    op->from = address(l, from, from_shared, l->wide[1]);
    if (to_shared) op->barrier = address(l, to + 1, true, l->wide[2]);
    lower_put(l, "m_and", l->temps[1], size, lower_number(l, several ? 0xffff : ~0u), l->zero)->guard = 0;
    lower_put(l, "m_shl", l->temps[1], l->temps[1], lower_number(l, 4), l->zero)->guard = 0;
    op->bytes = l->temps[1];
    if (several) {
        lower_put(l, "m_shr", l->temps[2], l->zero, lower_number(l, 16), size)->guard = 0;
        op->ranks = l->temps[2];
    }
    struct inst *i = lower_emit(l, "cp.async.bulk");
    i->space = SPACE_GLOBAL, i->vector = 1;
    op->memory = *lower_access(l, i, to_shared ? ACCESS_LOAD : ACCESS_STORE);
    op->memory.unit = UNIT_ELSEWHERE, op->memory.plain = false;
    i->bulk = op;
    return !reduces || reduction(l, &op->memory);
}

// Bits of a uniform register, in a slot of their own.
static uint32_t part_of(struct lower *l, uint32_t reg, uint32_t from, uint32_t bits)
{
    const uint32_t slot = lower_slot(l, MACHINE_REGISTER);
    lower_put(l, "m_shr", slot, l->zero, lower_number(l, from), lower_uniform(l, reg, true))->guard = 0;
    lower_put(l, "m_and", slot, slot, lower_number(l, (1u << bits) - 1), l->zero)->guard = 0;
    return slot;
}

// By a tensor map. Registers in a row: where the box lies in shared memory, the barrier that counts what comes, where
// the box begins. Another one has how far a filter reads from there, and in the upper half to which blocks.
static bool boxed(struct lower *l)
{
    const struct sass_inst *in = l->in;
    static const uint8_t shift_bits[] = {16, 8, 5};
    const bool loads = in->op == SASS_UTMALDG;
    const uint32_t row = (uint32_t)sass_bits(in, 32, 6), more = (uint32_t)sass_bits(in, 64, 6);
    struct bulk_op *op = arena_alloc(l->arena, sizeof *op);
    op->rank = (uint8_t)(sass_bits(in, 79, 3) + 1), op->images = sass_bit(in, 82);
    if (op->rank > 5 || (op->images && op->rank < 3)) return lower_fail(l, "a form of UTMA");
    op->to_space = loads ? SPACE_SHARED : SPACE_GLOBAL, op->from_space = loads ? SPACE_GLOBAL : SPACE_SHARED;
    *(loads ? &op->to : &op->from) = address(l, row, true, l->wide[0]);
    op->map = address(l, (uint32_t)sass_bits(in, 24, 6), false, l->wide[1]);
    if (loads) op->barrier = address(l, row + 1, true, l->wide[2]);
    for (uint32_t k = 0; k < op->rank; k++) op->at[k] = lower_uniform(l, row + 1 + loads + k, true);
    const uint32_t bits = op->images ? shift_bits[op->rank - 3] : 0;
    for (uint32_t k = 0; loads && op->images && k + 2 < op->rank; k++)
        op->shift[k + 1] = part_of(l, more, k * bits, bits);
    if (loads && sass_bit(in, 75)) op->ranks = part_of(l, more, 16, 16);
    struct inst *i = lower_emit(l, "cp.async.bulk.tensor");
    i->space = SPACE_GLOBAL, i->vector = 1;
    op->memory = *lower_access(l, i, loads ? ACCESS_LOAD : ACCESS_STORE);
    op->memory.unit = UNIT_ELSEWHERE, op->memory.plain = false;
    if (in->op == SASS_UTMAREDG) op->memory.kind = ACCESS_REDUCE, op->memory.atomic = reductions[sass_bits(in, 87, 3)];
    i->bulk = op;
    return true;
}

// A few values to the shared memory of a block, whose barrier, in the address's second register, counts their bytes.
static bool store(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const uint32_t at = (uint32_t)sass_bits(in, 24, 8), value = (uint32_t)sass_bits(in, 32, 8);
    const unsigned size = (unsigned)sass_bits(in, 73, 3);
    if (!sass_bit(in, 90) || sass_bits(in, 64, 6) != SASS_URZ || sass_bits(in, 40, 24) || size < 4 || size > 6)
        return lower_fail(l, "a form of STAS");
    struct bulk_op *op = arena_alloc(l->arena, sizeof *op);
    op->item = 4, op->items = (uint8_t)(1u << (size - 4));
    op->to = widened(l, lower_resident(l, lower_register(l, at, true), l->temps[0]), l->wide[0]);
    op->barrier = widened(l, lower_resident(l, lower_register(l, at + 1, true), l->temps[0]), l->wide[1]);
    for (uint32_t k = 0; k < op->items; k++) op->values[k] = lower_register(l, value + k, true);
    struct inst *i = lower_emit(l, "st.async");
    i->space = SPACE_SHARED;
    op->memory = *lower_access(l, i, ACCESS_STORE);
    op->memory.unit = UNIT_ELSEWHERE, op->memory.plain = false;
    i->bulk = op;
    return true;
}

// A wait for all but so many groups of copies: of those of a thread, and until those in bulk have read.
static bool waits_for_groups(const struct sass_inst *in, uint32_t *left)
{
    *left = (uint32_t)sass_bits(in, 38, 6);
    return in->op == SASS_DEPBAR && in->form == 4 && sass_bit(in, 47);
}

// What the accesses around it are ordered by. Behind a wait for copies in bulk caches are emptied where the copies are
// to be done, and not only to have read.
static bool orders(struct lower *l)
{
    enum { BLOCK = 0 };
    const struct sass_inst *in = l->in;
    uint32_t left;
    switch ((enum sass_op)in->op) {
    case SASS_NOP: return lower_emit(l, "c_meet"), true; // what is left of a __syncwarp() of lanes that are together
    case SASS_LDGDEPBAR: return lower_emit(l, "cp.commit"), true;
    case SASS_UTMACMDFLUSH: return lower_emit(l, "bulk.commit"), true;
    case SASS_MEMBAR: return lower_emit(l, "fence")->vector = sass_bits(in, 76, 3) != BLOCK, true;
    case SASS_FENCE: return lower_emit(l, "fence")->offset = 1, true;
    case SASS_DEPBAR:
        if (!waits_for_groups(in, &left)) return true;
        lower_emit(l, "cp.wait")->offset = left;
        lower_put(l, "bulk.wait", 1, 0, 0, 0)->offset = left;
        return true;
    case SASS_CCTL:
        lower_emit(l, "fence")->elem = 1; // behind a read that acquires
        if (in > l->code.insts && waits_for_groups(in - 1, &left)) lower_emit(l, "bulk.wait")->offset = left;
        return true;
    default: return false;
    }
}

bool lower_async(struct lower *l)
{
    if (orders(l)) return true;
    switch ((enum sass_op)l->in->op) {
    case SASS_SYNCS: return syncs(l);
    case SASS_SYNCS_EXCH: return makes(l);
    case SASS_SYNCS_CCTL:
        if (l->in->form != 4 || !l->in->page) return lower_fail(l, "a form of SYNCS.CCTL");
        return barrier(l, MBARRIER_INVAL, lower_near_address(l, 64), 0), true;
    case SASS_ARRIVES: return copies_arrive(l);
    case SASS_UBLKCP: return bulk(l, false), true;
    case SASS_UBLKRED: return bulk(l, true), true;
    case SASS_UTMALDG:
    case SASS_UTMASTG:
    case SASS_UTMAREDG: return boxed(l);
    case SASS_STAS: return store(l);
    default: return false;
    }
}
