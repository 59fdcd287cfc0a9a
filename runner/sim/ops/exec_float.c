// Arithmetic on f32 and f64. add, sub, mul, div, fma, sqrt and rcp are IEEE in every rounding mode; what PTX calls
// approximate (sin, ex2, …) is the C library's, which is more exact than the GPU's. .ftz and .sat are steps of
// their own, which
// SPDX-License-Identifier: MIT
#include <math.h>

#include "sim/core/exec.h"
#include "sim/ops/half.h"

// Arithmetic on 16-bit floats, alone and in pairs. Each operation is done in float (fma in double), which
// holds sums and products of two such numbers exactly enough that rounding back gives the IEEE result.

static inline float least(float a, float b) { return a < b || b != b ? a : a == b ? (signbit(a) ? a : b) : b; }
static inline float greatest(float a, float b) { return a > b || b != b ? a : a == b ? (signbit(a) ? b : a) : b; }
static inline float least_nan(float a, float b) { return a != a ? a : b != b ? b : least(a, b); }
static inline float greatest_nan(float a, float b) { return a != a ? a : b != b ? b : greatest(a, b); }
static inline double relu(double a) { return a > 0 || a != a ? a : 0; }
static inline uint32_t double_to_bf16(double d) { return half_narrow(d, 8, 7, HALF_RN); }

