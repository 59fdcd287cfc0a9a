// More rows of unit/sim_alu: integers side by side, the video instructions, the small floats, rare operations. The
// functions say the same as the PTX manual in another way: bytes one by one, floats by trying all codes.
// SPDX-License-Identifier: MIT
static int64_t ones(int bits) { return ((int64_t)1 << bits) - 1; }
static uint32_t each_part(uint32_t a, uint32_t b, int bits, bool is_signed, int64_t (*f)(int64_t, int64_t))
{
    uint32_t d = 0;
    for (int at = 0; at < 32; at += bits) {
        int64_t x = a >> at & ones(bits), y = b >> at & ones(bits);
        if (is_signed && x >> (bits - 1)) x -= 1ll << bits;
        if (is_signed && y >> (bits - 1)) y -= 1ll << bits;
        d |= (uint32_t)(f(x, y) & ones(bits)) << at;
    }
    return d;
}
static int64_t sum_of(int64_t a, int64_t b) { return a + b; }
static int64_t difference_of(int64_t a, int64_t b) { return a - b; }
static int64_t distance_of(int64_t a, int64_t b) { return a < b ? b - a : a - b; }
static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most_of(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t most_or_zero(int64_t a, int64_t b) { return most_of(most_of(a, b), 0); }
static int64_t saturated_byte(int64_t a, int64_t b) { return least_of(most_of(a - b, -128), 127); }
static int64_t mean_of(int64_t a, int64_t b) { return (a + b + 1) / 2; }
static int64_t is_less(int64_t a, int64_t b) { return a < b; }
static uint32_t bytes_added(uint32_t v, uint32_t c)
{
    return c + (v & 0xff) + (v >> 8 & 0xff) + (v >> 16 & 0xff) + (v >> 24);
}

// The value of a code of one of the 8-bit floats, by its definition.
static double byte_value(int code, int fraction)
{
    const int e = (code & 0x7f) >> fraction, m = code & ((1 << fraction) - 1), bias = fraction == 3 ? 7 : 15;
    double v =
        e ? (1 + m / (double)(1 << fraction)) * pow(2, e - bias) : m / (double)(1 << fraction) * pow(2, 1 - bias);
    if (fraction == 3 && (code & 0x7f) == 0x7f) return NAN;
    if (fraction == 2 && e == 31) v = m ? (double)NAN : HUGE_VAL;
    return code & 0x80 ? -v : v;
}
static uint32_t nearest_byte(double v, int fraction, bool relu)
{
    const int most = fraction == 3 ? 0x7e : 0x7b;
    uint32_t best = 0;
    if (v != v) return 0x7f;
    if (relu && v <= 0) return 0;
    for (int code = 1; code <= most; code++) {
        const double now = fabs(fabs(v) - byte_value(code, fraction)),
                     was = fabs(fabs(v) - byte_value((int)best, fraction));
        if (now < was || (now == was && code % 2 == 0)) best = (uint32_t)code;
    }
    if (fabs(v) > byte_value(most, fraction)) best = (uint32_t)most;
    return best | (signbit(v) ? 0x80 : 0);
}
static uint32_t half_of_byte(uint32_t code, int fraction)
{
    return double_to_half(byte_value((int)(code & 0xff), fraction));
}

static uint32_t nth_bit(uint32_t bits, uint32_t from, int n)
{
    uint32_t found = ~0u;
    if (from > 31) return ~0u;
    if (n == 0) return bits >> from & 1 ? from : ~0u;
    for (int at = (int)from; at >= 0 && at < 32 && n; at += n > 0 ? 1 : -1)
        if (bits >> at & 1) {
            n += n > 0 ? -1 : 1;
            if (!n) found = (uint32_t)at;
        }
    return found;
}
static uint32_t clipped(int32_t v, int bits, bool is_signed)
{
    const int64_t most = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
    return (uint32_t)((v < least ? least : v > most ? most : v) & ones(bits));
}

#define SIMD_ROWS(X) \
    X(w, "add.u16x2 %ro, %ra, %rb;", each_part(A, B, 16, false, sum_of)) \
    X(w, "min.u16x2 %ro, %ra, %rb;", each_part(A, B, 16, false, least_of)) \
    X(w, "max.u16x2 %ro, %ra, %rb;", each_part(A, B, 16, false, most_of)) \
    X(w, "min.s16x2 %ro, %ra, %rb;", each_part(A, B, 16, true, least_of)) \
    X(w, "max.s16x2.relu %ro, %ra, %rb;", each_part(A, B, 16, true, most_or_zero)) \
    X(w, "max.s32.relu %ro, %ra, %rb;", (uint32_t)most_or_zero(SA, SB)) \
    X(w, "vabsdiff4.u32.u32.u32 %ro, %ra, %rb, %rc;", each_part(A, B, 8, false, distance_of)) \
    X(w, "vabsdiff4.u32.u32.u32.add %ro, %ra, %rb, %rc;", bytes_added(each_part(A, B, 8, false, distance_of), C)) \
    X(w, "vabsdiff2.s32.s32.s32 %ro, %ra, %rb, %rc;", each_part(A, B, 16, true, distance_of)) \
    X(w, "vsub4.s32.s32.s32.sat %ro, %ra, %rb, %rc;", each_part(A, B, 8, true, saturated_byte)) \
    X(w, "vadd2.u32.u32.u32 %ro, %ra, %rb, %rc;", each_part(A, B, 16, false, sum_of)) \
    X(w, "vadd4.u32.u32.u32 %ro, %ra, %rb, %rc;", each_part(A, B, 8, false, sum_of)) \
    X(w, "vsub2.u32.u32.u32 %ro, %ra, %rb, %rc;", each_part(A, B, 16, false, difference_of)) \
    X(w, "vmin2.s32.s32.s32 %ro, %ra, %rb, %rc;", each_part(A, B, 16, true, least_of)) \
    X(w, "vmax4.u32.u32.u32 %ro, %ra, %rb, %rc;", each_part(A, B, 8, false, most_of)) \
    X(w, "vmax.s32.s32.s32 %ro, %ra, %rb;", (uint32_t)most_of(SA, SB)) \
    X(w, "vabsdiff.u32.u32.u32 %ro, %ra.b0, %rb.b1;", (uint32_t)distance_of(A & 0xff, B >> 8 & 0xff)) \
    X(w, "vavrg4.u32.u32.u32 %ro, %ra, %rb, %rc;", each_part(A, B, 8, false, mean_of)) \
    X(w, "vset4.s32.s32.lt %ro, %ra, %rb, %rc;", each_part(A, B, 8, true, is_less)) \
    X(w, "vadd.s32.u32.s32 %ro, %ra.b2, %rb.h0;", (A >> 16 & 0xff) + (uint32_t)(int16_t)B) \
    X(w, "vmin.u32.u32.u32.max %ro, %ra.b0, %rb.b3, %rc;", (uint32_t)most_of(least_of(A & 0xff, B >> 24), C)) \
    X(w, "vsub.s32.s32.s32 %ro.b1, %ra.b3, %rb.b0, %rc;", \
        (C & 0xffff00ff) | ((uint32_t)((int8_t)(A >> 24) - (int8_t)B) & 0xff) << 8) \
    X(w, "vsub.s32.s32.s32.sat %ro.b1, %ra.b3, %rb.b0, %rc;", /* below zero too it is the most, as an H200 has it */ \
        (C & 0xffff00ff) | (uint32_t)least_of((uint32_t)((int8_t)(A >> 24) - (int8_t)B), 0x7f) << 8) \
    X(w, "vmad.s32.s32.s32.shr7 %ro, %ra.h0, %rb.h1, %rc;", \
        (uint32_t)(((int64_t)(int16_t)A * (int16_t)(B >> 16) + SC) >> 7)) \
    X(w, "vshl.u32.u32.u32.wrap %ro, %ra, %rb;", A << (B & 31)) \
    X(w, "mad24.hi.u32 %ro, %ra, %rb, %rc;", \
        (uint32_t)(((uint64_t)(A & 0xffffff) * (B & 0xffffff) >> 16) & 0xffffffff) + C) \
    X(w, "fns.b32 %ro, %ra, 7, 3;", nth_bit(A, 7, 3)) \
    X(w, "fns.b32 %ro, %ra, 30, -4;", nth_bit(A, 30, -4)) \
    X(w, "szext.wrap.s32 %ro, %ra, 9;", (uint32_t)((int32_t)(A << 23) >> 23)) \
    X(w, "szext.clamp.u32 %ro, %ra, %rc;", C == 0 ? 0 : C > 31 ? A : A & ((1u << C) - 1)) \
    X(w, "mad.hi.cc.s32 %ro, %ra, %rb, %rc; addc.u32 %ro, %ro, 0;", \
        (uint32_t)((uint64_t)((int64_t)SA * SB) >> 32) + C + \
            ((uint64_t)(uint32_t)((uint64_t)((int64_t)SA * SB) >> 32) + C > UINT32_MAX)) \
    X(w, \
        "{ .reg .pred %q<2>; setp.ne.u32 %q0, %rb, 0; lop3.and.b32 %ro|%q1, %ra, %rb, %rc, 0x96, %q0; selp.u32 %ro, " \
        "%ro, 9, %q1; }", \
        (A ^ B ^ C) && B ? A ^ B ^ C : 9) \
    X(f, "min.xorsign.abs.f32 %fo, %fa, %fb;", \
        FA != FA && FB != FB ? NAN : copysignf(fminf(fabsf(FA), fabsf(FB)), signbit(FA) != signbit(FB) ? -1 : 1)) \
    X(w, "{ .reg .b16 %h<2>; cvt.rn.satfinite.e4m3x2.f32 %h0, %fa, %fb; cvt.u32.u16 %ro, %h0; }", \
        nearest_byte((double)FA, 3, false) << 8 | nearest_byte((double)FB, 3, false)) \
    X(w, "{ .reg .b16 %h<2>; cvt.rn.satfinite.relu.e5m2x2.f32 %h0, %fa, %fb; cvt.u32.u16 %ro, %h0; }", \
        nearest_byte((double)FA, 2, true) << 8 | nearest_byte((double)FB, 2, true)) \
    X(w, "{ .reg .b16 %h<2>; cvt.rn.satfinite.e4m3x2.f16x2 %h0, %ra; cvt.u32.u16 %ro, %h0; }", \
        nearest_byte((double)half_to_float(A >> 16), 3, false) << 8 | nearest_byte((double)HA, 3, false)) \
    X(w, "{ .reg .b16 %h<2>; cvt.rn.satfinite.e5m2x2.f16x2 %h0, %ra; cvt.u32.u16 %ro, %h0; }", \
        nearest_byte((double)half_to_float(A >> 16), 2, false) << 8 | nearest_byte((double)HA, 2, false)) \
    X(w, "{ .reg .b16 %h<2>; cvt.u16.u32 %h0, %ra; cvt.rn.f16x2.e4m3x2 %ro, %h0; }", \
        half_of_byte(A >> 8, 3) << 16 | half_of_byte(A, 3)) \
    X(w, "{ .reg .b16 %h<2>; cvt.u16.u32 %h0, %ra; cvt.rn.f16x2.e5m2x2 %ro, %h0; }", \
        half_of_byte(A >> 8, 2) << 16 | half_of_byte(A, 2)) \
    X(w, "cvt.rn.relu.f16x2.f32 %ro, %fa, %fb;", \
        (FA <= 0 ? 0 : float_to_half(FA)) << 16 | (FB <= 0 ? 0 : float_to_half(FB))) \
    X(w, "cvt.rz.bf16x2.f32 %ro, %fa, %fb;", (FA != FA ? 0x7fff : A >> 16) << 16 | (FB != FB ? 0x7fff : B >> 16)) \
    X(w, "{ .reg .b16 %h<2>; cvt.rn.satfinite.bf16.f32 %h0, %fa; cvt.u32.u16 %ro, %h0; }", \
        (float_to_bf16(FA) & 0x7fff) == 0x7f80 ? (A >> 16 & 0x8000) | 0x7f7f : float_to_bf16(FA)) \
    X(w, "cvt.rna.tf32.f32 %ro, %fa;", (A & 0x7f800000) == 0x7f800000 ? A & 0xffffe000 : (A + 0x1000) & 0xffffe000) \
    X(w, "cvt.rna.satfinite.tf32.f32 %ro, %fa;", \
        (((A & 0x7f800000) == 0x7f800000 ? A : A + 0x1000) & 0xffffe000) - \
            ((((A & 0x7f800000) == 0x7f800000 ? A : A + 0x1000) & 0x7f800000) == 0x7f800000 ? 0x2000 : 0)) \
    X(w, "cvt.rz.tf32.f32 %ro, %fa;", FA != FA ? 0x7fffe000 : A & 0xffffe000) \
    X(w, "cvt.pack.sat.u8.s32.b32 %ro, %ra, %rb, %rc;", C << 16 | clipped(SA, 8, false) << 8 | clipped(SB, 8, false)) \
    X(w, "cvt.pack.sat.s4.s32.b32 %ro, %ra, %rb, %rc;", C << 8 | clipped(SA, 4, true) << 4 | clipped(SB, 4, true)) \
    X(w, "cvt.pack.sat.s16.s32 %ro, %ra, %rb;", clipped(SA, 16, true) << 16 | clipped(SB, 16, true))
