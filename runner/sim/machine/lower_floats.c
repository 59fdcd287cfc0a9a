// Floats of 16, 32 and 64 bits, and conversions.
// SPDX-License-Identifier: MIT
#include "sim/machine/lower.h"
#include "sim/ops/convert.h"
#include "sim/ops/half.h"
#include "sim/ops/tables.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

enum { RN, RM, RP, RZ };
static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

static void signs(struct machine_op *m, int k, const struct sass_operand *o)
{
    if (o->from == SASS_NUMBER) return;
    m->keep[k] = o->abs ? 0x7fffffff : ~0u, m->flip[k] = o->neg ? 0x80000000 : 0;
}

static const struct sass_operand *second(const struct sass_inst *in, bool far)
{
    return in->form == 1 ? far ? &in->c : &in->b : in->form >= 4 && in->form <= 6 ? &in->b : &in->c;
}

static struct machine_op *three(struct lower *l, const char *op, const struct sass_operand *b,
    const struct sass_operand *c)
{
    const struct sass_inst *in = l->in;
    struct inst *i = lower_put(l, op, lower_register(l, in->dst, false), lower_source(l, &in->a), lower_source(l, b),
        c ? lower_source(l, c) : l->zero);
    struct machine_op *m = lower_machine(l, i);
    signs(m, 0, &in->a), signs(m, 1, b);
    if (c) signs(m, 2, c);
    return m;
}

static float flushed(const struct machine_op *m, int k, uint32_t u)
{
    u = (u & m->keep[k]) ^ m->flip[k];
    return bits_float(m->ftz && !(u & 0x7f800000) ? u & 0x80000000 : u);
}
static uint64_t rounded(const struct machine_op *m, uint32_t x, uint32_t y, uint32_t z)
{
    const float a = flushed(m, 0, x), b = flushed(m, 1, y), c = flushed(m, 2, z);
    float v = m->type == 0 ? a + b : m->type == 1 ? a * b : fmaf(a, b, c);
    if (m->sat) v = v > 0 ? v < 1 ? v : 1 : 0;
    const uint32_t r = float_bits(v);
    return m->ftz && !(r & 0x7f800000) ? r & 0x80000000 : r;
}

static void arithmetic(struct lower *l, const char *plain, const char *full, int type)
{
    const struct sass_inst *in = l->in;
    const struct sass_operand *b = type == 2 ? &in->b : second(in, false), *c = type == 2 ? &in->c : NULL;
    const uint8_t round = (uint8_t)sass_bits(in, 78, 2);
    const bool ftz = sass_bit(in, 80), sat = sass_bit(in, 77);
    const size_t at = l->count;
    struct machine_op *m = three(l, round ? "m_lane" : full, b, c);
    if (type == 1 && sass_bits(in, 84, 3) != 4) lower_fail(l, "FMUL with a power of two");
    m->round = round, m->ftz = ftz, m->sat = sat, m->type = (uint8_t)type, m->lane = rounded;
    m->mode = modes[round];
    bool bare = !round && !ftz && !sat;
    for (int k = 0; k < 3; k++) bare &= m->keep[k] == ~0u && !m->flip[k];
    if (!bare || l->failed) return;
    const struct inst was = l->insts[at]; // nothing else to do: the quick way
    l->count = at;
    struct inst *i = lower_put(l, plain, was.r[0], was.r[1], was.r[2], was.r[3]);
    (void)i;
}

static void compare(struct lower *l, const char *op)
{
    const struct sass_inst *in = l->in;
    struct machine_op *m = three(l, op, second(in, false), NULL);
    m->compare = (uint8_t)sass_bits(in, 76, 4), m->join = (uint8_t)sass_bits(in, 74, 2), m->ftz = sass_bit(in, 80);
    m->in = lower_predicate(l, 87, 90, false);
    if (in->op == SASS_FSETP) m->out = lower_result(l, 81, false), m->out2 = lower_result(l, 84, false);
    else m->set_one = in->form != 1 || true;
}

