// Comparisons into predicates (setp) and choices by them (selp, slct). Booleans with a third predicate, second results
// and `set` are made of these by the decoder.
// SPDX-License-Identifier: MIT
#include "sim/core/exec.h"
#include "sim/ops/half.h"

#define COMPARE_OP(id, T, READ, ...) \
    static HANDLER(id) \
    { \
        u32 *d = SLOT(w, i->r[0]); \
        const T *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]); \
        uint32_t r = 0; \
        EACH_LANE \
        { \
            const __typeof__(READ(x[l])) a = READ(x[l]), b = READ(y[l]); \
            r |= (uint32_t)(__VA_ARGS__) << l; \
        } \
        *d = (*d & ~mask) | (r & mask); \
        return i + 1; \
    }
#define SAME(x) (x)
#define U16(x) ((uint16_t)(x))
#define S16(x) ((int16_t)(x))
#define EQUALITY(type, T, READ) \
    COMPARE_OP(eq_##type, T, READ, a == b) \
    COMPARE_OP(ne_##type, T, READ, a != b)
#define ORDER(type, T, READ) \
    COMPARE_OP(lt_##type, T, READ, a < b) \
    COMPARE_OP(le_##type, T, READ, a <= b) \
    COMPARE_OP(gt_##type, T, READ, a > b) \
    COMPARE_OP(ge_##type, T, READ, a >= b)
// Floats: ne is false for a NaN; the forms with u are true for one.
#define FLOATS(type, T, READ) \
    COMPARE_OP(eq_##type, T, READ, a == b) \
    COMPARE_OP(ne_##type, T, READ, (a < b) | (a > b)) \
    ORDER(type, T, READ) \
    COMPARE_OP(equ_##type, T, READ, !((a < b) | (a > b))) \
    COMPARE_OP(neu_##type, T, READ, a != b) \
    COMPARE_OP(ltu_##type, T, READ, !(a >= b)) \
    COMPARE_OP(leu_##type, T, READ, !(a > b)) \
    COMPARE_OP(gtu_##type, T, READ, !(a <= b)) \
    COMPARE_OP(geu_##type, T, READ, !(a < b)) \
    COMPARE_OP(num_##type, T, READ, (a == a) & (b == b)) \
    COMPARE_OP(nan_##type, T, READ, (a != a) | (b != b))

EQUALITY(b16, u32, U16)
EQUALITY(b32, u32, SAME)
EQUALITY(b64, u64, SAME)
ORDER(u16, u32, U16)
ORDER(s16, u32, S16)
ORDER(u32, u32, SAME)
ORDER(s32, s32, SAME)
ORDER(u64, u64, SAME)
ORDER(s64, s64, SAME)
FLOATS(f16, u32, half_to_float)
FLOATS(bf16, u32, bf16_to_float)
FLOATS(f32, f32, SAME)
FLOATS(f64, f64, SAME)

#define SELECT_OP(id, T) \
    static HANDLER(id) \
    { \
        T *d = SLOT(w, i->r[0]); \
        const T *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]); \
        const uint32_t p = *(const u32 *)SLOT(w, i->r[3]); \
        LANE_LOOPS(T, const T a = x[l]; const T b = y[l], p >> l & 1 ? a : b) \
    }
SELECT_OP(selp_32, u32)
SELECT_OP(selp_64, u64)
OP3(slct_32_s32, u32, u32, u32, s32, c >= 0 ? a : b)
OP3(slct_64_s32, u64, u64, u64, s32, c >= 0 ? a : b)
OP3(slct_32_f32, u32, u32, u32, f32, c >= 0 ? a : b)
OP3(slct_64_f32, u64, u64, u64, f32, c >= 0 ? a : b)

#define EQUALITY_ROWS(type, like, shape) \
    {"setp.eq." #type, shape, eq_##like}, { "setp.ne." #type, shape, ne_##like }
#define ORDER_ROWS(type, shape) \
    {"setp.lt." #type, shape, lt_##type}, {"setp.le." #type, shape, le_##type}, {"setp.gt." #type, shape, gt_##type}, \
    { \
        "setp.ge." #type, shape, ge_##type \
    }
#define UNSIGNED_ROWS(type, shape) \
    {"setp.lo." #type, shape, lt_##type}, {"setp.ls." #type, shape, le_##type}, {"setp.hi." #type, shape, gt_##type}, \
    { \
        "setp.hs." #type, shape, ge_##type \
    }
#define FLOAT_ROWS(type, shape) \
    EQUALITY_ROWS(type, type, shape), ORDER_ROWS(type, shape), {"setp.equ." #type, shape, equ_##type}, \
        {"setp.neu." #type, shape, neu_##type}, {"setp.ltu." #type, shape, ltu_##type}, \
        {"setp.leu." #type, shape, leu_##type}, {"setp.gtu." #type, shape, gtu_##type}, \
        {"setp.geu." #type, shape, geu_##type}, {"setp.num." #type, shape, num_##type}, \
    { \
        "setp.nan." #type, shape, nan_##type \
    }
const struct op VARIANT(ops_set)[] = {EQUALITY_ROWS(b16, b16, "pww"), EQUALITY_ROWS(u16, b16, "pww"),
    EQUALITY_ROWS(s16, b16, "pww"), EQUALITY_ROWS(b32, b32, "pww"), EQUALITY_ROWS(u32, b32, "pww"),
    EQUALITY_ROWS(s32, b32, "pww"), EQUALITY_ROWS(b64, b64, "pll"), EQUALITY_ROWS(u64, b64, "pll"),
    EQUALITY_ROWS(s64, b64, "pll"), ORDER_ROWS(u16, "pww"), ORDER_ROWS(s16, "pww"), ORDER_ROWS(u32, "pww"),
    ORDER_ROWS(s32, "pww"), ORDER_ROWS(u64, "pll"), ORDER_ROWS(s64, "pll"), UNSIGNED_ROWS(u16, "pww"),
    UNSIGNED_ROWS(u32, "pww"), UNSIGNED_ROWS(u64, "pll"), FLOAT_ROWS(f16, "pww"), FLOAT_ROWS(bf16, "pww"),
    FLOAT_ROWS(f32, "pww"), FLOAT_ROWS(f64, "pll"), {"selp.16", "wwwp", selp_32}, {"selp.32", "wwwp", selp_32},
    {"selp.64", "lllp", selp_64}, {"slct.16.s32", "wwww", slct_32_s32}, {"slct.32.s32", "wwww", slct_32_s32},
    {"slct.64.s32", "lllw", slct_64_s32}, {"slct.16.f32", "wwww", slct_32_f32}, {"slct.32.f32", "wwww", slct_32_f32},
    {"slct.64.f32", "lllw", slct_64_f32}, {NULL, NULL, NULL}};
