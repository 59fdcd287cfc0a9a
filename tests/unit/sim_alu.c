// Every arithmetic instruction against C: each row is PTX and what it should give, for numbers at the edges of their types and
// random ones, in every variant of the interpreter that this processor runs, with all lanes active and with some.
// SPDX-License-Identifier: MIT
#include "sim/half.h"
#include "sim/sim.h"
#include "sim/state.h"
#include "unit/test.h"

#include <fenv.h>
#include <stdlib.h>

#define THREADS 512

// Inputs as PTX sees them: %ra %rb %rc 32 bits, %la %lb %lc 64 bits, %fa … and %da … the same bits as floats.
struct in {
    uint64_t a, b, c;
};
#define A ((uint32_t)x->a)
#define B ((uint32_t)x->b)
#define C ((uint32_t)x->c)
#define SA ((int32_t)A)
#define SB ((int32_t)B)
#define SC ((int32_t)C)
#define LA (x->a)
#define LB (x->b)
#define LC (x->c)
#define SLA ((int64_t)x->a)
#define SLB ((int64_t)x->b)
#define FA bits_float(A)
#define FB bits_float(B)
#define FC bits_float(C)
#define DA bits_double(LA)
#define DB bits_double(LB)
#define DC bits_double(LC)
#define HA half_to_float(A & 0xffff)
#define HB half_to_float(B & 0xffff)

static float rounded(float (*f)(float, float), float a, float b, int mode)
{
    volatile float p = a, q = b;
    fesetround(mode);
    volatile float r = f(p, q);
    fesetround(FE_TONEAREST);
    return r;
}
static float plus(float a, float b) { return a + b; }
static float times(float a, float b) { return a * b; }
static float over(float a, float b) { return a / b; }
static float flush(float f) { return fpclassify(f) == FP_SUBNORMAL ? copysignf(0, f) : f; }
static uint32_t bit_reverse(uint32_t v)
{
    uint32_t r = 0;
    for (int k = 0; k < 32; k++) r |= (v >> k & 1) << (31 - k);
    return r;
}
static uint32_t count_bits(uint64_t v)
{
    uint32_t n = 0;
    for (; v; v &= v - 1) n++;
    return n;
}
static uint32_t leading(uint64_t v, int width)
{
    uint32_t n = 0;
    for (int k = width - 1; k >= 0 && !(v >> k & 1); k--) n++;
    return n;
}
// The definition in the PTX manual, bit by bit.
static uint64_t field(uint64_t a, uint32_t pos, uint32_t len, int width, bool is_signed)
{
    pos &= 0xff, len &= 0xff;
    uint64_t r = 0, sign = 0;
    if (is_signed && len) sign = a >> (pos + len - 1 < (uint32_t)width - 1 ? pos + len - 1 : (uint32_t)width - 1) & 1;
    for (uint32_t k = 0; k < (uint32_t)width; k++) {
        uint64_t bit = k < len && pos + k < (uint32_t)width ? a >> (pos + k) & 1 : sign;
        if (!len) bit = 0;
        r |= bit << k;
    }
    return r;
}
static uint64_t put_field(uint64_t a, uint64_t b, uint32_t pos, uint32_t len, int width)
{
    pos &= 0xff, len &= 0xff;
    for (uint32_t k = 0; k < len && pos + k < (uint32_t)width; k++) {
        b &= ~((uint64_t)1 << (pos + k));
        b |= (a >> k & 1) << (pos + k);
    }
    return b;
}
static uint32_t bytes_of(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t both = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (int k = 0; k < 4; k++) {
        uint32_t n = c >> 4 * k & 7, byte = (uint32_t)(both >> 8 * n) & 0xff;
        if (c >> (4 * k + 3) & 1) byte = byte & 0x80 ? 0xff : 0;
        r |= byte << 8 * k;
    }
    return r;
}
static uint32_t table(uint32_t a, uint32_t b, uint32_t c, int lut)
{
    uint32_t r = 0;
    for (int k = 0; k < 32; k++) r |= (uint32_t)(lut >> ((a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1)) & 1) << k;
    return r;
}
static uint32_t dot4(uint32_t a, uint32_t b, uint32_t c)
{
    for (int k = 0; k < 4; k++) c += (uint32_t)((int8_t)(a >> 8 * k) * (int8_t)(b >> 8 * k));
    return c;
}
static int32_t to_int(double v, double lo, double hi)
{
    return v != v ? 0 : v <= lo ? (int32_t)lo : v >= hi ? (int32_t)hi : (int32_t)v;
}
static int64_t to_long(double v)
{
    return v != v ? INT64_MIN : v < -0x1p63 ? INT64_MIN : v >= 0x1p63 ? INT64_MAX : (int64_t)v;
}

