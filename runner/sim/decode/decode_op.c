// Arithmetic, logic, moves, comparisons and choices: every operation in the tables, with the modifiers that PTX allows.
// SPDX-License-Identifier: MIT
#include "sim/decode/decode.h"

#include <stdio.h>
#include <string.h>

static bool is_float(const char *type) { return *type == 'f' || strncmp(type, "bf", 2) == 0; }
static bool is_long(const struct decode *d) { return ops_bytes((enum ops_word)d->op->type) == 8; }

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
    const bool sat = ops_has(d->op, WORD_SAT) && !is_float(decode_type(d));
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
    const char *type = decode_type(d);
    const bool carry =
        ops_has(d->op, WORD_CC) || d->op->code == OPS_ADDC || d->op->code == OPS_SUBC || d->op->code == OPS_MADC;
    const int round = is_float(type) ? rounding(d) : 0;
    const bool ftz = ops_has(d->op, WORD_FTZ) && d->op->type == WORD_F32,
               sat = ops_has(d->op, WORD_SAT) && is_float(type);
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
    if (want) r[0] = decode_result(d, &d->in->operands[0], op->shape[0], *type == 's');
    if (d->failed) return false;
    struct inst *i = decode_emit(d, op);
    memcpy(i->r, r, sizeof r);
    i->offset = round ? round : carry ? ops_has(d->op, WORD_CC) : lut ? (int64_t)d->in->operands[4].bits : 0;
    if (ftz && op->shape[0] == 'w') decode_put(d, "ftz.f32", r[0], r[0], 0, 0);
    if (sat) {
        snprintf(name, sizeof name, "sat.%s", type);
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

static char lane_of_type(const char *type) { return strstr(type, "64") ? 'l' : 'w'; }

static uint32_t high_half(struct decode *d, uint32_t slot)
{
    const uint32_t temp = decode_temp(d, 'w');
    decode_put(d, "shr.u32", temp, slot, decode_constant(d, 'w', 16), 0);
    return temp;
}

// Compares into t[0] and, for pairs of halves, t[1]; a third operand is joined by the boolean operation.
static bool compare_operands(struct decode *d, const char *type, const struct ptx_operand *third, uint32_t t[2],
    bool *is_pair)
{
    char single[16];
    snprintf(single, sizeof single, "%.15s", type);
    *is_pair = d->op->type == WORD_F16X2 || d->op->type == WORD_BF16X2;
    if (*is_pair) single[strlen(single) - 2] = 0;
    uint32_t a = decode_source(d, &d->in->operands[1], lane_of_type(type)),
             b = decode_source(d, &d->in->operands[2], lane_of_type(type));
    if (ops_has(d->op, WORD_FTZ) && d->op->type == WORD_F32) a = flushed(d, a), b = flushed(d, b);
    t[0] = decode_temp(d, 'p');
    t[1] = decode_temp(d, 'p');
    if (d->failed || !compare(d, single, a, b, t[0])) return false;
    if (*is_pair && !compare(d, single, high_half(d, a), high_half(d, b), t[1])) return false;
    if (!*is_pair) decode_put(d, "not.pred", t[1], t[0], t[0], 0);
    const char *op = boolean(d);
    if (op) {
        if (!third) return decode_unsupported(d);
        const uint32_t c = decode_source(d, third, 'p');
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
        const uint32_t a = decode_source(d, &d->in->operands[1], lane_of_type(type)),
                       b = decode_source(d, &d->in->operands[2], lane_of_type(type)),
                       slot = decode_result(d, to, 'p', false);
        return !d->failed && compare(d, type, a, b, slot);
    }
    uint32_t t[2];
    bool is_pair;
    if (!compare_operands(d, type, d->in->count > 3 ? &d->in->operands[3] : NULL, t, &is_pair)) return false;
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
    if (!compare_operands(d, decode_type(d), d->in->count > 3 ? &d->in->operands[3] : NULL, t, &is_pair)) return false;
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
    const char *type = d->op->code == OPS_SLCT ? ops_written(d->op, 1) : decode_type(d);
    const char *bits = strstr(type, "64") ? "64" : strstr(type, "32") ? "32" : "16";
    if (d->op->code == OPS_SLCT) snprintf(name, sizeof name, "slct.%s.%.20s", bits, decode_type(d));
    else snprintf(name, sizeof name, "selp.%s", bits);
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
    case OPS_TURNS: return decode_flow(d);
    case OPS_LOP3:
        if (d->in->operands[0].kind == PTX_PAIR) return decode_logic_with_predicate(d);
        break;
    default:
        if (d->op->code >= OPS_VADD && d->op->code <= OPS_VSET4) return decode_video(d);
        break;
    }
    return d->op->type == WORD_PRED && count > 1 ? logic_on_predicates(d) : by_table(d);
}
