// `cvt`: picks the loop made for the pair of types, or describes the conversion to the general one.
// SPDX-License-Identifier: MIT
#include "sim/ops/convert.h"
#include "sim/decode/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static int type_of(const char *name)
{
    static const char *const names[] = {
        "u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64"};
    for (int k = 0; k < CONVERT_TYPES; k++)
        if (strcmp(names[k], name) == 0) return k;
    return -1;
}

static int round_of(const struct decode *d)
{
    static const char *const names[] = {"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"};
    for (int k = 0; k < 8; k++)
        if (decode_mod(d, names[k])) return k;
    return CONVERT_RN;
}

static char lane_of(int type) { return type == CONVERT_U64 || type == CONVERT_S64 || type == CONVERT_F64 ? 'l' : 'w'; }

// Conversions of two floats into a pair: a table entry or nothing.
static bool convert_special(struct decode *d)
{
    char name[64];
    snprintf(name, sizeof name, "cvt.%.8s.%.12s.%.8s", d->mods[1], d->mod_count > 3 ? d->mods[d->mod_count - 2] : "",
        decode_type(d));
    const struct op *op = decode_find(d, name);
    if (!op || d->mod_count != 4 || d->in->count != (int)strlen(op->shape)) return decode_unsupported(d);
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
    const char *type = d->mod_count > 4 ? d->mods[3] : "";
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
    static const char *const names[NARROW_TYPES] = {"f16", "bf16", "tf32", "e4m3", "e5m2"};
    const char *from = decode_type(d), *to = d->mods[d->mod_count - 2];
    const bool back = is(to, "f16x2") && (is(from, "e4m3x2") || is(from, "e5m2x2")), halves = is(from, "f16x2");
    const char *small = back ? from : to;
    int type = -1, flags = 0;
    for (int k = 0; k < NARROW_TYPES; k++)
        if (strncmp(small, names[k], strlen(names[k])) == 0) type = k;
    const bool pair = type >= 0 && is(small + strlen(names[type]), "x2");
    if (decode_mod(d, "rz")) flags |= NARROW_RZ;
    if (decode_mod(d, "rna")) flags |= NARROW_AWAY;
    if (decode_mod(d, "relu")) flags |= NARROW_RELU;
    if (decode_mod(d, "satfinite")) flags |= NARROW_FINITE;
    const bool known = type >= 0 && (back || halves || is(from, "f32"));
    *mine = known && (flags || back || halves || type >= NARROW_TF32) && !decode_mod(d, "sat");
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
    if (d->mod_count < 3 || d->in->count < 2) return decode_unsupported(d);
    bool small;
    if (decode_mod(d, "pack")) return convert_packed(d);
    if (!convert_small(d, &small) || small) return !d->failed;
    const char *to_name = d->mods[d->mod_count - 2], *from_name = decode_type(d);
    const int to = type_of(to_name), from = type_of(from_name), round = round_of(d);
    if (to < 0 || from < 0 || d->in->count != 2) return convert_special(d);
    if (decode_mod(d, "relu") || decode_mod(d, "satfinite")) return decode_unsupported(d);
    const bool sat = decode_mod(d, "sat"), ftz = decode_mod(d, "ftz");
    const bool widens = from >= CONVERT_F16 && to >= CONVERT_F32 && to > from,
               ints = from < CONVERT_F16 && to < CONVERT_F16;
    static const char *const rounds[] = {"rn.", "rz.", "rm.", "rp.", "rni.", "rzi.", "rmi.", "rpi."};
    char name[64];
    snprintf(name, sizeof name, "cvt.%s%.8s.%.8s", ints || (widens && round == CONVERT_RN) ? "" : rounds[round],
        to_name, from_name);
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
