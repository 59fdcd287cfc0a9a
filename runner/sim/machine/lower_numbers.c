// Whole numbers, bits, predicates and moves; the same for the uniform registers.
// SPDX-License-Identifier: MIT
#include "sim/machine/lower.h"

#include <stdio.h>

static bool is_uniform(const struct lower *l) { return sass_pipe((enum sass_op)l->in->op) == SASS_PIPE_UNIFORM; }

static uint32_t result(struct lower *l)
{
    return is_uniform(l) ? lower_uniform(l, l->in->dst & 63, false) : lower_register(l, l->in->dst, false);
}

// By name; of the twin where it is uniform.
static struct inst *put(struct lower *l, const char *op)
{
    char name[40];
    snprintf(name, sizeof name, "%s%s", op, is_uniform(l) ? ".all" : "");
    return lower_put(l, name, result(l), lower_source(l, &l->in->a), lower_source(l, &l->in->b),
        lower_source(l, &l->in->c));
}

static void minus(const struct lower *l, struct machine_op *m)
{
    m->minus[0] = l->in->a.neg ? ~0u : 0;
    m->minus[1] = l->in->b.neg ? ~0u : 0;
    m->minus[2] = l->in->c.neg ? ~0u : 0;
}

static void iadd3(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const bool uniform = is_uniform(l), extended = sass_bit(in, 74);
    const uint32_t out = lower_result(l, 81, uniform), out2 = lower_result(l, 84, uniform);
    const bool signs = in->a.neg || in->b.neg || in->c.neg;
    if (!extended && !out && !out2 && !signs) return (void)put(l, "m_add3");
    struct inst *i = put(l, extended || out || out2 ? "m_iadd3_carry" : "m_iadd3");
    struct machine_op *m = lower_machine(l, i);
    minus(l, m);
    m->out = out, m->out2 = out2, m->extended = extended;
    if (extended) m->in = lower_predicate(l, 87, 90, uniform), m->in2 = lower_predicate(l, 77, 80, uniform);
}

static void imad(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const bool zero = in->a.from == SASS_REGISTER && in->a.reg == SASS_RZ && !sass_bit(in, 74);
    if (zero && !in->c.neg) { // a move that another pipe does
        struct inst *i = put(l, "m_mov");
        i->r[2] = i->r[3];
        return;
    }
    const bool one = in->b.from == SASS_NUMBER && in->b.value == 1 && !sass_bit(in, 74);
    if (one && !in->c.neg && !in->a.neg) {
        struct inst *i = put(l, "m_add2");
        i->r[2] = i->r[3];
        return;
    }
    if (!in->a.neg && !in->c.neg && !sass_bit(in, 74)) return (void)put(l, "m_mad");
    struct machine_op *m = lower_machine(l, put(l, sass_bit(in, 74) ? "m_imad_x" : "m_imad"));
    minus(l, m);
    m->minus[1] = 0;
    if (sass_bit(in, 74)) m->in = lower_predicate(l, 87, 90, is_uniform(l));
    if (sass_bit(in, 74) && in->a.neg) lower_fail(l, "IMAD.X of a negated factor");
}

static void imad_wide(struct lower *l, bool high)
{
    const struct sass_inst *in = l->in;
    const bool uniform = is_uniform(l), extended = sass_bit(in, 74);
    const uint32_t out = lower_result(l, 81, uniform), c = lower_pair(l, &in->c, false);
    const bool plain = !out && !extended && !in->c.neg && !high;
    struct inst *i = put(l, plain ? sass_bit(in, 73) ? "m_wide_s" : "m_wide_u" : "m_wide_carry");
    if (in->a.neg || in->c.from == SASS_NUMBER) lower_fail(l, "a form of IMAD.WIDE");
    const bool zero = c == l->zero;
    i->r[3] = c, i->r[4] = zero ? c : c + MACHINE_REGISTER;
    if (plain) return;
    struct machine_op *m = lower_machine(l, i);
    m->minus[2] = in->c.neg ? ~0u : 0;
    m->is_signed = sass_bit(in, 73), m->extended = extended, m->high = high, m->out = out;
    if (extended) m->in = lower_predicate(l, 87, 90, uniform);
}

