// What machine code does with numbers, 32 lanes at a time. A register has 4 bytes a lane; what is wider is in two
// registers. Each operation has a twin for the uniform registers, whose lanes are all the same: it is done for all
// lanes, whoever is there.
// SPDX-License-Identifier: MIT
#include "sim/core/machine_op.h"
#include "sim/core/residents.h"
#include "sim/ops/half.h"

#include <math.h>

#define HI(slot) ((slot) + MACHINE_REGISTER)

// The operation, and the same for all lanes.
#define TWIN(id) \
    static HANDLER(id##_all) { return (void)mask, id(w, i, ALL_LANES); }

#define SOURCES \
    const u32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]), *z = SLOT(w, i->r[3]); \
    (void)x, (void)y, (void)z;
#define STORE_LANE(value) \
    { \
        const u32 v_ = (u32)(value); \
        d[l] = mask >> l & 1 ? v_ : d[l]; \
    }
#define SIMPLE(id, ...) \
    static HANDLER(id) \
    { \
        u32 *d = SLOT(w, i->r[0]); \
        SOURCES \
        if (mask == ALL_LANES) EACH_LANE \
            { \
                const u32 a = x[l], b = y[l], c = z[l]; \
                (void)a, (void)b, (void)c; \
                d[l] = (u32)(__VA_ARGS__); \
            } \
        else EACH_LANE \
            { \
                const u32 a = x[l], b = y[l], c = z[l]; \
                (void)a, (void)b, (void)c; \
                STORE_LANE(__VA_ARGS__) \
            } \
        return i + 1; \
    } \
    TWIN(id)

SIMPLE(m_mov, b)
SIMPLE(m_add3, a + b + c)
SIMPLE(m_add2, a + b)
SIMPLE(m_mad, a *b + c)
SIMPLE(m_and, a &b)
SIMPLE(m_or, a | b)
SIMPLE(m_xor, a ^ b)
SIMPLE(m_shl, b < 32 ? a << (b & 31) : 0)
SIMPLE(m_shr, b < 32 ? c >> (b & 31) : 0)
SIMPLE(m_sar, (u32)((int32_t)c >> (b < 31 ? b : 31)))
SIMPLE(m_abs, (int32_t)b < 0 ? 0 - b : b)
SIMPLE(m_popc, (u32)__builtin_popcount(b))

#define SIGNED(k, v) (((v) ^ minus[k]) - minus[k])
#define MODIFIED(id, ...) \
    static HANDLER(id) \
    { \
        const struct machine_op *m = i->machine; \
        const u32 minus[3] = {m->minus[0], m->minus[1], m->minus[2]}; \
        const uint32_t in = machine_predicate(w, m->in), shift = m->shift; \
        (void)in, (void)shift; \
        u32 *d = SLOT(w, i->r[0]); \
        SOURCES \
        EACH_LANE \
        { \
            const u32 a = x[l], b = y[l], c = z[l]; \
            (void)a, (void)b, (void)c; \
            STORE_LANE(__VA_ARGS__) \
        } \
        return i + 1; \
    } \
    TWIN(id)
MODIFIED(m_iadd3, SIGNED(0, a) + SIGNED(1, b) + SIGNED(2, c))
MODIFIED(m_imad, SIGNED(0, a) * b + SIGNED(2, c))
MODIFIED(m_imad_x, a *b + (c ^ minus[2]) + (in >> l & 1))
MODIFIED(m_lea, (SIGNED(0, a) << shift) + b)

