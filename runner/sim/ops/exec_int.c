// Integer arithmetic: add, sub, mul, mad, div, rem, min, max, abs, neg, sad, dp4a, and the carry chain.
// Additions are done on unsigned lanes, where overflow has a meaning. 16-bit values lie zero-extended in 32-bit lanes.
// SPDX-License-Identifier: MIT
#include "sim/core/exec.h"

#define H(x) ((uint16_t)(x))
#define SH(x) ((int16_t)(x))
#define S(x) ((int32_t)(x))

OP2(add_16, u32, u32, u32, H(a + b))
OP2(add_32, u32, u32, u32, a + b)
OP2(add_64, u64, u64, u64, a + b)
OP2(sub_16, u32, u32, u32, H(a - b))
OP2(sub_32, u32, u32, u32, a - b)
OP2(sub_64, u64, u64, u64, a - b)
OP2(mul_16, u32, u32, u32, H(a *b))
OP2(mul_32, u32, u32, u32, a *b)
OP2(mul_64, u64, u64, u64, a *b)
OP3(mad_16, u32, u32, u32, u32, H(a *b + c))
OP3(mad_32, u32, u32, u32, u32, a *b + c)
OP3(mad_64, u64, u64, u64, u64, a *b + c)

static inline uint64_t high_u64(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }
static inline uint64_t high_s64(int64_t a, int64_t b) { return (uint64_t)((__int128)a * b >> 64); }
__extension__ static inline uint32_t high_u32(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }
static inline uint32_t high_s32(int32_t a, int32_t b) { return (uint32_t)((uint64_t)((int64_t)a * b) >> 32); }

OP2(mul_hi_u16, u32, u32, u32, (uint32_t)H(a) * H(b) >> 16)
OP2(mul_hi_s16, u32, u32, u32, H((uint32_t)(SH(a) * SH(b)) >> 16))
OP2(mul_hi_u32, u32, u32, u32, high_u32(a, b))
OP2(mul_hi_s32, u32, s32, s32, high_s32(a, b))
OP2(mul_hi_u64, u64, u64, u64, high_u64(a, b))
OP2(mul_hi_s64, u64, s64, s64, high_s64(a, b))
OP3(mad_hi_u32, u32, u32, u32, u32, high_u32(a, b) + c)
OP3(mad_hi_s32, u32, s32, s32, u32, high_s32(a, b) + c)
OP3(mad_hi_u64, u64, u64, u64, u64, high_u64(a, b) + c)
OP3(mad_hi_s64, u64, s64, s64, u64, high_s64(a, b) + c)
OP2(mul_wide_u16, u32, u32, u32, (uint32_t)H(a) * H(b))
OP2(mul_wide_s16, u32, u32, u32, SH(a) * SH(b))
OP2(mul_wide_u32, u64, u32, u32, (uint64_t)a *b)
OP2(mul_wide_s32, u64, s32, s32, (int64_t)a *b)
OP3(mad_wide_u16, u32, u32, u32, u32, (uint32_t)H(a) * H(b) + c)
OP3(mad_wide_s16, u32, u32, u32, u32, (uint32_t)(SH(a) * SH(b)) + c)
OP3(mad_wide_u32, u64, u32, u32, u64, (uint64_t)a *b + c)
OP3(mad_wide_s32, u64, s32, s32, u64, (uint64_t)((int64_t)a *b) + c)

#define U24(x) ((x)&0xffffffu)
#define S24(x) (S((x) << 8) >> 8)
OP2(mul24_lo_u32, u32, u32, u32, U24(a) * U24(b))
OP2(mul24_lo_s32, u32, u32, u32, (int64_t)S24(a) * S24(b))
OP2(mul24_hi_u32, u32, u32, u32, (uint64_t)U24(a) * U24(b) >> 16)
OP2(mul24_hi_s32, u32, u32, u32, (int64_t)S24(a) * S24(b) >> 16)
OP3(mad24_lo_u32, u32, u32, u32, u32, U24(a) * U24(b) + c)
OP3(mad24_lo_s32, u32, u32, u32, u32, (uint32_t)((int64_t)S24(a) * S24(b)) + c)