// To 64 bits a constant that is not negative, as one times it.
static void add_wide(struct lower *l)
{
    const struct sass_inst *in = l->in;
    struct inst *i = put(l, "m_wide_u");
    if (i->r[3] != l->zero || in->b.from != SASS_NUMBER || in->b.value >> 31 || in->a.neg)
        lower_fail(l, "a form of UIADD3.64");
    i->r[3] = i->r[1], i->r[4] = i->r[1] == l->zero ? l->zero : i->r[1] + MACHINE_REGISTER;
    i->r[1] = lower_number(l, 1);
}

static void lea(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const bool uniform = is_uniform(l), high = sass_bit(in, 80), extended = sass_bit(in, 74);
    const uint32_t out = lower_result(l, 81, uniform);
    const bool plain = !high && !extended && !out && !in->b.neg;
    struct machine_op *m = lower_machine(l, put(l, plain ? "m_lea" : "m_lea_carry"));
    minus(l, m);
    m->shift = (uint8_t)sass_bits(in, 75, 5);
    m->high = high, m->extended = extended, m->out = out, m->is_signed = sass_bit(in, 73);
    if (extended) m->in = lower_predicate(l, 87, 90, uniform);
}

static void lop3(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const uint8_t table = (uint8_t)sass_bits(in, 72, 8);
    const uint32_t out = lower_result(l, 81, is_uniform(l));
    const char *simple = table == 0xc0 ? "m_and" : table == 0xfc ? "m_or" : table == 0x3c ? "m_xor" : NULL;
    if (simple && !out) return (void)put(l, simple);
    struct machine_op *m = lower_machine(l, put(l, "m_lop3"));
    m->table = table, m->out = out, m->in = lower_predicate(l, 87, 90, is_uniform(l)), m->join = sass_bit(in, 80);
}

static void shf(struct lower *l)
{
    const struct sass_inst *in = l->in;
    enum { U32 = 3, S32 = 2 };
    const unsigned type = (unsigned)sass_bits(in, 73, 2);
    const bool right = sass_bit(in, 76), high = sass_bit(in, 80), wraps = sass_bit(in, 75);
    if (!wraps && right && high && type == U32) return (void)put(l, "m_shr");
    if (!wraps && right && high && type == S32) return (void)put(l, "m_sar");
    if (!wraps && !right && !high && type == U32) return (void)put(l, "m_shl");
    struct machine_op *m = lower_machine(l, put(l, "m_shf"));
    m->type = (uint8_t)type, m->is_signed = !(type & 1), m->right = right, m->high = high, m->wraps = wraps;
}

static void isetp(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const bool uniform = is_uniform(l);
    struct inst *i = put(l, "m_isetp");
    struct machine_op *m = lower_machine(l, i);
    m->compare = (uint8_t)sass_bits(in, 76, 3), m->join = (uint8_t)sass_bits(in, 74, 2);
    m->is_signed = sass_bit(in, 73), m->extended = sass_bit(in, 72);
    m->in = lower_predicate(l, 87, 90, uniform);
    if (m->extended) m->in2 = lower_predicate(l, 68, 71, uniform);
    m->out = lower_result(l, 81, uniform), m->out2 = lower_result(l, 84, uniform);
}

