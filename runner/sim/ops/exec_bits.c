// Bits: logic, shifts, funnel shifts, bit fields, permutes, counts, moves, packs, and logic on predicates.
// SPDX-License-Identifier: MIT
#include "sim/core/exec.h"

#define H(x) ((uint16_t)(x))
#define SH(x) ((int16_t)(x))

OP2(and_32, u32, u32, u32, a &b)
OP2(and_64, u64, u64, u64, a &b)
OP2(or_32, u32, u32, u32, a | b)
OP2(or_64, u64, u64, u64, a | b)
OP2(xor_32, u32, u32, u32, a ^ b)
OP2(xor_64, u64, u64, u64, a ^ b)
OP1(not_16, u32, u32, H(~a))
OP1(not_32, u32, u32, ~a)
OP1(not_64, u64, u64, ~a)
OP1(cnot_16, u32, u32, H(a) == 0)
OP1(cnot_32, u32, u32, a == 0)
OP1(cnot_64, u64, u64, a == 0)

// Shifts by the width or more give zero, or the sign.
OP2(shl_16, u32, u32, u32, b > 15 ? 0 : H(a << b))
OP2(shl_32, u32, u32, u32, b > 31 ? 0 : a << (b & 31))
OP2(shl_64, u64, u64, u32, b > 63 ? 0 : a << (b & 63))
OP2(shr_u16, u32, u32, u32, b > 15 ? 0 : H(a) >> b)
OP2(shr_s16, u32, u32, u32, H(SH(a) >> (b > 15 ? 15 : b)))
OP2(shr_u32, u32, u32, u32, b > 31 ? 0 : a >> (b & 31))
OP2(shr_s32, s32, s32, u32, a >> (b > 31 ? 31 : b))
OP2(shr_u64, u64, u64, u32, b > 63 ? 0 : a >> (b & 63))
OP2(shr_s64, s64, s64, u32, a >> (b > 63 ? 63 : b))

static inline uint32_t funnel_left(uint32_t lo, uint32_t hi, uint32_t n)
{
    return (uint32_t)((((uint64_t)hi << 32 | lo) << n) >> 32);
}
static inline uint32_t funnel_right(uint32_t lo, uint32_t hi, uint32_t n)
{
    return (uint32_t)(((uint64_t)hi << 32 | lo) >> n);
}
OP3(shf_l_wrap, u32, u32, u32, u32, funnel_left(a, b, c & 31))
OP3(shf_l_clamp, u32, u32, u32, u32, funnel_left(a, b, c > 32 ? 32 : c))
OP3(shf_r_wrap, u32, u32, u32, u32, funnel_right(a, b, c & 31))
OP3(shf_r_clamp, u32, u32, u32, u32, funnel_right(a, b, c > 32 ? 32 : c))

OP1(popc_32, u32, u32, __builtin_popcount(a))
OP1(popc_64, u32, u64, __builtin_popcountll(a))
OP1(clz_32, u32, u32, a ? __builtin_clz(a) : 32)
OP1(clz_64, u32, u64, a ? __builtin_clzll(a) : 64)
static inline uint32_t reverse(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}
OP1(brev_32, u32, u32, reverse(a))
OP1(brev_64, u64, u64, (uint64_t)reverse((uint32_t)a) << 32 | reverse((uint32_t)(a >> 32)))
static inline uint32_t find_32(uint32_t x) { return x ? 31 - (uint32_t)__builtin_clz(x) : ~0u; }
static inline uint32_t find_64(uint64_t x) { return x ? 63 - (uint32_t)__builtin_clzll(x) : ~0u; }
static inline uint32_t from_top(uint32_t at, uint32_t top) { return at == ~0u ? at : top - at; }
#define FOLD32(x) ((x) ^ (uint32_t)((int32_t)(x) >> 31))
#define FOLD64(x) ((x) ^ (uint64_t)((int64_t)(x) >> 63))
OP1(bfind_u32, u32, u32, find_32(a))
OP1(bfind_s32, u32, u32, find_32(FOLD32(a)))
OP1(bfind_u64, u32, u64, find_64(a))
OP1(bfind_s64, u32, u64, find_64(FOLD64(a)))
OP1(bfind_shift_u32, u32, u32, from_top(find_32(a), 31))
OP1(bfind_shift_s32, u32, u32, from_top(find_32(FOLD32(a)), 31))
OP1(bfind_shift_u64, u32, u64, from_top(find_64(a), 63))
OP1(bfind_shift_s64, u32, u64, from_top(find_64(FOLD64(a)), 63))

