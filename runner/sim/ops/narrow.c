// Conversions to and from the small formats: halves with limits, tf32, the two floats of 8 bits, packed integers.
// SPDX-License-Identifier: MIT
#include "sim/ops/convert.h"
#include "sim/ops/half.h"

#include <math.h>

// The nearest number of a format without an infinity in the way: what is beyond `most` becomes that.
static uint32_t small_bits(double v, int exponent, int fraction, uint32_t most)
{
    const int bias = (1 << (exponent - 1)) - 1;
    const uint32_t sign = signbit(v) ? 1u << (exponent + fraction) : 0;
    if (v != v) return (1u << (exponent + fraction)) - 1;
    const double size = fabs(v);
    if (size == 0) return sign;
    if (isinf(size)) return sign | most;
    int e = ilogb(size);
    if (e < 1 - bias) e = 1 - bias;
    if (e > 2 * bias + 2) return sign | most;
    const uint32_t code = (uint32_t)nearbyint(ldexp(size, fraction - e)) + ((uint32_t)(e + bias - 1) << fraction);
    return sign | (code > most ? most : code);
}

static uint32_t tf32_bits(float f, int flags)
{
    const uint32_t u = float_bits(f), infinity = 0x7f800000, sign = u & 0x80000000;
    uint32_t size = u & 0x7fffffff;
    if (size > infinity) return 0x7fffe000;
    if (size < infinity && !(flags & NARROW_RZ)) size += 0xfff + (size >> 13 & 1);
    size &= 0xffffe000;
    if (flags & NARROW_FINITE && size >= infinity) size = 0x7f7fe000;
    return sign | size;
}

// Away from zero, an H200 looks at the bits only: what is not a number is cut off like one that is, and the largest
// finite number is one step below whatever has no finite value.
static uint32_t tf32_away(uint32_t u, int flags)
{
    const uint32_t infinity = 0x7f800000, cut = ((u & infinity) == infinity ? u : u + 0x1000) & 0xffffe000;
    return flags & NARROW_FINITE && (cut & infinity) == infinity ? cut - 0x2000 : cut;
}

static uint32_t narrow(double v, enum narrow_type to, int flags)
{
    const enum half_round mode = flags & NARROW_RZ ? HALF_RZ : HALF_RN;
    const uint32_t infinity = to == NARROW_F16 ? 0x7c00 : 0x7f80;
    if (flags & NARROW_RELU && v <= 0) v = 0;
    if (to == NARROW_E4M3) return small_bits(v, 4, 3, 0x7e);
    if (to == NARROW_E5M2) return small_bits(v, 5, 2, 0x7b);
    if (to == NARROW_TF32) return tf32_bits((float)v, flags);
    const uint32_t bits = to == NARROW_F16 ? half_narrow(v, 5, 10, mode) : half_narrow(v, 8, 7, mode);
    return flags & NARROW_FINITE && (bits & 0x7fff) == infinity ? bits - 1 : bits;
}

static bool is_byte(enum narrow_type to) { return to == NARROW_E4M3 || to == NARROW_E5M2; }

// r[1] becomes the upper half of a pair and r[2] the lower one; alone where r[2] is 0.
static HANDLER(from_floats)
{
    const enum narrow_type to = (enum narrow_type)NARROW_TO(i->offset);
    const int flags = NARROW_FLAGS(i->offset), shift = is_byte(to) ? 8 : 16;
    u32 *d = SLOT(w, i->r[0]);
    const f32 *a = SLOT(w, i->r[1]), *b = SLOT(w, i->r[2]);
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        const uint32_t first = to == NARROW_TF32 && flags & NARROW_AWAY ? tf32_away(float_bits(a[l]), flags)
                                                                        : narrow((double)a[l], to, flags);
        d[l] = i->r[2] ? first << shift | narrow((double)b[l], to, flags) : first;
    }
    return i + 1;
}

static HANDLER(from_halves)
{
    const enum narrow_type to = (enum narrow_type)NARROW_TO(i->offset);
    const int flags = NARROW_FLAGS(i->offset);
    u32 *d = SLOT(w, i->r[0]);
    const u32 *a = SLOT(w, i->r[1]);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1)
            d[l] = narrow((double)half_to_float(a[l] >> 16), to, flags) << 8 |
                narrow((double)half_to_float(a[l] & 0xffff), to, flags);
    return i + 1;
}

static HANDLER(to_halves)
{
    const bool is_e4m3 = NARROW_TO(i->offset) == NARROW_E4M3;
    u32 *d = SLOT(w, i->r[0]);
    const u32 *a = SLOT(w, i->r[1]);
    for (int l = 0; l < LANES; l++) {
        uint32_t pair = 0;
        for (int k = 0; k < 2; k++) {
            const uint32_t byte = a[l] >> 8 * k & 0xff;
            double v = is_e4m3 ? half_small(byte, 4, 3, false) : half_small(byte, 5, 2, true);
            if (NARROW_FLAGS(i->offset) & NARROW_RELU && v <= 0) v = 0;
            pair |= double_to_half(v) << 16 * k;
        }
        if (mask >> l & 1) d[l] = pair;
    }
    return i + 1;
}

// cvt.pack: `offset` is the width of an element, below 0 where it is signed. r[3]: what goes above the two.
static HANDLER(packed)
{
    const int bits = (int)(i->offset < 0 ? -i->offset : i->offset);
    const int64_t most = ((int64_t)1 << (i->offset < 0 ? bits - 1 : bits)) - 1, least = i->offset < 0 ? -most - 1 : 0;
    u32 *d = SLOT(w, i->r[0]);
    const s32 *a = SLOT(w, i->r[1]), *b = SLOT(w, i->r[2]);
    const u32 *c = SLOT(w, i->r[3]), ones = (1u << bits) - 1;
    for (int l = 0; l < LANES; l++) {
        const int64_t x = a[l] < least ? least
            : a[l] > most              ? most
                                       : a[l],
                      y = b[l] < least ? least
            : b[l] > most              ? most
                                       : b[l];
        const uint32_t both = ((uint32_t)x & ones) << bits | ((uint32_t)y & ones);
        if (mask >> l & 1) d[l] = i->r[3] ? c[l] << 2 * bits | both : both;
    }
    return i + 1;
}

const struct op narrow_ops[] = {{"narrow.floats", NULL, from_floats}, {"narrow.halves", NULL, from_halves},
    {"narrow.back", NULL, to_halves}, {"narrow.packed", NULL, packed}, {NULL, NULL, NULL}};