static void plop3(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const bool uniform = is_uniform(l);
    struct inst *i = lower_put(l, uniform ? "m_plop3.all" : "m_plop3", 0, lower_predicate(l, 87, 90, uniform),
        lower_predicate(l, 77, 80, uniform), lower_predicate(l, 68, 71, uniform || sass_bit(in, 67)));
    struct machine_op *m = lower_machine(l, i);
    m->table = (uint8_t)(sass_bits(in, 64, 3) | sass_bits(in, 72, 5) << 3);
    m->shift = (uint8_t)sass_bits(in, 16, 8);
    m->out = lower_result(l, 81, uniform), m->out2 = lower_result(l, 84, uniform);
}

// Lane by lane.
#define LANE(id) static uint64_t id(const struct machine_op *m, uint32_t a, uint32_t b, uint32_t c)
LANE(prmt)
{
    const uint64_t all = (uint64_t)c << 32 | a;
    uint32_t r = 0;
    for (unsigned k = 0; k < 4; k++) {
        unsigned n = b >> 4 * k & 15;
        const unsigned s = b & 3;
        switch (m->type) { // the other modes go by the two lowest bits
        case 1: n = (s + k) & 7; break;
        case 2: n = (s - k) & 7; break;
        case 3: n = s; break;
        case 4: n = k > s ? k : s; break;
        case 5: n = k < s ? k : s; break;
        case 6: n = (s & 1) * 2 + (k & 1); break;
        default: break;
        }
        uint32_t byte = (uint32_t)(all >> 8 * (n & 7)) & 0xff;
        if (m->type == 0 && (n & 8)) byte = byte & 0x80 ? 0xff : 0;
        r |= byte << 8 * k;
    }
    return r;
}
LANE(sgxt)
{
    (void)c;
    const uint32_t n = m->wraps ? b & 31 : b < 32 ? b : 32;
    if (n == 32) return a;
    if (!n) return 0;
    return m->is_signed ? (uint32_t)((int32_t)(a << (32 - n)) >> (32 - n)) : a & ((1u << n) - 1);
}
LANE(bmsk)
{
    (void)c;
    const uint32_t from = m->wraps ? a & 31 : a, n = m->wraps ? b & 31 : b;
    const uint64_t ones = n >= 32 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
    return from >= 32 ? 0 : (uint32_t)(ones << from);
}
LANE(flo)
{
    (void)a, (void)c;
    uint32_t v = b ^ m->minus[1];
    if (m->is_signed && (int32_t)v < 0) v = ~v;
    if (!v) return ~0u;
    const uint32_t n = 31 - (uint32_t)__builtin_clz(v);
    return m->right ? 31 - n : n;
}
LANE(brev)
{
    (void)m, (void)a, (void)c;
    uint32_t r = 0;
    for (int k = 0; k < 32; k++) r |= (b >> k & 1) << (31 - k);
    return r;
}
static uint32_t least_or_most(const struct machine_op *m, uint32_t a, uint32_t b, bool least)
{
    const bool below = m->is_signed ? (int32_t)a < (int32_t)b : a < b;
    return below == least ? a : b;
}
LANE(take_least) { return (void)c, least_or_most(m, a, b, true); }
LANE(take_most) { return (void)c, least_or_most(m, a, b, false); }
static uint32_t signed_by(const struct machine_op *m, int k, uint32_t v) { return (v ^ m->minus[k]) - m->minus[k]; }
static uint32_t sum_of(const struct machine_op *m, uint32_t a, uint32_t b) { return a + signed_by(m, 1, b); }
LANE(add_least) { return least_or_most(m, sum_of(m, a, b), signed_by(m, 2, c), true); }
LANE(add_most) { return least_or_most(m, sum_of(m, a, b), signed_by(m, 2, c), false); }
LANE(dot4)
{
    uint32_t sum = c;
    for (int k = 0; k < 4; k++) {
        const int32_t x = m->is_signed ? (int8_t)(a >> 8 * k) : (uint8_t)(a >> 8 * k);
        const int32_t y = m->wraps ? (int8_t)(b >> 8 * k) : (uint8_t)(b >> 8 * k);
        sum += (uint32_t)(x * y);
    }
    return sum;
}