// bfe d, a, pos, len: bits above the top are the sign (signed) or zero.
static inline uint64_t extract(uint64_t a, uint32_t pos, uint32_t len, uint32_t width, bool is_signed)
{
    pos &= 0xff, len &= 0xff;
    uint64_t sign = 0;
    if (is_signed && len) {
        uint32_t top = pos + len - 1 < width - 1 ? pos + len - 1 : width - 1;
        sign = 0 - (a >> top & 1);
    }
    uint64_t bits = pos < width ? a >> pos : 0, have = pos < width ? width - pos : 0;
    uint64_t mask = len < 64 ? ((uint64_t)1 << len) - 1 : ~(uint64_t)0,
             real = have < 64 ? ((uint64_t)1 << have) - 1 : ~(uint64_t)0;
    return len == 0 ? 0 : (bits & mask & real) | (sign & ~(mask & real));
}
OP3(bfe_u32, u32, u32, u32, u32, extract(a, b, c, 32, false))
OP3(bfe_s32, u32, u32, u32, u32, extract(a, b, c, 32, true))
OP3(bfe_u64, u64, u64, u32, u32, extract(a, b, c, 64, false))
OP3(bfe_s64, u64, u64, u32, u32, extract(a, b, c, 64, true))

static inline uint64_t insert(uint64_t a, uint64_t b, uint32_t pos, uint32_t len)
{
    pos &= 0xff, len &= 0xff;
    if (pos > 63) return b;
    uint64_t mask = (len < 64 ? ((uint64_t)1 << len) - 1 : ~(uint64_t)0) << pos;
    return (b & ~mask) | (a << pos & mask);
}
#define INSERT_OP(id, T) \
    static HANDLER(id) \
    { \
        T *d = SLOT(w, i->r[0]); \
        const T *a = SLOT(w, i->r[1]), *b = SLOT(w, i->r[2]); \
        const u32 *pos = SLOT(w, i->r[3]), *len = SLOT(w, i->r[4]); \
        for (int l = 0; l < LANES; l++) \
            if (mask >> l & 1) d[l] = (T)insert(a[l], b[l], pos[l], len[l]); \
        return i + 1; \
    }
INSERT_OP(bfi_32, u32)
INSERT_OP(bfi_64, u64)
static inline uint32_t mask_of(uint32_t a, uint32_t b)
{
    return a > 31 || b == 0 ? 0 : (uint32_t)((((uint64_t)1 << (b > 32 ? 32 : b)) - 1) << a);
}
OP2(bmsk_clamp, u32, u32, u32, mask_of(a, b))
OP2(bmsk_wrap, u32, u32, u32, mask_of(a & 31, b & 31))

// The eight terms of the truth table `offset`; each is all ones or nothing for the whole warp.
static HANDLER(lop3)
{
    u32 *d = SLOT(w, i->r[0]);
    const u32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]), *z = SLOT(w, i->r[3]);
    uint32_t t[8];
    for (int k = 0; k < 8; k++) t[k] = i->offset >> k & 1 ? ~0u : 0;
    EACH_LANE
    {
        const u32 a = x[l], b = y[l], c = z[l];
        const u32 r = (t[0] & ~a & ~b & ~c) | (t[1] & ~a & ~b & c) | (t[2] & ~a & b & ~c) | (t[3] & ~a & b & c) |
            (t[4] & a & ~b & ~c) | (t[5] & a & ~b & c) | (t[6] & a & b & ~c) | (t[7] & a & b & c);
        d[l] = mask >> l & 1 ? r : d[l];
    }
    return i + 1;
}

static inline uint32_t pick_byte(uint64_t both, uint32_t n, bool sign)
{
    uint32_t byte = (uint32_t)(both >> 8 * (n & 7)) & 0xff;
    return sign ? (byte & 0x80 ? 0xff : 0) : byte;
}
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t both = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (int k = 0; k < 4; k++) r |= pick_byte(both, c >> 4 * k, c >> (4 * k + 3) & 1) << 8 * k;
    return r;
}
// The named modes choose bytes by the two low bits of c: one selector for each of its values.
static inline uint32_t permute_mode(uint32_t a, uint32_t b, uint32_t c, const uint16_t mode[4])
{
    return permute(a, b, mode[c & 3]);
}
static const uint16_t mode_f4e[4] = {0x3210, 0x4321, 0x5432, 0x6543}, mode_b4e[4] = {0x5670, 0x6701, 0x7012, 0x0123},
                      mode_rc8[4] = {0x0000, 0x1111, 0x2222, 0x3333}, mode_ecl[4] = {0x3210, 0x3211, 0x3222, 0x3333},
                      mode_ecr[4] = {0x0000, 0x1110, 0x2210, 0x3210}, mode_rc16[4] = {0x1010, 0x3232, 0x1010, 0x3232};
