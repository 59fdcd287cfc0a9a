// Barriers in shared memory, copies in bulk and stores that such a barrier waits for: mnemonics and operands. Copies by
// a tensor map are in decode_tensor.c.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "ptx/lex.h"
#include "sim/decode/decode.h"
#include "sim/ops/mbarrier.h"

#include <string.h>

// The whole address in 64 bits.
bool decode_bulk_address(struct decode *d, const struct ptx_operand *o, enum space space, uint32_t *slot)
{
    struct inst i = {.space = (uint8_t)space};
    if (!decode_memory_address(d, o, &i)) return false;
    *slot = i.r[4];
    if (!(i.wide & 1)) {
        *slot = decode_temp(d, 'l');
        decode_put(d, "cvt.u64.u32", *slot, i.r[4], 0, 0);
    }
    if (i.offset) {
        const uint32_t base = *slot;
        *slot = decode_temp(d, 'l');
        decode_put(d, "add.u64", *slot, base, decode_constant(d, 'l', (uint64_t)i.offset), 0);
    }
    return !d->failed;
}

static struct memory_op *named(struct decode *d)
{
    struct memory_op *op = arena_alloc(d->arena, sizeof *op);
    op->name = d->op->name;
    op->kind = ACCESS_ATOMIC;
    return op;
}

bool decode_mbarrier(struct decode *d)
{
    static const struct {
        uint8_t what, kind, bits, result; // result: it has one
    } kinds[] = {{WORD_INIT, MBARRIER_INIT, 0, 0}, {WORD_INVAL, MBARRIER_INVAL, 0, 0},
        {WORD_EXPECT_TX, MBARRIER_EXPECT, 0, 0}, {WORD_COMPLETE_TX, MBARRIER_COMPLETE, 0, 0},
        {WORD_ARRIVE, MBARRIER_ARRIVE, 0, 1}, {WORD_ARRIVE_DROP, MBARRIER_ARRIVE, MBARRIER_DROPS, 1},
        {WORD_TEST_WAIT, MBARRIER_TEST, MBARRIER_PREDICATE, 1}, {WORD_TRY_WAIT, MBARRIER_TEST, MBARRIER_PREDICATE, 1},
        {0, 0, 0, 0}};
    const enum ops_word what = d->op->count > 1 ? (enum ops_word)d->op->part[1] : WORD_UNKNOWN;
    const struct ptx_operand *o = d->in->operands;
    struct inst i = {.space = (uint8_t)decode_space(d)};
    int k = 0;
    if (what == WORD_PENDING_COUNT && d->in->count == 2) {
        const uint32_t state = decode_source(d, &o[1], 'l');
        decode_put(d, "mbarrier.pending", decode_result(d, &o[0], 'w', false), state, 0, 0);
        decode_finish_results(d);
        return !d->failed;
    }
    while (kinds[k].what && what != kinds[k].what) k++;
    // A remote arrival has no state to give, and may be written without the place for it.
    const int at = kinds[k].result && d->in->count && o[0].kind != PTX_ADDRESS ? 1 : 0;
    if (!kinds[k].what || d->in->count <= at || !decode_memory_address(d, &o[at], &i)) return decode_unsupported(d);
    i.elem = kinds[k].kind, i.vector = kinds[k].bits;
    if (i.elem == MBARRIER_ARRIVE && ops_has(d->op, WORD_EXPECT_TX)) i.vector |= MBARRIER_BYTES;
    if (ops_has(d->op, WORD_PARITY)) i.vector |= MBARRIER_PARITY;
    const bool by_state = i.elem == MBARRIER_TEST && !(i.vector & MBARRIER_PARITY);
    if (by_state) i.wide |= 2;
    if (d->in->count > at + 1) i.r[1] = decode_source(d, &o[at + 1], by_state ? 'l' : 'w');
    if (at && (i.elem == MBARRIER_TEST || o[0].kind != PTX_SINK))
        i.r[0] = decode_result(d, &o[0], i.elem == MBARRIER_TEST ? 'p' : 'l', false);
    if (d->failed) return false;
    struct inst *out = decode_emit(d, decode_find(d, "mbarrier"));
    const struct inst made = *out;
    *out = i;
    out->run = made.run, out->guard = made.guard, out->line = made.line;
    out->memory = named(d);
    decode_finish_results(d);
    return true;
}

// cp.async.mbarrier.arrive: the copies of this thread are done already. Without .noinc it is awaited by what it adds
// itself, so that nothing changes.
bool decode_copy_arrives(struct decode *d)
{
    struct inst i = {.space = (uint8_t)decode_space(d), .elem = MBARRIER_ARRIVE};
    if (d->in->count != 1 || !decode_memory_address(d, &d->in->operands[0], &i)) return decode_unsupported(d);
    decode_emit(d, decode_find(d, "cp.follow"));
    if (!ops_has(d->op, WORD_NOINC)) return true;
    struct inst *out = decode_emit(d, decode_find(d, "mbarrier"));
    const struct inst made = *out;
    *out = i;
    out->run = made.run, out->guard = made.guard, out->line = made.line;
    out->memory = named(d);
    return true;
}