static inline uint32_t by_table(uint32_t table, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (uint32_t k = 0; k < 8; k++)
        if (table >> k & 1) r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return r;
}
// Any function of three bits, from its table: first of a, then of b, then of c.
static HANDLER(m_lop3)
{
    const struct machine_op *m = i->machine;
    u32 *d = SLOT(w, i->r[0]);
    SOURCES
    uint32_t t[8], any = 0;
    for (int k = 0; k < 8; k++) t[k] = m->table >> k & 1 ? ~0u : 0;
    u32 result[LANES];
    EACH_LANE
    {
        const u32 a = x[l], b = y[l], c = z[l];
        const u32 n = (t[0] & ~c) | (t[1] & c), o = (t[2] & ~c) | (t[3] & c), p = (t[4] & ~c) | (t[5] & c),
                  q = (t[6] & ~c) | (t[7] & c), low = (n & ~b) | (o & b), high = (p & ~b) | (q & b);
        result[l] = (low & ~a) | (high & a);
    }
    EACH_LANE STORE_LANE(result[l]) if (!m->out) return i + 1;
    for (int l = 0; l < LANES; l++) any |= (uint32_t)(result[l] != 0) << l;
    const uint32_t in = machine_predicate(w, m->in);
    machine_set(w, m->out, mask, m->join ? any & in : any | in);
    return i + 1;
}
TWIN(m_lop3)

// Three terms, each of which may be negated; with carries in and out. Extended: negated is inverted, and carries come
// in.
static HANDLER(m_iadd3_carry)
{
    const struct machine_op *m = i->machine;
    u32 *d = SLOT(w, i->r[0]), sum[LANES], carries[LANES];
    SOURCES
    const uint32_t in = m->extended ? machine_predicate(w, m->in) : 0,
                   in2 = m->extended ? machine_predicate(w, m->in2) : 0;
    uint32_t out = 0, out2 = 0;
    const uint32_t ones = m->extended ? 0 : (m->minus[0] & 1) + (m->minus[1] & 1) + (m->minus[2] & 1);
    EACH_LANE
    {
        const u32 a = x[l] ^ m->minus[0], two = a + (y[l] ^ m->minus[1]), three = two + (z[l] ^ m->minus[2]);
        sum[l] = three + ones + (in >> l & 1) + (in2 >> l & 1);
        carries[l] = (u32)(two < a) + (u32)(three < two) + (u32)(sum[l] < three);
    }
    EACH_LANE STORE_LANE(sum[l]) EACH_LANE out |= (u32)(carries[l] >= 1) << l;
    EACH_LANE out2 |= (u32)(carries[l] >= 2) << l;
    machine_set(w, m->out, mask, out);
    machine_set(w, m->out2, mask, out2);
    return i + 1;
}
TWIN(m_iadd3_carry)

// a shifted left, and b: the lower half; or the upper half of c:a shifted left, and b.
static HANDLER(m_lea_carry)
{
    const struct machine_op *m = i->machine;
    u32 *d = SLOT(w, i->r[0]), sum[LANES], carries[LANES];
    SOURCES
    const uint32_t in = m->extended ? machine_predicate(w, m->in) : 0, n = m->shift;
    // Of the upper half the pair is what is negated; else it is inverted, and one is added: -0 carries.
    const uint32_t minus = m->minus[0] && !m->extended && m->high, inverts = minus ? 0 : m->minus[0];
    const uint32_t ones = m->extended ? 0 : (inverts & 1) + (m->minus[1] & 1);
    const uint32_t own = m->high && !m->is_signed ? ~0u : 0, sign = m->is_signed ? ~0u : 0;
    uint32_t out = 0;
    EACH_LANE
    {
        const u32 up = (z[l] & own) | ((u32)((int32_t)x[l] >> 31) & sign); // the upper half
        const u32 low = minus ? 0 - x[l] : x[l], high = minus ? ~up + (u32)(x[l] == 0) : up;
        const u32 shifted = m->high ? high << n | (n ? low >> (32 - n) : 0) : low << n;
        const u32 part = shifted ^ inverts, two = part + (y[l] ^ m->minus[1]);
        sum[l] = two + ones + (in >> l & 1);
        carries[l] = (u32)(two < part) | (u32)(sum[l] < two);
    }
    EACH_LANE STORE_LANE(sum[l]) EACH_LANE out |= carries[l] << l;
    machine_set(w, m->out, mask, out);
    return i + 1;
}
TWIN(m_lea_carry)

