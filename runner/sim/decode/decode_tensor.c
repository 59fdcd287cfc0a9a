// Copies by a tensor map: cp.async.bulk.tensor and cp.reduce.async.bulk.tensor, in boxes (`tile`) and in pixels
// (`im2col`).
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/ops/mbarrier.h"
#include "sim/ops/tensor.h"

// [map, {x, y}]: the place of the map, and where the box begins.
static bool place(struct decode *d, const struct ptx_operand *o, struct bulk_op *op)
{
    struct ptx_operand map = *o;
    if (o->kind != PTX_ADDRESS || o->count != op->rank) return decode_unsupported(d);
    map.items = NULL, map.count = 0;
    if (!decode_bulk_address(d, &map, SPACE_GENERIC, &op->map)) return false;
    for (int k = 0; k < op->rank; k++) op->at[k] = decode_source(d, &o->items[k], 'w');
    return !d->failed;
}

// im2col: {w, h}, how far from its place a filter reads each pixel.
static bool shifts(struct decode *d, const struct ptx_operand *o, struct bulk_op *op)
{
    if (op->rank < 3 || o->kind != PTX_VECTOR || o->count != op->rank - 2) return decode_unsupported(d);
    for (int k = 0; k < o->count; k++) op->shift[k + 1] = decode_source(d, &o->items[k], 'w');
    return !d->failed;
}

// cp.async.bulk.tensor.RANK.shared::cluster.global{.tile or .im2col}.mbarrier::complete_tx::bytes
//     [to], [map, at], [barrier]{, shifts}{, blocks}{, policy}
// cp.async.bulk.tensor.RANK.global.shared::cta{.tile}.bulk_group [map, at], [from]{, policy}; cp.reduce the same.
bool decode_tensor(struct decode *d, bool reduces)
{
    static const enum ops_word refused[] = {WORD_IM2COL_W, WORD_IM2COL_W_128, WORD_TILE_GATHER4, WORD_TILE_SCATTER4,
        WORD_CTA_GROUP_1, WORD_CTA_GROUP_2, 0}, // of compute capability 10.0
        ranks[] = {WORD_D1, WORD_D2, WORD_D3, WORD_D4, WORD_D5, 0};
    const int never = ops_which(d->op, refused);
    const struct ptx_operand *o = d->in->operands;
    const bool loads = ops_has(d->op, WORD_MBARRIER_COMPLETE_TX_BYTES);
    struct bulk_op *op = arena_alloc(d->arena, sizeof *op);
    op->memory.name = d->op->name, op->memory.unit = UNIT_ELSEWHERE;
    op->rank = (uint8_t)(ops_which(d->op, ranks) + 1);
    op->images = ops_has(d->op, WORD_IM2COL) || ops_has(d->op, WORD_IM2COL_NO_OFFS);
    int next = 3;
    op->to_space = loads ? SPACE_SHARED : SPACE_GLOBAL, op->from_space = loads ? SPACE_GLOBAL : SPACE_SHARED;
    op->memory.kind = loads ? ACCESS_LOAD : ACCESS_STORE;
    if (never >= 0) return decode_fail(d, arena_printf(d->arena, "cp.async.bulk.tensor.%s", ops_text(refused[never])));
    if (!op->rank || d->in->count < 2 + loads) return decode_unsupported(d);
    if (reduces && (loads || !decode_reduction(d, &op->memory, false))) return decode_unsupported(d);
    if (!place(d, &o[loads ? 1 : 0], op)) return false;
    if (!decode_bulk_address(d, &o[loads ? 0 : 1], SPACE_SHARED, loads ? &op->to : &op->from)) return false;
    if (loads && !decode_bulk_address(d, &o[2], SPACE_SHARED, &op->barrier)) return false;
    if (loads && op->images && (d->in->count <= next || !shifts(d, &o[next++], op))) return decode_unsupported(d);
    if (ops_has(d->op, WORD_MULTICAST_CLUSTER)) {
        if (d->in->count <= next) return decode_unsupported(d);
        op->ranks = decode_source(d, &o[next], 'w');
    }
    if (d->failed) return false;
    decode_memory_emit(d, "cp.async.bulk.tensor", &(struct inst){.space = SPACE_GLOBAL}, op);
    return true;
}
