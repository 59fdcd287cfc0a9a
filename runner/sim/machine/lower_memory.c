// Loads, stores, atomics and copies: an address in one slot, then what the core does with it.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/core/residents.h"
#include "sim/machine/lower.h"
#include "sim/ops/tables.h"
#include "sim/rules/rules.h"

#include <stdio.h>

static int64_t offset(const struct sass_inst *in) { return sass_signed(in, 40, 24); }

static uint32_t site(struct lower *l)
{
    mem_grow(&l->site_insts, &l->site_room, l->site_count + 1, sizeof *l->site_insts);
    l->site_insts[l->site_count] = (uint32_t)l->count - 1;
    return (uint32_t)l->site_count++;
}

struct memory_op *lower_access(struct lower *l, struct inst *i, enum access_kind kind)
{
    struct memory_op *m = arena_alloc(l->arena, sizeof *m);
    const struct sass_inst *in = l->in;
    const uint32_t bytes = sass_width(in);
    char name[32];
    if (bytes && bytes != 4) snprintf(name, sizeof name, "%s.%u", sass_name((enum sass_op)in->op), bytes * 8);
    else snprintf(name, sizeof name, "%s", sass_name((enum sass_op)in->op));
    m->name = arena_strdup(l->arena, name);
    m->kind = (uint8_t)kind;
    m->plain = kind == ACCESS_STORE;
    m->at = in->at / SASS_BYTES, m->board = in->sets;
    i->memory = m;
    i->site = site(l);
    return m;
}

// The 64-bit address of an access of global memory, in a slot of its own.
static uint32_t far_address(struct lower *l, int uniform_at, uint32_t slot)
{
    const struct sass_inst *in = l->in;
    const bool descriptor = sass_bit(in, 76) || !in->page, whole = sass_bit(in, 72);
    const uint32_t reg = (uint32_t)sass_bits(in, 24, 8), u = (uint32_t)sass_bits(in, uniform_at, 6);
    const uint32_t low = lower_register(l, reg, true);
    const uint32_t high = !whole || reg == SASS_RZ ? l->zero : lower_register(l, reg + 1, true);
    const bool adds = !descriptor && u != SASS_URZ;
    struct inst *i =
        lower_put(l, adds ? "m_pair_add" : "m_pair", slot, low, high, adds ? lower_uniform(l, u, true) : 0);
    i->elem = 1;
    i->guard = 0;
    if (l->clusters &&
        (in->op == SASS_LD || in->op == SASS_ST || in->op == SASS_ATOM || in->op == SASS_ATOM_F ||
            in->op == SASS_ATOM_CAS))
        lower_put(l, "m_resident", slot, slot, 0, 0)->guard = 0;
    return slot;
}

// A GPU counts the blocks of a cluster from 0 there, the core from 1; 0 is the own one.
uint32_t lower_resident(struct lower *l, uint32_t slot, uint32_t temp)
{
    if (!l->clusters) return slot;
    lower_put(l, "m_add2", temp, slot, lower_number(l, 1u << RESIDENT_SHIFT), l->zero)->guard = 0;
    return temp;
}

// The 32-bit address of an access of shared or local memory.
uint32_t lower_near_address(struct lower *l, int uniform_at)
{
    const struct sass_inst *in = l->in;
    uint32_t slot = lower_register(l, (uint32_t)sass_bits(in, 24, 8), true);
    const uint32_t scale = (uint32_t)sass_bits(in, 78, 2);
    const bool old = in->arch < 90 && (in->op == SASS_ATOMS || in->op == SASS_ATOMS_CAS);
    if (in->op != SASS_LDL && in->op != SASS_STL && scale && (sass_width(in) || old)) {
        static const uint8_t shifts[] = {0, 2, 3, 4};
        lower_put(l, "m_shl", l->temps[0], slot, lower_number(l, shifts[scale]), l->zero)->guard = 0;
        slot = l->temps[0];
    }
    const uint32_t u = (uint32_t)sass_bits(in, uniform_at, 6);
    if (in->page && u != SASS_URZ) {
        lower_put(l, "m_add2", l->temps[0], slot, lower_uniform(l, u, true), l->zero)->guard = 0;
        slot = l->temps[0];
    }
    if (!l->clusters || in->op == SASS_LDL || in->op == SASS_STL) return slot;
    if (in->op == SASS_SYNCS || in->op == SASS_SYNCS_CCTL) return lower_resident(l, slot, l->temps[0]);
    lower_put(l, "m_and", l->temps[0], slot, lower_number(l, (uint32_t)RESIDENT_OFFSET), l->zero)->guard = 0;
    return l->temps[0]; // of this block alone
}