OP3(prmt, u32, u32, u32, u32, permute(a, b, c))
OP3(prmt_f4e, u32, u32, u32, u32, permute_mode(a, b, c, mode_f4e))
OP3(prmt_b4e, u32, u32, u32, u32, permute_mode(a, b, c, mode_b4e))
OP3(prmt_rc8, u32, u32, u32, u32, permute_mode(a, b, c, mode_rc8))
OP3(prmt_ecl, u32, u32, u32, u32, permute_mode(a, b, c, mode_ecl))
OP3(prmt_ecr, u32, u32, u32, u32, permute_mode(a, b, c, mode_ecr))
OP3(prmt_rc16, u32, u32, u32, u32, permute_mode(a, b, c, mode_rc16))

OP1(mov_16, u32, u32, H(a))
OP1(mov_32, u32, u32, a)
OP1(mov_64, u64, u64, a)
OP2(pack_16, u32, u32, u32, H(a) | b << 16)
OP2(pack_32, u64, u32, u32, a | (uint64_t)b << 32)
static HANDLER(pack_4x16)
{
    u64 *d = SLOT(w, i->r[0]);
    const u32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]), *z = SLOT(w, i->r[3]), *u = SLOT(w, i->r[4]);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = (uint64_t)(H(x[l]) | y[l] << 16) | (uint64_t)(H(z[l]) | u[l] << 16) << 32;
    return i + 1;
}
static HANDLER(pack_4x8)
{
    u32 *d = SLOT(w, i->r[0]);
    const u32 *x = SLOT(w, i->r[1]), *y = SLOT(w, i->r[2]), *z = SLOT(w, i->r[3]), *u = SLOT(w, i->r[4]);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = (x[l] & 0xff) | (y[l] & 0xff) << 8 | (z[l] & 0xff) << 16 | u[l] << 24;
    return i + 1;
}
// One piece of a wider register: `part.WIDTH d, a` with the bit position as the immediate.
#define PART_OP(id, A, CAST) \
    static HANDLER(id) \
    { \
        u32 *d = SLOT(w, i->r[0]); \
        const A *x = SLOT(w, i->r[1]); \
        const int shift = (int)i->offset & 63; \
        LANE_LOOPS(u32, const A a = x[l], CAST(a >> shift)) \
    }
PART_OP(part_8, u32, (uint8_t))
PART_OP(part_16, u32, (uint16_t))
PART_OP(part_16_64, u64, (uint16_t))
PART_OP(part_32, u64, (uint32_t))

// mov from a register whose value is only known at run time: the instruction count is used for the clock.
static HANDLER(clock_32)
{
    u32 *d = SLOT(w, i->r[0]);
    w->block->reads_clock = true;
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = (uint32_t)(w->block->spent >> (i->offset ? 32 : 0));
    return i + 1;
}
static HANDLER(clock_64)
{
    u64 *d = SLOT(w, i->r[0]);
    w->block->reads_clock = true;
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = w->block->spent;
    return i + 1;
}

#define PRED_OP(id, VALUE) \
    static HANDLER(id) \
    { \
        u32 *d = SLOT(w, i->r[0]); \
        const uint32_t a = *(const u32 *)SLOT(w, i->r[1]), b = *(const u32 *)SLOT(w, i->r[2]); \
        (void)b; \
        *d = (*d & ~mask) | ((VALUE)&mask); \
        return i + 1; \
    }
PRED_OP(pred_mov, a)
PRED_OP(pred_not, ~a)
PRED_OP(pred_and, a &b)
PRED_OP(pred_or, a | b)
PRED_OP(pred_xor, a ^ b)

static HANDLER(activemask)
{
    u32 *d = SLOT(w, i->r[0]);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = mask;
    return i + 1;
}

static HANDLER(nothing)
{
    (void)w, (void)mask;
    return i + 1;
}