// 64 bits: the product of two registers and a third pair, in whole or its upper half.
#define PAIR(lo, hi) ((uint64_t)(hi) << 32 | (lo))
#define WIDE_PRODUCT(id, T, S) \
    static HANDLER(id) \
    { \
        u32 *d = SLOT(w, i->r[0]), *e = SLOT(w, HI(i->r[0])); \
        SOURCES const u32 *h = SLOT(w, i->r[4]); \
        u32 low[LANES], high[LANES]; \
        EACH_LANE \
        { \
            const uint64_t p = (uint64_t)((T)(S)x[l] * (T)(S)y[l]) + PAIR(z[l], h[l]); \
            low[l] = (u32)p, high[l] = (u32)(p >> 32); \
        } \
        EACH_LANE d[l] = mask >> l & 1 ? low[l] : d[l]; \
        EACH_LANE e[l] = mask >> l & 1 ? high[l] : e[l]; \
        return i + 1; \
    } \
    TWIN(id)
WIDE_PRODUCT(m_wide_u, uint64_t, uint32_t)
WIDE_PRODUCT(m_wide_s, int64_t, int32_t)

static HANDLER(m_wide_carry)
{
    const struct machine_op *m = i->machine;
    u32 *d = SLOT(w, i->r[0]), *e = SLOT(w, HI(i->r[0])), low[LANES], high[LANES], carries[LANES];
    SOURCES
    const u32 *h = SLOT(w, i->r[4]);
    const uint32_t in = m->extended ? machine_predicate(w, m->in) : 0;
    const uint64_t flip = m->minus[2] ? ~(uint64_t)0 : 0, add = m->extended ? 0 : m->minus[2] & 1;
    const u32 extended = m->is_signed ? ~0u : 0;
    uint32_t out = 0;
    EACH_LANE
    {
        // Signed: what each factor's sign takes away from the upper half.
        const u32 less = ((x[l] >> 31 ? y[l] : 0) + (y[l] >> 31 ? x[l] : 0)) & extended;
        const uint64_t p = (uint64_t)x[l] * y[l] - ((uint64_t)less << 32);
        const uint64_t c = PAIR(z[l], h[l]) ^ flip, sum = p + c, all = sum + add + (in >> l & 1);
        low[l] = (u32)all, high[l] = (u32)(all >> 32);
        carries[l] = (u32)(sum < p) | (u32)(all < sum);
    }
    const u32 *first = m->high ? high : low;
    EACH_LANE out |= carries[l] << l;
    EACH_LANE STORE_LANE(first[l]) if (!m->high) EACH_LANE e[l] = mask >> l & 1 ? high[l] : e[l];
    machine_set(w, m->out, mask, out);
    return i + 1;
}
TWIN(m_wide_carry)

// Of c:a, shifted: the lower half or the upper one.
static HANDLER(m_shf)
{
    const struct machine_op *m = i->machine;
    u32 *d = SLOT(w, i->r[0]);
    SOURCES
    const uint32_t bits = m->type < 2 ? 64 : 32, most = m->wraps ? bits - 1 : ~0u;
    const bool right = m->right, is_signed = m->is_signed, high = m->high;
    EACH_LANE
    {
        const uint64_t v = PAIR(x[l], z[l]), far = right && is_signed ? (uint64_t)((int64_t)v >> 63) : 0;
        const uint32_t asked = y[l] & most, n = asked < bits ? asked : bits;
        const uint64_t r = !right ? v << (n & 63) : is_signed ? (uint64_t)((int64_t)v >> (n & 63)) : v >> (n & 63);
        const uint64_t all = n > 63 ? far : r;
        STORE_LANE(high ? all >> 32 : all)
    }
    return i + 1;
}
TWIN(m_shf)

static HANDLER(m_sel)
{
    const struct machine_op *m = i->machine;
    u32 *d = SLOT(w, i->r[0]);
    SOURCES
    const uint32_t in = machine_predicate(w, m->in);
    EACH_LANE
    {
        const u32 a = (x[l] & m->keep[0]) ^ m->flip[0], b = (y[l] & m->keep[1]) ^ m->flip[1];
        STORE_LANE(in >> l & 1 ? a : b)
    }
    return i + 1;
}
TWIN(m_sel)