static uint64_t special(const struct machine_op *m, uint32_t a, uint32_t b, uint32_t c)
{
    (void)a, (void)c;
    const float x = flushed(m, 1, b);
    switch (m->type) {
    case 0: return float_bits(cosf(x));
    case 1: return float_bits(sinf(x));
    case 2: return float_bits(exp2f(x));
    case 3: return float_bits(log2f(x));
    case 6: return double_bits(1 / bits_double((uint64_t)b << 32)) >> 32;
    case 7: return double_bits(1 / sqrt(bits_double((uint64_t)b << 32))) >> 32;
    case 8: return float_bits(sqrtf(x));
    default: return float_bits(tanhf(x));
    }
}

// Doubles: the upper halves have the signs.
static double real(const struct machine_op *m, int k, uint64_t v)
{
    return bits_double((v & ((uint64_t)m->keep[k] << 32 | 0xffffffff)) ^ (uint64_t)m->flip[k] << 32);
}
static bool holds(const struct machine_op *m, double a, double b) // a bit each: below, equal, above, no number
{
    return m->compare >> (a < b ? 0 : a == b ? 1 : a > b ? 2 : 3) & 1;
}
static void wide(struct lower *l, const char *op, const struct sass_operand *b, const struct sass_operand *c)
{
    const struct sass_inst *in = l->in;
    const bool sets = in->op == SASS_DSETP;
    struct inst *i = lower_put(l, op, sets ? l->trash : lower_register(l, in->dst, false), lower_pair(l, &in->a, true),
        lower_pair(l, b, true), c ? lower_pair(l, c, true) : l->zero);
    struct machine_op *m = lower_machine(l, i);
    signs(m, 0, &in->a), signs(m, 1, b);
    if (c) signs(m, 2, c);
    if (!sets) m->mode = modes[sass_bits(in, 78, 2)];
    else {
        m->compare = (uint8_t)sass_bits(in, 76, 4), m->join = (uint8_t)sass_bits(in, 74, 2);
        m->in = lower_predicate(l, 87, 90, false);
        m->out = lower_result(l, 81, false), m->out2 = lower_result(l, 84, false);
    }
}

// Conversions. Sizes are 1, 2, 3: 16, 32, 64 bits; of whole numbers 0 too: 8.
static double round_to_whole(double v, int mode)
{
    return mode == RM ? floor(v) : mode == RP ? ceil(v) : mode == RZ ? trunc(v) : nearbyint(v);
}
static double float_in(const struct machine_op *m, uint64_t b)
{
    if (m->from == 3) return real(m, 1, b);
    if (m->from == 1) {
        const float h = half_to_float((uint32_t)b & 0xffff);
        return (double)bits_float((float_bits(h) & m->keep[1]) ^ m->flip[1]);
    }
    return (double)flushed(m, 1, (uint32_t)b);
}
static uint64_t float_out(const struct machine_op *m, double v)
{
    switch (m->to) {
    case 1: return double_to_half(v);
    case 3: return double_bits(v);
    case 4: return float_to_bf16((float)v);
    default: return float_bits((float)v);
    }
}
static uint64_t whole_from_float(const struct machine_op *m, uint64_t a, uint64_t b, uint64_t c)
{
    (void)a, (void)c;
    const int bits = 8 << m->to;
    const double v = float_in(m, b), half = (double)((uint64_t)1 << (bits - 1)), most = m->is_signed ? half : 2 * half,
                 least = m->is_signed ? -half : 0;
    if (v != v) return m->from == 3 || m->to == 3 ? m->to == 3 ? (uint64_t)1 << 63 : 0x80000000 : 0;
    const double w = round_to_whole(v, m->round);
    const uint64_t all = bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
    if (w >= most) return m->is_signed ? all >> 1 : all;
    if (w <= least) return m->is_signed ? (all >> 1) + 1 : 0;
    return m->is_signed ? (uint64_t)(int64_t)w : (uint64_t)w;
}
static uint64_t float_from_whole(const struct machine_op *m, uint64_t a, uint64_t b, uint64_t c)
{
    (void)a, (void)c;
    if (m->from == 0) b = b >> 8 * m->shift & 0xff;
    if (m->from == 1) b = b >> 16 * m->shift & 0xffff;
    const int unused = 64 - (8 << m->from);
    const int64_t s = (int64_t)(b << unused) >> unused;
    const uint64_t u = b << unused >> unused;
    if (m->to == 2) return float_bits(m->is_signed ? (float)s : (float)u);
    const double d = m->is_signed ? (double)s : (double)u;
    return m->to == 3 ? double_bits(d) : float_out(m, d);
}
static uint64_t float_from_float(const struct machine_op *m, uint64_t a, uint64_t b, uint64_t c)
{
    return (void)a, (void)c, float_out(m, float_in(m, b));
}
static uint64_t float_made_whole(const struct machine_op *m, uint64_t a, uint64_t b, uint64_t c)
{
    (void)a, (void)c;
    return float_out(m, round_to_whole(float_in(m, b), m->round));
}