static void data(struct lower *l, struct inst *i, uint32_t reg, uint32_t bytes, bool load)
{
    static const uint8_t small[4] = {ELEM_U8, ELEM_S8, ELEM_U16, ELEM_S16};
    const uint32_t size = (uint32_t)sass_bits(l->in, 73, 3);
    i->vector = bytes > 4 ? (uint8_t)(bytes / 4) : 1;
    i->elem = bytes >= 4 ? ELEM_32 : small[size & 3];
    for (uint32_t k = 0; k < i->vector; k++)
        i->r[k] = reg == SASS_RZ ? load ? l->trash + k * MACHINE_REGISTER : l->zero : lower_register(l, reg + k, !load);
}

static void access(struct lower *l, const char *op, enum space space, bool load)
{
    enum { WEAK = 0, CONSTANT = 4, STACK_POINTER = 1 };
    const struct sass_inst *in = l->in;
    const bool far = space == SPACE_GLOBAL || space == SPACE_GENERIC;
    // Without a uniform register for the address what is stored stands in its place.
    const uint32_t bytes = sass_width(in),
                   reg = load ? in->dst : (uint32_t)sass_bits(in, far && in->form == 1 ? 64 : 32, 8);
    const int uniform_at = load ? 32 : 64;
    const uint32_t at = far ? far_address(l, uniform_at, l->address) : lower_near_address(l, uniform_at);
    struct inst *i = lower_emit(l, op);
    data(l, i, reg, bytes, load);
    i->r[4] = at, i->wide = far, i->offset = offset(in), i->space = (uint8_t)space;
    struct memory_op *m = lower_access(l, i, load ? ACCESS_LOAD : ACCESS_STORE);
    m->on_stack = space == SPACE_LOCAL && sass_bits(in, 24, 8) == STACK_POINTER && !in->page;
    const uint64_t order = far ? sass_bits(in, 77, 4) : WEAK;
    m->cached = load && order == CONSTANT;
    m->strong = order != WEAK && order != CONSTANT;
    if (load && sass_bits(in, 81, 3) != SASS_PT && far && sass_bits(in, 64, 4) != 0 && sass_bits(in, 81, 3) != 0)
        lower_fail(l, "a load with a predicate");
}

// What each of `count` parts is; a pair of halves is one part.
static bool type_of(const struct sass_inst *in, bool real, uint8_t *type, uint32_t *count)
{
    static const struct {
        uint8_t type, count;
    } whole[16] = {{ATOMIC_U32, 1}, {ATOMIC_S32, 1}, {ATOMIC_U64, 1}, {ATOMIC_S64, 1}, {0}, {ATOMIC_S64, 1}},
      before_90[16] = {{ATOMIC_U32, 1}, {ATOMIC_S32, 1}, {ATOMIC_U64, 1}, {ATOMIC_F32, 1}, {ATOMIC_F16X2, 1},
          {ATOMIC_S64, 1}, {ATOMIC_F64, 1}},
      floats[16] = {{ATOMIC_F16X2, 1}, {ATOMIC_F16X2, 2}, {ATOMIC_F16X2, 4}, {ATOMIC_BF16X2, 1}, {ATOMIC_BF16X2, 2},
          {ATOMIC_BF16X2, 4}, {0}, {0}, {0}, {ATOMIC_F32, 1}, {ATOMIC_F32, 2}, {ATOMIC_F32, 4}, {0}, {0}, {0},
          {ATOMIC_F64, 1}};
    const uint64_t n = real ? sass_bits(in, 73, 4) : sass_bits(in, 73, 3);
    const bool old = in->arch < 90;
    *type = real ? floats[n].type : old ? before_90[n].type : whole[n].type;
    *count = real ? floats[n].count : old ? before_90[n].count : whole[n].count;
    return *count > 0;
}

