// Arithmetic on f32 and f64. add, sub, mul, div, fma, sqrt and rcp are IEEE in every rounding mode; what PTX calls
// approximate (sin, ex2, …) is the C library's, which is more exact than the GPU's. .ftz and .sat are steps of
// their own, which
// the decoder puts around. SPDX-License-Identifier: MIT
#include "sim/core/exec.h"
#include "sim/ops/half.h"

#include <fenv.h>
#include <math.h>

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
        fesetround(modes[i->offset & 3]); \
        for (int l = 0; l < LANES; l++) { \
            const volatile T a = x[l], b = y[l], c = z[l]; \
            const volatile T r = (T)(VALUE); \
            (void)b, (void)c; \
            if (mask >> l & 1) d[l] = r; \
        } \
        fesetround(FE_TONEAREST); \
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