// Comparisons.
#define COMPARED(T, id, ...) \
    static uint32_t id(struct warp *w, const struct inst *i) \
    { \
        const T *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]); \
        uint32_t r = 0; \
        EACH_LANE \
        { \
            const T a = x[l], b = y[l]; \
            r |= (uint32_t)(__VA_ARGS__) << l; \
        } \
        return r; \
    }
#define COMPARISONS(T, type) \
    COMPARED(T, lt_##type, a < b) \
    COMPARED(T, le_##type, a <= b)
COMPARISONS(u32, u)
COMPARISONS(s32, s)
COMPARED(u32, eq_u, a == b)

// A float with what its operand asks for: `ftz`: what is small is zero.
struct modifier {
    u32 keep, flip;
    bool ftz;
};
static inline float as_float(struct modifier k, float v)
{
    const uint32_t u = (float_bits(v) & k.keep) ^ k.flip;
    return bits_float(k.ftz && !(u & 0x7f800000) ? u & 0x80000000 : u);
}
static inline double as_double(struct modifier k, u32 low, u32 high)
{
    return bits_double((uint64_t)((high & k.keep) ^ k.flip) << 32 | low);
}
static struct modifier modifier(const struct machine_op *m, int k)
{
    return (struct modifier){m->keep[k], m->flip[k], m->ftz};
}

// Below, equal, above, and no number: a bit of `compare` for each.
static uint32_t decide(uint32_t how, uint32_t less, uint32_t equal, uint32_t none)
{
    return (how & 1 ? less : 0) | (how & 2 ? equal : 0) | (how & 4 ? ~(less | equal | none) : 0) | (how & 8 ? none : 0);
}
#define REALS_COMPARED(id, T, A, B) \
    static uint32_t id(struct warp *w, const struct inst *i) \
    { \
        const struct modifier m0 = modifier(i->machine, 0), m1 = modifier(i->machine, 1); \
        const u32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]), *xh = x + LANES, *yh = y + LANES; \
        uint32_t less = 0, equal = 0, none = 0; \
        (void)xh, (void)yh; \
        EACH_LANE \
        { \
            const T a = A, b = B; \
            less |= (uint32_t)(a < b) << l; \
            equal |= (uint32_t)(a == b) << l; \
            none |= (uint32_t)((a != a) | (b != b)) << l; \
        } \
        return decide(i->machine->compare, less, equal, none); \
    }
REALS_COMPARED(compare_floats, float, as_float(m0, bits_float(x[l])), as_float(m1, bits_float(y[l])))
REALS_COMPARED(compare_doubles, double, as_double(m0, x[l], xh[l]), as_double(m1, y[l], yh[l]))

static uint32_t compare_numbers(struct warp *w, const struct inst *i)
{
    const struct machine_op *m = i->machine;
    const uint32_t how = m->compare & 7;
    if (how == MACHINE_F) return 0;
    if (how == MACHINE_NUM) return ALL_LANES;
    if (how == MACHINE_EQ || how == MACHINE_NE) return eq_u(w, i) ^ (how == MACHINE_NE ? ALL_LANES : 0);
    const bool less = how == MACHINE_LT || how == MACHINE_GE; // or not
    const uint32_t r = less ? m->is_signed ? lt_s(w, i) : lt_u(w, i) : m->is_signed ? le_s(w, i) : le_u(w, i);
    return how == MACHINE_GE || how == MACHINE_GT ? ~r : r;
}

static inline uint32_t join(const struct machine_op *m, uint32_t a, uint32_t b)
{
    return m->join == 0 ? a & b : m->join == 1 ? a | b : a ^ b;
}
static const struct inst *set_both(struct warp *w, const struct inst *i, uint32_t mask, uint32_t r)
{
    const struct machine_op *m = i->machine;
    const uint32_t in = machine_predicate(w, m->in);
    machine_set(w, m->out, mask, join(m, r, in));
    machine_set(w, m->out2, mask, join(m, ~r, in));
    return i + 1;
}

static HANDLER(m_isetp)
{
    const struct machine_op *m = i->machine;
    uint32_t r = compare_numbers(w, i);
    // Extended: the upper halves; where they are equal the lower ones have decided.
    if (m->extended) {
        const uint32_t same = eq_u(w, i);
        r = (r & ~same) | (machine_predicate(w, m->in2) & same);
    }
    return set_both(w, i, mask, r);
}
TWIN(m_isetp)

