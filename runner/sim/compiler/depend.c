// Flags spread from operands to results until nothing changes; the order of instructions does not count. Where all
// paths follow from comparisons of sums of multiples of the block's number, each comparison splits the grid once along
// each direction: two blocks that go one way have all blocks between them go that way too.
// SPDX-License-Identifier: MIT
#include "sim/compiler/passes.h"

#include "base/arena.h"
#include "ptx/module.h"

#include <stdlib.h>

enum {
    DATA = 1,   // was read from memory, or comes from a clock
    BLOCK = 2,  // differs from block to block
    ODD = 4,    // ... and is no sum of multiples of the block's number, or of what is compared none
    RISES = 8,  // may grow, or become true, with the block's number
    FALLS = 16, // may shrink, or become false
    SIGNED = 32 // may be below zero
};

struct spread {
    const struct ptx_func *f;
    uint8_t *flags; // by register
    bool *used;     // by register: something reads it
    struct depend *found;
};

static uint8_t flags_of(const struct spread *s, const struct ptx_operand *o)
{
    uint8_t flags = o->reg >= 0 ? s->flags[o->reg] : 0;
    if (o->kind == PTX_NUMBER && !o->float_size && (int64_t)o->bits < 0) flags |= SIGNED;
    if (o->origin & ORIGIN_BLOCK) flags |= BLOCK | RISES;
    if (o->origin & ORIGIN_CLUSTER) flags |= BLOCK | ODD;
    if (o->origin & (ORIGIN_TIME | ORIGIN_PLACE)) flags |= DATA;
    for (int k = 0; k < o->count; k++) flags |= flags_of(s, &o->items[k]);
    return flags;
}

static uint8_t turned(uint8_t flags)
{
    return (uint8_t)((flags & ~(RISES | FALLS)) | (flags & RISES ? FALLS : 0) | (flags & FALLS ? RISES : 0));
}

// a and b both ways: true only where one of them keeps its direction.
static uint8_t joined(uint8_t a, uint8_t b)
{
    const uint8_t both = a | b;
    return (a & b & BLOCK) && (both & RISES) && (both & FALLS) ? both | ODD : both;
}

static uint8_t product(uint8_t a, uint8_t b)
{
    uint8_t flags = a | b;
    if (a & b & BLOCK) flags |= ODD;
    if ((flags & BLOCK) && ((a & BLOCK ? b : a) & SIGNED)) flags |= RISES | FALLS;
    return flags;
}

static uint8_t compared(const struct spread *s, const struct ptx_inst *in)
{
    uint8_t flags = flags_of(s, &in->operands[1]) | turned(flags_of(s, &in->operands[2]));
    bool bound = false;
    switch (in->op->part[1]) {
    case WORD_LT:
    case WORD_LE:
    case WORD_LO:
    case WORD_LS: flags = turned(flags), bound = true; break;
    case WORD_GT:
    case WORD_GE:
    case WORD_HI:
    case WORD_HS: bound = true; break;
    default: break;
    }
    if ((flags & BLOCK) && (!bound || ops_has_float(in->op))) flags |= ODD;
    return in->count > 3 ? joined(flags, flags_of(s, &in->operands[3])) : flags;
}

static uint8_t loaded(const struct spread *s, const struct ptx_inst *in)
{
    if (in->op->space != PTX_PARAM || !s->f->entry || in->count < 2 || in->operands[1].reg >= 0) return DATA | SIGNED;
    for (const struct ptx_var *v = s->f->params; v; v = v->next)
        if (v == in->operands[1].var) return SIGNED;
    return DATA | SIGNED;
}

// What follows from the operands alone: a, b, c, and `all` of them.
static uint8_t computed(const struct ptx_op *op, uint8_t a, uint8_t b, uint8_t c, uint8_t all)
{
    const uint8_t otherwise = all & BLOCK ? all | ODD : all;
    const bool on_predicates = op->type == WORD_PRED;
    if (ops_has_float(op) || ops_has(op, WORD_F16) || ops_has(op, WORD_CC)) return otherwise;
    switch (op->code) {
    case OPS_AND:
    case OPS_OR:
        if (on_predicates) return joined(a, b);
        break;
    case OPS_NOT:
        if (on_predicates) return turned(a);
        break;
    case OPS_MOV:
    case OPS_ADD:
    case OPS_CVT:
    case OPS_CVTA: return all;
    case OPS_SUB: return a | turned(b) | SIGNED;
    case OPS_NEG: return turned(a) | SIGNED;
    case OPS_SHL: return product(a, b);
    case OPS_MUL:
        if (!ops_has(op, WORD_HI)) return product(a, b);
        break;
    case OPS_MAD:
        if (!ops_has(op, WORD_HI)) return product(a, b) | c;
        break;
    default: break;
    }
    return otherwise & BLOCK ? otherwise | SIGNED : otherwise;
}