static bool convert(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const bool from_whole = in->op == SASS_I2F || in->op == SASS_I2F_64 || in->op == SASS_I2FP;
    const bool to_whole = in->op == SASS_F2I || in->op == SASS_F2I_64;
    const uint8_t from = in->op == SASS_I2FP ? 2 : (uint8_t)sass_bits(in, 84, 2);
    const uint8_t to = in->op == SASS_I2FP ? 2 : (uint8_t)sass_bits(in, 75, from_whole ? 3 : 2);
    if (!from_whole && (from == 0 || to == 0)) return lower_fail(l, "a conversion of 8 bits, or of bf16");
    struct inst *i = lower_put(l, "m_lane_wide", lower_register(l, in->dst, false), l->zero,
        from == 3 ? lower_pair(l, &in->b, true) : lower_source(l, &in->b), l->zero);
    i->elem = (uint8_t)((to == 3) | (from == 3 ? 4 : 0));
    struct machine_op *m = lower_machine(l, i);
    signs(m, 1, &in->b);
    m->from = from, m->to = to, m->round = (uint8_t)sass_bits(in, 78, 2);
    m->ftz = !from_whole && sass_bit(in, 80);
    m->is_signed = sass_bit(in, from_whole ? 74 : 72);
    m->shift = from_whole && in->b.from == SASS_REGISTER ? (uint8_t)sass_bits(in, 60, 2) : 0;
    if (from_whole) memset(m->keep, 0xff, sizeof m->keep), memset(m->flip, 0, sizeof m->flip);
    if (from_whole && (in->b.neg || in->b.abs)) lower_fail(l, "I2F of a negated number");
    m->wide = from_whole                                ? float_from_whole
        : to_whole                                      ? whole_from_float
        : in->op == SASS_FRND || in->op == SASS_FRND_64 ? float_made_whole
                                                        : float_from_float;
    const bool words = from == 2 && to == 2;
    const char *quick = words && m->wide == whole_from_float && m->round == RZ ? m->is_signed ? "m_to_s32" : "m_to_u32"
        : words && m->wide == whole_from_float && m->round == RN && m->is_signed ? "m_near_s32"
        : words && m->wide == float_from_whole ? m->is_signed ? "m_from_s32" : "m_from_u32"
                                               : NULL;
    if (quick) i->run = variant_op(l->module->sim->exec, quick)->run;
    // What is made whole already knows how; halves are always the nearest.
    if (m->wide == float_from_whole || m->wide == float_from_float) m->mode = to > 1 && to < 4 ? modes[m->round] : 0;
    return true;
}

// Two floats to a pair of 16 bits.
static uint64_t pack(const struct machine_op *m, uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    const float x = flushed(m, 0, a), y = flushed(m, 1, b);
    return m->bf16 ? float_to_bf16(x) << 16 | float_to_bf16(y) : float_to_half(x) << 16 | float_to_half(y);
}

// Halves: which of the two each side takes.
static float half_of(const struct machine_op *m, int k, uint32_t v, int side)
{
    const uint32_t h = m->select[k] == 2 ? v & 0xffff : m->select[k] == 3 ? v >> 16 : v >> 16 * side & 0xffff;
    const float f = m->select[k] == 1 ? bits_float(v) : m->bf16 ? bf16_to_float(h) : half_to_float(h);
    return bits_float((float_bits(f) & m->keep[k]) ^ m->flip[k]);
}
static uint64_t halves(const struct machine_op *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (int side = 0; side < 2; side++) {
        const float x = half_of(m, 0, a, side), y = half_of(m, 1, b, side), z = half_of(m, 2, c, side);
        double v = m->type == 0 ? (double)x + (double)y : m->type == 1 ? (double)x * (double)y : half_fused(x, y, z);
        if (m->sat) v = v > 0 ? v < 1 ? v : 1 : 0;
        if (m->f32) return float_bits((float)v);
        if (m->relu) v = v > 0 ? v : v != v ? v : 0;
        r |= (m->bf16 ? half_narrow(v, 8, 7, HALF_RN) : double_to_half(v)) << 16 * side;
    }
    return r;
}