// A value of 64 bits, from two registers.
static uint32_t gather(struct lower *l, uint32_t reg, uint32_t slot)
{
    lower_put(l, "m_pair", slot, lower_register(l, reg, true),
        reg == SASS_RZ ? l->zero : lower_register(l, reg + 1, true), 0)
        ->guard = 0;
    return slot;
}

// The predicate that the instruction sets: which addresses are in that window.
static void sets_window(struct lower *l, uint32_t at, uint64_t window)
{
    struct inst *i = lower_put(l, "m_window", 0, at, 0, 0);
    i->offset = (int64_t)window;
    lower_machine(l, i)->out = lower_result(l, 81, false);
}

// Only the lanes whose address is in global memory do it, and the predicate says which: others are left to a loop.
static bool only_global(struct lower *l, uint32_t at)
{
    if (sass_bits(l->in, 81, 3) == SASS_PT || l->in->op == SASS_RED_F) return true;
    if (l->in->guard != SASS_PT) return lower_fail(l, "an atomic with two predicates"), false;
    return sets_window(l, at, 0), true;
}

static bool asks_space(struct lower *l)
{
    if (sass_bits(l->in, 72, 9) != 5) return lower_fail(l, "a form of QSPC");
    return sets_window(l, far_address(l, 32, l->address), WINDOW_SHARED), true;
}

static void in_place(const struct lower *l, struct inst *i, uint32_t at, bool far, enum space space)
{
    i->r[4] = at, i->wide = far, i->offset = offset(l->in), i->space = (uint8_t)space, i->vector = 1;
}

static uint8_t operation(const struct sass_inst *in, bool real, unsigned how)
{
    static const uint8_t ops[9] = {
        ATOMIC_ADD, ATOMIC_MIN, ATOMIC_MAX, ATOMIC_INC, ATOMIC_DEC, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR, ATOMIC_EXCH};
    static const uint8_t of_floats[5] = {ATOMIC_ADD, 0xff, ATOMIC_MIN, 0xff, ATOMIC_MAX};
    if (in->op == SASS_ATOMS && in->form == 7) return ATOMIC_ADD;
    return real ? how < 5 ? of_floats[how] : 0xff : how < 9 ? ops[how] : 0xff;
}

// Of several floats, or 128 bits.
static bool wide_atomic(struct lower *l, enum space space, struct atomic_wide *op, bool swaps, bool result)
{
    const struct sass_inst *in = l->in;
    const uint32_t value = (uint32_t)sass_bits(in, 32, 8), other = (uint32_t)sass_bits(in, 64, 8);
    const uint32_t words = swaps ? 4 : op->count;
    const bool gives = result && in->dst != SASS_RZ;
    if (swaps && !gives) return lower_fail(l, "an atomic of 128 bits without a result");
    const uint32_t at = far_address(l, 64, l->address);
    if (!only_global(l, at)) return true;
    for (uint32_t k = 0; k < words && !swaps; k++) {
        op->from[k] = lower_register(l, value + k, true);
        if (gives) op->to[k] = lower_register(l, in->dst + k, false);
    }
    for (uint32_t k = 0; k < 4 && swaps; k++) { // of 8 bytes each
        const bool compares = op->memory.atomic == ATOMIC_CAS;
        if (k >= 2 && !compares) break;
        op->from[k] = gather(l, k < 2 ? value + 2 * k : other + 2 * (k - 2), l->wide[k]);
        if (k < 2) op->to[k] = l->wide[4 + k];
    }
    struct inst *i = lower_emit(l, swaps ? "atom.128" : "atom.wide");
    if (result && sass_bits(in, 81, 3) != SASS_PT) i->guard = lower_result(l, 81, false);
    in_place(l, i, at, true, space);
    op->memory.name = lower_access(l, i, result ? ACCESS_ATOMIC : ACCESS_REDUCE)->name;
    op->memory.kind = result ? ACCESS_ATOMIC : ACCESS_REDUCE;
    i->memory = arena_copy(l->arena, op, sizeof *op);
    for (uint32_t k = 0; k < 2 && swaps; k++)
        lower_put(l, "m_unpair", lower_register(l, in->dst + 2 * k, false), l->wide[4 + k], 0, 0);
    return true;
}

