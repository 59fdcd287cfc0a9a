// Conversions. The common ones have loops of their own; every other pair of types, rounding mode and saturation goes
// through one slow path that knows PTX's rules for range and NaN.
// SPDX-License-Identifier: MIT
#include "sim/ops/convert.h"
#include "sim/core/exec.h"
#include "sim/ops/half.h"

#include <math.h>

static inline int32_t to_s32(float a)
{
    return a != a ? 0 : a >= 0x1p31f ? INT32_MAX : a < -0x1p31f ? INT32_MIN : (int32_t)a;
}
static inline uint32_t to_u32(float a) { return !(a > 0) ? 0 : a >= 0x1p32f ? UINT32_MAX : (uint32_t)(int64_t)a; }

OP1(cvt_low_32, u32, u64, a)
OP1(cvt_64_u32, u64, u32, a)
OP1(cvt_64_s32, s64, s32, a)
OP1(cvt_u16, u32, u32, a & 0xffff)
OP1(cvt_s16, s32, s32, (int16_t)a)
OP1(cvt_u8, u32, u32, a & 0xff)
OP1(cvt_s8, s32, s32, (int8_t)a)
OP1(cvt_64_u16, u64, u32, a & 0xffff)
OP1(cvt_64_s16, s64, s32, (int16_t)a)
OP1(cvt_64_u8, u64, u32, a & 0xff)
OP1(cvt_64_s8, s64, s32, (int8_t)a)
OP1(cvt_16_64, u32, u64, a & 0xffff)
OP1(cvt_f32_s32, f32, s32, a)
OP1(cvt_f32_u32, f32, u32, a)
OP1(cvt_f32_u16, f32, u32, a & 0xffff)
OP1(cvt_f64_s32, f64, s32, a)
OP1(cvt_f64_u32, f64, u32, a)
OP1(cvt_s32_f32, s32, f32, to_s32(a))
OP1(cvt_u32_f32, u32, f32, to_u32(a))
OP1(cvt_f64_f32, f64, f32, a)
OP1(cvt_f32_f64, f32, f64, a)
OP1(cvt_f32_f16, f32, u32, half_to_float(a))
OP1(cvt_f16_f32, u32, f32, float_to_half(a))
OP1(cvt_f32_bf16, f32, u32, bf16_to_float(a))
OP1(cvt_bf16_f32, u32, f32, float_to_bf16(a))
OP2(cvt_f16x2, u32, f32, f32, float_to_half(a) << 16 | float_to_half(b))
OP2(cvt_bf16x2, u32, f32, f32, float_to_bf16(a) << 16 | float_to_bf16(b))

struct cvt_range {
    double below, above; // the first values outside
    int64_t least;
    uint64_t most;
};
static const struct cvt_range ranges[] = {{-1, 0x1p8, 0, UINT8_MAX}, {-0x1p7 - 1, 0x1p7, INT8_MIN, INT8_MAX},
    {-1, 0x1p16, 0, UINT16_MAX}, {-0x1p15 - 1, 0x1p15, INT16_MIN, INT16_MAX}, {-1, 0x1p32, 0, UINT32_MAX},
    {-0x1p31 - 1, 0x1p31, INT32_MIN, INT32_MAX}, {-1, 0x1p64, 0, UINT64_MAX}, {-0x1p63, 0x1p63, INT64_MIN, INT64_MAX}};

static uint64_t int_from_double(double v, int to, int from, int round)
{
    const struct cvt_range *r = &ranges[to];
    if (v != v) {
        if (from != CONVERT_F64 && to < CONVERT_U64) return 0;
        return to < CONVERT_U64 ? (uint64_t)0x80000000 : (uint64_t)1 << 63;
    }
    v = round == CONVERT_RZI   ? trunc(v)
        : round == CONVERT_RMI ? floor(v)
        : round == CONVERT_RPI ? ceil(v)
                               : nearbyint(v);
    if (v <= r->below) return (uint64_t)r->least;
    if (v >= r->above) return r->most;
    return to == CONVERT_U64 ? (uint64_t)v : (uint64_t)(int64_t)v;
}