static inline int32_t clamp_s32(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}
OP2(add_sat_s32, s32, s32, s32, clamp_s32((int64_t)a + b))
OP2(sub_sat_s32, s32, s32, s32, clamp_s32((int64_t)a - b))
OP3(mad_hi_sat_s32, s32, s32, s32, s32, clamp_s32((int64_t)S(high_s32(a, b)) + c))

// 32-bit division through doubles, which vectorises: the quotient is exact, since no quotient of two 32-bit numbers
// lies nearer to an integer than the double's rounding error without being one. Division by zero gives all ones, as on
// the GPU.
static inline uint32_t div_32(uint32_t a, uint32_t b) { return b ? (uint32_t)(int64_t)((double)a / (double)b) : ~0u; }
static inline int32_t div_s32_lane(int32_t a, int32_t b)
{
    return b ? (int32_t)(uint32_t)(int64_t)((double)a / (double)b) : -1;
}
static inline uint64_t div_u64_lane(uint64_t a, uint64_t b) { return b ? a / b : ~(uint64_t)0; }
static inline int64_t div_s64_lane(int64_t a, int64_t b)
{
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : b ? a / b : -1;
}
OP2(div_u16, u32, u32, u32, H(div_32(H(a), H(b))))
OP2(div_s16, u32, u32, u32, H(div_s32_lane(SH(a), SH(b))))
OP2(div_u32, u32, u32, u32, div_32(a, b))
OP2(div_s32, s32, s32, s32, div_s32_lane(a, b))
OP2(div_u64, u64, u64, u64, div_u64_lane(a, b))
OP2(div_s64, s64, s64, s64, div_s64_lane(a, b))
OP2(rem_u16, u32, u32, u32, H(H(b) ? H(a) - div_32(H(a), H(b)) * H(b) : a))
OP2(rem_s16, u32, u32, u32, H(SH(b) ? SH(a) - div_s32_lane(SH(a), SH(b)) * SH(b) : (int)a))
OP2(rem_u32, u32, u32, u32, b ? a - div_32(a, b) * b : a)
OP2(rem_s32, u32, s32, s32, b ? (uint32_t)a - (uint32_t)div_s32_lane(a, b) * (uint32_t)b : (uint32_t)a)
OP2(rem_u64, u64, u64, u64, b ? a % b : a)
OP2(rem_s64, s64, s64, s64, b == -1 ? 0 : b ? a % b : a)

OP1(abs_s16, u32, u32, H(SH(a) < 0 ? 0 - a : a))
OP1(abs_s32, u32, u32, S(a) < 0 ? 0 - a : a)
OP1(abs_s64, u64, u64, (int64_t)a < 0 ? 0 - a : a)
OP1(neg_s16, u32, u32, H(0 - a))
OP1(neg_s32, u32, u32, 0 - a)
OP1(neg_s64, u64, u64, 0 - a)
OP2(min_u16, u32, u32, u32, H(a) < H(b) ? H(a) : H(b))
OP2(min_s16, u32, u32, u32, H(SH(a) < SH(b) ? a : b))
OP2(min_u32, u32, u32, u32, a < b ? a : b)
OP2(min_s32, s32, s32, s32, a < b ? a : b)
OP2(min_u64, u64, u64, u64, a < b ? a : b)
OP2(min_s64, s64, s64, s64, a < b ? a : b)
OP2(max_u16, u32, u32, u32, H(a) > H(b) ? H(a) : H(b))
OP2(max_s16, u32, u32, u32, H(SH(a) > SH(b) ? a : b))
OP2(max_u32, u32, u32, u32, a > b ? a : b)
OP2(max_s32, s32, s32, s32, a > b ? a : b)
OP2(max_u64, u64, u64, u64, a > b ? a : b)
OP2(max_s64, s64, s64, s64, a > b ? a : b)
OP2(min_relu_s32, s32, s32, s32, (a < b ? a : b) > 0 ? (a < b ? a : b) : 0)
OP2(max_relu_s32, s32, s32, s32, (a > b ? a : b) > 0 ? (a > b ? a : b) : 0)
OP3(sad_u16, u32, u32, u32, u32, H(c + (H(a) < H(b) ? b - a : a - b)))
OP3(sad_s16, u32, u32, u32, u32, H(c + (SH(a) < SH(b) ? b - a : a - b)))
OP3(sad_u32, u32, u32, u32, u32, c + (a < b ? b - a : a - b))
OP3(sad_s32, u32, u32, u32, u32, c + (S(a) < S(b) ? b - a : a - b))
OP3(sad_u64, u64, u64, u64, u64, c + (a < b ? b - a : a - b))
OP3(sad_s64, u64, u64, u64, u64, c + ((int64_t)a < (int64_t)b ? b - a : a - b))