enum { CAS = 100 };
// The load that a loop of swaps begins with: of what the swap takes to be there.
static void mark_load(struct lower *l, uint32_t taken)
{
    for (size_t n = l->count; n-- > 0 && l->insts[n].run != variant_op(l->module->sim->exec, "c_head")->run;)
        if (l->insts[n].memory && l->insts[n].r[0] == taken &&
            l->insts[n].run == variant_op(l->module->sim->exec, "ld.shared")->run)
            ((struct memory_op *)(uintptr_t)l->insts[n].memory)->spins = true;
}

static bool atomic(struct lower *l, enum space space, bool real, unsigned how, bool result)
{
    const struct sass_inst *in = l->in;
    if (space == SPACE_SHARED && how != CAS && in->dst == SASS_RZ) result = false;
    const bool far = space != SPACE_SHARED, counts = in->op == SASS_ATOMS && in->form == 7;
    struct atomic_wide op = {.memory = {.form = counts ? RULES_INCREMENT
                                     : how != CAS      ? RULES_EACH
                                     : far             ? RULES_SWAP_ANYWHERE
                                                       : RULES_SWAP}};
    uint32_t parts;
    op.memory.atomic = how == CAS ? ATOMIC_CAS : operation(in, real, how);
    if (op.memory.atomic == 0xff) return lower_fail(l, "an atomic that is not known here");
    if (far && !real && sass_bits(in, 73, 3) == 4) {
        op.memory.type = ATOMIC_U64, op.count = 2;
        return wide_atomic(l, space, &op, true, result);
    }
    if (!type_of(in, real, &op.memory.type, &parts)) return lower_fail(l, "an atomic on a type that is not known here");
    if (parts > 1) return op.count = (uint8_t)parts, wide_atomic(l, space, &op, false, result);
    const uint8_t type = op.memory.type;
    const bool wide = type == ATOMIC_U64 || type == ATOMIC_S64 || type == ATOMIC_F64;
    const uint32_t value = (uint32_t)sass_bits(in, 32, 8), swap = (uint32_t)sass_bits(in, 64, 8);
    const uint32_t at = far ? far_address(l, 64, l->address) : lower_near_address(l, 64);
    uint32_t v = counts ? lower_number(l, 1) : lower_register(l, value, true), s = 0;
    if (how == CAS) s = lower_register(l, swap, true);
    if (wide && !counts) v = gather(l, value, l->wide[0]);
    if (wide && how == CAS) s = gather(l, swap, l->wide[1]);
    if (result && far && !only_global(l, at)) return true;
    struct inst *i = lower_emit(l, "atom");
    if (result && far && sass_bits(in, 81, 3) != SASS_PT) i->guard = lower_result(l, 81, false);
    // A loop turns around it as often as the other warps of the block let it: here each warp is alone.
    const bool spins = how == CAS && !far && sass_bits(in, 87, 4), gives = result && in->dst != SASS_RZ;
    i->r[0] = !gives ? 0 : wide || spins ? l->wide[2] : lower_register(l, in->dst, false);
    i->r[1] = v, i->r[2] = s;
    in_place(l, i, at, far, space);
    i->wide = (uint8_t)(far | (wide ? 2 : 0));
    struct memory_op *m = lower_access(l, i, result ? ACCESS_ATOMIC : ACCESS_REDUCE);
    m->atomic = op.memory.atomic, m->type = type, m->form = op.memory.form;
    m->spins = spins;
    if (spins) m->form = RULES_SPIN, mark_load(l, lower_register(l, value, true));
    if (spins && !gives) return lower_fail(l, "ATOMS.CAST.SPIN without a result");
    if (spins)
        lower_put(l, wide ? "m_equal_wide" : "m_equal", lower_register(l, in->dst, false), l->wide[2], v,
            0); // whether it swapped
    else if (gives && wide) lower_put(l, "m_unpair", lower_register(l, in->dst, false), l->wide[2], 0, 0);
    return true;
}