static uint64_t int_from_int(uint64_t v, int to, int from, bool sat)
{
    if (!sat) return v;
    const struct cvt_range *r = &ranges[to];
    if (from & 1) { // signed
        if ((int64_t)v < r->least) return (uint64_t)r->least;
        return (int64_t)v > 0 && v > r->most ? r->most : v;
    }
    return v > r->most ? r->most : v;
}

static uint64_t narrow_int(uint64_t v, int to)
{
    switch (to) {
    case CONVERT_U8: return (uint8_t)v;
    case CONVERT_S8: return (uint64_t)(int64_t)(int8_t)v;
    case CONVERT_U16: return (uint16_t)v;
    case CONVERT_S16: return (uint64_t)(int64_t)(int16_t)v;
    case CONVERT_U32: return (uint32_t)v;
    case CONVERT_S32: return (uint64_t)(int64_t)(int32_t)v;
    default: return v;
    }
}

static double integral(double v, int round)
{
    switch (round) {
    case CONVERT_RNI: return nearbyint(v);
    case CONVERT_RZI: return trunc(v);
    case CONVERT_RMI: return floor(v);
    case CONVERT_RPI: return ceil(v);
    default: return v;
    }
}

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static uint64_t float_bits_of(double v, int to, int round)
{
    if (to == CONVERT_F64) return double_bits(v);
    const enum half_round mode = round < CONVERT_RNI ? (enum half_round)round : HALF_RN;
    if (to == CONVERT_F16) return half_narrow(v, 5, 10, mode);
    if (to == CONVERT_BF16) return half_narrow(v, 8, 7, mode);
    if (isnan(v)) return 0x7fffffff;
    if (mode == HALF_RN) return float_bits((float)v); // the mode is that already, and changing it is dear
    round_by(modes[mode]);
    const volatile double wide = v;
    const volatile float f = (float)wide;
    round_by(FE_TONEAREST);
    return float_bits(f);
}

// Integers of 64 bits do not fit a double: the float is made from them directly.
static uint64_t float_from_int(uint64_t v, bool is_signed, int to, int round)
{
    const volatile uint64_t u = v;
    const bool nearest = round >= CONVERT_RNI || modes[round] == FE_TONEAREST;
    if (!nearest) round_by(modes[round]);
    const volatile double d = is_signed ? (double)(int64_t)u : (double)u;
    const volatile float f = is_signed ? (float)(int64_t)u : (float)u;
    if (!nearest) round_by(FE_TONEAREST);
    return to == CONVERT_F64 ? double_bits(d) : to == CONVERT_F32 ? float_bits(f) : float_bits_of(d, to, round);
}

static uint64_t convert(uint64_t bits, int64_t how)
{
    const int to = CONVERT_TO(how), from = CONVERT_FROM(how), round = CONVERT_ROUND(how);
    const bool sat = CONVERT_SAT(how);
    if (from < CONVERT_F16) {
        const uint64_t v = narrow_int(bits, from);
        return to < CONVERT_F16 ? narrow_int(int_from_int(v, to, from, sat), to)
                                : float_from_int(v, from & 1, to, round);
    }
    double v = from == CONVERT_F16 ? (double)half_to_float((uint32_t)bits & 0xffff)
        : from == CONVERT_BF16     ? (double)bf16_to_float((uint32_t)bits & 0xffff)
        : from == CONVERT_F32      ? (double)bits_float((uint32_t)bits)
                                   : bits_double(bits);
    if (to < CONVERT_F16) return narrow_int(int_from_double(v, to, from, round), to);
    v = integral(v, round);
    if (sat) v = v > 0 ? (v < 1 ? v : 1) : 0;
    return float_bits_of(v, to, round);
}

#define SLOW_OP(id, D, A) \
    static HANDLER(id) \
    { \
        D *d = SLOT(w, i->r[0]); \
        const A *x = SLOT(w, i->r[1]); \
        for (int l = 0; l < LANES; l++) \
            if (mask >> l & 1) d[l] = (D)convert(x[l], i->offset); \
        return i + 1; \
    }
