// `cvt`: picks the loop made for the pair of types, or describes the conversion to the general one.
// SPDX-License-Identifier: MIT
#include "sim/ops/convert.h"
#include "sim/decode/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int type_of(enum ops_word part)
{
    static const enum ops_word types[CONVERT_TYPES] = {WORD_U8, WORD_S8, WORD_U16, WORD_S16, WORD_U32, WORD_S32,
        WORD_U64, WORD_S64, WORD_F16, WORD_BF16, WORD_F32, WORD_F64};
    for (int k = 0; k < CONVERT_TYPES; k++)
        if (types[k] == part) return k;
    return -1;
}

// What it becomes (0), and what it was (1).
static enum ops_word last_two(const struct decode *d, int which)
{
    return (enum ops_word)d->op->part[d->op->count - 2 + which];
}

static int round_of(const struct decode *d)
{
    static const enum ops_word ways[] = {WORD_RN, WORD_RZ, WORD_RM, WORD_RP, WORD_RNI, WORD_RZI, WORD_RMI, WORD_RPI, 0};
    const int way = ops_which(d->op, ways);
    return way < 0 ? CONVERT_RN : way;
}

static char lane_of(int type) { return type == CONVERT_U64 || type == CONVERT_S64 || type == CONVERT_F64 ? 'l' : 'w'; }

// Conversions of two floats into a pair: a table entry or nothing.
static bool convert_special(struct decode *d)
{
    char name[64];
    snprintf(name, sizeof name, "cvt.%.8s.%.12s.%.8s", ops_written(d->op, 1),
        d->op->count > 3 ? ops_written(d->op, d->op->count - 2) : "", decode_type(d));
    const struct op *op = decode_find(d, name);
    if (!op || d->op->count != 4 || d->in->count != (int)strlen(op->shape)) return decode_unsupported(d);
    uint32_t r[3] = {0};
    for (int k = 1; k < d->in->count; k++) r[k] = decode_source(d, &d->in->operands[k], 'w');
    r[0] = decode_result(d, &d->in->operands[0], 'w', false);
    if (d->failed) return false;
    decode_put(d, name, r[0], r[1], r[2], 0);
    decode_finish_results(d);
    return true;
}

// cvt.pack.sat.TYPE.s32{.b32} d, a, b{, above}
static bool convert_packed(struct decode *d)
{
    const char *type = d->op->count > 4 ? ops_written(d->op, 3) : "";
    const int bits = atoi(type + (*type != 0)), count = d->in->count;
    if ((*type != 'u' && *type != 's') || (bits != 2 && bits != 4 && bits != 8 && bits != 16) ||
        count != (bits == 16 ? 3 : 4))
        return decode_unsupported(d);
    uint32_t r[4] = {0};
    for (int k = 1; k < count; k++) r[k] = decode_source(d, &d->in->operands[k], 'w');
    r[0] = decode_result(d, &d->in->operands[0], 'w', false);
    if (d->failed) return false;
    decode_put(d, "narrow.packed", r[0], r[1], r[2], r[3])->offset = *type == 's' ? -bits : bits;
    decode_finish_results(d);
    return true;
}

