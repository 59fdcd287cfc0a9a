// Textures and surfaces by object: tex, tld4, suld, sust, sured and the queries for their sizes. The old texture
// references, which are names in the source, are not supported.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/ops/tables.h"

#include <stdlib.h>
#include <string.h>

static bool geometry(const struct decode *d, struct texture_op *op)
{
    static const enum ops_word forms[] = {WORD_D1, WORD_D2, WORD_D3, WORD_CUBE, WORD_A_D1, WORD_A_D2, WORD_ACUBE, 0};
    static const uint8_t ranks[] = {1, 2, 3, 2, 1, 2, 2};
    const int form = ops_which(d->op, forms);
    if (form < 0) return false;
    op->layered = form >= 4;
    op->cube = forms[form] == WORD_CUBE || forms[form] == WORD_ACUBE;
    op->rank = ranks[form];
    return true;
}

static bool handle_of(struct decode *d, const struct ptx_operand *o, uint32_t *slot)
{
    const struct ptx_operand handle = {.kind = PTX_REGISTER, .reg = o->reg};
    if (o->kind != PTX_ADDRESS || o->reg < 0 || o->offset) return decode_unsupported(d);
    *slot = decode_source(d, &handle, 'l');
    return !d->failed;
}

static bool coordinates(struct decode *d, const struct ptx_operand *o, struct texture_op *op)
{
    const int least = op->rank + op->layered + op->cube;
    if (o->count < least || o->count > 5) return decode_unsupported(d);
    op->coords = (uint8_t)least;
    for (int k = 0; k < least; k++) op->at[k] = decode_source(d, &o->items[k], 'w');
    return !d->failed;
}

static bool data(struct decode *d, const struct ptx_operand *o, struct texture_op *op, bool loads)
{
    const struct ptx_operand *items = o->kind == PTX_VECTOR ? o->items : o;
    const int count = o->kind == PTX_VECTOR ? o->count : 1;
    const char lane = op->bits == 64 ? 'l' : 'w';
    if (count > 4) return decode_unsupported(d);
    op->data = (uint8_t)count;
    op->wide = op->bits == 64;
    for (int k = 0; k < count; k++)
        op->value[k] = loads ? decode_result(d, &items[k], lane, false) : decode_source(d, &items[k], lane);
    return !d->failed;
}

static bool finish(struct decode *d, const char *name, uint32_t handle, const struct texture_op *op)
{
    struct inst *i = decode_emit(d, decode_find(d, name));
    i->r[4] = handle;
    i->texture = arena_copy(d->arena, op, sizeof *op);
    decode_finish_results(d);
    return !d->failed;
}

// tex{.level,.grad}.GEOMETRY.v4.TYPE.COORDINATES {...}, [object, {x, ...}]{, level or gradients}: there is only one
// level.
static bool sample(struct decode *d, bool gathers)
{
    static const enum ops_word components[] = {WORD_R, WORD_G, WORD_B, WORD_A, 0};
    struct texture_op op = {.kind = gathers ? TEXTURE_GATHER : TEXTURE_SAMPLE, .bits = 32};
    const struct ptx_operand *o = d->in->operands, *to = o[0].kind == PTX_PAIR ? &o[0].items[0] : &o[0];
    uint32_t handle = 0;
    if (ops_has(d->op, WORD_MS_2D) || ops_has(d->op, WORD_MS_A2D))
        return decode_fail(d, "tex.2dms (nothing here makes a texture of several samples a texel)");
    if (d->in->count < 2 || to->kind != PTX_VECTOR || to->count != 4 || d->op->count < 4 || ops_has(d->op, WORD_BASE) ||
        !geometry(d, &op))
        return decode_unsupported(d);
    const enum ops_word type = (enum ops_word)d->op->part[d->op->count - 2];
    if (type != WORD_F32 && type != WORD_U32 && type != WORD_S32) return decode_unsupported(d);
    op.texels = d->op->type == WORD_S32;
    const int component = ops_which(d->op, components);
    if (gathers && component > 0) op.component = (uint8_t)component;
    if (!handle_of(d, &o[1], &handle) || !coordinates(d, &o[1], &op) || !data(d, to, &op, true) ||
        !finish(d, "tex", handle, &op))
        return false;
    if (to != o) { // whether its memory is there: it always is
        const uint32_t yes = decode_constant(d, 'p', 1), there = decode_result(d, &o[0].items[1], 'p', false);
        if (!d->failed) decode_put(d, "mov.pred", there, yes, yes, 0);
    }
    return !d->failed;
}