static bool copy(struct lower *l)
{
    const struct sass_inst *in = l->in;
    static const uint8_t bytes[8] = {0, 0, 0, 0, 4, 8, 16, 0};
    const uint32_t size = bytes[sass_bits(in, 73, 3)];
    if (!size) return lower_fail(l, "a form of LDGSTS");
    const bool partial = sass_bit(in, 82); // the lowest bits of the address: how many bytes at the end are zeros
    uint32_t low = lower_register(l, (uint32_t)sass_bits(in, 24, 8), true), read = 0;
    const uint32_t high = lower_register(l, (uint32_t)sass_bits(in, 24, 8) + 1, true);
    if (partial) {
        read = l->temps[2];
        lower_put(l, "m_and", read, low, lower_number(l, size - 1), l->zero)->guard = 0;
        lower_put(l, "m_xor", read, read, lower_number(l, size - 1), l->zero)->guard = 0;
        lower_put(l, "m_add2", read, read, lower_number(l, 1), l->zero)->guard = 0;
        lower_put(l, "m_and", l->temps[0], low, lower_number(l, ~(size - 1)), l->zero)->guard = 0;
        low = l->temps[0];
    }
    lower_put(l, "m_pair", l->address, low, high, 0)->guard = 0;
    lower_put(l, "m_add2", l->temps[0], lower_register(l, in->dst, true),
        lower_number(l, (uint32_t)sass_signed(in, 44, 20)), l->zero)
        ->guard = 0;
    if (sass_bits(in, 87, 4) != SASS_PT) { // a lane where that is false reads nothing, and has zeros
        struct inst *picks = lower_put(l, "m_sel", l->temps[1], partial ? read : lower_number(l, size), l->zero, 0);
        read = l->temps[1];
        picks->guard = 0;
        lower_machine(l, picks)->in = lower_predicate(l, 87, 90, false);
    }
    struct inst *i = lower_emit(l, "cp.async");
    i->r[0] = l->temps[0], i->r[1] = read, i->r[4] = l->address, i->wide = 1, i->offset = sass_signed(in, 32, 12);
    i->vector = (uint8_t)size, i->space = SPACE_GLOBAL, i->elem = ELEM_32;
    lower_access(l, i, ACCESS_LOAD);
    return true;
}

// The number that a register was given last, before this instruction; false: it is not plain which.
static bool known_number(const struct lower *l, uint32_t reg, uint32_t *value)
{
    const struct sass_inst *in = l->in;
    while (in-- > l->code.insts && !sass_ends(in)) {
        if (in->dst != reg) continue;
        const struct sass_operand *o = in->op == SASS_MOV ? &in->b : &in->c;
        const bool moves = in->op == SASS_MOV ||
            ((in->op == SASS_IMAD || in->op == SASS_HFMA2_MMA) && in->form == 2 && in->a.reg == SASS_RZ);
        *value = o->value;
        return moves && o->from == SASS_NUMBER && in->guard == SASS_PT;
    }
    return false;
}

