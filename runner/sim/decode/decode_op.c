// Arithmetic, logic, moves, comparisons and choices: every operation in the tables, with the modifiers that PTX allows.
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/ops/simd.h"
#include "sim/ops/tables.h"
#include "sim/rules/rules.h"

// What takes several registers at once: atomics on vectors, and values of 128 bits, which are two registers here.

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
static bool decode_wide_move(struct decode *d)
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

// Video instructions, and three-way logic that also gives a predicate.

// Which, and in how many parts: "vadd", "vadd2", "vadd4".
static void kind_of(enum ops_code code, struct video_op *op)
{
    static const struct {
        uint8_t kind, parts;
    } forms[] = {[OPS_VADD - OPS_VADD] = {VIDEO_ADD, 1},
        [OPS_VSUB - OPS_VADD] = {VIDEO_SUB, 1},
        [OPS_VABSDIFF - OPS_VADD] = {VIDEO_ABSDIFF, 1},
        [OPS_VMIN - OPS_VADD] = {VIDEO_MIN, 1},
        [OPS_VMAX - OPS_VADD] = {VIDEO_MAX, 1},
        [OPS_VSHL - OPS_VADD] = {VIDEO_SHL, 1},
        [OPS_VSHR - OPS_VADD] = {VIDEO_SHR, 1},
        [OPS_VMAD - OPS_VADD] = {VIDEO_MAD, 1},
        [OPS_VSET - OPS_VADD] = {VIDEO_SET, 1},
        [OPS_VADD2 - OPS_VADD] = {VIDEO_ADD, 2},
        [OPS_VSUB2 - OPS_VADD] = {VIDEO_SUB, 2},
        [OPS_VABSDIFF2 - OPS_VADD] = {VIDEO_ABSDIFF, 2},
        [OPS_VMIN2 - OPS_VADD] = {VIDEO_MIN, 2},
        [OPS_VMAX2 - OPS_VADD] = {VIDEO_MAX, 2},
        [OPS_VAVRG2 - OPS_VADD] = {VIDEO_AVRG, 2},
        [OPS_VSET2 - OPS_VADD] = {VIDEO_SET, 2},
        [OPS_VADD4 - OPS_VADD] = {VIDEO_ADD, 4},
        [OPS_VSUB4 - OPS_VADD] = {VIDEO_SUB, 4},
        [OPS_VABSDIFF4 - OPS_VADD] = {VIDEO_ABSDIFF, 4},
        [OPS_VMIN4 - OPS_VADD] = {VIDEO_MIN, 4},
        [OPS_VMAX4 - OPS_VADD] = {VIDEO_MAX, 4},
        [OPS_VAVRG4 - OPS_VADD] = {VIDEO_AVRG, 4},
        [OPS_VSET4 - OPS_VADD] = {VIDEO_SET, 4}};
    op->kind = forms[code - OPS_VADD].kind, op->parts = forms[code - OPS_VADD].parts;
}

// The modifiers behind the types. `.add`, `.min` and `.max` say what is done with the third operand.
static bool modifiers(const struct decode *d, int from, struct video_op *op)
{
    bool compares_one = false;
    for (int k = from; k < d->op->count; k++) {
        const enum ops_word part = (enum ops_word)d->op->part[k];
        switch (part) {
        case WORD_SAT: op->saturates = true; break;
        case WORD_WRAP: op->wraps = true; break;
        case WORD_SHR7: op->shift = 7; break;
        case WORD_SHR15: op->shift = 15; break;
        case WORD_EQ: op->compare = VIDEO_EQ, compares_one = true; break;
        case WORD_NE: op->compare = VIDEO_NE, compares_one = true; break;
        case WORD_LT: op->compare = VIDEO_LT, compares_one = true; break;
        case WORD_LE: op->compare = VIDEO_LE, compares_one = true; break;
        case WORD_GT: op->compare = VIDEO_GT, compares_one = true; break;
        case WORD_GE: op->compare = VIDEO_GE, compares_one = true; break;
        case WORD_ADD: op->second = VIDEO_PLUS; break;
        case WORD_MIN: op->second = VIDEO_LEAST; break;
        case WORD_MAX: op->second = VIDEO_MOST; break;
        case WORD_CLAMP: break;
        default: return false; // .po
        }
    }
    return compares_one == (op->kind == VIDEO_SET);
}

