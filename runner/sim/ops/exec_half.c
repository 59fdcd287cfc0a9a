// Arithmetic on 16-bit floats, alone and in pairs. Each operation is done in float (fma in double), which
// holds sums and products of two such numbers exactly enough that rounding back gives the IEEE result.
// SPDX-License-Identifier: MIT
#include "sim/core/exec.h"
#include "sim/ops/half.h"

#include <math.h>

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