static uint32_t byte(uint32_t v, int k) { return v >> 8 * k & 0xff; }
LANE(differ4) // of each byte; or their sum
{
    uint32_t sum = c, parts = 0;
    for (int k = 0; k < 4; k++) {
        const uint32_t x = byte(a, k), y = byte(b, k), d = x < y ? y - x : x - y;
        sum += d, parts |= d << 8 * k;
    }
    return m->high ? sum : parts;
}
LANE(narrowed) // to a whole number of fewer bits, or the nearest
{
    (void)a, (void)c;
    const int bits = m->to & 2 ? 16 : 8;
    const int32_t least = m->to & 1 ? -(1 << (bits - 1)) : 0, most = least + (1 << bits) - 1, v = (int32_t)b;
    return (uint32_t)(v < least ? least : v > most ? most : v);
}
LANE(not_below_zero)
{
    const uint32_t r = least_or_most(m, a, b, m->right);
    return (void)c, (int32_t)r < 0 ? 0 : r;
}
LANE(of_three) { return least_or_most(m, least_or_most(m, a, b, m->right), c, m->right); }

static struct machine_op *lane(struct lower *l, uint64_t (*f)(const struct machine_op *, uint32_t, uint32_t, uint32_t))
{
    struct machine_op *m = lower_machine(l, put(l, "m_lane"));
    m->lane = f;
    return m;
}

// The predicate that chooses is the same in all lanes, or there is another way.
static bool extremes(struct lower *l, bool adds)
{
    const struct sass_inst *in = l->in;
    const bool old = in->op == SASS_IMNMX;
    const unsigned p = (unsigned)sass_bits(in, 87, 3);
    if (p != SASS_PT) return lower_fail(l, "a minimum or maximum that a predicate chooses");
    const bool least = !sass_bit(in, 90), pairs = !old && sass_bit(in, 73), relu = !old && sass_bit(in, 76);
    if (!old && (sass_bits(in, 77, 4) || (adds && (pairs || relu)) || (relu && !sass_bit(in, 72))))
        return lower_fail(l, "a minimum or maximum of halves, or of more");
    if (pairs) {
        char op[32];
        snprintf(op, sizeof op, "%s%s.%c16x2", least ? "min" : "max", relu ? ".relu" : "",
            sass_bit(in, 72) ? 's' : 'u');
        return put(l, op), true;
    }
    struct machine_op *m = lane(l,
        in->op == SASS_VIMNMX3 ? of_three
            : relu             ? not_below_zero
            : adds             ? least ? add_least : add_most
            : least            ? take_least
                               : take_most);
    m->is_signed = sass_bit(in, old ? 73 : 72), m->right = least;
    if (adds) minus(l, m);
    return true;
}