// To and from the small formats. What is not known of a form stands in bits that the table has not.
static bool small_floats(struct lower *l)
{
    enum { F16_TO, BF16_TO, ALONE, HALVES, BACK };
    static const struct {
        uint32_t bits; // from 72 on, less those of `relu` and of rounding
        uint8_t to, how;
        bool finite;
    } forms[] = {{1 << 4 | 1 << 6 | 1 << 14 | 1 << 17, NARROW_TF32, ALONE, false},
        {1 << 5 | 1 << 6, NARROW_F16, ALONE, true}, {1 << 4 | 1 << 5 | 1 << 6, NARROW_BF16, ALONE, true},
        {1 << 2 | 1 << 17, NARROW_E5M2, BACK, false}, {1 << 1 | 1 << 2 | 1 << 17, NARROW_E4M3, BACK, false},
        {1 << 1 | 1 << 5 | 1 << 15 | 1 << 18, NARROW_E5M2, HALVES, true},
        {1 << 1 | 1 << 4 | 1 << 5 | 1 << 15 | 1 << 18, NARROW_E4M3, HALVES, true},
        {1 << 5 | 1 << 6 | 1 << 15 | 1 << 18, NARROW_E5M2, F16_TO, true},
        {1 << 4 | 1 << 5 | 1 << 6 | 1 << 15 | 1 << 18, NARROW_E4M3, F16_TO, true}, {0, NARROW_F16, F16_TO, false},
        {1 << 4, NARROW_BF16, BF16_TO, false}};
    static const char *const ops[] = {
        "narrow.floats", "narrow.floats", "narrow.floats", "narrow.halves", "narrow.back"};
    enum { RELU = 1 << 3, ROUND = 3 << 7 };
    const struct sass_inst *in = l->in;
    const uint32_t bits = (uint32_t)sass_bits(in, 72, 19);
    if (in->c.from != SASS_REGISTER || in->c.reg != SASS_RZ) return lower_fail(l, "a form of F2FP");
    if (!(bits & ~(1u << 4))) { // the usual one, which may have signs
        struct machine_op *m = three(l, "m_lane", &in->b, NULL);
        return m->lane = pack, m->bf16 = sass_bit(in, 76), true;
    }
    const uint32_t round = (bits & ROUND) >> 7;
    for (size_t n = 0; n < sizeof forms / sizeof *forms; n++) {
        if (forms[n].bits != (bits & ~(uint32_t)(RELU | ROUND)) || (round != RN && round != RZ)) continue;
        const bool pair = forms[n].how <= BF16_TO;
        if ((pair && (in->a.neg || in->a.abs)) || in->b.neg || in->b.abs) break;
        const uint32_t a = lower_source(l, &in->a), b = lower_source(l, &in->b);
        const int flags =
            (round == RZ ? NARROW_RZ : 0) | (bits & RELU ? NARROW_RELU : 0) | (forms[n].finite ? NARROW_FINITE : 0);
        lower_put(l, ops[forms[n].how], lower_register(l, in->dst, false), pair ? a : b, pair ? b : 0, 0)->offset =
            NARROW_PACK(forms[n].to, flags);
        return true;
    }
    return lower_fail(l, "a form of F2FP");
}