static bool video(struct decode *d, struct video_op *op)
{
    const struct ptx_operand *o = d->in->operands;
    const int types = op->kind == VIDEO_SET ? 2 : 3, count = d->in->count;
    if (d->op->count < 1 + types || count < 3 || count > 4 || !modifiers(d, 1 + types, op))
        return decode_unsupported(d);
    op->d_signed = types == 3 && d->op->part[1] == WORD_S32;
    op->a_signed = d->op->part[types - 1] == WORD_S32, op->b_signed = d->op->part[types] == WORD_S32;
    op->d_part = o[0].part, op->a_part = o[1].part, op->b_part = o[2].part;
    if (op->parts > 1 && (op->d_part || op->a_part || op->b_part)) return decode_unsupported(d);
    if (op->parts == 1 && count == 4 && op->second == VIDEO_ALONE && op->kind != VIDEO_MAD) op->second = VIDEO_MERGE;
    if ((op->parts > 1 || op->second || op->kind == VIDEO_MAD) && count < 4) return decode_unsupported(d);
    uint32_t r[4] = {0};
    for (int k = 1; k < count; k++) r[k] = decode_source(d, &o[k], 'w');
    r[0] = decode_result(d, &o[0], 'w', false);
    if (d->failed) return false;
    decode_put(d, "video", r[0], r[1], r[2], r[3])->video = arena_copy(d->arena, op, sizeof *op);
    decode_finish_results(d);
    return true;
}

// lop3.BOOL.b32 d|p, a, b, c, table, q: p is whether d is not zero, and (or) q.
static bool decode_logic_with_predicate(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    if (d->in->count != 6 || o[0].kind != PTX_PAIR || o[4].kind != PTX_NUMBER) return decode_unsupported(d);
    uint32_t r[4];
    for (int k = 1; k < 4; k++) r[k] = decode_source(d, &o[k], 'w');
    const uint32_t q = decode_source(d, &o[5], 'p'), any = decode_temp(d, 'p');
    r[0] = decode_result(d, &o[0].items[0], 'w', false);
    const uint32_t p = decode_result(d, &o[0].items[1], 'p', false);
    if (d->failed) return false;
    decode_put(d, "lop3.b32", r[0], r[1], r[2], r[3])->offset = (int64_t)o[4].bits;
    decode_put(d, "setp.ne.u32", any, r[0], decode_constant(d, 'w', 0), 0);
    decode_put(d, ops_has(d->op, WORD_OR) ? "or.pred" : "and.pred", p, any, q, 0);
    decode_finish_results(d);
    return true;
}

static bool decode_video(struct decode *d)
{
    struct video_op op = {0};
    kind_of((enum ops_code)d->op->code, &op);
    return video(d, &op);
}

static bool is_float(const struct decode *d) { return d->op->type >= WORD_F16 && d->op->type <= WORD_F64; }
static bool is_long(const struct decode *d) { return ops_bytes((enum ops_word)d->op->type) == 8; }

static bool is_signed(const struct decode *d)
{
    return d->op->type == WORD_S8 || d->op->type == WORD_S16 || d->op->type == WORD_S32 || d->op->type == WORD_S64;
}

// Modifiers about exactness, order or divergence that change no result here.
static bool is_noise(enum ops_word part)
{
    switch (part) {
    case WORD_RN:
    case WORD_RZ:
    case WORD_RM:
    case WORD_RP:
    case WORD_APPROX:
    case WORD_FULL:
    case WORD_SYNC:
    case WORD_ALIGNED:
    case WORD_UNI:
    case WORD_FTZ:
    case WORD_SAT:
    case WORD_CC: return true;
    default: return false;
    }
}

// "add.rz.ftz.f32" is looked up as "round.add.f32", "add.cc.u32" as "carry.add.u32".
static void table_name(const struct decode *d, const char *prefix, char name[64])
{
    const bool sat = ops_has(d->op, WORD_SAT) && !is_float(d);
    const int relu = d->op->count > 1 && d->op->part[d->op->count - 1] == WORD_RELU; // may come last
    int n = snprintf(name, 64, "%s%s%s", prefix, ops_written(d->op, 0), relu ? ".relu" : "");
    for (int k = 1; k < d->op->count - relu && n < 60; k++)
        if (!is_noise((enum ops_word)d->op->part[k]) || (sat && d->op->part[k] == WORD_SAT))
            n += snprintf(name + n, 64 - (size_t)n, ".%s", ops_written(d->op, k));
}