static bool by_lane(struct lower *l)
{
    const struct sass_inst *in = l->in;
    struct machine_op *m;
    switch ((enum sass_op)in->op) {
    case SASS_PRMT:
    case SASS_UPRMT: return lane(l, prmt)->type = (uint8_t)sass_bits(in, 72, 3), true;
    case SASS_SGXT:
    case SASS_USGXT: m = lane(l, sgxt); return m->is_signed = sass_bit(in, 73), m->wraps = sass_bit(in, 75), true;
    case SASS_BMSK:
    case SASS_UBMSK: return lane(l, bmsk)->wraps = sass_bit(in, 75), true;
    case SASS_FLO:
    case SASS_UFLO:
        m = lane(l, flo);
        m->is_signed = sass_bit(in, 73), m->right = sass_bit(in, 74), m->minus[1] = in->b.neg ? ~0u : 0;
        if (sass_bits(in, 81, 3) != SASS_PT) lower_fail(l, "FLO with a predicate");
        return true;
    case SASS_BREV:
    case SASS_UBREV: return lane(l, brev), true;
    case SASS_POPC:
    case SASS_UPOPC:
        put(l, "m_popc");
        if (in->b.neg) lower_fail(l, "POPC of an inverted number");
        return true;
    case SASS_VIMNMX:
    case SASS_VIMNMX3:
    case SASS_IMNMX: return extremes(l, false);
    case SASS_VIADDMNMX: return extremes(l, true);
    case SASS_VABSDIFF4:
        if (sass_bits(in, 72, 3) || sass_bits(in, 76, 5)) return lower_fail(l, "a form of VABSDIFF4");
        return lane(l, differ4)->high = sass_bit(in, 75), true;
    case SASS_I2I:
        if (sass_bits(in, 72, 4) || sass_bits(in, 78, 9)) return lower_fail(l, "a form of I2I");
        return lane(l, narrowed)->to = (uint8_t)sass_bits(in, 76, 2), true;
    case SASS_I2IP: {
        static const struct {
            uint8_t form;
            int8_t bits; // below 0: signed
        } known[] = {{0x04, 8}, {0x14, -8}, {0x24, 16}, {0x34, -16}, {0x66, 4}, {0x76, -4}, {0x47, 2}, {0x57, -2}};
        struct inst *i = put(l, "narrow.packed");
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (known[k].form == sass_bits(in, 72, 9)) i->offset = known[k].bits;
        if (!i->offset) return lower_fail(l, "a form of I2IP");
        if (i->offset == 16 || i->offset == -16) i->r[3] = 0;
        return true;
    }
    case SASS_IDP:
        if (sass_bits(in, 76, 2) || in->c.neg) return lower_fail(l, "IDP.2A");
        m = lane(l, dot4);
        return m->is_signed = sass_bit(in, 73), m->wraps = sass_bit(in, 74), true;
    default: return false;
    }
}

bool lower_numbers(struct lower *l)
{
    const struct sass_inst *in = l->in;
    switch ((enum sass_op)in->op) {
    case SASS_MOV:
    case SASS_UMOV: return put(l, "m_mov"), true;
    case SASS_IADD3:
    case SASS_UIADD3: return iadd3(l), true;
    case SASS_UIADD3_64: return add_wide(l), true;
    case SASS_VIADD:
        if (in->a.neg || in->b.neg) {
            struct inst *i = put(l, "m_iadd3");
            i->r[3] = l->zero;
            struct machine_op *m = lower_machine(l, i);
            minus(l, m), m->minus[2] = 0;
            return true;
        }
        return put(l, "m_add2"), true;
    case SASS_IMAD:
    case SASS_UIMAD: return imad(l), true;
    case SASS_IMAD_WIDE:
    case SASS_UIMAD_WIDE: return imad_wide(l, false), true;
    case SASS_IMAD_HI:
    case SASS_UIMAD_HI: return imad_wide(l, true), true;
    case SASS_LEA:
    case SASS_ULEA: return lea(l), true;
    case SASS_LOP3:
    case SASS_ULOP3: return lop3(l), true;
    case SASS_SHF:
    case SASS_USHF: return shf(l), true;
    case SASS_ISETP:
    case SASS_UISETP: return isetp(l), true;
    case SASS_SEL:
    case SASS_USEL: {
        struct machine_op *m = lower_machine(l, put(l, "m_sel"));
        m->in = lower_predicate(l, 87, 90, is_uniform(l));
        return true;
    }
    case SASS_PLOP3:
    case SASS_UPLOP3: return plop3(l), true;
    case SASS_PLOP3_SIGNS: {
        if (sass_bits(in, 84, 3) != SASS_PT) return lower_fail(l, "PLOP3 of signs with two results");
        struct machine_op *m = lower_machine(l, put(l, "m_signs"));
        m->table = (uint8_t)sass_bits(in, 72, 8), m->out = lower_result(l, 81, false);
        return true;
    }
    case SASS_IABS: return put(l, "m_abs"), true;
    default: return by_lane(l);
    }
}