// The least or the greatest of two, or of three; what is not a number gives way, or decides.
static uint32_t half_extreme(const struct machine_op *m, uint32_t a, uint32_t b, float x, float y)
{
    if (x != x && y != y) return 0x7fff;
    if (m->nan && (x != x || y != y)) return 0x7fff;
    const bool below = x < y || (x == y && signbit(x));
    const bool take = y != y || (x == x && below == m->right);
    const float r = take ? x : y;
    const uint32_t bits = m->bf16 ? float_to_bf16(r) : float_to_half(r);
    return m->xorsign ? (bits & 0x7fff) | ((a ^ b) & 0x8000) : bits;
}
static uint64_t halves_extreme(const struct machine_op *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (int side = 0; side < 2; side++) {
        const float x = half_of(m, 0, a, side), y = half_of(m, 1, b, side), z = half_of(m, 2, c, side);
        uint32_t h = half_extreme(m, a >> 16 * side, b >> 16 * side, x, y);
        if (m->high) h = half_extreme(m, 0, 0, m->bf16 ? bf16_to_float(h) : half_to_float(h), z);
        r |= h << 16 * side;
    }
    return r;
}
static bool half_extremes(struct lower *l)
{
    enum { SELECT = 3 << 2 | 3, NAN_BIT = 1 << 9, XORSIGN = 1 << 10, BF16 = 1 << 13 };
    const struct sass_inst *in = l->in;
    const bool three_of = in->op == SASS_VHMNMX;
    const uint32_t bits = (uint32_t)sass_bits(in, 72, 15);
    if (sass_bits(in, 87, 3) != SASS_PT || (bits & ~(uint32_t)(SELECT | NAN_BIT | XORSIGN | BF16)) ||
        (three_of && (bits & (NAN_BIT | XORSIGN))))
        return lower_fail(l, "a form of HMNMX2");
    const struct sass_operand *b = three_of ? &in->b : second(in, false);
    struct machine_op *m = three(l, "m_lane", b, three_of ? &in->c : NULL);
    m->lane = halves_extreme, m->right = !sass_bit(in, 90), m->high = three_of;
    m->nan = bits & NAN_BIT, m->xorsign = bits & XORSIGN, m->bf16 = bits & BF16;
    m->select[0] = (uint8_t)sass_bits(in, 74, 2);
    m->select[1] = b->from == SASS_NUMBER ? 0 : (uint8_t)sass_bits(in, 60, 2);
    if (three_of) m->keep[2] = ~0u, m->flip[2] = 0;
    return true;
}

// Comparisons of halves: a predicate for each side, or a pair of results.
static uint64_t half_holds(const struct machine_op *m, uint64_t a, uint64_t b, uint64_t c)
{
    (void)c;
    return holds(m, (double)half_of(m, 0, (uint32_t)a, m->shift), (double)half_of(m, 1, (uint32_t)b, m->shift));
}
static uint64_t half_set(const struct machine_op *m, uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    uint32_t r = 0;
    for (int side = 0; side < 2; side++)
        if (holds(m, (double)half_of(m, 0, a, side), (double)half_of(m, 1, b, side)))
            r |= (!m->set_one ? 0xffffu : m->bf16 ? 0x3f80u : 0x3c00u) << 16 * side;
    return r;
}
static bool half_compare(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const struct sass_operand *b = second(in, false);
    const bool sets = in->op == SASS_HSETP2;
    if (sass_bits(in, 64, 7) & ~2u || (sets && sass_bit(in, 71)) || sass_bit(in, 80) || sass_bits(in, 87, 4) != SASS_PT)
        return lower_fail(l, "a comparison of halves");
    for (int side = 0; side < (sets ? 2 : 1); side++) {
        struct machine_op *m = three(l, sets ? "m_lane_sets" : "m_lane", b, NULL);
        if (sets) l->insts[l->count - 1].r[0] = l->trash;
        m->lane = half_set, m->wide = half_holds, m->shift = (uint8_t)side, m->compare = (uint8_t)sass_bits(in, 76, 4);
        m->bf16 = sass_bit(in, 65), m->set_one = sass_bit(in, 71);
        m->select[0] = (uint8_t)sass_bits(in, 74, 2);
        m->select[1] = b->from == SASS_NUMBER ? 0 : (uint8_t)sass_bits(in, 60, 2);
        if (sets) m->out = lower_result(l, side ? 84 : 81, false);
    }
    return true;
}

