// Accesses whose lanes are as far apart as an earlier one's: in a piece of straight code, the same register, or one
// made from it by adding what all lanes have in common. The interpreter compares the distances of the first of them
// only.
// SPDX-License-Identifier: MIT
#include "sim/compiler/facts.h"

#include "base/arena.h"
#include "ptx/module.h"

#include <stdlib.h>
#include <string.h>

// What may stand between two of them. Anything else may let other warps run, or bring lanes back that were elsewhere.
static bool is_plain(const struct ptx_op *op) { return op->class & (CLASS_PURE | CLASS_LOAD | CLASS_STORE); }

static bool is_common(const bool *common, const struct ptx_operand *o)
{
    if (o->kind == PTX_NUMBER) return true;
    if (o->kind == PTX_REGISTER) return common[o->reg];
    return o->origin & (ORIGIN_BLOCK | ORIGIN_LAUNCH);
}

// By register: what follows from the launch and the block alone, and is written in one place.
static void find_common(const struct facts *facts, const struct ptx_func *f, bool *common)
{
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        const struct ptx_operand *to = in->operands;
        if (in->guard >= 0 || in->count < 2 || !is_plain(in->op) || !in->op->has_result || ops_has(in->op, WORD_CC) ||
            to->kind != PTX_REGISTER || facts->writes[to->reg] != 1)
            continue;
        bool all = true;
        if (in->op->class == CLASS_LOAD) {
            all = false;
            for (const struct ptx_var *v = f->params; v && in->op->space == PTX_PARAM; v = v->next)
                all |= v == to[1].var && to[1].reg < 0;
        } else
            for (int k = 1; k < in->count; k++) all = all && is_common(common, &to[k]);
        common[to->reg] = all;
    }
}

struct kin {
    const bool *common;
    size_t *values;      // by register: which distances it has; those up to `before` are of an earlier piece of code
    size_t last, before; // numbered
};

static size_t value_of(struct kin *k, int reg)
{
    if (k->values[reg] <= k->before) k->values[reg] = ++k->last;
    return k->values[reg];
}

// The register whose distances the result has; -1: none's.
static int source_of(const struct kin *k, const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operands;
    const bool adds = in->op->code == OPS_ADD, takes = in->op->code == OPS_SUB, copies = in->op->code == OPS_MOV;
    if (in->guard >= 0 || in->count != (copies ? 2 : 3) || (!adds && !takes && !copies) || ops_has(in->op, WORD_CC) ||
        ops_has(in->op, WORD_SAT) || ops_has_float(in->op) || o[0].kind != PTX_REGISTER)
        return -1;
    if (o[1].kind == PTX_REGISTER && (copies || is_common(k->common, &o[2]))) return o[1].reg;
    return adds && o[2].kind == PTX_REGISTER && is_common(k->common, &o[1]) ? o[2].reg : -1;
}

static void new_values(struct kin *k, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER) k->values[o->reg] = ++k->last;
    for (int n = 0; n < o->count; n++) new_values(k, &o->items[n]);
}

// The register of a load's or store's address; -1: it is of another kind.
static int address_of(const struct ptx_inst *in)
{
    const bool load = in->op->class == CLASS_LOAD;
    if (in->count != 2 || (!load && in->op->class != CLASS_STORE) ||
        (in->op->space != PTX_GLOBAL && in->op->space != PTX_SHARED))
        return -1;
    const struct ptx_operand *o = &in->operands[load ? 1 : 0];
    return o->kind == PTX_ADDRESS ? o->reg : -1;
}

void facts_find_kin(struct facts *facts, struct arena *arena, const struct ptx_func *f)
{
    bool *common = mem_alloc((f->reg_count + 1) * sizeof *common);
    size_t *values = mem_alloc((f->reg_count + 1) * sizeof *values);
    struct kin k = {common, values, 0, 0};
    size_t room = 0;
    uint32_t *first = NULL; // by value: the first access, counted from 1
    facts->kin = arena_alloc(arena, (f->inst_count + 1) * sizeof *facts->kin);
    if (f->entry) find_common(facts, f, common);
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        if (in->leads || !is_plain(in->op)) k.before = k.last;
        const int reg = address_of(in);
        if (reg >= 0) {
            const size_t value = value_of(&k, reg);
            const size_t had = room;
            mem_grow(&first, &room, value + 1, sizeof *first);
            memset(first + had, 0, (room - had) * sizeof *first);
            facts->kin[i] = first[value];
            if (!first[value] && in->guard < 0) first[value] = (uint32_t)i + 1;
        }
        if (!in->count || !in->op->has_result) continue;
        const int from = source_of(&k, in);
        if (from >= 0) values[in->operands[0].reg] = value_of(&k, from);
        else new_values(&k, &in->operands[0]);
    }
    free(first);
    free(values);
    free(common);
}