static uint8_t result_of(const struct spread *s, const struct ptx_inst *in)
{
    const uint32_t reads =
        CLASS_ATOMIC | CLASS_TEXTURE | CLASS_MATRIX_LOAD | CLASS_TILE_LOAD | CLASS_GROUP | CLASS_CALL | CLASS_MBARRIER;
    uint8_t all = 0, flags;
    for (int k = 1; k < in->count; k++) all |= flags_of(s, &in->operands[k]);
    const uint8_t a = in->count > 1 ? flags_of(s, &in->operands[1]) : 0,
                  b = in->count > 2 ? flags_of(s, &in->operands[2]) : 0,
                  c = in->count > 3 ? flags_of(s, &in->operands[3]) : 0;
    if (in->op->class == CLASS_LOAD) flags = loaded(s, in);
    else if (in->op->class & reads) flags = DATA | SIGNED;
    else if (in->op->code == OPS_SETP && in->count > 2) flags = compared(s, in);
    else flags = computed(in->op, a, b, c, all);
    const uint8_t guard = in->guard >= 0 ? s->flags[in->guard] : 0;
    if (guard & BLOCK) flags |= BLOCK | ODD;
    return flags | (guard & DATA);
}

static bool add(struct spread *s, const struct ptx_operand *o, uint8_t flags)
{
    bool changed = false;
    if (o->kind == PTX_REGISTER && (flags & ~s->flags[o->reg])) s->flags[o->reg] |= flags, changed = true;
    for (int k = 0; k < o->count; k++) changed |= add(s, &o->items[k], flags);
    return changed;
}

static bool has_result(const struct ptx_inst *in) { return in->count && in->op->has_result; }

static void use(struct spread *s, const struct ptx_operand *o)
{
    if (o->reg >= 0) s->used[o->reg] = true;
    for (int k = 0; k < o->count; k++) use(s, &o->items[k]);
}

static bool gives(const struct spread *s, const struct ptx_operand *o)
{
    bool is = o->reg >= 0 && s->used[o->reg];
    for (int k = 0; k < o->count; k++) is |= gives(s, &o->items[k]);
    return is;
}

static void look_at(struct spread *s, const struct ptx_inst *in, bool *takes)
{
    const struct ptx_op *op = in->op;
    const bool atomic = op->class & (CLASS_ATOMIC | CLASS_REDUCE),
               load = (op->class & (CLASS_MATRIX_LOAD | CLASS_TILE_LOAD | CLASS_COPY)) ||
        (op->class == CLASS_LOAD && op->space != PTX_PARAM),
               store = op->class & (CLASS_STORE | CLASS_ASYNC | CLASS_MATRIX_STORE | CLASS_TILE_STORE);
    uint8_t way = in->guard >= 0 && !has_result(in) ? s->flags[in->guard] : 0, place = 0;
    if (op->code == OPS_BRX) way |= flags_of(s, &in->operands[0]) & BLOCK ? ODD : flags_of(s, &in->operands[0]);
    if ((load || atomic) && in->guard >= 0) way |= s->flags[in->guard];
    if (op->class == CLASS_CALL) way |= DATA;
    for (int k = 0; k < in->count && (load || atomic || store); k++)
        if (in->operands[k].kind == PTX_ADDRESS) place |= flags_of(s, &in->operands[k]);
    if (way & (DATA | ODD)) s->found->paths = true;
    if (place & (DATA | ODD)) {
        s->found->places[ACCESS_LOAD] |= load;
        s->found->places[ACCESS_STORE] |= !load && !atomic;
        s->found->places[ACCESS_ATOMIC] |= atomic;
        s->found->places[ACCESS_REDUCE] |= atomic;
    }
    s->found->data |= ((way | place) & DATA) != 0;
    *takes |= (op->class == CLASS_ATOMIC && op->space != PTX_SHARED && gives(s, &in->operands[0])) ||
        ops_has(op, WORD_VOLATILE) || ops_has(op, WORD_ACQUIRE);
}

struct depend depend_find(const struct ptx_func *f)
{
    struct depend found = {0};
    bool takes = false;
    struct spread s = {f, mem_alloc(f->reg_count + 1), mem_alloc(f->reg_count + 1), &found};
    for (size_t i = 0; i < f->inst_count; i++)
        for (int k = has_result(&f->insts[i]) ? 1 : 0; k < f->insts[i].count; k++) use(&s, &f->insts[i].operands[k]);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < f->inst_count; i++)
            if (has_result(&f->insts[i])) changed |= add(&s, &f->insts[i].operands[0], result_of(&s, &f->insts[i]));
    }
    for (size_t i = 0; i < f->inst_count; i++) look_at(&s, &f->insts[i], &takes);
    found.others = found.data && takes;
    free(s.flags);
    free(s.used);
    return found;
}