#define BYTE_U(x, n) ((int32_t)((x) >> 8 * (n)&0xff))
#define BYTE_S(x, n) ((int32_t)(int8_t)((x) >> 8 * (n)))
#define HALF_U(x, n) ((int32_t)((x) >> 16 * (n)&0xffff))
#define HALF_S(x, n) ((int32_t)(int16_t)((x) >> 16 * (n)))
#define DP4(A, B) c + (uint32_t)(A(a, 0) * B(b, 0) + A(a, 1) * B(b, 1) + A(a, 2) * B(b, 2) + A(a, 3) * B(b, 3))
#define DP2(A, B, at) c + (uint32_t)(A(a, 0) * B(b, at)) + (uint32_t)(A(a, 1) * B(b, at + 1))
OP3(dp4a_uu, u32, u32, u32, u32, DP4(BYTE_U, BYTE_U))
OP3(dp4a_us, u32, u32, u32, u32, DP4(BYTE_U, BYTE_S))
OP3(dp4a_su, u32, u32, u32, u32, DP4(BYTE_S, BYTE_U))
OP3(dp4a_ss, u32, u32, u32, u32, DP4(BYTE_S, BYTE_S))
OP3(dp2a_lo_uu, u32, u32, u32, u32, DP2(HALF_U, BYTE_U, 0))
OP3(dp2a_lo_us, u32, u32, u32, u32, DP2(HALF_U, BYTE_S, 0))
OP3(dp2a_lo_su, u32, u32, u32, u32, DP2(HALF_S, BYTE_U, 0))
OP3(dp2a_lo_ss, u32, u32, u32, u32, DP2(HALF_S, BYTE_S, 0))
OP3(dp2a_hi_uu, u32, u32, u32, u32, DP2(HALF_U, BYTE_U, 2))
OP3(dp2a_hi_us, u32, u32, u32, u32, DP2(HALF_U, BYTE_S, 2))
OP3(dp2a_hi_su, u32, u32, u32, u32, DP2(HALF_S, BYTE_U, 2))
OP3(dp2a_hi_ss, u32, u32, u32, u32, DP2(HALF_S, BYTE_S, 2))

// The carry flag is a bit for each lane in the warp; subtraction borrows through it.
#define CARRY_OP(id, T, WIDE, SETUP, VALUE, CARRY) \
    static HANDLER(id) \
    { \
        T *d = SLOT(w, i->r[0]); \
        const T *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]), *z = SLOT(w, i->r[3]); \
        uint32_t out = 0; \
        for (int l = 0; l < LANES; l++) { \
            const WIDE a = x[l], b = y[l], c = z[l], in = w->carry >> l & 1; \
            (void)c, (void)in; \
            SETUP; \
            const WIDE v = (VALUE); \
            out |= (uint32_t)((CARRY)&1) << l; \
            if (mask >> l & 1) d[l] = (T)v; \
        } \
        if (i->offset) w->carry = (w->carry & ~mask) | (out & mask); \
        return i + 1; \
    }
__extension__ typedef unsigned __int128 u128;
CARRY_OP(carry_add_32, u32, u64, (void)0, a + b, v >> 32)
CARRY_OP(carry_addc_32, u32, u64, (void)0, a + b + in, v >> 32)
CARRY_OP(carry_sub_32, u32, u64, (void)0, a - b, v >> 32)
CARRY_OP(carry_subc_32, u32, u64, (void)0, a - b - in, v >> 32)
CARRY_OP(carry_add_64, u64, u128, (void)0, a + b, v >> 64)
CARRY_OP(carry_addc_64, u64, u128, (void)0, a + b + in, v >> 64)
CARRY_OP(carry_sub_64, u64, u128, (void)0, a - b, v >> 64)
CARRY_OP(carry_subc_64, u64, u128, (void)0, a - b - in, v >> 64)
CARRY_OP(carry_mad_lo_32, u32, u64, const u64 p = (uint32_t)(a * b), p + c, v >> 32)
CARRY_OP(carry_madc_lo_32, u32, u64, const u64 p = (uint32_t)(a * b), p + c + in, v >> 32)
CARRY_OP(carry_mad_hi_u32, u32, u64, const u64 p = a * b >> 32, p + c, v >> 32)
CARRY_OP(carry_madc_hi_u32, u32, u64, const u64 p = a * b >> 32, p + c + in, v >> 32)
CARRY_OP(carry_mad_hi_s32, u32, u64, const u64 p = (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32), p + c, v >> 32)
CARRY_OP(carry_madc_hi_s32, u32, u64, const u64 p = (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32), p + c + in,
    v >> 32)