static int rounding(const struct decode *d)
{
    return ops_has(d->op, WORD_RZ) ? 1 : ops_has(d->op, WORD_RM) ? 2 : ops_has(d->op, WORD_RP) ? 3 : 0;
}

static uint32_t flushed(struct decode *d, uint32_t slot)
{
    const uint32_t temp = decode_temp(d, 'w');
    decode_put(d, "ftz.f32", temp, slot, 0, 0);
    return temp;
}

static bool by_table(struct decode *d)
{
    const bool carry =
        ops_has(d->op, WORD_CC) || d->op->code == OPS_ADDC || d->op->code == OPS_SUBC || d->op->code == OPS_MADC;
    const int round = is_float(d) ? rounding(d) : 0;
    const bool ftz = ops_has(d->op, WORD_FTZ) && d->op->type == WORD_F32, sat = ops_has(d->op, WORD_SAT) && is_float(d);
    char name[64];
    table_name(d, round ? "round." : carry ? "carry." : "", name);
    const struct op *op = decode_find(d, name);
    if (!op || !op->shape) return decode_unsupported(d);
    const int want = (int)strlen(op->shape);
    const bool lut = d->op->code == OPS_LOP3;
    if (d->in->count != want + (lut ? 1 : 0)) return decode_unsupported(d);
    uint32_t r[6] = {0};
    for (int k = 1; k < want; k++) {
        r[k] = decode_source(d, &d->in->operands[k], op->shape[k]);
        if (ftz && op->shape[k] == 'w') r[k] = flushed(d, r[k]);
    }
    if (want) r[0] = decode_result(d, &d->in->operands[0], op->shape[0], is_signed(d));
    if (d->failed) return false;
    struct inst *i = decode_emit(d, op);
    memcpy(i->r, r, sizeof r);
    i->offset = round ? round : carry ? ops_has(d->op, WORD_CC) : lut ? (int64_t)d->in->operands[4].bits : 0;
    if (ftz && op->shape[0] == 'w') decode_put(d, "ftz.f32", r[0], r[0], 0, 0);
    if (sat) {
        snprintf(name, sizeof name, "sat.%s", decode_type(d));
        decode_put(d, name, r[0], r[0], 0, 0);
    }
    decode_finish_results(d);
    return true;
}

// mov of a vector: several registers into one, or one into several.
static bool unpack(struct decode *d, const struct ptx_operand *to, const struct ptx_operand *from)
{
    const bool wide = is_long(d);
    const int bits = (wide ? 64 : d->op->type == WORD_B16 ? 16 : 32) / to->count;
    const char *name = bits == 32 ? "part.32"
        : bits == 16              ? (wide ? "part.16.64" : "part.16")
        : bits == 8 && !wide      ? "part.8"
                                  : NULL;
    if (!name) return decode_unsupported(d);
    uint32_t source = decode_source(d, from, wide ? 'l' : 'w');
    for (int k = 0; k < to->count; k++) // the source may be one of the results
        if (to->items[k].kind == PTX_REGISTER && !wide && to->items[k].reg == from->reg) {
            const uint32_t temp = decode_temp(d, 'w');
            decode_put(d, "mov.b32", temp, source, 0, 0);
            source = temp;
            break;
        }
    for (int k = 0; k < to->count && !d->failed; k++) {
        if (to->items[k].kind == PTX_SINK) continue;
        const uint32_t slot = decode_result(d, &to->items[k], 'w', false);
        if (!d->failed) decode_put(d, name, slot, source, 0, 0)->offset = bits * k;
    }
    decode_finish_results(d);
    return !d->failed;
}