static bool half_arithmetic(struct lower *l, int type)
{
    const struct sass_inst *in = l->in;
    const struct sass_operand *b = type == 2 ? &in->b : second(in, false), *c = type == 2 ? &in->c : NULL;
    const bool zeros =
        in->a.from == SASS_REGISTER && in->a.reg == SASS_RZ && in->b.from == SASS_REGISTER && in->b.reg == SASS_RZ;
    if (type == 2 && zeros && in->c.from == SASS_NUMBER) { // a move that another pipe does
        lower_put(l, "m_mov", lower_register(l, in->dst, false), l->zero, lower_number(l, in->c.value), l->zero);
        return true;
    }
    const bool relu = type == 2 && sass_bit(in, 79) && sass_bits(in, 87, 3) == SASS_PT;
    if (sass_bit(in, 79) != relu || sass_bit(in, 76)) return lower_fail(l, "a form of half arithmetic");
    struct machine_op *m = three(l, "m_lane", b, c);
    m->lane = halves, m->type = (uint8_t)type, m->bf16 = sass_bit(in, 85), m->sat = sass_bit(in, 77);
    m->f32 = sass_bit(in, 78), m->relu = relu;
    m->select[0] = (uint8_t)sass_bits(in, 74, 2);
    m->select[1] = b->from == SASS_NUMBER ? 0 : (uint8_t)sass_bits(in, 60, 2);
    m->select[2] = c && c->from != SASS_NUMBER ? (uint8_t)sass_bits(in, 81, 2) : 0;
    if (c && c->from != SASS_NUMBER)
        m->keep[2] = sass_bit(in, 83) ? 0x7fffffff : ~0u, m->flip[2] = sass_bit(in, 84) ? 0x80000000 : 0;
    if (sass_bit(in, 80)) lower_fail(l, "half arithmetic that flushes");
    return true;
}

bool lower_floats(struct lower *l)
{
    const struct sass_inst *in = l->in;
    struct machine_op *m;
    switch ((enum sass_op)in->op) {
    case SASS_FADD: return arithmetic(l, "m_fadd", "m_fadd_full", 0), true;
    case SASS_FMUL: return arithmetic(l, "m_fmul", "m_fmul_full", 1), true;
    case SASS_FFMA: return arithmetic(l, "m_ffma", "m_ffma_full", 2), true;
    case SASS_FSETP: return compare(l, "m_fsetp"), true;
    case SASS_FSET: return compare(l, "m_fset"), true;
    case SASS_FSEL:
        m = three(l, "m_sel", second(in, false), NULL);
        return m->in = lower_predicate(l, 87, 90, false), true;
    case SASS_FMNMX:
        m = three(l, "m_fmnmx", second(in, false), NULL);
        m->in = lower_predicate(l, 87, 90, false);
        m->nan = sass_bit(in, 81), m->xorsign = sass_bit(in, 82), m->ftz = sass_bit(in, 80);
        return true;
    case SASS_MUFU: {
        enum { RECIPROCAL = 4, RECIPROCAL_ROOT = 5 };
        const unsigned what = (unsigned)sass_bits(in, 74, 6);
        m = three(l, what == RECIPROCAL ? "m_rcp" : what == RECIPROCAL_ROOT ? "m_rsq" : "m_lane", &in->b, NULL);
        m->lane = special, m->type = (uint8_t)what;
        if (m->type > 9) lower_fail(l, "MUFU of a function that is not known here");
        return true;
    }
    case SASS_FCHK: {
        struct inst *i = lower_put(l, "m_fchk", 0, lower_source(l, &in->a), lower_source(l, &in->b), 0);
        lower_machine(l, i)->out = lower_result(l, 81, false);
        return true;
    }
    case SASS_DADD: return wide(l, "m_dadd", second(in, true), NULL), true;
    case SASS_DMUL: return wide(l, "m_dmul", second(in, false), NULL), true;
    case SASS_DFMA: return wide(l, "m_dfma", &in->b, &in->c), true;
    case SASS_DSETP: return wide(l, "m_dsetp", second(in, false), NULL), true;
    case SASS_I2F:
    case SASS_I2F_64:
    case SASS_I2FP:
    case SASS_F2I:
    case SASS_F2I_64:
    case SASS_F2F:
    case SASS_F2F_64:
    case SASS_FRND:
    case SASS_FRND_64: return convert(l);
    case SASS_F2FP: return small_floats(l);
    case SASS_HMNMX2:
    case SASS_VHMNMX: return half_extremes(l);
    case SASS_HSET2:
    case SASS_HSETP2: return half_compare(l);
    case SASS_HADD2: return half_arithmetic(l, 0);
    case SASS_HMUL2: return half_arithmetic(l, 1);
    case SASS_HFMA2:
    case SASS_HFMA2_MMA: return half_arithmetic(l, 2);
    default: return false;
    }
}