SLOW_OP(slow_32_32, u32, u32)
SLOW_OP(slow_32_64, u32, u64)
SLOW_OP(slow_64_32, u64, u32)
SLOW_OP(slow_64_64, u64, u64)

const struct op VARIANT(ops_cvt)[] = {{"cvt.u32.u64", "wl", cvt_low_32}, {"cvt.u32.s64", "wl", cvt_low_32},
    {"cvt.s32.u64", "wl", cvt_low_32}, {"cvt.s32.s64", "wl", cvt_low_32}, {"cvt.u64.u32", "lw", cvt_64_u32},
    {"cvt.s64.u32", "lw", cvt_64_u32}, {"cvt.u64.s32", "lw", cvt_64_s32}, {"cvt.s64.s32", "lw", cvt_64_s32},
    {"cvt.u16.u32", "ww", cvt_u16}, {"cvt.u16.s32", "ww", cvt_u16}, {"cvt.u32.u16", "ww", cvt_u16},
    {"cvt.s32.u16", "ww", cvt_u16}, {"cvt.s16.u32", "ww", cvt_s16}, {"cvt.s16.s32", "ww", cvt_s16},
    {"cvt.s32.s16", "ww", cvt_s16}, {"cvt.u32.s16", "ww", cvt_s16}, {"cvt.u32.u8", "ww", cvt_u8},
    {"cvt.s32.u8", "ww", cvt_u8}, {"cvt.u16.u8", "ww", cvt_u8}, {"cvt.s16.u8", "ww", cvt_u8},
    {"cvt.u8.u32", "ww", cvt_u8}, {"cvt.u32.s8", "ww", cvt_s8}, {"cvt.s32.s8", "ww", cvt_s8},
    {"cvt.s16.s8", "ww", cvt_s8}, {"cvt.u64.u16", "lw", cvt_64_u16}, {"cvt.s64.u16", "lw", cvt_64_u16},
    {"cvt.u64.s16", "lw", cvt_64_s16}, {"cvt.s64.s16", "lw", cvt_64_s16}, {"cvt.u64.u8", "lw", cvt_64_u8},
    {"cvt.s64.u8", "lw", cvt_64_u8}, {"cvt.u64.s8", "lw", cvt_64_s8}, {"cvt.s64.s8", "lw", cvt_64_s8},
    {"cvt.u16.u64", "wl", cvt_16_64}, {"cvt.u16.s64", "wl", cvt_16_64}, {"cvt.rn.f32.s32", "ww", cvt_f32_s32},
    {"cvt.rn.f32.u32", "ww", cvt_f32_u32}, {"cvt.rn.f32.u16", "ww", cvt_f32_u16}, {"cvt.rn.f64.s32", "lw", cvt_f64_s32},
    {"cvt.rn.f64.u32", "lw", cvt_f64_u32}, {"cvt.rzi.s32.f32", "ww", cvt_s32_f32},
    {"cvt.rzi.u32.f32", "ww", cvt_u32_f32}, {"cvt.f64.f32", "lw", cvt_f64_f32}, {"cvt.rn.f32.f64", "wl", cvt_f32_f64},
    {"cvt.f32.f16", "ww", cvt_f32_f16}, {"cvt.rn.f16.f32", "ww", cvt_f16_f32}, {"cvt.f32.bf16", "ww", cvt_f32_bf16},
    {"cvt.rn.bf16.f32", "ww", cvt_bf16_f32}, {"cvt.rn.f16x2.f32", "www", cvt_f16x2},
    {"cvt.rn.bf16x2.f32", "www", cvt_bf16x2}, {"slow.32.32", "ww", slow_32_32}, {"slow.32.64", "wl", slow_32_64},
    {"slow.64.32", "lw", slow_64_32}, {"slow.64.64", "ll", slow_64_64}, {NULL, NULL, NULL}};