static bool pack(struct decode *d, const struct ptx_operand *to, const struct ptx_operand *from)
{
    const bool wide = is_long(d), bytes = d->op->type == WORD_B16 && from->count == 2;
    const char *name = wide ? (from->count == 2          ? "pack.32"
                                      : from->count == 4 ? "pack.4x16"
                                                         : NULL)
                            : (from->count == 2          ? (bytes ? "pack.4x8" : "pack.16")
                                      : from->count == 4 ? "pack.4x8"
                                                         : NULL);
    if (!name || (d->op->type == WORD_B16 && !bytes)) return decode_unsupported(d);
    uint32_t r[4] = {0};
    if (bytes) r[2] = r[3] = decode_constant(d, 'w', 0);
    for (int k = 0; k < from->count; k++) r[k] = decode_source(d, &from->items[k], 'w');
    const uint32_t slot = decode_result(d, to, wide ? 'l' : 'w', false);
    if (d->failed) return false;
    decode_put(d, name, slot, r[0], r[1], r[2])->r[4] = r[3];
    decode_finish_results(d);
    return true;
}

static bool move_value(struct decode *d)
{
    if (d->in->count != 2) return decode_unsupported(d);
    const struct ptx_operand *to = &d->in->operands[0], *from = &d->in->operands[1];
    if (d->op->type == WORD_PRED) {
        const uint32_t source = decode_source(d, from, 'p'), slot = decode_result(d, to, 'p', false);
        if (!d->failed) decode_put(d, "mov.pred", slot, source, source, 0);
        return !d->failed;
    }
    if (to->kind == PTX_VECTOR) return unpack(d, to, from);
    if (from->kind == PTX_VECTOR) return pack(d, to, from);
    return by_table(d);
}

static bool move(struct decode *d)
{
    if (!decode_flight_is_move(d)) return move_value(d);
    d->moves_sums = true;
    const bool good = move_value(d);
    d->moves_sums = false;
    if (good) decode_flight_move(d);
    return good;
}

static bool logic_on_predicates(struct decode *d)
{
    uint32_t a = decode_source(d, &d->in->operands[1], 'p');
    uint32_t b = d->in->count > 2 ? decode_source(d, &d->in->operands[2], 'p') : a;
    const uint32_t slot = decode_result(d, &d->in->operands[0], 'p', false);
    char name[40];
    snprintf(name, sizeof name, "%s.pred", ops_written(d->op, 0));
    if (d->failed || !decode_find(d, name)) return decode_unsupported(d);
    decode_put(d, name, slot, a, b, 0);
    return true;
}

static bool shared_window(const struct decode *d)
{
    return ops_has(d->op, WORD_SHARED) || ops_has(d->op, WORD_SHARED_CTA) || ops_has(d->op, WORD_SHARED_CLUSTER);
}

// mapa d, a, rank: the same place in the shared memory of another block of the cluster. getctarank d, a: its rank.
static bool other_block(struct decode *d, bool maps)
{
    const char lane = maps && d->op->type == WORD_U64 ? 'l' : 'w',
               from = d->op->type == WORD_U64 || (!maps && decode_lane(d, &d->in->operands[1]) == 'l') ? 'l' : 'w';
    const uint32_t a = decode_source(d, &d->in->operands[1], from),
                   rank = maps ? decode_source(d, &d->in->operands[2], 'w') : 0,
                   slot = decode_result(d, &d->in->operands[0], lane, false);
    if (d->failed) return false;
    char name[16];
    snprintf(name, sizeof name, "%s.%s", maps ? "mapa" : "getctarank", from == 'l' ? "64" : "32");
    decode_put(d, name, slot, a, rank, 0);
    decode_finish_results(d);
    return true;
}

// cvta: generic addresses of shared, local and parameter memory are windows; global ones do not change.
static bool convert_address(struct decode *d)
{
    const bool to = ops_has(d->op, WORD_TO), wide = d->op->type == WORD_U64;
    const uint64_t window = shared_window(d)                             ? WINDOW_SHARED
        : ops_has(d->op, WORD_LOCAL)                                     ? WINDOW_LOCAL
        : ops_has(d->op, WORD_PARAM) || ops_has(d->op, WORD_PARAM_ENTRY) ? WINDOW_PARAM
                                                                         : 0;
    const char lane = wide ? 'l' : 'w';
    const uint32_t source = decode_source(d, &d->in->operands[1], lane),
                   slot = decode_result(d, &d->in->operands[0], lane, false);
    if (d->failed) return false;
    if (!window || !wide) decode_put(d, wide ? "mov.b64" : "mov.b32", slot, source, 0, 0);
    else if (to) decode_put(d, "and.b64", slot, source, decode_constant(d, 'l', WINDOW_OFFSET), 0);
    else decode_put(d, "or.b64", slot, source, decode_constant(d, 'l', window), 0);
    decode_finish_results(d);
    return true;
}