static HANDLER(m_fsetp) { return set_both(w, i, mask, compare_floats(w, i)); }
// Of doubles these two ask which is the smaller, or the larger (a number where the other is none), and whether none is
// a number. -0 is below 0.
enum { DOUBLES_MIN = MACHINE_F, DOUBLES_MAX = MACHINE_T };
static const struct inst *extreme_doubles(struct warp *w, const struct inst *i, uint32_t mask)
{
    const struct machine_op *m = i->machine;
    const struct modifier m0 = modifier(m, 0), m1 = modifier(m, 1);
    const u32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]);
    uint32_t first = 0, none = 0;
    for (int l = 0; l < LANES; l++) {
        const double a = as_double(m0, x[l], x[l + LANES]), b = as_double(m1, y[l], y[l + LANES]);
        const bool below = a < b || (a == b && signbit(a)), above = a > b || (a == b && !signbit(a));
        first |= (uint32_t)((m->compare == DOUBLES_MAX ? above : below) || (isnan(b) && !isnan(a))) << l;
        none |= (uint32_t)(isnan(a) && isnan(b)) << l;
    }
    machine_set(w, m->out, mask, first);
    machine_set(w, m->out2, mask, none);
    return i + 1;
}
static HANDLER(m_dsetp)
{
    const uint8_t how = i->machine->compare;
    if (how == DOUBLES_MIN || how == DOUBLES_MAX) return extreme_doubles(w, i, mask);
    return set_both(w, i, mask, compare_doubles(w, i));
}

static HANDLER(m_fset)
{
    const struct machine_op *m = i->machine;
    u32 *d = SLOT(w, i->r[0]);
    const uint32_t r = join(m, compare_floats(w, i), machine_predicate(w, m->in)), one = m->set_one ? 0x3f800000 : ~0u;
    EACH_LANE STORE_LANE(r >> l & 1 ? one : 0) return i + 1;
}

// Floats: the plain ones, then with signs, and with what is small taken as zero or cut to 0 to 1.
#define FLOATS(id, VALUE) \
    static HANDLER(id) \
    { \
        f32 *d = SLOT(w, i->r[0]); \
        const f32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]), *z = SLOT(w, i->r[3]); \
        (void)z; \
        if (mask == ALL_LANES) EACH_LANE \
            { \
                const f32 a = x[l], b = y[l], c = z[l]; \
                (void)c; \
                d[l] = VALUE; \
            } \
        else EACH_LANE \
            { \
                const f32 a = x[l], b = y[l], c = z[l], v = VALUE; \
                (void)c; \
                d[l] = mask >> l & 1 ? v : d[l]; \
            } \
        return i + 1; \
    } \
    static HANDLER(id##_full) \
    { \
        const struct machine_op *m = i->machine; \
        const struct modifier m0 = modifier(m, 0), m1 = modifier(m, 1), m2 = modifier(m, 2); \
        f32 *d = SLOT(w, i->r[0]); \
        const f32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]), *z = SLOT(w, i->r[3]); \
        const bool sat = m->sat, ftz = m->ftz; \
        EACH_LANE \
        { \
            const f32 a = as_float(m0, x[l]), b = as_float(m1, y[l]), c = as_float(m2, z[l]); \
            (void)c; \
            f32 v = VALUE; \
            if (sat) v = v > 0 ? v < 1 ? v : 1 : 0; \
            if (ftz && !(float_bits(v) & 0x7f800000)) v = bits_float(float_bits(v) & 0x80000000); \
            d[l] = mask >> l & 1 ? v : d[l]; \
        } \
        return i + 1; \
    }
FLOATS(m_fadd, a + b)
FLOATS(m_fmul, a *b)
FLOATS(m_ffma, __builtin_fmaf(a, b, c))