CARRY_OP(carry_mad_lo_64, u64, u128, const u128 p = (uint64_t)(a * b), p + c, v >> 64)
CARRY_OP(carry_madc_lo_64, u64, u128, const u128 p = (uint64_t)(a * b), p + c + in, v >> 64)
CARRY_OP(carry_mad_hi_u64, u64, u128, const u128 p = a * b >> 64, p + c, v >> 64)
CARRY_OP(carry_madc_hi_u64, u64, u128, const u128 p = a * b >> 64, p + c + in, v >> 64)
CARRY_OP(carry_mad_hi_s64, u64, u128, const u128 p = (uint64_t)((__int128)(int64_t)a * (int64_t)b >> 64), p + c,
    v >> 64)
CARRY_OP(carry_madc_hi_s64, u64, u128, const u128 p = (uint64_t)((__int128)(int64_t)a * (int64_t)b >> 64), p + c + in,
    v >> 64)

// `name.u32` and `name.s32` are one handler where the sign makes no difference.
#define BOTH(name, bits, shape, fn) \
    {name ".u" bits, shape, fn}, {name ".s" bits, shape, fn}, { name ".b" bits, shape, fn }
const struct op VARIANT(ops_int)[] = {BOTH("add", "16", "www", add_16), BOTH("add", "32", "www", add_32),
    BOTH("add", "64", "lll", add_64), BOTH("sub", "16", "www", sub_16), BOTH("sub", "32", "www", sub_32),
    BOTH("sub", "64", "lll", sub_64), BOTH("mul.lo", "16", "www", mul_16), BOTH("mul.lo", "32", "www", mul_32),
    BOTH("mul.lo", "64", "lll", mul_64), BOTH("mad.lo", "16", "wwww", mad_16), BOTH("mad.lo", "32", "wwww", mad_32),
    BOTH("mad.lo", "64", "llll", mad_64), {"mul.hi.u16", "www", mul_hi_u16}, {"mul.hi.s16", "www", mul_hi_s16},
    {"mul.hi.u32", "www", mul_hi_u32}, {"mul.hi.s32", "www", mul_hi_s32}, {"mul.hi.u64", "lll", mul_hi_u64},
    {"mul.hi.s64", "lll", mul_hi_s64}, {"mad.hi.u32", "wwww", mad_hi_u32}, {"mad.hi.s32", "wwww", mad_hi_s32},
    {"mad.hi.u64", "llll", mad_hi_u64}, {"mad.hi.s64", "llll", mad_hi_s64}, {"mul.wide.u16", "www", mul_wide_u16},
    {"mul.wide.s16", "www", mul_wide_s16}, {"mul.wide.u32", "lww", mul_wide_u32}, {"mul.wide.s32", "lww", mul_wide_s32},
    {"mad.wide.u16", "wwww", mad_wide_u16}, {"mad.wide.s16", "wwww", mad_wide_s16},
    {"mad.wide.u32", "lwwl", mad_wide_u32}, {"mad.wide.s32", "lwwl", mad_wide_s32},
    {"mul24.lo.u32", "www", mul24_lo_u32}, {"mul24.lo.s32", "www", mul24_lo_s32}, {"mul24.hi.u32", "www", mul24_hi_u32},
    {"mul24.hi.s32", "www", mul24_hi_s32}, {"mad24.lo.u32", "wwww", mad24_lo_u32},
    {"mad24.lo.s32", "wwww", mad24_lo_s32}, {"add.sat.s32", "www", add_sat_s32}, {"sub.sat.s32", "www", sub_sat_s32},
    {"mad.hi.sat.s32", "wwww", mad_hi_sat_s32}, {"div.u16", "www", div_u16}, {"div.s16", "www", div_s16},
    {"div.u32", "www", div_u32}, {"div.s32", "www", div_s32}, {"div.u64", "lll", div_u64}, {"div.s64", "lll", div_s64},
    {"rem.u16", "www", rem_u16}, {"rem.s16", "www", rem_s16}, {"rem.u32", "www", rem_u32}, {"rem.s32", "www", rem_s32},
    {"rem.u64", "lll", rem_u64}, {"rem.s64", "lll", rem_s64}, {"abs.s16", "ww", abs_s16}, {"abs.s32", "ww", abs_s32},
    {"abs.s64", "ll", abs_s64}, {"neg.s16", "ww", neg_s16}, {"neg.s32", "ww", neg_s32}, {"neg.s64", "ll", neg_s64},
    {"min.u16", "www", min_u16}, {"min.s16", "www", min_s16}, {"min.u32", "www", min_u32}, {"min.s32", "www", min_s32},
    {"min.u64", "lll", min_u64}, {"min.s64", "lll", min_s64}, {"max.u16", "www", max_u16}, {"max.s16", "www", max_s16},
    {"max.u32", "www", max_u32}, {"max.s32", "www", max_s32}, {"max.u64", "lll", max_u64}, {"max.s64", "lll", max_s64},
    {"min.relu.s32", "www", min_relu_s32}, {"max.relu.s32", "www", max_relu_s32}, {"sad.u16", "wwww", sad_u16},
    {"sad.s16", "wwww", sad_s16}, {"sad.u32", "wwww", sad_u32}, {"sad.s32", "wwww", sad_s32},
    {"sad.u64", "llll", sad_u64}, {"sad.s64", "llll", sad_s64}, {"dp4a.u32.u32", "wwww", dp4a_uu},
    {"dp4a.u32.s32", "wwww", dp4a_us}, {"dp4a.s32.u32", "wwww", dp4a_su}, {"dp4a.s32.s32", "wwww", dp4a_ss},
    {"dp2a.lo.u32.u32", "wwww", dp2a_lo_uu}, {"dp2a.lo.u32.s32", "wwww", dp2a_lo_us},
    {"dp2a.lo.s32.u32", "wwww", dp2a_lo_su}, {"dp2a.lo.s32.s32", "wwww", dp2a_lo_ss},
    {"dp2a.hi.u32.u32", "wwww", dp2a_hi_uu}, {"dp2a.hi.u32.s32", "wwww", dp2a_hi_us},
    {"dp2a.hi.s32.u32", "wwww", dp2a_hi_su}, {"dp2a.hi.s32.s32", "wwww", dp2a_hi_ss},
    BOTH("carry.add", "32", "www", carry_add_32), BOTH("carry.addc", "32", "www", carry_addc_32),
    BOTH("carry.sub", "32", "www", carry_sub_32), BOTH("carry.subc", "32", "www", carry_subc_32),
    BOTH("carry.add", "64", "lll", carry_add_64), BOTH("carry.addc", "64", "lll", carry_addc_64),
    BOTH("carry.sub", "64", "lll", carry_sub_64), BOTH("carry.subc", "64", "lll", carry_subc_64),
    BOTH("carry.mad.lo", "32", "wwww", carry_mad_lo_32), BOTH("carry.madc.lo", "32", "wwww", carry_madc_lo_32),
    {"carry.mad.hi.u32", "wwww", carry_mad_hi_u32}, {"carry.madc.hi.u32", "wwww", carry_madc_hi_u32},
    {"carry.mad.hi.s32", "wwww", carry_mad_hi_s32}, {"carry.madc.hi.s32", "wwww", carry_madc_hi_s32},
    BOTH("carry.mad.lo", "64", "llll", carry_mad_lo_64), BOTH("carry.madc.lo", "64", "llll", carry_madc_lo_64),
    {"carry.mad.hi.u64", "llll", carry_mad_hi_u64}, {"carry.madc.hi.u64", "llll", carry_madc_hi_u64},
    {"carry.mad.hi.s64", "llll", carry_mad_hi_s64}, {"carry.madc.hi.s64", "llll", carry_madc_hi_s64},
    {NULL, NULL, NULL}};
