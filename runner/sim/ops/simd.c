// Integers side by side in a word: pairs of 16 bits and the video instructions; and a few rare operations on words.
// SPDX-License-Identifier: MIT
#include "sim/ops/simd.h"

#include "sim/ops/half.h"

#include <math.h>

typedef uint32_t (*lane_function)(uint32_t, uint32_t);

#define LO(x) ((x)&0xffff)
#define HI(x) ((x) >> 16)
#define S16(x) ((int16_t)(x))
#define PAIR(id, expr) \
    static inline uint32_t id##_one(uint32_t a, uint32_t b) { return (uint16_t)(expr); } \
    OP2(id, u32, u32, u32, id##_one(LO(a), LO(b)) | id##_one(HI(a), HI(b)) << 16)
PAIR(add_pair, a + b)
PAIR(min_u, a < b ? a : b)
PAIR(max_u, a > b ? a : b)
PAIR(min_s, S16(a) < S16(b) ? a : b)
PAIR(max_s, S16(a) > S16(b) ? a : b)
PAIR(min_relu, S16(a) <= 0 || S16(b) <= 0 ? 0 : a < b ? a : b)
PAIR(max_relu, S16(a) <= 0 && S16(b) <= 0 ? 0 : S16(a) > S16(b) ? a : b)

// The lesser or greater magnitude, with the product's sign.
static inline float magnitude(float a, float b, bool greater, bool nan)
{
    const float x = fabsf(a), y = fabsf(b);
    const bool negative = signbit(a) != signbit(b);
    if (nan && (a != a || b != b)) return bits_float(0x7fffffff);
    const float r = a != a ? y : b != b ? x : (x < y) == greater ? y : x;
    return r != r ? bits_float(0x7fffffff) : negative ? -r : r;
}
#define MAGNITUDE(id, greater, nan) \
    OP2(id##_f32, f32, f32, f32, magnitude(a, b, greater, nan)) \
    static inline uint32_t id##_half(uint32_t a, uint32_t b) \
    { \
        return float_to_half(magnitude(half_to_float(LO(a)), half_to_float(LO(b)), greater, nan)); \
    } \
    static inline uint32_t id##_brain(uint32_t a, uint32_t b) \
    { \
        return float_to_bf16(magnitude(bf16_to_float(LO(a)), bf16_to_float(LO(b)), greater, nan)); \
    } \
    OP2(id##_f16, u32, u32, u32, id##_half(a, b)) \
    OP2(id##_f16x2, u32, u32, u32, id##_half(a, b) | id##_half(HI(a), HI(b)) << 16) \
    OP2(id##_bf16, u32, u32, u32, id##_brain(a, b)) \
    OP2(id##_bf16x2, u32, u32, u32, id##_brain(a, b) | id##_brain(HI(a), HI(b)) << 16)
MAGNITUDE(least, false, false)
MAGNITUDE(most, true, false)
MAGNITUDE(least_nan, false, true)
MAGNITUDE(most_nan, true, true)

// fns: the place of the n-th set bit from `base` on, upwards or downwards.
static inline uint32_t find_nth(uint32_t bits, uint32_t base, int32_t n)
{
    if (n == 0) return base < 32 && bits >> base & 1 ? base : ~0u;
    uint32_t left = n < 0 ? 0 - (uint32_t)n : (uint32_t)n;
    for (int at = (int)base; at >= 0 && at < 32; at += n < 0 ? -1 : 1)
        if ((bits >> at & 1) && --left == 0) return (uint32_t)at;
    return ~0u;
}
OP3(fns, u32, u32, u32, s32, find_nth(a, b, c))

static inline uint32_t extend(uint32_t a, uint32_t n, bool is_signed)
{
    if (n == 0) return 0;
    if (n > 31) return a;
    const uint32_t low = a & ((1u << n) - 1);
    return is_signed && (a >> (n - 1) & 1) ? low | ~0u << n : low;
}
OP2(extend_clamp_s, u32, u32, u32, extend(a, b, true))
OP2(extend_clamp_u, u32, u32, u32, extend(a, b, false))
OP2(extend_wrap_s, u32, u32, u32, extend(a, b & 31, true))
OP2(extend_wrap_u, u32, u32, u32, extend(a, b & 31, false))

static inline int64_t s24(uint32_t x) { return (int32_t)(x << 8) >> 8; }
static inline int32_t clamped(int64_t v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v; }
OP3(mad24_hi_u, u32, u32, u32, u32, ((uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 16) + c)
OP3(mad24_hi_s, u32, u32, u32, u32, (uint32_t)(s24(a) * s24(b) >> 16) + c)
OP3(mad24_hi_sat, s32, u32, u32, s32, clamped((int32_t)(s24(a) * s24(b) >> 16) + (int64_t)c))

// ---- video instructions

static int64_t part_of(uint32_t x, unsigned bits, unsigned at, bool is_signed)
{
    const uint32_t v = bits == 32 ? x : x >> at & ((1u << bits) - 1);
    if (!is_signed) return v;
    return bits == 32 ? (int32_t)v : (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static int64_t within(int64_t v, unsigned bits, bool is_signed)
{
    const int64_t most = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
    return v > most ? most : v < least ? least : v;
}

static bool holds(enum video_compare how, int64_t a, int64_t b)
{
    switch (how) {
    case VIDEO_EQ: return a == b;
    case VIDEO_NE: return a != b;
    case VIDEO_LT: return a < b;
    case VIDEO_LE: return a <= b;
    case VIDEO_GT: return a > b;
    case VIDEO_GE: return a >= b;
    }
    return false;
}

static int64_t combine(const struct video_op *op, int64_t a, int64_t b, uint32_t c)
{
    const int64_t shift = op->wraps ? b & 31 : b > 32 || b < 0 ? 32 : b;
    switch ((enum video_kind)op->kind) {
    case VIDEO_ADD: return a + b;
    case VIDEO_SUB: return a - b;
    case VIDEO_ABSDIFF: return a < b ? b - a : a - b;
    case VIDEO_MIN: return a < b ? a : b;
    case VIDEO_MAX: return a > b ? a : b;
    case VIDEO_AVRG: return (a + b + (a + b >= 0)) >> 1;
    case VIDEO_SHL: return (int64_t)((uint64_t)a << shift);
    case VIDEO_SHR: return a >> shift;
    case VIDEO_SET: return holds((enum video_compare)op->compare, a, b);
    case VIDEO_MAD: break;
    }
    if (!op->a_signed && !op->b_signed) {
        const uint64_t sum = ((uint64_t)a * (uint64_t)b + c) >> op->shift;
        return op->saturates && sum > UINT32_MAX ? UINT32_MAX : (int64_t)(sum & UINT32_MAX);
    }
    const int64_t sum = (a * b + (int32_t)c) >> op->shift;
    return op->saturates ? within(sum, 32, true) : sum;
}

// Selector 0 is the word, 1 to 4 its bytes, 5 and 6 its halves.
static unsigned bits_of(uint8_t part) { return part == 0 ? 32 : part < 5 ? 8 : 16; }
static unsigned place_of(uint8_t part) { return part == 0 ? 0 : part < 5 ? 8u * (part - 1u) : 16u * (part - 5u); }

static uint32_t second(const struct video_op *op, int64_t v, uint32_t c)
{
    const unsigned bits = bits_of(op->d_part), at = place_of(op->d_part);
    const uint32_t mask = bits == 32 ? ~0u : ((1u << bits) - 1) << at;
    const bool less = op->d_signed ? (int32_t)v < (int32_t)c : (uint32_t)v < c;
    switch ((enum video_second)op->second) {
    case VIDEO_ALONE: return (uint32_t)v;
    case VIDEO_PLUS: return (uint32_t)v + c;
    case VIDEO_LEAST: return less ? (uint32_t)v : c;
    case VIDEO_MOST: return less ? c : (uint32_t)v;
    case VIDEO_MERGE: break;
    }
    return ((uint32_t)v << at & mask) | (c & ~mask);
}

// Into a byte or a half the compiler's code takes the result without its sign: what is below zero is the most too.
static int64_t limited(const struct video_op *op, int64_t v)
{
    const unsigned bits = bits_of(op->d_part);
    const int64_t most = ((int64_t)1 << (bits - op->d_signed)) - 1;
    if (bits == 32 || op->kind == VIDEO_SHL || op->kind == VIDEO_SHR) return within(v, bits, op->d_signed);
    return v < 0 || v > most ? most : v;
}

static uint32_t video_lane(const struct video_op *op, uint32_t a, uint32_t b, uint32_t c)
{
    if (op->parts == 1) {
        const int64_t x = part_of(a, bits_of(op->a_part), place_of(op->a_part), op->a_signed),
                      y = part_of(b, bits_of(op->b_part), place_of(op->b_part), op->b_signed);
        int64_t v = combine(op, x, y, c);
        if (op->saturates && op->kind != VIDEO_MAD) v = limited(op, v);
        return second(op, v, c);
    }
    const unsigned bits = 32u / op->parts;
    uint32_t d = 0, sum = c;
    for (unsigned at = 0; at < 32; at += bits) {
        int64_t v = combine(op, part_of(a, bits, at, op->a_signed), part_of(b, bits, at, op->b_signed), 0);
        if (op->saturates) v = within(v, bits, op->d_signed);
        d |= ((uint32_t)v & ((1u << bits) - 1)) << at;
        sum += (uint32_t)part_of((uint32_t)v, bits, 0, op->d_signed);
    }
    return op->second == VIDEO_PLUS ? sum : d;
}

static HANDLER(video)
{
    u32 *d = SLOT(w, i->r[0]);
    const u32 *a = SLOT(w, i->r[1]), *b = SLOT(w, i->r[2]), *c = SLOT(w, i->r[3]);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = video_lane(i->video, a[l], b[l], i->r[3] ? c[l] : 0);
    return i + 1;
}

#define MAGNITUDES(name, id) \
    {name ".xorsign.abs.f32", "www", id##_f32}, {name ".xorsign.abs.f16", "www", id##_f16}, \
        {name ".xorsign.abs.f16x2", "www", id##_f16x2}, {name ".xorsign.abs.bf16", "www", id##_bf16}, \
    { \
        name ".xorsign.abs.bf16x2", "www", id##_bf16x2 \
    }
const struct op simd_ops[] = {{"video", NULL, video}, {"add.u16x2", "www", add_pair}, {"add.s16x2", "www", add_pair},
    {"min.u16x2", "www", min_u}, {"max.u16x2", "www", max_u}, {"min.s16x2", "www", min_s}, {"max.s16x2", "www", max_s},
    {"min.relu.s16x2", "www", min_relu}, {"max.relu.s16x2", "www", max_relu}, MAGNITUDES("min", least),
    MAGNITUDES("max", most), MAGNITUDES("min.NaN", least_nan), MAGNITUDES("max.NaN", most_nan),
    {"fns.b32", "wwww", fns}, {"szext.clamp.s32", "www", extend_clamp_s}, {"szext.clamp.u32", "www", extend_clamp_u},
    {"szext.wrap.s32", "www", extend_wrap_s}, {"szext.wrap.u32", "www", extend_wrap_u},
    {"mad24.hi.u32", "wwww", mad24_hi_u}, {"mad24.hi.s32", "wwww", mad24_hi_s},
    {"mad24.hi.sat.s32", "wwww", mad24_hi_sat}, {NULL, NULL, NULL}};