#define DOUBLES(id, VALUE) \
    static HANDLER(id) \
    { \
        const struct modifier m0 = modifier(i->machine, 0), m1 = modifier(i->machine, 1), \
                              m2 = modifier(i->machine, 2); \
        u32 *d = SLOT(w, i->r[0]), *e = SLOT(w, HI(i->r[0])), low[LANES], high[LANES]; \
        SOURCES const u32 *xh = x + LANES, *yh = y + LANES, *zh = z + LANES; \
        const int mode = i->machine->mode; \
        if (mode) round_by(mode); \
        EACH_LANE \
        { \
            const double a = as_double(m0, x[l], xh[l]), b = as_double(m1, y[l], yh[l]), \
                         c = as_double(m2, z[l], zh[l]); \
            (void)c; \
            const uint64_t v = double_bits(VALUE); \
            low[l] = (u32)v, high[l] = (u32)(v >> 32); \
        } \
        EACH_LANE d[l] = mask >> l & 1 ? low[l] : d[l]; \
        EACH_LANE e[l] = mask >> l & 1 ? high[l] : e[l]; \
        if (mode) round_by(FE_TONEAREST); \
        return i + 1; \
    }
DOUBLES(m_dadd, a + b)
DOUBLES(m_dmul, a *b)
DOUBLES(m_dfma, __builtin_fma(a, b, c))

// The same for one operand, without flushing.
#define FUNCTION(id, D, FETCH, ...) \
    static HANDLER(id) \
    { \
        const struct machine_op *m = i->machine; \
        D *d = SLOT(w, i->r[0]); \
        const u32 *y = SLOT(w, i->r[2]); \
        if (m->mode) round_by(m->mode); \
        EACH_LANE \
        { \
            FETCH; \
            const D v = __VA_ARGS__; \
            d[l] = mask >> l & 1 ? v : d[l]; \
        } \
        if (m->mode) round_by(FE_TONEAREST); \
        return i + 1; \
    }
#define FLOAT_IN const f32 b = bits_float((y[l] & m->keep[1]) ^ m->flip[1])
FUNCTION(m_rcp, f32, FLOAT_IN, 1 / b)
FUNCTION(m_rsq, f32, FLOAT_IN, (f32)(1 / sqrt((double)b)))
FUNCTION(m_to_s32, s32, FLOAT_IN, b != b ? 0 : b >= 0x1p31f ? INT32_MAX : b < -0x1p31f ? INT32_MIN : (int32_t)b)
FUNCTION(m_near_s32, s32, FLOAT_IN,
    b != b             ? 0
        : b >= 0x1p31f ? INT32_MAX
        : b < -0x1p31f ? INT32_MIN
                       : (int32_t)__builtin_rintf(b))
FUNCTION(m_to_u32, u32, FLOAT_IN, b != b || b <= 0 ? 0 : b >= 0x1p32f ? UINT32_MAX : (uint32_t)b)
FUNCTION(m_from_s32, f32, const s32 b = (s32)y[l], (f32)b)
FUNCTION(m_from_u32, f32, const u32 b = y[l], (f32)b)

static HANDLER(m_fmnmx)
{
    const struct machine_op *m = i->machine;
    u32 *d = SLOT(w, i->r[0]);
    const f32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]);
    const struct modifier m0 = modifier(m, 0), m1 = modifier(m, 1);
    const uint32_t least = machine_predicate(w, m->in);
    for (int l = 0; l < LANES; l++) {
        const float a = as_float(m0, x[l]), b = as_float(m1, y[l]);
        const bool below = a < b || (a == b && signbit(a));
        const bool take_a = least >> l & 1 ? below || b != b : (!below && a == a) || b != b;
        uint32_t r = float_bits(take_a ? a : b);
        if ((a != a && b != b) || (m->nan && (a != a || b != b))) r = 0x7fffffff;
        if (m->xorsign && r != 0x7fffffff) r = (r & 0x7fffffff) | ((float_bits(x[l]) ^ float_bits(y[l])) & 0x80000000);
        if (mask >> l & 1) d[l] = r;
    }
    return i + 1;
}

