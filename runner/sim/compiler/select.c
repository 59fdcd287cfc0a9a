// Of two values of which each lane takes one (selp), ptxas lets the lanes that take the second one make it over the
// first, where nothing else needs it. If it is a load, the other lanes do not load. Kernels made to ask were compiled
// by ptxas 13.0 and their guards read: the later one is made so, or where that is a choice itself, the other; nothing
// of 64 bits, no constant, no word that is joined with its neighbour.
// SPDX-License-Identifier: MIT
#include "sim/compiler/passes.h"

#include "ptx/module.h"
#include "sim/compiler/graph.h"

static bool names(const struct ptx_operand *o, int reg)
{
    if (o->reg == reg) return true;
    for (int k = 0; k < o->count; k++)
        if (names(&o->items[k], reg)) return true;
    return false;
}

static bool writes(const struct ptx_inst *in, int reg)
{
    if (!in->count || !in->op->has_result || in->operands[0].kind == PTX_ADDRESS) return false;
    return names(&in->operands[0], reg);
}

static bool reads(const struct ptx_inst *in, int reg)
{
    if (in->guard == reg) return true;
    for (int k = 0; k < in->count; k++)
        if ((k > 0 || !writes(in, reg)) && names(&in->operands[k], reg)) return true;
    return false;
}

// Where in the piece of straight code before `at` the register is made; `at`: not there.
static size_t made_at(const struct ptx_func *f, size_t at, int reg)
{
    for (size_t k = at; !f->insts[k].leads && k-- > 0;) {
        if (graph_jumps(&f->insts[k])) break;
        if (writes(&f->insts[k], reg)) return k;
    }
    return at;
}

// Whether nothing but instructions of the piece up to `at` reads it; `most` so many in all.
static bool is_read_up_to(const struct ptx_func *f, size_t from, size_t at, int reg, int most)
{
    int found = 0;
    for (size_t k = 0; k < f->inst_count; k++) {
        if (!reads(&f->insts[k], reg)) continue;
        if (k <= from || k > at) return false;
        found++;
    }
    return found <= most;
}

static bool is_plain_load(const struct ptx_inst *in)
{
    return in->op->class == CLASS_LOAD && in->guard < 0 && in->count == 2 && in->operands[0].kind == PTX_REGISTER &&
        in->operands[1].kind == PTX_ADDRESS && in->op->space != PTX_PARAM && in->op->space != PTX_CONST &&
        !in->op->strong;
}

// Words of shared memory that stand near it from the same place are joined with it first.
static bool has_neighbour(const struct ptx_func *f, size_t from, size_t at)
{
    const struct ptx_operand *a = &f->insts[from].operands[1];
    if (f->insts[from].op->space == PTX_GLOBAL) return false;
    for (size_t k = at; k-- > 0 && !f->insts[k].leads;) {
        const struct ptx_inst *in = &f->insts[k];
        if (k == from || in->op->class != CLASS_LOAD || in->count != 2) continue;
        const struct ptx_operand *b = &in->operands[1];
        const int64_t apart = a->offset - b->offset;
        if (a->reg == b->reg && a->var == b->var && apart > -16 && apart < 16) return true;
    }
    return false;
}

// Whether the load can be made at `to` as well: what it loads and from where is the same there.
static bool can_wait(const struct ptx_func *f, size_t from, size_t to)
{
    const struct ptx_inst *load = &f->insts[from];
    // Nobody writes what is read by `nc`.
    const uint32_t barred = CLASSES_THAT_ORDER | CLASS_TILE_STORE | (ops_has(load->op, WORD_NC) ? 0 : CLASS_STORE);
    for (size_t k = from + 1; k < to; k++) {
        const struct ptx_inst *in = &f->insts[k];
        if (in->op->class & barred) return false;
        if (load->operands[1].reg >= 0 && writes(in, load->operands[1].reg)) return false;
        if (writes(in, load->operands[0].reg)) return false;
    }
    return true;
}

// Moves the load before the choice, for the lanes that take it.
static void guard_load(struct ptx_func *f, size_t from, size_t at, int predicate, bool if_not)
{
    struct ptx_inst load = f->insts[from];
    const bool leads = load.leads;
    for (size_t k = from; k + 1 < at; k++) f->insts[k] = f->insts[k + 1];
    f->insts[from].leads |= leads;
    load.leads = false, load.guard = predicate, load.guard_not = if_not;
    f->insts[at - 1] = load;
}

static bool is_narrow(const struct ptx_op *op) { return op->type != WORD_F64 && op->type != WORD_B64; }

static void choose(struct ptx_func *f, size_t at)
{
    const struct ptx_inst *in = &f->insts[at];
    size_t made[2];
    if (in->op->code != OPS_SELP || in->guard >= 0 || in->count != 4 || !is_narrow(in->op)) return;
    for (int k = 0; k < 2; k++) {
        if (in->operands[k + 1].kind != PTX_REGISTER) return;
        made[k] = made_at(f, at, in->operands[k + 1].reg);
        if (made[k] == at) return;
    }
    if (!is_plain_load(&f->insts[made[0]]) && !is_plain_load(&f->insts[made[1]])) return;
    int later = made[1] > made[0];
    if (f->insts[made[later]].op->code == OPS_SELP ||
        !is_read_up_to(f, made[later], at, in->operands[later + 1].reg, 1))
        later = !later;
    const size_t from = made[later];
    const int reg = in->operands[later + 1].reg, other = in->operands[2 - later].reg, predicate = in->operands[3].reg;
    if (reg == other || predicate < 0 || !is_plain_load(&f->insts[from]) || !is_read_up_to(f, from, at, reg, 1)) return;
    if (!is_read_up_to(f, made[!later], at, other, 1 << 20) || has_neighbour(f, from, at) || !can_wait(f, from, at))
        return;
    guard_load(f, from, at, predicate, later == 1);
}

void select_loads(struct ptx_func *f)
{
    for (size_t k = 0; k < f->inst_count; k++) choose(f, k);
}