static bool is_space(struct decode *d)
{
    const uint64_t window = shared_window(d) ? 1 : ops_has(d->op, WORD_LOCAL) ? 2 : ops_has(d->op, WORD_PARAM) ? 3 : 0;
    const uint32_t address = decode_source(d, &d->in->operands[1], 'l'),
                   slot = decode_result(d, &d->in->operands[0], 'p', false);
    if (d->failed) return false;
    const uint32_t temp = decode_temp(d, 'l');
    decode_put(d, "shr.u64", temp, address, decode_constant(d, 'w', WINDOW_SHIFT), 0);
    decode_put(d, "setp.eq.u64", slot, temp, decode_constant(d, 'l', window), 0);
    return true;
}

// The comparison itself, into a predicate slot; `half` picks a half of a pair (-1: not a pair).
static bool compare(struct decode *d, const char *type, uint32_t a, uint32_t b, uint32_t to)
{
    char name[64];
    snprintf(name, sizeof name, "setp.%.20s.%.20s", ops_written(d->op, 1), type);
    const struct op *op = decode_find(d, name);
    if (!op) return decode_unsupported(d);
    decode_put(d, name, to, a, b, 0);
    return true;
}

static const char *boolean(const struct decode *d)
{
    return ops_has(d->op, WORD_AND) ? "and.pred"
        : ops_has(d->op, WORD_OR)   ? "or.pred"
        : ops_has(d->op, WORD_XOR)  ? "xor.pred"
                                    : NULL;
}

static char lane_of_type(const struct decode *d) { return is_long(d) ? 'l' : 'w'; }

static uint32_t high_half(struct decode *d, uint32_t slot)
{
    const uint32_t temp = decode_temp(d, 'w');
    decode_put(d, "shr.u32", temp, slot, decode_constant(d, 'w', 16), 0);
    return temp;
}

// Compares into t[0] and, for pairs of halves, t[1]; a third operand is joined by the boolean operation.
static bool compare_operands(struct decode *d, const char *type, uint32_t t[2], bool *is_pair)
{
    char single[16];
    snprintf(single, sizeof single, "%.15s", type);
    *is_pair = d->op->type == WORD_F16X2 || d->op->type == WORD_BF16X2;
    if (*is_pair) single[strlen(single) - 2] = 0;
    uint32_t a = decode_source(d, &d->in->operands[1], lane_of_type(d)),
             b = decode_source(d, &d->in->operands[2], lane_of_type(d));
    if (ops_has(d->op, WORD_FTZ) && d->op->type == WORD_F32) a = flushed(d, a), b = flushed(d, b);
    t[0] = decode_temp(d, 'p');
    t[1] = decode_temp(d, 'p');
    if (d->failed || !compare(d, single, a, b, t[0])) return false;
    if (*is_pair && !compare(d, single, high_half(d, a), high_half(d, b), t[1])) return false;
    if (!*is_pair) decode_put(d, "not.pred", t[1], t[0], t[0], 0);
    const char *op = boolean(d);
    if (op) {
        const uint32_t c = decode_source(d, &d->in->operands[3], 'p');
        if (d->failed) return false;
        for (int k = 0; k < 2; k++) decode_put(d, op, t[k], t[k], c, 0);
    }
    return true;
}