// What has no loop of its own: lane by lane. Results of 64 bits go to two registers. The mode of rounding is changed
// around the calls, which the compiler cannot look into.
_Static_assert(FE_TONEAREST == 0, "a machine_op without a mode rounds to the nearest");
static HANDLER(m_lane)
{
    const struct machine_op *m = i->machine;
    u32 *d = SLOT(w, i->r[0]);
    SOURCES
    if (m->mode) round_by(m->mode);
    for (uint32_t k = mask; k; k &= k - 1) {
        const int l = __builtin_ctz(k);
        d[l] = (u32)m->lane(m, x[l], y[l], z[l]);
    }
    if (m->mode) round_by(FE_TONEAREST);
    return i + 1;
}
TWIN(m_lane)

// Each operand is a pair, or a register; and so is the result: `elem` says which, a bit each.
static HANDLER(m_lane_wide)
{
    const struct machine_op *m = i->machine;
    u32 *d = SLOT(w, i->r[0]), *e = SLOT(w, HI(i->r[0]));
    SOURCES
    const u32 *xh = SLOT(w, HI(i->r[1])), *yh = SLOT(w, HI(i->r[2])), *zh = SLOT(w, HI(i->r[3]));
    if (m->mode) round_by(m->mode);
    for (uint32_t k = mask; k; k &= k - 1) {
        const int l = __builtin_ctz(k);
        const uint64_t r = m->wide(m, i->elem & 2 ? PAIR(x[l], xh[l]) : x[l], i->elem & 4 ? PAIR(y[l], yh[l]) : y[l],
            i->elem & 8 ? PAIR(z[l], zh[l]) : z[l]);
        d[l] = (u32)r;
        if (i->elem & 1) e[l] = (u32)(r >> 32);
    }
    if (m->mode) round_by(FE_TONEAREST);
    return i + 1;
}
TWIN(m_lane_wide)

// Whether a division wants the slow way: the exponents are far apart, or at an end.
static HANDLER(m_fchk)
{
    const u32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]);
    uint32_t r = 0;
    EACH_LANE
    {
        const int a = (int)(x[l] >> 23 & 255), b = (int)(y[l] >> 23 & 255);
        r |= (uint32_t)((b == 0) | (b >= 253) | (a == 255) | (a - b >= 126) | (a - b <= -125) | (a <= 24)) << l;
    }
    machine_set(w, i->machine->out, mask, r);
    return i + 1;
}

// A predicate from a lane's operands, lane by lane.
static HANDLER(m_lane_sets)
{
    const struct machine_op *m = i->machine;
    SOURCES
    const u32 *xh = SLOT(w, HI(i->r[1])), *yh = SLOT(w, HI(i->r[2]));
    uint32_t r = 0;
    for (uint32_t k = mask; k; k &= k - 1) {
        const int l = __builtin_ctz(k);
        const uint64_t v =
            m->wide(m, i->elem & 2 ? PAIR(x[l], xh[l]) : x[l], i->elem & 4 ? PAIR(y[l], yh[l]) : y[l], 0);
        r |= (uint32_t)(v != 0) << l;
    }
    return set_both(w, i, mask, r);
}

// Two registers as 64-bit lanes, for what takes an address.
static HANDLER(m_pair)
{
    u64 *d = SLOT(w, i->r[0]);
    const u32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]);
    (void)mask;
    EACH_LANE d[l] = (u64)y[l] << 32 | x[l];
    return i + 1;
}
// ... and the number in r[3], of 64 bits where `elem` says so, is added.
static HANDLER(m_pair_add)
{
    u64 *d = SLOT(w, i->r[0]);
    SOURCES
    const u32 *h = SLOT(w, i->elem ? HI(i->r[3]) : i->r[3]);
    (void)mask;
    EACH_LANE d[l] = ((u64)y[l] << 32 | x[l]) + (i->elem ? (u64)h[l] << 32 | z[l] : z[l]);
    return i + 1;
}
static HANDLER(m_unpair)
{
    u32 *d = SLOT(w, i->r[0]), *e = SLOT(w, HI(i->r[0]));
    const u64 *x = SLOT(w, i->r[1]);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = (u32)x[l], e[l] = (u32)(x[l] >> 32);
    return i + 1;
}

