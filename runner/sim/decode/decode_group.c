// wgmma: products of a warp group. Each is done at once; what orders them is for who watches.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/ops/matrix.h"

#include <stdio.h>

// The shape, and the types of sums and factors.
static bool shape(const struct decode *d, struct group_op *op)
{
    unsigned m, n, k;
    int types[3], count = 0;
    bool shaped = false;
    for (int i = 2; i < d->op->count; i++) {
        const int type = matrix_type_of(ops_written(d->op, i));
        if (type >= 0 && count < 3) types[count++] = type;
        if (sscanf(ops_written(d->op, i), "m%un%uk%u", &m, &n, &k) != 3) continue;
        shaped = m == 64 && n >= 8 && n <= 256 && n % 8 == 0 && k <= 256;
        op->n = (uint16_t)n, op->k = (uint16_t)k;
    }
    if (!shaped || count != 3) return false;
    op->d = (uint8_t)types[0], op->a = (uint8_t)types[1], op->b = (uint8_t)types[2];
    return k == (op->is_sparse ? 512u : 256u) / matrix_bits[op->a] &&
        (op->d == MATRIX_F16 || op->d == MATRIX_F32 || op->d == MATRIX_S32);
}

static bool whole_number(const struct ptx_inst *in, int at, int64_t *value)
{
    if (at >= in->count || in->operands[at].kind != PTX_NUMBER) return false;
    *value = (int64_t)in->operands[at].bits;
    return true;
}

// What comes behind the factors: whether to add, then for floats the signs, then for halves which factors are turned.
static bool choices(struct decode *d, struct group_op *op, int at)
{
    const struct ptx_inst *in = d->in;
    const bool floats = op->d != MATRIX_S32, halves = op->a == MATRIX_F16 || op->a == MATRIX_BF16;
    int64_t sign_a = 1, sign_b = 1, turned_a = 0, turned_b = 0;
    if (at >= in->count) return decode_unsupported(d);
    op->adds = decode_source(d, &in->operands[at++], 'p');
    if (floats && (!whole_number(in, at++, &sign_a) || !whole_number(in, at++, &sign_b))) return decode_unsupported(d);
    if (halves && op->a_tile && !whole_number(in, at++, &turned_a)) return decode_unsupported(d);
    if (halves && !whole_number(in, at++, &turned_b)) return decode_unsupported(d);
    op->minus = sign_a * sign_b < 0;
    op->a_turned = turned_a != 0, op->b_turned = turned_b != 0;
    return in->count == at || decode_unsupported(d);
}

static bool product(struct decode *d)
{
    struct group_op op = {
        .memory = {.name = d->op->name, .kind = ACCESS_LOAD}, .saturates = ops_has(d->op, WORD_SATFINITE)};
    const struct ptx_operand *o = d->in->operands;
    op.is_sparse = ops_has(d->op, WORD_SP);
    if (d->in->count < (op.is_sparse ? 6 : 4) || !shape(d, &op)) return decode_unsupported(d);
    const int sums = op.d == MATRIX_F16 ? op.n / 4 : op.n / 2;
    if (o[0].kind != PTX_VECTOR || o[0].count != sums) return decode_unsupported(d);
    d->moves_sums = true; // products may follow each other without a wait
    for (int k = 0; k < sums; k++) op.at_d[k] = decode_result(d, &o[0].items[k], 'w', false);
    d->moves_sums = false;
    if (o[1].kind == PTX_VECTOR) {
        if (o[1].count != 4) return decode_unsupported(d);
        for (int k = 0; k < 4; k++) op.at_a[k] = decode_source(d, &o[1].items[k], 'w');
    } else op.a_tile = decode_source(d, &o[1], 'l');
    op.b_tile = decode_source(d, &o[2], 'l');
    if (op.is_sparse && !decode_sparse(d, &op.sparse, op.a, op.k, &o[3])) return false;
    if (!choices(d, &op, op.is_sparse ? 5 : 3) || d->failed) return false;
    decode_memory_emit(d, "wgmma", &(struct inst){.space = SPACE_CONST}, arena_copy(d->arena, &op, sizeof op));
    decode_finish_results(d);
    if (!d->failed) decode_flight_product(d);
    return !d->failed;
}

bool decode_group(struct decode *d)
{
    int64_t left;
    switch (d->op->count > 1 ? d->op->part[1] : WORD_UNKNOWN) {
    case WORD_FENCE: return true;
    case WORD_COMMIT_GROUP: decode_flight_close(d); return true;
    case WORD_WAIT_GROUP:
        if (!whole_number(d->in, 0, &left)) return decode_unsupported(d);
        decode_flight_wait(d, left);
        return true;
    case WORD_MMA_ASYNC: return product(d);
    default: return decode_unsupported(d);
    }
}
