// Instructions that look across lanes or wait for them: shfl, vote, match, redux, elect, bar.
// SPDX-License-Identifier: MIT
#include "sim/decode/decode.h"

#include <stdio.h>
#include <string.h>

static const struct ptx_operand *first_of(const struct ptx_operand *o)
{
    return o->kind == PTX_PAIR ? &o->items[0] : o;
}

// The predicate of `d|p`; 0 when there is none.
static uint32_t second_result(struct decode *d, const struct ptx_operand *o)
{
    return o->kind == PTX_PAIR ? decode_result(d, &o->items[1], 'p', false) : 0;
}

// The lanes that are to take part. A mask of some is lost where the compiler sees that all of them come.
static uint32_t members_of(struct decode *d, const struct ptx_operand *o)
{
    d->masks |= o->kind != PTX_NUMBER || (uint32_t)o->bits != ALL_LANES;
    return decode_source(d, o, 'w');
}

static bool shuffle(struct decode *d)
{
    static const enum ops_word modes[] = {WORD_UP, WORD_DOWN, WORD_BFLY, WORD_IDX, 0};
    const bool sync = ops_has(d->op, WORD_SYNC);
    const int mode = ops_which(d->op, modes);
    const struct ptx_operand *o = d->in->operands;
    if (mode < 0 || d->in->count != (sync ? 5 : 4)) return decode_unsupported(d);
    uint32_t r[6] = {0};
    for (int k = 1; k < 4; k++) r[k] = decode_source(d, &o[k], 'w');
    r[4] = sync ? members_of(d, &o[4]) : decode_constant(d, 'w', 0);
    r[5] = second_result(d, &o[0]);
    r[0] = decode_result(d, first_of(&o[0]), 'w', false);
    if (d->failed) return false;
    struct inst *i = decode_emit(d, decode_find(d, "shfl"));
    memcpy(i->r, r, sizeof r);
    i->offset = mode;
    decode_finish_results(d);
    return true;
}

static bool vote(struct decode *d)
{
    static const enum ops_word modes[] = {WORD_ALL, WORD_ANY, WORD_UNI, WORD_BALLOT, 0};
    const int mode = ops_which(d->op, modes);
    const bool sync = ops_has(d->op, WORD_SYNC); // the old form takes the lanes that are active
    if (mode < 0 || d->in->count != (sync ? 3 : 2)) return decode_unsupported(d);
    const uint32_t p = decode_source(d, &d->in->operands[1], 'p'),
                   members = sync ? members_of(d, &d->in->operands[2]) : decode_constant(d, 'w', 0),
                   slot = decode_result(d, &d->in->operands[0], mode == 3 ? 'w' : 'p', false);
    if (d->failed) return false;
    decode_put(d, "vote", slot, p, members, 0)->offset = mode;
    decode_finish_results(d);
    return true;
}

static bool match(struct decode *d)
{
    char name[32];
    const bool wide = d->op->type == WORD_B64;
    if (d->in->count != 3) return decode_unsupported(d);
    snprintf(name, sizeof name, "match.%s", wide ? "b64" : "b32");
    const struct ptx_operand *o = d->in->operands;
    const uint32_t a = decode_source(d, &o[1], wide ? 'l' : 'w'), members = members_of(d, &o[2]),
                   p = second_result(d, &o[0]), slot = decode_result(d, first_of(&o[0]), 'w', false);
    if (d->failed) return false;
    struct inst *i = decode_put(d, name, slot, a, members, 0);
    i->offset = ops_has(d->op, WORD_ALL);
    i->r[5] = p;
    decode_finish_results(d);
    return true;
}

static bool elect(struct decode *d)
{
    if (d->in->count != 2 || d->in->operands[0].kind != PTX_PAIR) return decode_unsupported(d);
    const uint32_t p = second_result(d, &d->in->operands[0]), members = members_of(d, &d->in->operands[1]),
                   slot = decode_result(d, first_of(&d->in->operands[0]), 'w', false);
    if (!d->failed) decode_put(d, "elect", slot, 0, members, 0)->r[5] = p;
    return !d->failed;
}

static bool barrier(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    const int count = d->in->count;
    if (ops_has(d->op, WORD_CLUSTER)) {
        d->meets = true;
        decode_emit(d, decode_find(d, ops_has(d->op, WORD_ARRIVE) ? "cluster.arrive" : "cluster.wait"));
        return true;
    }
    if (ops_has(d->op, WORD_WARP)) {
        if (count != 1) return decode_unsupported(d);
        const uint32_t members = members_of(d, &o[0]);
        if (!d->failed) decode_put(d, "bar.warp", members, 0, 0, 0);
        return !d->failed;
    }
    if (!ops_has(d->op, WORD_RED)) {
        if (count < 1 || count > 2) return decode_unsupported(d);
        const uint32_t id = decode_source(d, &o[0], 'w'), threads = count > 1 ? decode_source(d, &o[1], 'w') : 0;
        if (!d->failed) decode_put(d, "bar", id, threads, 0, 0)->offset = ops_has(d->op, WORD_ARRIVE);
        return !d->failed;
    }
    const bool popc = ops_has(d->op, WORD_POPC);
    if (count < 3 || count > 4) return decode_unsupported(d);
    const uint32_t id = decode_source(d, &o[1], 'w'), threads = count > 3 ? decode_source(d, &o[2], 'w') : 0,
                   p = decode_source(d, &o[count - 1], 'p'), slot = decode_result(d, &o[0], popc ? 'w' : 'p', false);
    if (d->failed) return false;
    decode_put(d, "bar", id, threads, p, slot)->offset = popc ? 2 : ops_has(d->op, WORD_AND) ? 3 : 4;
    decode_finish_results(d);
    return true;
}

bool decode_warp(struct decode *d)
{
    switch (d->op->code) {
    case OPS_SHFL: return shuffle(d);
    case OPS_VOTE: return vote(d);
    case OPS_MATCH: return match(d);
    case OPS_ELECT: return elect(d);
    case OPS_BAR:
    case OPS_BARRIER: return barrier(d);
    case OPS_ACTIVEMASK: d->asks_active = d->in->line; return decode_arithmetic(d);
    default: return decode_arithmetic(d);
    }
}