#define HI(x) ((x) >> 16)
#define BINARY(id, FROM, TO, EXPR) \
    static inline uint32_t id##_lane(uint32_t u, uint32_t v) \
    { \
        const float a = FROM(u & 0xffff), b = FROM(v & 0xffff); \
        return TO(EXPR); \
    } \
    OP2(id, u32, u32, u32, id##_lane(a, b)) \
    OP2(id##x2, u32, u32, u32, id##_lane(a, b) | id##_lane(HI(a), HI(b)) << 16)
#define TERNARY(id, FROM, TO, EXPR) \
    static inline uint32_t id##_lane(uint32_t u, uint32_t v, uint32_t t) \
    { \
        const float a = FROM(u & 0xffff), b = FROM(v & 0xffff), c = FROM(t & 0xffff); \
        return TO(EXPR); \
    } \
    OP3(id, u32, u32, u32, u32, id##_lane(a, b, c)) \
    OP3(id##x2, u32, u32, u32, u32, id##_lane(a, b, c) | id##_lane(HI(a), HI(b), HI(c)) << 16)
#define UNARY(id, FROM, TO, EXPR) \
    static inline uint32_t id##_lane(uint32_t u) \
    { \
        const float a = FROM(u & 0xffff); \
        return TO(EXPR); \
    } \
    OP1(id, u32, u32, id##_lane(a)) \
    OP1(id##x2, u32, u32, id##_lane(a) | id##_lane(HI(a)) << 16)

#define FAMILY(type, FROM, TO, FMA_TO, FMA) \
    BINARY(add_##type, FROM, TO, a + b) \
    BINARY(sub_##type, FROM, TO, a - b) \
    BINARY(mul_##type, FROM, TO, a *b) \
    BINARY(min_##type, FROM, TO, least(a, b)) \
    BINARY(max_##type, FROM, TO, greatest(a, b)) \
    BINARY(min_nan_##type, FROM, TO, least_nan(a, b)) \
    BINARY(max_nan_##type, FROM, TO, greatest_nan(a, b)) \
    TERNARY(fma_##type, FROM, FMA_TO, FMA(a, b, c)) \
    TERNARY(fma_relu_##type, FROM, FMA_TO, relu(FMA(a, b, c))) \
    UNARY(ex2_##type, FROM, TO, exp2f(a)) \
    UNARY(tanh_##type, FROM, TO, tanhf(a)) \
    UNARY(sat_##type, FROM, TO, a > 0 ? (a < 1 ? a : 1) : 0)
FAMILY(f16, half_to_float, float_to_half, double_to_half, half_fused)
FAMILY(bf16, bf16_to_float, float_to_bf16, double_to_bf16, half_fused)
OP1(neg_16, u32, u32, (a ^ 0x8000) & 0xffff)
OP1(neg_16x2, u32, u32, a ^ 0x80008000)
OP1(abs_16, u32, u32, a & 0x7fff)
OP1(abs_16x2, u32, u32, a & 0x7fff7fff)

#define ROWS_ONE(type, fn) \
    {"add." #type, "www", add_##fn}, {"sub." #type, "www", sub_##fn}, {"mul." #type, "www", mul_##fn}, \
        {"min." #type, "www", min_##fn}, {"max." #type, "www", max_##fn}, {"min.NaN." #type, "www", min_nan_##fn}, \
        {"max.NaN." #type, "www", max_nan_##fn}, {"fma." #type, "wwww", fma_##fn}, \
        {"fma.relu." #type, "wwww", fma_relu_##fn}, {"ex2." #type, "ww", ex2_##fn}, {"tanh." #type, "ww", tanh_##fn}, \
    { \
        "sat." #type, "ww", sat_##fn \
    }
const struct op VARIANT(ops_half)[] = {ROWS_ONE(f16, f16), ROWS_ONE(f16x2, f16x2), ROWS_ONE(bf16, bf16),
    ROWS_ONE(bf16x2, bf16x2), {"neg.f16", "ww", neg_16}, {"neg.f16x2", "ww", neg_16x2}, {"neg.bf16", "ww", neg_16},
    {"neg.bf16x2", "ww", neg_16x2}, {"abs.f16", "ww", abs_16}, {"abs.f16x2", "ww", abs_16x2},
    {"abs.bf16", "ww", abs_16}, {"abs.bf16x2", "ww", abs_16x2}, {NULL, NULL, NULL}};

#define ARITHMETIC(T, type, SQRT, FMA, ABS, COPYSIGN) \
    OP2(add_##type, T, T, T, a + b) \
    OP2(sub_##type, T, T, T, a - b) \
    OP2(mul_##type, T, T, T, a *b) \
    OP2(div_##type, T, T, T, a / b) \
    OP3(fma_##type, T, T, T, T, FMA(a, b, c)) \
    OP1(rcp_##type, T, T, 1 / a) \
    OP1(sqrt_##type, T, T, SQRT(a)) \
    OP1(abs_##type, T, T, ABS(a)) \
    OP1(neg_##type, T, T, -a) \
    OP2(copysign_##type, T, T, T, COPYSIGN(b, a)) \
    OP2(min_##type, T, T, T, a < b || b != b ? a : a == b ? (signbit(a) ? a : b) : b) \
    OP2(max_##type, T, T, T, a > b || b != b ? a : a == b ? (signbit(a) ? b : a) : b) \
    OP2(min_nan_##type, T, T, T, a != a ? a : b != b ? b : a < b ? a : a == b ? (signbit(a) ? a : b) : b) \
    OP2(max_nan_##type, T, T, T, a != a ? a : b != b ? b : a > b ? a : a == b ? (signbit(a) ? b : a) : b)
ARITHMETIC(f32, f32, __builtin_sqrtf, __builtin_fmaf, __builtin_fabsf, __builtin_copysignf)
ARITHMETIC(f64, f64, __builtin_sqrt, __builtin_fma, __builtin_fabs, __builtin_copysign)

OP1(rsqrt_f32, f32, f32, 1 / __builtin_sqrt((double)a))
OP1(rsqrt_f64, f64, f64, 1 / __builtin_sqrt(a))
OP1(sin_f32, f32, f32, sinf(a))
OP1(cos_f32, f32, f32, cosf(a))
OP1(lg2_f32, f32, f32, log2f(a))
OP1(ex2_f32, f32, f32, exp2f(a))
OP1(tanh_f32, f32, f32, tanhf(a))

OP1(sat_f32, f32, f32, a > 0 ? (a < 1 ? a : 1) : 0)
OP1(sat_f64, f64, f64, a > 0 ? (a < 1 ? a : 1) : 0)
// A subnormal becomes a zero of its sign.
OP1(ftz_f32, u32, u32, a & 0x7f800000 ? a : a & 0x80000000)

#define CLASS_OP(id, T, ...) \
    static HANDLER(id) \
    { \
        u32 *d = SLOT(w, i->r[0]); \
        const T *x = SLOT(w, i->r[1]); \
        uint32_t r = 0; \
        for (int l = 0; l < LANES; l++) { \
            const T a = x[l]; \
            r |= (uint32_t)((__VA_ARGS__) ? 1 : 0) << l; \
        } \
        *d = (*d & ~mask) | (r & mask); \
        return i + 1; \
    }
#define CLASSES(type, T) \
    CLASS_OP(finite_##type, T, isfinite(a)) \
    CLASS_OP(infinite_##type, T, isinf(a)) \
    CLASS_OP(number_##type, T, !isnan(a)) \
    CLASS_OP(notanumber_##type, T, isnan(a)) \
    CLASS_OP(normal_##type, T, isnormal(a)) \
    CLASS_OP(subnormal_##type, T, isfinite(a) && !isnormal(a) && a != 0)
CLASSES(f32, f32)
CLASSES(f64, f64)

// Directed rounding. The volatile copies keep the operation between the two changes of mode.
static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
#define ROUND_OP(id, T, VALUE) \
    static HANDLER(id) \
    { \
        T *d = SLOT(w, i->r[0]); \
        const T *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]), *z = SLOT(w, i->r[3]); \
        round_by(modes[i->offset & 3]); \
        for (int l = 0; l < LANES; l++) { \
            const volatile T a = x[l], b = y[l], c = z[l]; \
            const volatile T r = (T)(VALUE); \
            (void)b, (void)c; \
            if (mask >> l & 1) d[l] = r; \
        } \
        round_by(FE_TONEAREST); \
        return i + 1; \
    }
ROUND_OP(round_add_f32, f32, a + b)
ROUND_OP(round_sub_f32, f32, a - b)
ROUND_OP(round_mul_f32, f32, a *b)
ROUND_OP(round_div_f32, f32, a / b)
ROUND_OP(round_fma_f32, f32, fmaf(a, b, c))
ROUND_OP(round_rcp_f32, f32, 1 / a)
ROUND_OP(round_sqrt_f32, f32, sqrtf(a))
ROUND_OP(round_add_f64, f64, a + b)
ROUND_OP(round_sub_f64, f64, a - b)
ROUND_OP(round_mul_f64, f64, a *b)
ROUND_OP(round_div_f64, f64, a / b)
ROUND_OP(round_fma_f64, f64, fma(a, b, c))
ROUND_OP(round_rcp_f64, f64, 1 / a)
ROUND_OP(round_sqrt_f64, f64, sqrt(a))

#define ROWS(type, w1, w2, w3) \
    {"add." #type, w2, add_##type}, {"sub." #type, w2, sub_##type}, {"mul." #type, w2, mul_##type}, \
        {"div." #type, w2, div_##type}, {"fma." #type, w3, fma_##type}, {"mad." #type, w3, fma_##type}, \
        {"rcp." #type, w1, rcp_##type}, {"sqrt." #type, w1, sqrt_##type}, {"rsqrt." #type, w1, rsqrt_##type}, \
        {"abs." #type, w1, abs_##type}, {"neg." #type, w1, neg_##type}, {"copysign." #type, w2, copysign_##type}, \
        {"min." #type, w2, min_##type}, {"max." #type, w2, max_##type}, {"min.NaN." #type, w2, min_nan_##type}, \
        {"max.NaN." #type, w2, max_nan_##type}, {"round.add." #type, w2, round_add_##type}, \
        {"round.sub." #type, w2, round_sub_##type}, {"round.mul." #type, w2, round_mul_##type}, \
        {"round.div." #type, w2, round_div_##type}, {"round.fma." #type, w3, round_fma_##type}, \
        {"round.mad." #type, w3, round_fma_##type}, {"round.rcp." #type, w1, round_rcp_##type}, \
        {"round.sqrt." #type, w1, round_sqrt_##type}, \
    { \
        "sat." #type, w1, sat_##type \
    }
#define CLASS_ROWS(type, shape) \
    {"testp.finite." #type, shape, finite_##type}, {"testp.infinite." #type, shape, infinite_##type}, \
        {"testp.number." #type, shape, number_##type}, {"testp.notanumber." #type, shape, notanumber_##type}, \
        {"testp.normal." #type, shape, normal_##type}, \
    { \
        "testp.subnormal." #type, shape, subnormal_##type \
    }
const struct op VARIANT(ops_float)[] = {ROWS(f32, "ww", "www", "wwww"), ROWS(f64, "ll", "lll", "llll"),
    CLASS_ROWS(f32, "pw"), CLASS_ROWS(f64, "pl"), {"sin.f32", "ww", sin_f32}, {"cos.f32", "ww", cos_f32},
    {"lg2.f32", "ww", lg2_f32}, {"ex2.f32", "ww", ex2_f32}, {"tanh.f32", "ww", tanh_f32}, {"ftz.f32", "ww", ftz_f32},
    {NULL, NULL, NULL}};
