// Kinds of PTX instructions, and what waits for what.
// SPDX-License-Identifier: MIT
#include "sim/compiler/passes.h"

#include "base/arena.h"
#include "ptx/module.h"

#include <stdlib.h>

// SIM_WORK_KINDS: of none.
static enum sim_work kind_of(const struct ptx_op *op)
{
    const enum ops_word to = op->count > 2 ? (enum ops_word)op->part[op->count - 2] : WORD_UNKNOWN;
    switch (op->class) {
    case CLASS_BARRIER:
        return ops_has(op, WORD_WARP) || ops_has(op, WORD_CLUSTER) || ops_has(op, WORD_ARRIVE) ? SIM_WORK_KINDS
                                                                                               : SIM_WORK_BARRIER;
    case CLASS_FENCE:
        return ops_has(op, WORD_CTA) || ops_has(op, WORD_PROXY) || ops_has(op, WORD_MBARRIER_INIT) ? SIM_WORK_KINDS
                                                                                                   : SIM_WORK_FENCE;
    case CLASS_PURE:
    case CLASS_PRODUCT: break;
    default: return SIM_WORK_KINDS;
    }
    if (op->code == OPS_CVT)
        return to != WORD_F32                               ? SIM_WORK_KINDS
            : op->type == WORD_F64                          ? SIM_WORK_NARROW
            : op->type == WORD_F32 && ops_has(op, WORD_RNI) ? SIM_WORK_WHOLE
                                                            : SIM_WORK_KINDS;
    if (op->cost == COST_DIVIDE && !ops_has_float(op)) return SIM_WORK_DIVIDE;
    return op->type == WORD_F64 && op->code != OPS_MOV && op->code != OPS_SELP ? SIM_WORK_DOUBLE : SIM_WORK_KINDS;
}

const struct head_work *work_add(const struct head_work *list, const struct ptx_op *op, int line, struct arena *a)
{
    const enum sim_work kind = kind_of(op);
    if (kind == SIM_WORK_KINDS) return list;
    const bool once =
        kind == SIM_WORK_BARRIER || kind == SIM_WORK_FENCE || kind == SIM_WORK_NARROW || kind == SIM_WORK_WHOLE;
    struct head_work *w = arena_alloc(a, sizeof *w);
    *w = (struct head_work){list, line, kind, once ? 1 : ops_turns(op)};
    return w;
}

static bool behind(const uint32_t *behind_load, uint32_t turn, const struct ptx_operand *o)
{
    bool is = (o->kind == PTX_REGISTER || o->kind == PTX_ADDRESS) && o->reg >= 0 && behind_load[o->reg] == turn;
    for (int k = 0; k < o->count; k++) is |= behind(behind_load, turn, &o->items[k]);
    return is;
}

static void mark(uint32_t *behind_load, uint32_t turn, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER && o->reg >= 0) behind_load[o->reg] = turn;
    for (int k = 0; k < o->count; k++) mark(behind_load, turn, &o->items[k]);
}

// `turn` is the number of the round of loads that is under way, counted from 1: what is made from its results carries
// it, and a load from such an address begins the next one.
bool *work_waits(const struct ptx_func *f, struct arena *a)
{
    bool *waits = arena_alloc(a, f->inst_count + 1);
    uint32_t *behind_load = mem_alloc((f->reg_count + 1) * sizeof *behind_load), turn = 1;
    for (size_t k = 0; k < f->inst_count; k++) {
        const struct ptx_inst *in = &f->insts[k];
        const bool load = in->op->class == CLASS_LOAD && (in->op->space == PTX_GLOBAL || in->op->space == PTX_NOWHERE);
        bool from = false;
        if (in->leads) turn++;
        if (!in->op->has_result || !in->count) continue;
        for (int o = 1; o < in->count; o++) from |= behind(behind_load, turn, &in->operands[o]);
        if (load && from) waits[k] = true, turn++;
        mark(behind_load, load || from ? turn : 0, &in->operands[0]);
    }
    free(behind_load);
    return waits;
}