const struct op VARIANT(ops_bits)[] = {{"and.b16", "www", and_32}, {"and.b32", "www", and_32},
    {"and.b64", "lll", and_64}, {"or.b16", "www", or_32}, {"or.b32", "www", or_32}, {"or.b64", "lll", or_64},
    {"xor.b16", "www", xor_32}, {"xor.b32", "www", xor_32}, {"xor.b64", "lll", xor_64}, {"not.b16", "ww", not_16},
    {"not.b32", "ww", not_32}, {"not.b64", "ll", not_64}, {"cnot.b16", "ww", cnot_16}, {"cnot.b32", "ww", cnot_32},
    {"cnot.b64", "ll", cnot_64}, {"shl.b16", "www", shl_16}, {"shl.b32", "www", shl_32}, {"shl.b64", "llw", shl_64},
    {"shr.u16", "www", shr_u16}, {"shr.b16", "www", shr_u16}, {"shr.s16", "www", shr_s16}, {"shr.u32", "www", shr_u32},
    {"shr.b32", "www", shr_u32}, {"shr.s32", "www", shr_s32}, {"shr.u64", "llw", shr_u64}, {"shr.b64", "llw", shr_u64},
    {"shr.s64", "llw", shr_s64}, {"shf.l.wrap.b32", "wwww", shf_l_wrap}, {"shf.l.clamp.b32", "wwww", shf_l_clamp},
    {"shf.r.wrap.b32", "wwww", shf_r_wrap}, {"shf.r.clamp.b32", "wwww", shf_r_clamp}, {"popc.b32", "ww", popc_32},
    {"popc.b64", "wl", popc_64}, {"clz.b32", "ww", clz_32}, {"clz.b64", "wl", clz_64}, {"brev.b32", "ww", brev_32},
    {"brev.b64", "ll", brev_64}, {"bfind.u32", "ww", bfind_u32}, {"bfind.s32", "ww", bfind_s32},
    {"bfind.u64", "wl", bfind_u64}, {"bfind.s64", "wl", bfind_s64}, {"bfind.shiftamt.u32", "ww", bfind_shift_u32},
    {"bfind.shiftamt.s32", "ww", bfind_shift_s32}, {"bfind.shiftamt.u64", "wl", bfind_shift_u64},
    {"bfind.shiftamt.s64", "wl", bfind_shift_s64}, {"bfe.u32", "wwww", bfe_u32}, {"bfe.s32", "wwww", bfe_s32},
    {"bfe.u64", "llww", bfe_u64}, {"bfe.s64", "llww", bfe_s64}, {"bfi.b32", "wwwww", bfi_32},
    {"bfi.b64", "lllww", bfi_64}, {"bmsk.clamp.b32", "www", bmsk_clamp}, {"bmsk.wrap.b32", "www", bmsk_wrap},
    {"lop3.b32", "wwww", lop3}, {"prmt.b32", "wwww", prmt}, {"prmt.b32.f4e", "wwww", prmt_f4e},
    {"prmt.b32.b4e", "wwww", prmt_b4e}, {"prmt.b32.rc8", "wwww", prmt_rc8}, {"prmt.b32.ecl", "wwww", prmt_ecl},
    {"prmt.b32.ecr", "wwww", prmt_ecr}, {"prmt.b32.rc16", "wwww", prmt_rc16}, {"mov.b16", "ww", mov_16},
    {"mov.u16", "ww", mov_16}, {"mov.s16", "ww", mov_16}, {"mov.f16", "ww", mov_16}, {"mov.bf16", "ww", mov_16},
    {"mov.b32", "ww", mov_32}, {"mov.u32", "ww", mov_32}, {"mov.s32", "ww", mov_32}, {"mov.f32", "ww", mov_32},
    {"mov.b64", "ll", mov_64}, {"mov.u64", "ll", mov_64}, {"mov.s64", "ll", mov_64}, {"mov.f64", "ll", mov_64},
    {"mov.f16x2", "ww", mov_32}, {"mov.bf16x2", "ww", mov_32}, {"pack.16", "www", pack_16}, {"pack.32", "lww", pack_32},
    {"pack.4x16", "lwwww", pack_4x16}, {"pack.4x8", "wwwww", pack_4x8}, {"part.8", "ww", part_8},
    {"part.16", "ww", part_16}, {"part.16.64", "wl", part_16_64}, {"part.32", "wl", part_32},
    {"clock.32", "w", clock_32}, {"clock.64", "l", clock_64}, {"mov.pred", "pp", pred_mov},
    {"not.pred", "pp", pred_not}, {"and.pred", "ppp", pred_and}, {"or.pred", "ppp", pred_or},
    {"xor.pred", "ppp", pred_xor}, {"activemask.b32", "w", activemask}, {"nothing", "", nothing}, {NULL, NULL, NULL}};
