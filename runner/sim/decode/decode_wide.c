// What takes several registers at once: atomics on vectors, and values of 128 bits, which are two registers here.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/rules/rules.h"
#include "sim/ops/tables.h"

// The type of a vector's elements, or of pairs of them: WORD_UNKNOWN if there is no such atomic.
static enum ops_word type_of(const struct decode *d, uint8_t *type)
{
    static const enum ops_word parts[] = {WORD_BF16X2, WORD_BF16, WORD_F16X2, WORD_F16, WORD_F32, 0};
    static const uint8_t types[] = {ATOMIC_BF16X2, ATOMIC_BF16X2, ATOMIC_F16X2, ATOMIC_F16X2, ATOMIC_F32};
    const int found = ops_which(d->op, parts);
    if (found >= 0) *type = types[found];
    return found < 0 ? WORD_UNKNOWN : parts[found];
}

static uint8_t operation_of(const struct decode *d)
{
    return ops_has(d->op, WORD_MIN) ? ATOMIC_MIN : ops_has(d->op, WORD_MAX) ? ATOMIC_MAX : ATOMIC_ADD;
}

// The values, halves in pairs.
static bool values(struct decode *d, const struct ptx_operand *o, bool halves, struct atomic_wide *op)
{
    op->count = (uint8_t)(halves ? o->count / 2 : o->count);
    for (int k = 0; k < op->count && !d->failed; k++) {
        if (!halves) op->from[k] = decode_source(d, &o->items[k], 'w');
        else {
            const uint32_t low = decode_source(d, &o->items[2 * k], 'w'),
                           high = decode_source(d, &o->items[2 * k + 1], 'w');
            op->from[k] = decode_temp(d, 'w');
            if (!d->failed) decode_put(d, "pack.16", op->from[k], low, high, 0);
        }
    }
    return !d->failed;
}

static bool used(const struct decode *d, const struct ptx_operand *o)
{
    for (int k = 0; k < o->count; k++)
        if (o->items[k].kind == PTX_REGISTER && d->plan->facts.reads[o->items[k].reg]) return true;
    return false;
}

static void results(struct decode *d, const struct ptx_operand *o, bool halves, const struct atomic_wide *op)
{
    for (int k = 0; k < o->count && !d->failed; k++) {
        const uint32_t to = decode_result(d, &o->items[k], 'w', false);
        if (halves) decode_put(d, "part.16", to, op->to[k / 2], 0, 0)->offset = 16 * (k % 2);
        else decode_put(d, "mov.b32", to, op->to[k], 0, 0);
    }
}

// red.global.add.v4.f32 [to], {…}; atom.global.add.noftz.v2.bf16 {…}, [to], {…}
bool decode_wide_atomic(struct decode *d, bool has_result)
{
    struct atomic_wide op = {.memory = {.name = d->op->name, .form = RULES_EACH}};
    const struct ptx_operand *o = d->in->operands, *values_of = &o[has_result ? 2 : 1];
    const enum ops_word type = type_of(d, &op.memory.type);
    const bool halves = type == WORD_F16 || type == WORD_BF16;
    struct inst i = {.space = (uint8_t)decode_space(d)};
    if (!type || d->in->count < (has_result ? 3 : 2) || values_of->kind != PTX_VECTOR ||
        (i.space != SPACE_GLOBAL && i.space != SPACE_GENERIC) || values_of->count > (halves ? 8 : 4) ||
        (values_of->count & (values_of->count - 1)) || (halves && values_of->count < 2) ||
        (has_result && (o[0].kind != PTX_VECTOR || o[0].count != values_of->count)))
        return decode_unsupported(d);
    if (!decode_memory_address(d, &o[has_result ? 1 : 0], &i) || !values(d, values_of, halves, &op)) return false;
    const bool gives = has_result && used(d, &o[0]);
    op.memory.atomic = operation_of(d);
    op.memory.kind = gives ? ACCESS_ATOMIC : ACCESS_REDUCE;
    for (int k = 0; gives && k < op.count; k++) op.to[k] = decode_temp(d, 'w');
    if (d->failed) return false;
    decode_memory_emit(d, "atom.wide", &i, arena_copy(d->arena, &op, sizeof op));
    if (gives) results(d, &o[0], halves, &op);
    decode_finish_results(d);
    return !d->failed;
}

// mov.b128 of a pair to one register, or back.
bool decode_wide_move(struct decode *d)
{
    const struct ptx_operand *to = &d->in->operands[0], *from = &d->in->operands[1];
    uint32_t a[2], b[2];
    if (d->in->count != 2 || !decode_halves(d, from, a, false) || !decode_halves(d, to, b, true))
        return decode_unsupported(d);
    const uint32_t temp = decode_temp(d, 'l'); // the first result may be the second source
    decode_put(d, "mov.b64", temp, a[0], 0, 0);
    decode_put(d, "mov.b64", b[1], a[1], 0, 0);
    decode_put(d, "mov.b64", b[0], temp, 0, 0);
    decode_finish_results(d);
    return !d->failed;
}

// atom.cas.b128 and atom.exch.b128.
bool decode_wide_swap(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    const bool compares = ops_has(d->op, WORD_CAS);
    struct atomic_wide op = {.memory = {.name = d->op->name,
                                 .kind = ACCESS_ATOMIC,
                                 .type = ATOMIC_U64,
                                 .atomic = compares ? ATOMIC_CAS : ATOMIC_EXCH,
                                 .form = compares ? RULES_SWAP : RULES_EACH},
        .count = 2};
    struct inst i = {.space = (uint8_t)decode_space(d)};
    if (d->in->count < (compares ? 4 : 3) || !(compares || ops_has(d->op, WORD_EXCH))) return decode_unsupported(d);
    if (!decode_memory_address(d, &o[1], &i) || !decode_halves(d, &o[2], op.from, false) ||
        (compares && !decode_halves(d, &o[3], op.from + 2, false)) || !decode_halves(d, &o[0], op.to, true))
        return decode_unsupported(d);
    decode_memory_emit(d, "atom.128", &i, arena_copy(d->arena, &op, sizeof op));
    decode_finish_results(d);
    return !d->failed;
}