// X(kind of result: w l bits, f d floats; PTX; value)
#define ROWS(X) \
    X(w, "add.s32 %ro, %ra, %rb;", A + B) \
    X(l, "add.s64 %lo, %la, %lb;", LA + LB) \
    X(w, "add.sat.s32 %ro, %ra, %rb;", (int64_t)SA + SB > INT32_MAX ? INT32_MAX : (int64_t)SA + SB < INT32_MIN ? INT32_MIN : SA + SB) \
    X(w, "sub.u32 %ro, %ra, %rb;", A - B) \
    X(w, "sub.sat.s32 %ro, %ra, %rb;", (int64_t)SA - SB > INT32_MAX ? INT32_MAX : (int64_t)SA - SB < INT32_MIN ? INT32_MIN : SA - SB) \
    X(w, "mul.lo.s32 %ro, %ra, %rb;", A * B) \
    X(l, "mul.lo.u64 %lo, %la, %lb;", LA * LB) \
    X(w, "mul.hi.u32 %ro, %ra, %rb;", (uint64_t)A * B >> 32) \
    X(w, "mul.hi.s32 %ro, %ra, %rb;", (uint64_t)((int64_t)SA * SB) >> 32) \
    X(l, "mul.hi.u64 %lo, %la, %lb;", (uint64_t)((unsigned __int128)LA * LB >> 64)) \
    X(l, "mul.hi.s64 %lo, %la, %lb;", (uint64_t)((__int128)SLA * SLB >> 64)) \
    X(l, "mul.wide.u32 %lo, %ra, %rb;", (uint64_t)A * B) \
    X(l, "mul.wide.s32 %lo, %ra, %rb;", (uint64_t)((int64_t)SA * SB)) \
    X(l, "mad.wide.s32 %lo, %ra, %rb, %lc;", (uint64_t)((int64_t)SA * SB) + LC) \
    X(w, "mad.lo.s32 %ro, %ra, %rb, %rc;", A *B + C) \
    X(w, "mad.hi.u32 %ro, %ra, %rb, %rc;", (uint32_t)((uint64_t)A * B >> 32) + C) \
    X(w, "mul24.lo.u32 %ro, %ra, %rb;", (A & 0xffffff) * (B & 0xffffff)) \
    X(w, "div.s32 %ro, %ra, %rb;", SB == 0 ? ~0u : SB == -1 ? 0 - A : (uint32_t)(SA / SB)) \
    X(w, "div.u32 %ro, %ra, %rb;", B == 0 ? ~0u : A / B) \
    X(w, "rem.s32 %ro, %ra, %rb;", SB == 0 ? A : SB == -1 ? 0 : (uint32_t)(SA % SB)) \
    X(w, "rem.u32 %ro, %ra, %rb;", B == 0 ? A : A % B) \
    X(l, "div.s64 %lo, %la, %lb;", SLB == 0 ? ~0ull : SLB == -1 ? 0 - LA : (uint64_t)(SLA / SLB)) \
    X(l, "rem.u64 %lo, %la, %lb;", LB == 0 ? LA : LA % LB) \
    X(w, "abs.s32 %ro, %ra;", SA < 0 ? 0 - A : A) \
    X(l, "neg.s64 %lo, %la;", 0 - LA) \
    X(w, "min.s32 %ro, %ra, %rb;", SA < SB ? A : B) \
    X(w, "max.u32 %ro, %ra, %rb;", A > B ? A : B) \
    X(l, "min.u64 %lo, %la, %lb;", LA < LB ? LA : LB) \
    X(w, "sad.s32 %ro, %ra, %rb, %rc;", C + (SA < SB ? B - A : A - B)) \
    X(w, "dp4a.s32.s32 %ro, %ra, %rb, %rc;", dot4(A, B, C)) \
    X(w, "{ .reg .b16 %h<3>; cvt.u16.u32 %h0, %ra; cvt.u16.u32 %h1, %rb; add.s16 %h2, %h0, %h1; cvt.s32.s16 %ro, %h2; }", (int16_t)(A + B)) \
    X(w, "{ .reg .b16 %h<3>; cvt.u16.u32 %h0, %ra; cvt.u16.u32 %h1, %rb; mul.wide.s16 %ro, %h0, %h1; }", (int16_t)A * (int16_t)B) \
    X(w, "{ .reg .b16 %h<3>; cvt.u16.u32 %h0, %ra; shr.s16 %h2, %h0, 3; cvt.u32.u16 %ro, %h2; }", (uint16_t)((int16_t)A >> 3)) \
    X(l, "{ .reg .b32 %u<5>; mov.b64 {%u0, %u1}, %la; mov.b64 {%u2, %u3}, %lb; add.cc.u32 %u0, %u0, %u2; addc.u32 %u1, %u1, %u3;" \
         " mov.b64 %lo, {%u0, %u1}; }", LA + LB) \
    X(l, "{ .reg .b32 %u<5>; mov.b64 {%u0, %u1}, %la; mov.b64 {%u2, %u3}, %lb; sub.cc.u32 %u0, %u0, %u2; subc.u32 %u1, %u1, %u3;" \
         " mov.b64 %lo, {%u0, %u1}; }", LA - LB) \
    X(l, "{ .reg .b64 %u<4>; mad.lo.cc.u64 %u0, %la, %lb, %lc; madc.hi.u64 %lo, %la, %lb, 0; }", \
      (uint64_t)(((unsigned __int128)LA * LB + LC) >> 64)) \
    X(w, "and.b32 %ro, %ra, %rb;", A &B) \
    X(l, "xor.b64 %lo, %la, %lb;", LA ^ LB) \
    X(w, "not.b32 %ro, %ra;", ~A) \
    X(w, "cnot.b32 %ro, %ra;", !A) \
    X(w, "shl.b32 %ro, %ra, %rb;", B > 31 ? 0 : A << B) \
    X(w, "shr.s32 %ro, %ra, %rb;", (uint32_t)(SA >> (B > 31 ? 31 : B))) \
    X(l, "shr.u64 %lo, %la, %rb;", B > 63 ? 0 : LA >> B) \
    X(l, "shr.s64 %lo, %la, %rb;", (uint64_t)(SLA >> (B > 63 ? 63 : B))) \
    X(w, "shf.l.wrap.b32 %ro, %ra, %rb, %rc;", (C & 31) ? B << (C & 31) | A >> (32 - (C & 31)) : B) \
    X(w, "shf.r.wrap.b32 %ro, %ra, %rb, %rc;", (C & 31) ? A >> (C & 31) | B << (32 - (C & 31)) : A) \
    X(w, "shf.r.clamp.b32 %ro, %ra, %rb, %rc;", C >= 32 ? B : C ? A >> C | B << (32 - C) : A) \
    X(w, "popc.b32 %ro, %ra;", count_bits(A)) \
    X(w, "popc.b64 %ro, %la;", count_bits(LA)) \
    X(w, "clz.b32 %ro, %ra;", leading(A, 32)) \
    X(w, "clz.b64 %ro, %la;", leading(LA, 64)) \
    X(w, "brev.b32 %ro, %ra;", bit_reverse(A)) \
    X(w, "bfind.u32 %ro, %ra;", 31 - leading(A, 32)) \
    X(w, "bfind.s32 %ro, %ra;", 31 - leading(SA < 0 ? ~A : A, 32)) \
    X(w, "bfind.shiftamt.u32 %ro, %ra;", A ? leading(A, 32) : ~0u) \
    X(w, "bfe.u32 %ro, %ra, %rb, %rc;", (uint32_t)field(A, B, C, 32, false)) \
    X(w, "bfe.s32 %ro, %ra, %rb, %rc;", (uint32_t)field(A, B, C, 32, true)) \
    X(l, "bfe.s64 %lo, %la, %rb, %rc;", field(LA, B, C, 64, true)) \
    X(w, "bfi.b32 %ro, %ra, %rb, %rc, 7;", (uint32_t)put_field(A, B, C, 7, 32)) \
    X(l, "bfi.b64 %lo, %la, %lb, %rc, 70;", put_field(LA, LB, C, 70, 64)) \
    X(w, "prmt.b32 %ro, %ra, %rb, %rc;", bytes_of(A, B, C)) \
    X(w, "prmt.b32.f4e %ro, %ra, %rb, %rc;", bytes_of(A, B, (C & 3) == 0 ? 0x3210 : (C & 3) == 1 ? 0x4321 : (C & 3) == 2 ? 0x5432 : 0x6543)) \
    X(w, "lop3.b32 %ro, %ra, %rb, %rc, 0x96;", A ^ B ^ C) \
    X(w, "lop3.b32 %ro, %ra, %rb, %rc, 0x1B;", table(A, B, C, 0x1b)) \
    X(w, "{ .reg .b16 %h<2>; mov.b32 {%h0, %h1}, %ra; mov.b32 %ro, {%h1, %h0}; }", A << 16 | A >> 16) \
    X(l, "{ .reg .b16 %h<4>; mov.b64 {%h0, %h1, %h2, %h3}, %la; mov.b64 %lo, {%h3, %h2, %h1, %h0}; }", \
      LA << 48 | (LA << 16 & 0xffff00000000) | (LA >> 16 & 0xffff0000) | LA >> 48) \
    X(w, "{ .reg .b32 %t; mov.b64 {_, %t}, %la; mov.b32 %ro, %t; }", (uint32_t)(LA >> 32)) \
    X(w, "selp.b32 %ro, %ra, %rb, %p1;", B & 1 ? A : B) \
    X(w, "selp.b32 %ro, 7, %rb, !%p1;", B & 1 ? B : 7) \
    X(w, "slct.b32.s32 %ro, %ra, %rb, %rc;", SC >= 0 ? A : B) \
    X(w, "{ .reg .pred %q<3>; setp.lt.s32 %q0, %ra, %rb; selp.u32 %ro, 1, 0, %q0; }", SA < SB) \
    X(w, "{ .reg .pred %q<3>; setp.hs.u32 %q0, %ra, %rb; selp.u32 %ro, 1, 0, %q0; }", A >= B) \
    X(w, "{ .reg .pred %q<3>; setp.le.u64 %q0, %la, %lb; selp.u32 %ro, 1, 0, %q0; }", LA <= LB) \
    X(w, "{ .reg .pred %q<3>; setp.gt.or.s32 %q0|%q1, %ra, %rb, !%p1; selp.u32 %ro, 2, 0, %q0; @%q1 add.u32 %ro, %ro, 1; }", \
      (SA > SB || !(B & 1) ? 2 : 0) + (SA <= SB || !(B & 1) ? 1 : 0)) \
    X(w, "{ .reg .pred %q<3>; setp.neu.f32 %q0, %fa, %fb; setp.ne.f32 %q1, %fa, %fb; xor.pred %q2, %q0, %q1; selp.u32 %ro, 1, 0, %q2; }", \
      isnan(FA) || isnan(FB)) \
    X(w, "{ .reg .pred %q<3>; setp.leu.f64 %q0, %da, %db; selp.u32 %ro, 1, 0, %q0; }", !(DA > DB)) \
    X(w, "{ .reg .pred %q<3>; setp.num.f32 %q0, %fa, %fb; not.pred %q0, %q0; selp.u32 %ro, 1, 0, %q0; }", isnan(FA) || isnan(FB)) \
    X(w, "set.lt.u32.f32 %ro, %fa, %fb;", FA < FB ? ~0u : 0) \
    X(f, "set.ge.f32.s32 %fo, %ra, %rb;", SA >= SB ? 1.0f : 0.0f) \
    X(w, "testp.infinite.f32 %p2, %fa; selp.u32 %ro, 1, 0, %p2;", isinf(FA) != 0) \
    X(w, "testp.subnormal.f32 %p2, %fa; selp.u32 %ro, 1, 0, %p2;", fpclassify(FA) == FP_SUBNORMAL) \
    X(f, "add.f32 %fo, %fa, %fb;", FA + FB) \
    X(f, "add.rz.f32 %fo, %fa, %fb;", rounded(plus, FA, FB, FE_TOWARDZERO)) \
    X(f, "add.rm.f32 %fo, %fa, %fb;", rounded(plus, FA, FB, FE_DOWNWARD)) \
    X(f, "mul.rp.f32 %fo, %fa, %fb;", rounded(times, FA, FB, FE_UPWARD)) \
    X(f, "mul.ftz.f32 %fo, %fa, %fb;", flush(flush(FA) * flush(FB))) \
    X(f, "add.sat.f32 %fo, %fa, %fb;", FA + FB > 0 ? (FA + FB < 1 ? FA + FB : 1) : 0) \
    X(f, "sub.f32 %fo, %fa, 0f3FC00000;", FA - 1.5f) \
    X(f, "fma.rn.f32 %fo, %fa, %fb, %fc;", fmaf(FA, FB, FC)) \
    X(d, "fma.rn.f64 %do, %da, %db, %dc;", fma(DA, DB, DC)) \
    X(f, "div.rn.f32 %fo, %fa, %fb;", FA / FB) \
    X(f, "div.rz.f32 %fo, %fa, %fb;", rounded(over, FA, FB, FE_TOWARDZERO)) \
    X(f, "sqrt.rn.f32 %fo, %fa;", sqrtf(FA)) \
    X(f, "rcp.rn.f32 %fo, %fa;", 1 / FA) \
    X(d, "add.f64 %do, %da, %db;", DA + DB) \
    X(d, "mul.f64 %do, %da, %db;", DA *DB) \
    X(d, "div.rn.f64 %do, %da, %db;", DA / DB) \
    X(d, "sqrt.rn.f64 %do, %da;", sqrt(DA)) \
    X(f, "neg.f32 %fo, %fa;", -FA) \
    X(f, "abs.f32 %fo, %fa;", fabsf(FA)) \
    X(f, "copysign.f32 %fo, %fa, %fb;", copysignf(FB, FA)) \
    X(f, "min.f32 %fo, %fa, %fb;", isnan(FA) ? FB : isnan(FB) ? FA : FA < FB || (FA == FB && signbit(FA)) ? FA : FB) \
    X(f, "max.f32 %fo, %fa, %fb;", isnan(FA) ? FB : isnan(FB) ? FA : FA > FB || (FA == FB && signbit(FB)) ? FA : FB) \
    X(f, "max.NaN.f32 %fo, %fa, %fb;", isnan(FA) ? FA : isnan(FB) ? FB : FA > FB || (FA == FB && signbit(FB)) ? FA : FB) \
    X(l, "cvt.u64.u32 %lo, %ra;", A) \
    X(l, "cvt.s64.s32 %lo, %ra;", (uint64_t)(int64_t)SA) \
    X(w, "cvt.u32.u64 %ro, %la;", (uint32_t)LA) \
    X(w, "cvt.s32.s8 %ro, %ra;", (uint32_t)(int8_t)A) \
    X(l, "cvt.u64.u8 %lo, %ra;", (uint8_t)A) \
    X(w, "cvt.sat.u8.s32 %ro, %ra;", SA < 0 ? 0 : SA > 255 ? 255 : A) \
    X(w, "cvt.sat.s16.s64 %ro, %la;", (uint32_t)(SLA < INT16_MIN ? INT16_MIN : SLA > INT16_MAX ? INT16_MAX : (int16_t)SLA)) \
    X(f, "cvt.rn.f32.s32 %fo, %ra;", (float)SA) \
    X(f, "cvt.rn.f32.u32 %fo, %ra;", (float)A) \
    X(f, "cvt.rn.f32.u64 %fo, %la;", (float)LA) \
    X(d, "cvt.rn.f64.u32 %do, %ra;", (double)A) \
    X(d, "cvt.rn.f64.s64 %do, %la;", (double)SLA) \
    X(w, "cvt.rzi.s32.f32 %ro, %fa;", to_int(trunc(FA), -0x1p31, 0x1p31 - 1)) \
    X(w, "cvt.rni.s32.f32 %ro, %fa;", to_int(nearbyint(FA), -0x1p31, 0x1p31 - 1)) \
    X(w, "cvt.rmi.s32.f32 %ro, %fa;", to_int(floor(FA), -0x1p31, 0x1p31 - 1)) \
    X(w, "cvt.rpi.s32.f32 %ro, %fa;", to_int(ceil(FA), -0x1p31, 0x1p31 - 1)) \
    X(w, "cvt.rzi.u32.f32 %ro, %fa;", !(FA > 0) ? 0 : FA >= 0x1p32f ? ~0u : (uint32_t)FA) \
    X(l, "cvt.rzi.s64.f64 %lo, %da;", (uint64_t)to_long(trunc(DA))) \
    X(l, "cvt.rni.s64.f32 %lo, %fa;", (uint64_t)to_long(nearbyint(FA))) \
    X(f, "cvt.rni.f32.f32 %fo, %fa;", nearbyintf(FA)) \
    X(d, "cvt.rmi.f64.f64 %do, %da;", floor(DA)) \
    X(f, "cvt.sat.f32.f32 %fo, %fa;", FA > 0 ? (FA < 1 ? FA : 1) : 0) \
    X(d, "cvt.f64.f32 %do, %fa;", (double)FA) \
    X(f, "cvt.rn.f32.f64 %fo, %da;", (float)DA) \
    X(f, "{ .reg .b16 %h<2>; cvt.u16.u32 %h0, %ra; cvt.f32.f16 %fo, %h0; }", HA) \
    X(f, "{ .reg .b16 %h<2>; cvt.rn.f16.f32 %h0, %fa; cvt.f32.f16 %fo, %h0; }", half_to_float(float_to_half(FA))) \
    X(f, "{ .reg .b16 %h<4>; cvt.u16.u32 %h0, %ra; cvt.u16.u32 %h1, %rb; add.f16 %h2, %h0, %h1; cvt.f32.f16 %fo, %h2; }", \
      half_to_float(float_to_half(HA + HB))) \
    X(f, "{ .reg .b16 %h<4>; .reg .b32 %v; mul.f16x2 %v, %ra, %rb; mov.b32 {%h0, %h1}, %v; cvt.f32.f16 %fo, %h1; }", \
      half_to_float(float_to_half(half_to_float(A >> 16) * half_to_float(B >> 16)))) \
    X(f, "{ .reg .b16 %h<4>; cvt.rn.bf16.f32 %h0, %fa; cvt.f32.bf16 %fo, %h0; }", bf16_to_float(float_to_bf16(FA))) \
    X(w, "{ .reg .pred %q<2>; setp.eq.b32 %q0, %ra, %rb; @%q0 bra SAME; mov.u32 %ro, 5; bra DONE; SAME: mov.u32 %ro, 6; DONE: }", A == B ? 6 : 5)

