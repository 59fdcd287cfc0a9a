// Control flow, and instructions that do nothing here. Jump targets are kept as positions in the code until decode.c
// has all of it.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"

static bool branch(struct decode *d)
{
    if (d->in->count != 1 || d->in->operands[0].label < 0) return decode_unsupported(d);
    struct inst *i = decode_emit(d, decode_find(d, "bra"));
    i->offset = d->in->operands[0].label;
    i->vector = d->in->unsure;
    return true;
}

static bool branch_indexed(struct decode *d)
{
    if (d->in->count != 2 || !d->in->operands[1].count) return decode_unsupported(d);
    const uint32_t index = decode_source(d, &d->in->operands[0], 'w');
    if (d->failed) return false;
    struct inst *i = decode_emit(d, decode_find(d, "brx.idx"));
    i->r[0] = index;
    i->site = (uint32_t)d->in->operands[1].count;
    const struct inst **targets = arena_alloc(d->arena, i->site * sizeof *targets);
    for (uint32_t k = 0; k < i->site; k++) {
        const int label = d->in->operands[1].items[k].label;
        if (label < 0) return decode_unsupported(d);
        targets[k] = (const struct inst *)(uintptr_t)label;
    }
    i->targets = targets;
    return true;
}

// alloca.u64 d, bytes{, alignment}; stacksave and stackrestore keep how much is taken. In a function that is called it
// would have to be given back at its end.
static bool stack(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    const bool takes = d->op->code == OPS_ALLOCA, saves = d->op->code == OPS_STACKSAVE;
    if (!d->plan->f->entry || d->in->count < (takes ? 2 : 1) || (takes && d->in->count > 2 && o[2].kind != PTX_NUMBER))
        return decode_unsupported(d);
    if (!d->alloca_slot) d->alloca_slot = decode_slot(d, 'w');
    if (!takes && !saves) {
        const uint32_t from = decode_source(d, &o[0], 'w');
        if (!d->failed) decode_put(d, "mov.b32", d->alloca_slot, from, 0, 0);
        return !d->failed;
    }
    const uint32_t bytes = takes ? decode_source(d, &o[1], 'l') : 0, to = decode_result(d, &o[0], 'l', false);
    if (d->failed) return false;
    if (saves) decode_put(d, "stacksave", to, d->alloca_slot, 0, 0);
    else
        decode_put(d, "alloca", to, bytes, d->alloca_slot, 0)->offset =
            d->in->count > 2 && o[2].bits ? (int64_t)o[2].bits : 8;
    decode_finish_results(d);
    return !d->failed;
}

// createpolicy: where lines stay in L2 is not modelled, so that any value will do.
static bool policy(struct decode *d)
{
    if (d->in->count < 1) return decode_unsupported(d);
    const uint32_t to = decode_result(d, &d->in->operands[0], 'l', false);
    if (!d->failed) decode_put(d, "mov.b64", to, decode_constant(d, 'l', 0), 0, 0);
    decode_finish_results(d);
    return !d->failed;
}

// turns.CMP.TYPE: sim/compiler/unroll.c wrote it.
static bool turns(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    const enum ops_word compare = (enum ops_word)d->op->part[1];
    if (d->in->count != 5 || d->op->count != 3) return decode_unsupported(d);
    const bool is_long = ops_bytes((enum ops_word)d->op->type) == 8;
    const char lane = is_long ? 'l' : 'w';
    const uint32_t counter = decode_source(d, &o[1], lane), bound = decode_source(d, &o[2], lane),
                   to = decode_result(d, &o[0], 'p', false);
    if (d->failed) return false;
    struct inst *i = decode_emit(d, decode_find(d, "turns"));
    i->r[0] = to, i->r[1] = counter, i->r[2] = bound;
    i->offset = (int64_t)o[3].bits;
    i->site = (uint32_t)o[4].bits;
    i->wide = is_long;
    i->elem = d->op->type == WORD_S32 || d->op->type == WORD_S64;
    i->vector = (uint8_t)(compare == WORD_LE ? 'l' : compare == WORD_GE ? 'g' : compare == WORD_NE ? 'n' : 0);
    return true;
}

static bool fence(struct decode *d)
{
    struct inst *i = decode_emit(d, decode_find(d, "fence"));
    i->offset = ops_has(d->op, WORD_PROXY); // also between the proxies
    i->vector = !ops_has(d->op, WORD_CTA) && !ops_has(d->op, WORD_PROXY);
    return true;
}

bool decode_flow(struct decode *d)
{
    switch (d->op->code) {
    case OPS_BRA: return branch(d);
    case OPS_BRX: return branch_indexed(d);
    case OPS_TURNS: return turns(d);
    case OPS_CALL: return decode_call(d);
    case OPS_RET: return decode_leave(d, false);
    case OPS_EXIT: return decode_leave(d, true);
    case OPS_MEMBAR:
    case OPS_FENCE: return fence(d);
    case OPS_TRAP: return decode_emit(d, decode_find(d, "trap")) != NULL;
    case OPS_ALLOCA:
    case OPS_STACKSAVE:
    case OPS_STACKRESTORE: return stack(d);
    case OPS_CREATEPOLICY: return policy(d);
    default: return true; // hints, and waits for what is not modelled
    }
}
