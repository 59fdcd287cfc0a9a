// Textures and surfaces by object: tex, tld4, suld, sust, sured and the queries for their sizes. The old texture
// references, which are names in the source, are not supported.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/ops/tables.h"

#include <stdlib.h>
#include <string.h>

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

// "1d", "2d", "3d", "a1d", "a2d", "cube", "acube"
static bool geometry(const struct decode *d, struct texture_op *op)
{
    for (int k = 1; k < d->mod_count; k++) {
        const char *m = d->mods[k];
        op->layered = *m == 'a' && (is(m + 1, "1d") || is(m + 1, "2d") || is(m + 1, "cube"));
        if (op->layered) m++;
        op->cube = is(m, "cube");
        op->rank = op->cube || is(m, "2d") ? 2 : is(m, "1d") ? 1 : is(m, "3d") ? 3 : 0;
        if (op->rank) return true;
    }
    return false;
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
    static const char components[] = "rgba";
    struct texture_op op = {.kind = gathers ? TEXTURE_GATHER : TEXTURE_SAMPLE, .bits = 32};
    const struct ptx_operand *o = d->in->operands, *to = o[0].kind == PTX_PAIR ? &o[0].items[0] : &o[0];
    uint32_t handle = 0;
    if (decode_mod(d, "2dms") || decode_mod(d, "a2dms"))
        return decode_fail(d, "tex.2dms (nothing here makes a texture of several samples a texel)");
    if (d->in->count < 2 || to->kind != PTX_VECTOR || to->count != 4 || d->mod_count < 4 || decode_mod(d, "base") ||
        !geometry(d, &op))
        return decode_unsupported(d);
    const char *type = d->mods[d->mod_count - 2];
    if (!is(type, "f32") && !is(type, "u32") && !is(type, "s32")) return decode_unsupported(d);
    op.texels = is(decode_type(d), "s32");
    for (int k = 1; gathers && k < d->mod_count; k++)
        if (strlen(d->mods[k]) == 1 && strchr(components, d->mods[k][0]))
            op.component = (uint8_t)(strchr(components, d->mods[k][0]) - components);
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
    static const char *const ops[] = {"add", "min", "max", "and", "or", NULL};
    struct memory_op *atomic = arena_alloc(d->arena, sizeof *atomic);
    const bool is_signed = decode_mod(d, "s32") || decode_mod(d, "s64");
    int found = -1;
    for (int k = 0; ops[k]; k++)
        if (decode_mod(d, ops[k])) found = k;
    if (found < 0 || op->bits < 32) return false;
    *atomic = (struct memory_op){.name = d->in->op, .kind = ACCESS_REDUCE, .atomic = (uint8_t)found};
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
        .kind = (uint8_t)kind, .texels = true, .formatted = d->mod_count > 1 && is(d->mods[1], "p")};
    const struct ptx_operand *o = d->in->operands, *where = &o[loads ? 1 : 0];
    uint32_t handle = 0;
    if (d->in->count != 2 || (!op.formatted && !decode_mod(d, "b")) || (op.formatted && loads) || !geometry(d, &op))
        return decode_unsupported(d);
    for (int k = 2; k < d->mod_count; k++)
        if (strchr("bus", d->mods[k][0]) && atoi(d->mods[k] + 1)) op.bits = (uint8_t)atoi(d->mods[k] + 1);
    if (kind == TEXTURE_REDUCE && !reduction(d, &op)) return decode_unsupported(d);
    if (op.formatted && op.bits != 32) return decode_unsupported(d);
    op.outside = decode_mod(d, "clamp") ? OUTSIDE_CLAMPS : decode_mod(d, "zero") ? OUTSIDE_IS_ZERO : OUTSIDE_TRAPS;
    if (op.bits < 8 || op.bits > 64) return decode_unsupported(d);
    return handle_of(d, where, &handle) && coordinates(d, where, &op) && data(d, &o[loads ? 0 : 1], &op, loads) &&
        finish(d, "tex", handle, &op);
}

// txq.width.b32 r, [object]; txq.level.width.b32 r, [object], level: there is only one.
static bool query(struct decode *d)
{
    static const struct {
        const char *name;
        uint8_t what;
    } names[] = {{"width", QUERY_WIDTH}, {"height", QUERY_HEIGHT}, {"depth", QUERY_DEPTH}, {"array_size", QUERY_LAYERS},
        {"num_mipmap_levels", QUERY_ONE}, {"num_samples", QUERY_ONE}};
    struct texture_op op = {.kind = TEXTURE_QUERY, .bits = 32};
    const struct ptx_operand *o = d->in->operands;
    uint32_t handle = 0;
    bool known = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (decode_mod(d, names[k].name)) op.component = names[k].what, known = true;
    if (!known || d->in->count != (decode_mod(d, "level") ? 3 : 2)) return decode_unsupported(d);
    return handle_of(d, &o[1], &handle) && data(d, &o[0], &op, true) && finish(d, "tex", handle, &op);
}

bool decode_texture(struct decode *d, bool *mine)
{
    const char *root = d->mods[0];
    *mine = true;
    if (is(root, "tex")) return sample(d, false);
    if (is(root, "tld4")) return sample(d, true);
    if (is(root, "suld")) return surface(d, TEXTURE_LOAD);
    if (is(root, "sust")) return surface(d, TEXTURE_STORE);
    if (is(root, "sured")) return surface(d, TEXTURE_REDUCE);
    if (is(root, "txq") || is(root, "suq")) return query(d);
    *mine = false;
    return true;
}