#define TEXT_ROW(kind, text, value) {#kind[0], text},
static const struct {
    char kind;
    const char *text;
} rows[] = {ROWS(TEXT_ROW)};
#define ROW_COUNT (sizeof rows / sizeof *rows)

#define as_w(v) ((uint64_t)(uint32_t)(v))
#define as_l(v) ((uint64_t)(v))
#define as_f(v) float_bits((float)(v))
#define as_d(v) double_bits((double)(v))
#define VALUE_ROW(kind, text, value) \
    case __COUNTER__ - FIRST: return as_##kind(value);
enum { FIRST = __COUNTER__ + 1 };
static uint64_t expected(int row, const struct in *x)
{
    switch (row) {
        ROWS(VALUE_ROW)
    }
    return 0;
}

static const char *const head =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 k_in, .param .u64 k_out)\n{\n"
    " .reg .pred %p<4>; .reg .b32 %ra, %rb, %rc, %ro, %t; .reg .f32 %fa, %fb, %fc, %fo; .reg .f64 %da, %db, %dc, %do;\n"
    " .reg .b64 %la, %lb, %lc, %lo, %in, %out, %at;\n"
    " ld.param.u64 %in, [k_in]; ld.param.u64 %out, [k_out]; mov.u32 %t, %tid.x; mul.wide.u32 %at, %t, 24;"
        " add.s64 %in, %in, %at;\n"
    " mul.wide.u32 %at, %t, 8; add.s64 %out, %out, %at; ld.global.u64 %la, [%in]; ld.global.u64 %lb, [%in+8];"
        " ld.global.u64 %lc, [%in+16];\n"
    " cvt.u32.u64 %ra, %la; cvt.u32.u64 %rb, %lb; cvt.u32.u64 %rc, %lc; mov.b32 %fa, %ra; mov.b32 %fb, %rb; mov.b32 %fc, %rc;\n"
    " mov.b64 %da, %la; mov.b64 %db, %lb; mov.b64 %dc, %lc; mov.u64 %lo, 77; mov.u32 %ro, 77; mov.b32 %fo, 77;"
        " mov.b64 %do, 77;\n"
    " and.b32 %t, %rb, 1; setp.eq.u32 %p1, %t, 1; and.b32 %t, %rc, 1; setp.eq.u32 %p3, %t, 1;\n";

static void fill(struct in *in)
{
    static const uint64_t edges[] = {
        0, 1, 2, 31, 32, 33, 63, 64, 255, 0x7f, 0x80, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
        0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
        0x7fc00000, 0x00000123, 0x3f000000, 0x3ff0000000000000, 0x7ff0000000000000, 0x7ff8000000000000, 0x4b000001,
        0x3c003c00, 0x7bff0001};
    uint64_t s = 12345;
    for (int t = 0; t < THREADS; t++) {
        uint64_t v[3];
        for (int k = 0; k < 3; k++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            v[k] = (s >> 33) % 3 ? s ^ s >> 29 : edges[(s >> 40) % 32];
            if ((s >> 50) % 4 == 0)
                v[k] = double_bits((double)(int64_t)(s >> 30) / 1024) ^ (float_bits((float)(s >> 52) / 8) & 0xffffffff);
        }
        in[t] = (struct in){v[0], v[1], v[2]};
        if (t % 7 == 0) in[t].b = in[t].a;
        if (t % 5 == 0) in[t].c %= 70;
    }
}

static bool same(char kind, uint64_t got, uint64_t want)
{
    if (kind == 'f' && isnan(bits_float((uint32_t)got)) && isnan(bits_float((uint32_t)want))) return true;
    if (kind == 'd' && isnan(bits_double(got)) && isnan(bits_double(want))) return true;
    return got == want;
}

static void run_row(struct sim *sim, size_t row, uint64_t in, uint64_t out, bool guarded)
{
    char text[4096], error[256];
    const char kind = rows[row].kind;
    snprintf(text, sizeof text, "%s %s %s\n st.global.%s [%%out], %%%co;\n ret;\n}\n", head, guarded ? "@%p3" : "",
             rows[row].text, kind == 'w' || kind == 'f' ? "b32" : "b64", kind == 'w' ? 'r' : kind);
    struct sim_module *m = sim_load(sim, text, error);
    struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    test_checks++;
    if (!k) {
        test_failures++;
        printf("%s: %s\n", rows[row].text, error);
        return;
    }
    const uint64_t params[2] = {in, out};
    const struct sim_launch l = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = params, .param_bytes = 16};
    struct sim_counts counts;
    struct sim_fault fault;
    const struct in *x = sim_host(sim, in, THREADS * sizeof *x);
    const uint64_t *got = sim_host(sim, out, THREADS * 8);
    memset(sim_host(sim, out, THREADS * 8), 0, THREADS * 8);
    if (!sim_launch(sim, k, &l, &counts, &fault)) {
        test_failures++;
        printf("%s: %s\n", rows[row].text, fault.what);
    } else
        for (int t = 0; t < THREADS; t++) {
            const uint64_t want = guarded && !(x[t].c & 1) ? 77 : expected((int)row, &x[t]);
            if (same(kind, got[t], want)) continue;
            test_failures++;
            printf("%s%s\n  of %llx, %llx, %llx is %llx, not %llx (%s)\n", guarded ? "guarded " : "", rows[row].text,
                   (unsigned long long)x[t].a, (unsigned long long)x[t].b, (unsigned long long)x[t].c, (unsigned long long)got[t],
                   (unsigned long long)want, sim->exec->name);
            break;
        }
    sim_unload(sim, m);
}

int main(void)
{
    struct sim *sim = sim_new(1);
    const uint64_t in = sim_alloc(sim, THREADS * sizeof(struct in), "in"), out = sim_alloc(sim, THREADS * 8, "out");
    fill(sim_host(sim, in, THREADS * sizeof(struct in)));
    for (int v = 0; variant_get(v); v++) {
        sim->exec = variant_get(v);
        for (size_t row = 0; row < ROW_COUNT; row++) {
            run_row(sim, row, in, out, false);
            if (strchr(rows[row].text, ';')[1] == 0) run_row(sim, row, in, out, true);
        }
    }
    sim_free(sim);
    return test_end();
}