// An address of shared memory that says whose it is, as the core has them: from 1 on.
static HANDLER(m_resident)
{
    u64 *d = SLOT(w, i->r[0]);
    const u64 *x = SLOT(w, i->r[1]);
    (void)mask;
    EACH_LANE d[l] = x[l] + (x[l] >> WINDOW_SHIFT == 1 ? 1u << RESIDENT_SHIFT : 0);
    return i + 1;
}

static HANDLER(m_equal)
{
    u32 *d = SLOT(w, i->r[0]);
    const u32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]);
    EACH_LANE d[l] = mask >> l & 1 ? x[l] == y[l] : d[l];
    return i + 1;
}

static HANDLER(m_equal_wide) // 1 or 0 in two registers
{
    u32 *d = SLOT(w, i->r[0]), *e = SLOT(w, HI(i->r[0]));
    const u64 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = x[l] == y[l], e[l] = 0;
    return i + 1;
}

// Which of the addresses are in a window.
static HANDLER(m_window)
{
    const u64 *x = SLOT(w, i->r[1]);
    uint32_t r = 0;
    for (int l = 0; l < LANES; l++) r |= (uint32_t)(x[l] >> WINDOW_SHIFT << WINDOW_SHIFT == (uint64_t)i->offset) << l;
    machine_set(w, i->machine->out, mask, r);
    return i + 1;
}

// Predicates: three, by a table, into one; and by another into a second.
static HANDLER(m_plop3)
{
    const struct machine_op *m = i->machine;
    const uint32_t a = machine_predicate(w, i->r[1]), b = machine_predicate(w, i->r[2]),
                   c = machine_predicate(w, i->r[3]);
    const uint32_t first = by_table(m->table, a, b, c), second = by_table(m->shift, a, b, c);
    machine_set(w, m->out, mask, first);
    machine_set(w, m->out2, mask, second);
    return i + 1;
}
TWIN(m_plop3)

// ... and of the signs of three registers.
static HANDLER(m_signs)
{
    uint32_t of[3] = {0};
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < LANES; l++) of[k] |= ((const u32 *)SLOT(w, i->r[k + 1]))[l] >> 31 << l;
    machine_set(w, i->machine->out, mask, by_table(i->machine->table, of[0], of[1], of[2]));
    return i + 1;
}

#define ROW(name) \
    { \
#name, NULL, name \
    }
#define ROWS(name) \
    ROW(name), { #name ".all", NULL, name##_all }
const struct op VARIANT(ops_machine)[] = {ROWS(m_mov), ROWS(m_add3), ROWS(m_add2), ROWS(m_mad), ROWS(m_and), ROWS(m_or),
    ROWS(m_xor), ROWS(m_shl), ROWS(m_shr), ROWS(m_sar), ROWS(m_abs), ROWS(m_popc), ROWS(m_iadd3), ROWS(m_imad),
    ROWS(m_imad_x), ROWS(m_lea), ROWS(m_lop3), ROWS(m_iadd3_carry), ROWS(m_lea_carry), ROWS(m_wide_u), ROWS(m_wide_s),
    ROWS(m_wide_carry), ROWS(m_shf), ROWS(m_sel), ROWS(m_isetp), ROW(m_fsetp), ROW(m_dsetp), ROW(m_dadd), ROW(m_dmul),
    ROW(m_dfma), ROW(m_fset), ROW(m_fadd), ROW(m_fmul), ROW(m_ffma), ROW(m_rcp), ROW(m_rsq), ROW(m_to_s32),
    ROW(m_near_s32), ROW(m_to_u32), ROW(m_from_s32), ROW(m_from_u32), ROW(m_fadd_full), ROW(m_fmul_full),
    ROW(m_ffma_full), ROW(m_fmnmx), ROWS(m_lane), ROWS(m_lane_wide), ROW(m_lane_sets), ROW(m_fchk), ROW(m_pair),
    ROW(m_pair_add), ROW(m_unpair), ROW(m_resident), ROW(m_equal), ROW(m_equal_wide), ROW(m_window), ROWS(m_plop3),
    ROW(m_signs), {NULL, NULL, NULL}};