static bool set_predicate(struct decode *d)
{
    const struct ptx_operand *to = &d->in->operands[0];
    const char *type = decode_type(d);
    if (d->in->count < 3) return decode_unsupported(d);
    if (to->kind != PTX_PAIR && !boolean(d) && !ops_has(d->op, WORD_FTZ)) {
        const uint32_t a = decode_source(d, &d->in->operands[1], lane_of_type(d)),
                       b = decode_source(d, &d->in->operands[2], lane_of_type(d)),
                       slot = decode_result(d, to, 'p', false);
        return !d->failed && compare(d, type, a, b, slot);
    }
    uint32_t t[2];
    bool is_pair;
    if (!compare_operands(d, type, t, &is_pair)) return false;
    for (int k = 0; k < (to->kind == PTX_PAIR ? 2 : 1); k++) {
        const uint32_t slot = decode_result(d, to->kind == PTX_PAIR ? &to->items[k] : to, 'p', false);
        if (d->failed) return false;
        decode_put(d, "mov.pred", slot, t[k], t[k], 0);
    }
    return true;
}

// set.CMP.TO.FROM: all ones, or 1.0.
static bool set_value(struct decode *d)
{
    if (d->in->count < 3 || d->op->count < 4) return decode_unsupported(d);
    const enum ops_word to = (enum ops_word)d->op->part[d->op->count - 2];
    uint32_t t[2];
    bool is_pair;
    if (!compare_operands(d, decode_type(d), t, &is_pair)) return false;
    const uint32_t slot = decode_result(d, &d->in->operands[0], 'w', false), zero = decode_constant(d, 'w', 0);
    uint32_t one;
    if (to == WORD_F16 || to == WORD_F16X2) one = decode_constant(d, 'w', 0x3c00);
    else if (to == WORD_BF16 || to == WORD_BF16X2) one = decode_constant(d, 'w', 0x3f80);
    else one = decode_constant(d, 'w', to == WORD_F32 ? 0x3f800000 : is_pair ? 0xffff : 0xffffffff);
    if (d->failed) return false;
    if (!is_pair) decode_put(d, "selp.32", slot, one, zero, t[0]);
    else {
        const uint32_t lo = decode_temp(d, 'w'), hi = decode_temp(d, 'w');
        decode_put(d, "selp.32", lo, one, zero, t[0]);
        decode_put(d, "selp.32", hi, one, zero, t[1]);
        decode_put(d, "pack.16", slot, lo, hi, 0);
    }
    decode_finish_results(d);
    return true;
}

static bool choose(struct decode *d)
{
    char name[48];
    const uint32_t bits = 8 * ops_bytes((enum ops_word)(d->op->code == OPS_SLCT ? d->op->part[1] : d->op->type));
    if (d->op->code == OPS_SLCT) snprintf(name, sizeof name, "slct.%u.%.20s", bits, decode_type(d));
    else snprintf(name, sizeof name, "selp.%u", bits);
    const struct op *op = decode_find(d, name);
    if (!op || d->in->count != 4) return decode_unsupported(d);
    uint32_t r[4];
    for (int k = 1; k < 4; k++) r[k] = decode_source(d, &d->in->operands[k], op->shape[k]);
    r[0] = decode_result(d, &d->in->operands[0], op->shape[0], false);
    if (d->failed) return false;
    decode_put(d, name, r[0], r[1], r[2], r[3]);
    decode_finish_results(d);
    return true;
}

bool decode_arithmetic(struct decode *d)
{
    const int count = d->in->count;
    switch (d->op->code) {
    case OPS_MOV: return d->op->type == WORD_B128 ? decode_wide_move(d) : move(d);
    case OPS_CVT: return decode_cvt(d);
    case OPS_SETP: return set_predicate(d);
    case OPS_SET: return set_value(d);
    case OPS_SELP:
    case OPS_SLCT: return choose(d);
    case OPS_CVTA:
        if (count == 2) return convert_address(d);
        break;
    case OPS_MAPA:
        if (count == 3) return other_block(d, true);
        break;
    case OPS_GETCTARANK:
        if (count == 2) return other_block(d, false);
        break;
    case OPS_ISSPACEP:
        if (count == 2) return is_space(d);
        break;
    case OPS_LOP3:
        if (d->in->operands[0].kind == PTX_PAIR) return decode_logic_with_predicate(d);
        break;
    case OPS_TURNS: return decode_flow(d);
    default:
        if (d->op->code >= OPS_VADD && d->op->code <= OPS_VSET4) return decode_video(d);
        break;
    }
    return d->op->type == WORD_PRED && count > 1 ? logic_on_predicates(d) : by_table(d);
}