static bool constant(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const bool uniform = in->op != SASS_LDC;
    const uint32_t bank = (uint32_t)sass_bits(in, 54, 5), bytes = sass_width(in);
    uint32_t at = (uint32_t)sass_bits(in, 38, 16), number;
    const uint32_t words = bytes < 4 ? 1 : bytes / 4, dst = uniform ? in->dst & 63 : in->dst;
    const uint32_t index = in->op == SASS_ULDC ? SASS_RZ
        : uniform                              ? (uint32_t)sass_bits(in, 24, 6)
                                               : (uint32_t)sass_bits(in, 24, 8);
    bool direct = index == (in->op == SASS_ULDC_AT ? SASS_URZ : SASS_RZ);
    if (bank == 4 && !direct) { // of what a linker fills in it must be known which it is
        if (uniform || !known_number(l, index, &number)) return lower_fail(l, "an address by index");
        at += number, direct = true;
    }
    if (bank >= CUBIN_BANKS) return lower_fail(l, "a bank of constants that is not known here");
    if (in->op == SASS_LDC && sass_bits(in, 78, 2)) return lower_fail(l, "a form of LDC");
    if (direct && bytes >= 4) {
        const uint32_t from = lower_bank(l, bank, at, words);
        for (uint32_t k = 0; k < words; k++)
            lower_put(l, uniform ? "m_mov.all" : "m_mov",
                uniform ? lower_uniform(l, dst + k, false) : lower_register(l, dst + k, false), l->zero,
                from + k * MACHINE_REGISTER, l->zero);
        return true;
    }
    if (bank == 2 && bytes == 8 && !uniform) { // functions, by what variables have as their addresses
        struct inst *f =
            lower_put(l, "c_function", lower_register(l, dst, false), lower_register(l, index, true), 0, 0);
        f->branch = arena_alloc(l->arena, sizeof *f->branch);
        return true;
    }
    struct inst *i = lower_emit(l, "c_bank");
    i->r[0] = uniform ? lower_uniform(l, dst, false) : lower_register(l, dst, false);
    i->r[1] = direct ? l->zero : uniform ? lower_uniform(l, index, true) : lower_register(l, index, true);
    i->offset = sass_signed(in, 38, 16), i->vector = (uint8_t)bytes, i->elem = uniform;
    i->space = sass_bits(in, 73, 3) == 1 ? 1 : sass_bits(in, 73, 3) == 3 ? 2 : 0;
    struct machine_bank *b = arena_copy(l->arena, &l->banks[bank], sizeof *b);
    i->bank = b;
    return true;
}

bool lower_memory(struct lower *l)
{
    const struct sass_inst *in = l->in;
    switch ((enum sass_op)in->op) {
    case SASS_LDG: return access(l, "ld.global", SPACE_GLOBAL, true), true;
    case SASS_LDS: return access(l, "ld.shared", SPACE_SHARED, true), true;
    case SASS_LDL: return access(l, "ld.local", SPACE_LOCAL, true), true;
    case SASS_LD: return access(l, "ld.generic", SPACE_GENERIC, true), true;
    case SASS_STG: return access(l, "st.global", SPACE_GLOBAL, false), true;
    case SASS_STS: return access(l, "st.shared", SPACE_SHARED, false), true;
    case SASS_STL: return access(l, "st.local", SPACE_LOCAL, false), true;
    case SASS_ST: return access(l, "st.generic", SPACE_GENERIC, false), true;
    case SASS_ATOMG: return atomic(l, SPACE_GLOBAL, false, (unsigned)sass_bits(in, 87, 4), true);
    case SASS_ATOMG_F: return atomic(l, SPACE_GLOBAL, true, (unsigned)sass_bits(in, 87, 4), true);
    case SASS_RED: return atomic(l, SPACE_GLOBAL, false, (unsigned)sass_bits(in, 87, 3), false);
    case SASS_RED_F: return atomic(l, SPACE_GLOBAL, true, (unsigned)sass_bits(in, 87, 3), false);
    case SASS_ATOMG_CAS: return atomic(l, SPACE_GLOBAL, false, CAS, true);
    case SASS_ATOM: return atomic(l, SPACE_GENERIC, false, (unsigned)sass_bits(in, 87, 4), true);
    case SASS_ATOM_F: return atomic(l, SPACE_GENERIC, true, (unsigned)sass_bits(in, 87, 4), true);
    case SASS_ATOM_CAS: return atomic(l, SPACE_GENERIC, false, CAS, true);
    case SASS_ATOMS: return atomic(l, SPACE_SHARED, false, (unsigned)sass_bits(in, 87, 4), true);
    case SASS_ATOMS_CAS: return atomic(l, SPACE_SHARED, false, CAS, true);
    case SASS_QSPC: return asks_space(l);
    case SASS_LDGSTS: return copy(l);
    case SASS_LDC:
    case SASS_ULDC:
    case SASS_ULDC_AT: return constant(l);
    default: return false;
    }
}