// Conversions to and from the small formats, alone or two at once: narrow.c. `*mine`: it is one of them.
static bool convert_small(struct decode *d, bool *mine)
{
    static const enum ops_word singles[NARROW_TYPES] = {WORD_F16, WORD_BF16, WORD_TF32, WORD_E4M3, WORD_E5M2},
                               pairs[NARROW_TYPES] = {WORD_F16X2, WORD_BF16X2, WORD_UNKNOWN, WORD_E4M3X2, WORD_E5M2X2};
    const enum ops_word from = last_two(d, 1), to = last_two(d, 0);
    const bool back = to == WORD_F16X2 && (from == WORD_E4M3X2 || from == WORD_E5M2X2), halves = from == WORD_F16X2;
    const enum ops_word small = back ? from : to;
    int type = -1, flags = 0;
    bool pair = false;
    for (int k = 0; small && k < NARROW_TYPES; k++)
        if (small == singles[k] || small == pairs[k]) type = k, pair = small == pairs[k];
    if (ops_has(d->op, WORD_RZ)) flags |= NARROW_RZ;
    if (ops_has(d->op, WORD_RNA)) flags |= NARROW_AWAY;
    if (ops_has(d->op, WORD_RELU)) flags |= NARROW_RELU;
    if (ops_has(d->op, WORD_SATFINITE)) flags |= NARROW_FINITE;
    const bool known = type >= 0 && (back || halves || from == WORD_F32);
    *mine = known && (flags || back || halves || type >= NARROW_TF32) && !ops_has(d->op, WORD_SAT);
    if (!*mine) return true;
    if (!pair && (type >= NARROW_E4M3 || d->in->count != 2)) return decode_unsupported(d);
    if (!back && d->in->count != (pair && !halves ? 3 : 2)) return decode_unsupported(d);
    uint32_t r[3] = {0};
    for (int k = 1; k < d->in->count; k++) r[k] = decode_source(d, &d->in->operands[k], 'w');
    r[0] = decode_result(d, &d->in->operands[0], 'w', false);
    if (d->failed) return false;
    decode_put(d,
        back         ? "narrow.back"
            : halves ? "narrow.halves"
                     : "narrow.floats",
        r[0], r[1], r[2], 0)
        ->offset = NARROW_PACK(type, flags);
    decode_finish_results(d);
    return true;
}

bool decode_cvt(struct decode *d)
{
    if (d->op->count < 3 || d->in->count < 2) return decode_unsupported(d);
    bool small;
    if (ops_has(d->op, WORD_PACK)) return convert_packed(d);
    if (!convert_small(d, &small) || small) return !d->failed;
    const int to = type_of(last_two(d, 0)), from = type_of(last_two(d, 1)), round = round_of(d);
    if (to < 0 || from < 0 || d->in->count != 2) return convert_special(d);
    if (ops_has(d->op, WORD_RELU) || ops_has(d->op, WORD_SATFINITE)) return decode_unsupported(d);
    const bool sat = ops_has(d->op, WORD_SAT), ftz = ops_has(d->op, WORD_FTZ);
    const bool widens = from >= CONVERT_F16 && to >= CONVERT_F32 && to > from,
               ints = from < CONVERT_F16 && to < CONVERT_F16;
    static const char *const rounds[] = {"rn.", "rz.", "rm.", "rp.", "rni.", "rzi.", "rmi.", "rpi."};
    char name[64];
    snprintf(name, sizeof name, "cvt.%s%.8s.%.8s", ints || (widens && round == CONVERT_RN) ? "" : rounds[round],
        ops_text(last_two(d, 0)), ops_text(last_two(d, 1)));
    const struct op *op = sat ? NULL : decode_find(d, name);
    if (!op) {
        snprintf(name, sizeof name, "slow.%s.%s", lane_of(to) == 'l' ? "64" : "32", lane_of(from) == 'l' ? "64" : "32");
        op = decode_find(d, name);
    }
    uint32_t source = decode_source(d, &d->in->operands[1], lane_of(from));
    const uint32_t slot = decode_result(d, &d->in->operands[0], lane_of(to), to < CONVERT_F16 && (to & 1));
    if (d->failed) return false;
    if (ftz && from == CONVERT_F32) {
        const uint32_t temp = decode_temp(d, 'w');
        decode_put(d, "ftz.f32", temp, source, 0, 0);
        source = temp;
    }
    struct inst *i = decode_emit(d, op);
    i->r[0] = slot;
    i->r[1] = source;
    i->offset = CONVERT_PACK(to, from, round, sat);
    if (ftz && to == CONVERT_F32) decode_put(d, "ftz.f32", slot, slot, 0, 0);
    decode_finish_results(d);
    return true;
}
