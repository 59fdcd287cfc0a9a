// Loads of a place that was loaded before, in a piece of straight code: their value is in a register still. A place is
// a value that some register had and a distance from it, so that a pointer that moves on by constants, as in the turns
// of an unrolled loop, comes to known places again.
// SPDX-License-Identifier: MIT
#include "sim/compiler/facts.h"

#include "base/arena.h"
#include "ptx/module.h"

#include <stdlib.h>
#include <string.h>

struct facts_place {
    size_t value; // 0: none
    uint64_t off;
};

// The register after `to = from + C` or a copy; false: it is a new value.
static bool moves_on(const struct ptx_inst *in, int64_t *by)
{
    const bool adds = in->op->code == OPS_ADD, takes = in->op->code == OPS_SUB, copies = in->op->code == OPS_MOV;
    if (in->guard >= 0 || in->count != (copies ? 2 : 3) || (!adds && !takes && !copies) || ops_has(in->op, WORD_CC))
        return false;
    if (in->operands[0].kind != PTX_REGISTER || in->operands[1].kind != PTX_REGISTER) return false;
    if (copies) return *by = 0, true;
    if (in->operands[2].kind != PTX_NUMBER || in->operands[2].float_size) return false;
    const int64_t n = (int64_t)in->operands[2].bits;
    *by = takes ? (int64_t)(0 - (uint64_t)n) : n;
    return true;
}

// What the register holds; a new value where a piece of code begins.
static struct facts_place now_in(struct facts_place *of, int reg, size_t before, size_t *values)
{
    if (of[reg].value <= before) of[reg] = (struct facts_place){++*values, 0};
    return of[reg];
}

static void new_values(struct facts_place *of, const struct ptx_operand *o, size_t *values)
{
    if (o->kind == PTX_REGISTER) of[o->reg] = (struct facts_place){++*values, 0};
    for (int k = 0; k < o->count; k++) new_values(of, &o->items[k], values);
}

static void find_places(const struct ptx_func *f, struct facts_place *places)
{
    struct facts_place *of = mem_alloc((f->reg_count + 1) * sizeof *of); // by register
    size_t values = 0, before = 0;                                       // numbered; those of earlier pieces
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        if (in->leads) before = values;
        for (int k = 0; k < in->count; k++)
            if (in->operands[k].kind == PTX_ADDRESS && in->operands[k].reg >= 0 && !places[i].value) {
                places[i] = now_in(of, in->operands[k].reg, before, &values);
                places[i].off += (uint64_t)in->operands[k].offset;
            }
        int64_t by;
        if (!in->count || !in->op->has_result) continue;
        if (moves_on(in, &by)) {
            of[in->operands[0].reg] = now_in(of, in->operands[1].reg, before, &values);
            of[in->operands[0].reg].off += (uint64_t)by;
        } else new_values(of, &in->operands[0], &values);
    }
    free(of);
}

// Loads whose value may still be in a register.
#define KNOWN 64
struct facts_known {
    size_t count;
    struct facts_loaded {
        const struct ptx_inst *in;
        const struct ptx_operand *from;
        struct facts_place place;
    } loads[KNOWN];
};

static bool same_place(const struct facts_loaded *a, const struct ptx_operand *b, struct facts_place place)
{
    if (a->from->reg >= 0 || b->reg >= 0)
        return a->from->reg >= 0 && b->reg >= 0 && a->place.value == place.value && a->place.off == place.off;
    return a->from->var == b->var && a->from->var && a->from->offset == b->offset;
}

static void forget(struct facts_known *k, enum ptx_space space)
{
    size_t kept = 0;
    for (size_t n = 0; n < k->count; n++)
        if (space != PTX_NOWHERE && k->loads[n].in->op->space != space) k->loads[kept++] = k->loads[n];
    k->count = kept;
}

// What makes loaded values old: stores to their space, and whatever orders memory between threads. Votes and
// shuffles do not.
static void forget_for(struct facts_known *k, const struct ptx_op *op)
{
    if (op->class & CLASSES_THAT_ORDER) forget(k, PTX_NOWHERE);
    if (op->class & (CLASS_STORE | CLASS_TILE_STORE)) forget(k, (enum ptx_space)op->space);
}

// A tile by wmma: its stride must be the same too.
static bool is_tile(const struct facts *facts, const struct ptx_inst *in)
{
    const struct ptx_operand *stride = &in->operands[2];
    return in->op->class == CLASS_TILE_LOAD && in->guard < 0 && in->count == 3 && in->operands[1].kind == PTX_ADDRESS &&
        (stride->kind == PTX_NUMBER || (stride->kind == PTX_REGISTER && facts->writes[stride->reg] == 1));
}

static bool same_stride(const struct ptx_inst *a, const struct ptx_inst *b)
{
    return a->count == b->count &&
        (a->count < 3 || (a->operands[2].reg == b->operands[2].reg && a->operands[2].bits == b->operands[2].bits));
}

static bool may_repeat(const struct ptx_inst *in)
{
    return in->op->class == CLASS_LOAD && (in->op->space == PTX_GLOBAL || in->op->space == PTX_SHARED) &&
        in->guard < 0 && in->count == 2 && in->operands[1].kind == PTX_ADDRESS && !in->op->strong;
}

// A load of what was loaded before in the same straight piece of code.
void facts_find_repeats(struct facts *facts, const struct ptx_func *f)
{
    struct facts_known known = {0};
    struct facts_place *places = mem_alloc((f->inst_count + 1) * sizeof *places);
    find_places(f, places);
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        if (in->leads) known.count = 0;
        const bool may = may_repeat(in) || is_tile(facts, in);
        for (size_t n = 0; may && n < known.count; n++)
            facts->repeats[i] |= known.loads[n].in->op == in->op && same_stride(known.loads[n].in, in) &&
                same_place(&known.loads[n], &in->operands[1], places[i]);
        forget_for(&known, in->op);
        if (!may || facts->repeats[i]) continue;
        if (known.count == KNOWN) memmove(known.loads, known.loads + 1, --known.count * sizeof *known.loads);
        known.loads[known.count++] = (struct facts_loaded){in, &in->operands[1], places[i]};
    }
    free(places);
}