// sured: an atomic operation without a result.
static bool reduction(struct decode *d, struct texture_op *op)
{
    static const enum ops_word ways[] = {WORD_ADD, WORD_MIN, WORD_MAX, WORD_AND, WORD_OR, 0};
    struct memory_op *atomic = arena_alloc(d->arena, sizeof *atomic);
    const bool is_signed = ops_has(d->op, WORD_S32) || ops_has(d->op, WORD_S64);
    const int found = ops_which(d->op, ways);
    if (found < 0 || op->bits < 32) return false;
    *atomic = (struct memory_op){.name = d->op->name, .kind = ACCESS_REDUCE, .atomic = (uint8_t)found};
    atomic->type = op->bits == 64 ? (is_signed ? ATOMIC_S64 : ATOMIC_U64) : is_signed ? ATOMIC_S32 : ATOMIC_U32;
    op->atomic = atomic;
    return true;
}

// suld.b.GEOMETRY{.v2,.v4}.bN.OUTSIDE {…}, [object, {x in bytes, …}]; sust.b the other way round; sust.p takes x in
// texels and makes what it stores a texel; sured.b.OP.GEOMETRY.TYPE.OUTSIDE [object, {x in bytes, …}], value.
static bool surface(struct decode *d, enum texture_kind kind)
{
    const bool loads = kind == TEXTURE_LOAD;
    struct texture_op op = {
        .kind = (uint8_t)kind, .texels = true, .formatted = d->op->count > 1 && d->op->part[1] == WORD_P};
    const struct ptx_operand *o = d->in->operands, *where = &o[loads ? 1 : 0];
    uint32_t handle = 0;
    if (d->in->count != 2 || (!op.formatted && !ops_has(d->op, WORD_B)) || (op.formatted && loads) || !geometry(d, &op))
        return decode_unsupported(d);
    for (int k = 2; k < d->op->count; k++)
        if (strchr("bus", ops_written(d->op, k)[0]) && atoi(ops_written(d->op, k) + 1))
            op.bits = (uint8_t)atoi(ops_written(d->op, k) + 1);
    if (kind == TEXTURE_REDUCE && !reduction(d, &op)) return decode_unsupported(d);
    if (op.formatted && op.bits != 32) return decode_unsupported(d);
    op.outside = ops_has(d->op, WORD_CLAMP) ? OUTSIDE_CLAMPS
        : ops_has(d->op, WORD_ZERO)         ? OUTSIDE_IS_ZERO
                                            : OUTSIDE_TRAPS;
    if (op.bits < 8 || op.bits > 64) return decode_unsupported(d);
    return handle_of(d, where, &handle) && coordinates(d, where, &op) && data(d, &o[loads ? 0 : 1], &op, loads) &&
        finish(d, "tex", handle, &op);
}

// txq.width.b32 r, [object]; txq.level.width.b32 r, [object], level: there is only one.
static bool query(struct decode *d)
{
    static const enum ops_word asked[] = {
        WORD_WIDTH, WORD_HEIGHT, WORD_DEPTH, WORD_ARRAY_SIZE, WORD_NUM_MIPMAP_LEVELS, WORD_NUM_SAMPLES, 0};
    static const uint8_t answers[] = {QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH, QUERY_LAYERS, QUERY_ONE, QUERY_ONE};
    const int what = ops_which(d->op, asked);
    struct texture_op op = {.kind = TEXTURE_QUERY, .bits = 32};
    const struct ptx_operand *o = d->in->operands;
    uint32_t handle = 0;
    if (what >= 0) op.component = answers[what];
    if (what < 0 || d->in->count != (ops_has(d->op, WORD_LEVEL) ? 3 : 2)) return decode_unsupported(d);
    return handle_of(d, &o[1], &handle) && data(d, &o[0], &op, true) && finish(d, "tex", handle, &op);
}

bool decode_texture(struct decode *d)
{
    switch (d->op->code) {
    case OPS_TEX: return sample(d, false);
    case OPS_TLD4: return sample(d, true);
    case OPS_SULD: return surface(d, TEXTURE_LOAD);
    case OPS_SUST: return surface(d, TEXTURE_STORE);
    case OPS_SURED: return surface(d, TEXTURE_REDUCE);
    default: return query(d);
    }
}