// What a reduction does; `typed` false: to what, somebody else knows.
bool decode_reduction(struct decode *d, struct memory_op *op, bool typed)
{
    static const enum ops_word ways[] = {WORD_ADD, WORD_MIN, WORD_MAX, WORD_AND, WORD_OR, WORD_XOR, 0},
                               counts[] = {WORD_INC, WORD_DEC, 0};
    const int way = ops_which(d->op, ways), count = ops_which(d->op, counts),
              found = count >= 0 ? ATOMIC_INC + count : way, pair = decode_atomic_type(d),
              type = pair == ATOMIC_F16X2 || pair == ATOMIC_BF16X2 || pair == ATOMIC_B16 ? -1 : pair;
    if (found < 0 || (typed && type < 0)) return decode_unsupported(d);
    op->atomic = (uint8_t)found, op->type = (uint8_t)(typed ? type : 0), op->kind = ACCESS_REDUCE;
    return true;
}

static enum space space_of(uint8_t part) { return part == WORD_GLOBAL ? SPACE_GLOBAL : SPACE_SHARED; }

// cp.async.bulk.TO.FROM.WAY [to], [from], bytes{, [barrier]}{, blocks}{, policy}; cp.reduce.async.bulk the same.
bool decode_bulk(struct decode *d, bool reduces)
{
    const struct ptx_operand *o = d->in->operands;
    if (ops_has(d->op, WORD_PREFETCH)) return true;
    if (ops_has(d->op, WORD_COMMIT_GROUP)) return decode_emit(d, decode_find(d, "bulk.commit")) != NULL;
    if (ops_has(d->op, WORD_WAIT_GROUP)) {
        if (d->in->count != 1 || o[0].kind != PTX_NUMBER) return decode_unsupported(d);
        decode_put(d, "bulk.wait", ops_has(d->op, WORD_READ), 0, 0, 0)->offset = (int64_t)o[0].bits;
        return true;
    }
    if (ops_has(d->op, WORD_TENSOR)) return decode_tensor(d, reduces);
    const int at = reduces ? 4 : 3;
    const bool counted = ops_has(d->op, WORD_MBARRIER_COMPLETE_TX_BYTES);
    if (d->op->count < at + 2 || d->in->count < 3 + counted) return decode_unsupported(d);
    struct bulk_op *op = arena_alloc(d->arena, sizeof *op);
    op->memory.name = d->op->name, op->memory.unit = UNIT_ELSEWHERE;
    op->to_space = (uint8_t)space_of(d->op->part[at]), op->from_space = (uint8_t)space_of(d->op->part[at + 1]);
    op->memory.kind = op->to_space == SPACE_GLOBAL ? ACCESS_STORE : ACCESS_LOAD;
    if (reduces && !decode_reduction(d, &op->memory, true)) return false;
    if (!decode_bulk_address(d, &o[0], (enum space)op->to_space, &op->to) ||
        !decode_bulk_address(d, &o[1], (enum space)op->from_space, &op->from))
        return false;
    op->bytes = decode_source(d, &o[2], 'w');
    if (counted && !decode_bulk_address(d, &o[3], SPACE_SHARED, &op->barrier)) return false;
    if (ops_has(d->op, WORD_MULTICAST_CLUSTER)) {
        if (d->in->count < 5) return decode_unsupported(d);
        op->ranks = decode_source(d, &o[4], 'w');
    }
    if (d->failed) return false;
    decode_memory_emit(d, "cp.async.bulk", &(struct inst){.space = SPACE_GLOBAL}, op);
    return true;
}

// st.async.shared::cluster.mbarrier::complete_tx::bytes{.v2}.type [to], value, [barrier]; red.async the same.
bool decode_store_async(struct decode *d, bool reduces)
{
    const struct ptx_operand *o = d->in->operands, *values = d->in->count > 1 ? &o[1] : NULL;
    const size_t size = lex_type_size(decode_type(d), strlen(decode_type(d)));
    if (d->in->count != 3 || (size != 4 && size != 8)) return decode_unsupported(d);
    const int count = values->kind == PTX_VECTOR ? values->count : 1;
    struct bulk_op *op = arena_alloc(d->arena, sizeof *op);
    if (count < 1 || count > 4) return decode_unsupported(d);
    op->memory.name = d->op->name, op->memory.kind = ACCESS_STORE, op->memory.unit = UNIT_ELSEWHERE;
    op->item = (uint8_t)size, op->items = (uint8_t)count;
    if (reduces && (count > 1 || !decode_reduction(d, &op->memory, true))) return decode_unsupported(d);
    if (!decode_bulk_address(d, &o[0], SPACE_SHARED, &op->to) ||
        !decode_bulk_address(d, &o[2], SPACE_SHARED, &op->barrier))
        return false;
    for (int k = 0; k < count; k++)
        op->values[k] =
            decode_source(d, values->kind == PTX_VECTOR ? &values->items[k] : values, size == 8 ? 'l' : 'w');
    if (d->failed) return false;
    decode_memory_emit(d, "st.async", &(struct inst){.space = SPACE_SHARED}, op);
    return true;
}
