// `cvt`: picks the loop made for the pair of types, or describes the conversion to the general one.
// SPDX-License-Identifier: MIT
#include "sim/convert.h"
#include "sim/decode.h"

#include <stdio.h>
#include <string.h>

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

// Conversions of two floats into a pair, and to tf32: a table entry or nothing.
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

bool decode_cvt(struct decode *d)
{
    if (d->mod_count < 3 || d->in->count < 2) return decode_unsupported(d);
    const char *to_name = d->mods[d->mod_count - 2], *from_name = decode_type(d);
    const int to = type_of(to_name), from = type_of(from_name), round = round_of(d);
    if (to < 0 || from < 0 || d->in->count != 2) return convert_special(d);
    if (decode_mod(d, "relu") || decode_mod(d, "satfinite") || decode_mod(d, "pack")) return decode_unsupported(d);
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
