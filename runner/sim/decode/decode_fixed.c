// Work that is not needed in every block: a register that is written in one place, from nothing but parameters,
// constants, thread indices and other such registers, has the same value in every block that a warp runs. It is
// computed once before the first one; a copy of a special register is not computed at all. Counts do not change,
// because no memory is touched.
// SPDX-License-Identifier: MIT
#include "sim/decode/decode.h"

static bool is_pure(const struct ptx_op *op) { return op->class == CLASS_PURE && !ops_has(op, WORD_CC); }

static bool fixed_source(const struct decode *d, const struct ptx_operand *o)
{
    if (o->reg >= 0 && !d->plan->fixed[o->reg]) return false;
    if (o->origin & (ORIGIN_BLOCK | ORIGIN_CLUSTER | ORIGIN_TIME | ORIGIN_SYSTEM)) return false; // from block to block
    for (int k = 0; k < o->count; k++)
        if (!fixed_source(d, &o->items[k])) return false;
    return true;
}

// The results: registers written nowhere else.
static bool only_writer(const struct decode *d, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER) return d->plan->facts.writes[o->reg] == 1;
    for (int k = 0; k < o->count; k++)
        if (!only_writer(d, &o->items[k])) return false;
    return o->kind == PTX_VECTOR || o->kind == PTX_PAIR || o->kind == PTX_SINK;
}

static void mark(const struct decode *d, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER) d->plan->fixed[o->reg] = 1;
    for (int k = 0; k < o->count; k++) mark(d, &o->items[k]);
}

bool decode_is_fixed(const struct decode *d)
{
    const struct ptx_inst *in = d->in;
    if (!d->plan->f->entry || in->guard >= 0 || in->count < 2 || in->odd || !only_writer(d, &in->operands[0]))
        return false;
    const struct ptx_operand *from = &in->operands[1];
    const bool parameter = in->op->class == CLASS_LOAD && in->op->space == PTX_PARAM && from->kind == PTX_ADDRESS &&
        from->reg < 0 && from->var && decode_is_entry_param(d, from->var);
    if (!parameter && !is_pure(in->op)) return false;
    for (int k = 1; k < in->count; k++)
        if (!fixed_source(d, &in->operands[k])) return false;
    mark(d, &in->operands[0]);
    return true;
}

bool decode_is_alias(struct decode *d)
{
    const struct ptx_inst *in = d->in;
    if (!d->plan->f->entry || in->guard >= 0 || in->count != 2 || in->op->code != OPS_MOV ||
        in->operands[0].kind != PTX_REGISTER || in->operands[1].kind != PTX_NAME ||
        d->plan->facts.writes[in->operands[0].reg] != 1 || d->plan->slots[in->operands[0].reg])
        return false;
    const char lane = decode_lane(d, &in->operands[0]);
    if (!(in->operands[1].origin & (ORIGIN_THREAD | ORIGIN_BLOCK | ORIGIN_LAUNCH))) return false;
    if (lane != 'w' && lane != 'l') return false;
    d->plan->slots[in->operands[0].reg] = decode_source(d, &in->operands[1], lane);
    return !d->failed;
}
