// The rows of unit/sim_alu: an instruction, and in C what it should give.
// SPDX-License-Identifier: MIT
// X(kind of result: w l bits, f d floats; PTX; value)
#define ROWS(X) \
    X(w, "add.s32 %ro, %ra, %rb;", A + B) \
    X(l, "add.s64 %lo, %la, %lb;", LA + LB) \
    X(w, "add.sat.s32 %ro, %ra, %rb;", \
        (int64_t)SA + SB > INT32_MAX       ? INT32_MAX \
            : (int64_t)SA + SB < INT32_MIN ? INT32_MIN \
                                           : SA + SB) \
    X(w, "sub.u32 %ro, %ra, %rb;", A - B) \
    X(w, "sub.sat.s32 %ro, %ra, %rb;", \
        (int64_t)SA - SB > INT32_MAX       ? INT32_MAX \
            : (int64_t)SA - SB < INT32_MIN ? INT32_MIN \
                                           : SA - SB) \
    X(w, "mul.lo.s32 %ro, %ra, %rb;", A *B) \
    X(l, "mul.lo.u64 %lo, %la, %lb;", LA *LB) \
    X(w, "mul.hi.u32 %ro, %ra, %rb;", (uint64_t)A *B >> 32) \
    X(w, "mul.hi.s32 %ro, %ra, %rb;", (uint64_t)((int64_t)SA * SB) >> 32) \
    X(l, "mul.hi.u64 %lo, %la, %lb;", (uint64_t)((unsigned __int128)LA * LB >> 64)) \
    X(l, "mul.hi.s64 %lo, %la, %lb;", (uint64_t)((__int128)SLA * SLB >> 64)) \
    X(l, "mul.wide.u32 %lo, %ra, %rb;", (uint64_t)A *B) \
    X(l, "mul.wide.s32 %lo, %ra, %rb;", (uint64_t)((int64_t)SA * SB)) \
    X(l, "mad.wide.s32 %lo, %ra, %rb, %lc;", (uint64_t)((int64_t)SA * SB) + LC) \
    X(l, "{ .reg .b64 %m; mul.wide.s32 %m, %ra, %rb; add.s64 %lo, %lc, %m; }", (uint64_t)((int64_t)SA * SB) + LC) \
    X(l, "{ .reg .b64 %m; mul.wide.u32 %m, %ra, %rb; add.u64 %lo, %m, %lc; }", (uint64_t)A *B + LC) \
    X(l, "{ .reg .b64 %m; mul.wide.u32 %m, %ra, %rb; add.u64 %lo, %m, %m; }", (uint64_t)A *B * 2) \
    X(l, "{ .reg .b64 %m; mul.wide.u32 %m, %ra, %rb; add.u64 %lo, %m, %lc; xor.b64 %lo, %lo, %m; }", \
        ((uint64_t)A * B + LC) ^ (uint64_t)A * B) \
    X(l, "{ .reg .b64 %m; mul.wide.u32 %m, %ra, %rb; @%p3 add.u64 %lo, %m, %lc; }", C & 1 ? (uint64_t)A * B + LC : 77) \
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
    X(w, "dp2a.lo.s32.s32 %ro, %ra, %rb, %rc;", \
        C + (uint32_t)((int16_t)A * (int8_t)B) + (uint32_t)((int16_t)(A >> 16) * (int8_t)(B >> 8))) \
    X(w, \
        "{ .reg .b16 %h<3>; cvt.u16.u32 %h0, %ra; cvt.u16.u32 %h1, %rb; add.s16 %h2, %h0, %h1; cvt.s32.s16 %ro, %h2; " \
        "}", \
        (int16_t)(A + B)) \
    X(w, "{ .reg .b16 %h<3>; cvt.u16.u32 %h0, %ra; cvt.u16.u32 %h1, %rb; mul.wide.s16 %ro, %h0, %h1; }", \
        (int16_t)A *(int16_t)B) \
    X(w, "{ .reg .b16 %h<3>; cvt.u16.u32 %h0, %ra; shr.s16 %h2, %h0, 3; cvt.u32.u16 %ro, %h2; }", \
        (uint16_t)((int16_t)A >> 3)) \
    X(l, \
        "{ .reg .b32 %u<5>; mov.b64 {%u0, %u1}, %la; mov.b64 {%u2, %u3}, %lb; add.cc.u32 %u0, %u0, %u2; addc.u32 " \
        "%u1, %u1, %u3;" \
        " mov.b64 %lo, {%u0, %u1}; }", \
        LA + LB) \
    X(l, \
        "{ .reg .b32 %u<5>; mov.b64 {%u0, %u1}, %la; mov.b64 {%u2, %u3}, %lb; sub.cc.u32 %u0, %u0, %u2; subc.u32 " \
        "%u1, %u1, %u3;" \
        " mov.b64 %lo, {%u0, %u1}; }", \
        LA - LB) \
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
    X(w, "prmt.b32.f4e %ro, %ra, %rb, %rc;", \
        bytes_of(A, B, \
            (C & 3) == 0       ? 0x3210 \
                : (C & 3) == 1 ? 0x4321 \
                : (C & 3) == 2 ? 0x5432 \
                               : 0x6543)) \
    X(w, "lop3.b32 %ro, %ra, %rb, %rc, 0x96;", A ^ B ^ C) \
    X(w, "lop3.b32 %ro, %ra, %rb, %rc, 0x1B;", table(A, B, C, 0x1b)) \
    X(w, "{ .reg .b16 %h<2>; mov.b32 {%h0, %h1}, %ra; mov.b32 %ro, {%h1, %h0}; }", A << 16 | A >> 16) \
    X(l, "{ .reg .b16 %h<4>; mov.b64 {%h0, %h1, %h2, %h3}, %la; mov.b64 %lo, {%h3, %h2, %h1, %h0}; }", \
        LA << 48 | (LA << 16 & 0xffff00000000) | (LA >> 16 & 0xffff0000) | LA >> 48) \
    X(w, "{ .reg .b8 %h<4>; mov.b32 {%h0, %h1, %h2, %h3}, %ra; mov.b32 %ro, {%h2, %h3, %h1, %h0}; }", \
        A << 24 | (A >> 8 & 0xff) << 16 | (A >> 24) << 8 | (A >> 16 & 0xff)) \
    X(w, "{ .reg .b32 %t; mov.b64 {_, %t}, %la; mov.b32 %ro, %t; }", (uint32_t)(LA >> 32)) \
    X(w, "selp.b32 %ro, %ra, %rb, %p1;", B & 1 ? A : B) \
    X(w, "selp.b32 %ro, 7, %rb, !%p1;", B & 1 ? B : 7) \
    X(w, "slct.b32.s32 %ro, %ra, %rb, %rc;", SC >= 0 ? A : B) \
    X(w, "{ .reg .pred %q<3>; setp.lt.s32 %q0, %ra, %rb; selp.u32 %ro, 1, 0, %q0; }", SA < SB) \
    X(w, "{ .reg .pred %q<3>; setp.hs.u32 %q0, %ra, %rb; selp.u32 %ro, 1, 0, %q0; }", A >= B) \
    X(w, "{ .reg .pred %q<3>; setp.le.u64 %q0, %la, %lb; selp.u32 %ro, 1, 0, %q0; }", LA <= LB) \
    X(w, \
        "{ .reg .pred %q<3>; setp.gt.or.s32 %q0|%q1, %ra, %rb, !%p1; selp.u32 %ro, 2, 0, %q0; @%q1 add.u32 %ro, %ro, " \
        "1; }", \
        (SA > SB || !(B & 1) ? 2 : 0) + (SA <= SB || !(B & 1) ? 1 : 0)) \
    X(w, \
        "{ .reg .pred %q<3>; setp.neu.f32 %q0, %fa, %fb; setp.ne.f32 %q1, %fa, %fb; xor.pred %q2, %q0, %q1; selp.u32 " \
        "%ro, 1, 0, %q2; }", \
        isnan(FA) || isnan(FB)) \
    X(w, "{ .reg .pred %q<3>; setp.leu.f64 %q0, %da, %db; selp.u32 %ro, 1, 0, %q0; }", !(DA > DB)) \
    X(w, "{ .reg .pred %q<3>; setp.num.f32 %q0, %fa, %fb; not.pred %q0, %q0; selp.u32 %ro, 1, 0, %q0; }", \
        isnan(FA) || isnan(FB)) \
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
    X(f, "max.NaN.f32 %fo, %fa, %fb;", \
        isnan(FA)                                  ? FA \
            : isnan(FB)                            ? FB \
            : FA > FB || (FA == FB && signbit(FB)) ? FA \
                                                   : FB) \
    X(l, "cvt.u64.u32 %lo, %ra;", A) \
    X(l, "cvt.s64.s32 %lo, %ra;", (uint64_t)(int64_t)SA) \
    X(w, "cvt.u32.u64 %ro, %la;", (uint32_t)LA) \
    X(w, "cvt.s32.s8 %ro, %ra;", (uint32_t)(int8_t)A) \
    X(l, "cvt.u64.u8 %lo, %ra;", (uint8_t)A) \
    X(w, "cvt.sat.u8.s32 %ro, %ra;", SA<0 ? 0 : SA> 255 ? 255 : A) \
    X(w, "cvt.sat.s16.s64 %ro, %la;", \
        (uint32_t)(SLA < INT16_MIN ? INT16_MIN \
                : SLA > INT16_MAX  ? INT16_MAX \
                                   : (int16_t)SLA)) \
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
    X(f, "cvt.rz.f32.f64 %fo, %da;", toward(DA, 0)) \
    X(f, "cvt.rm.f32.f64 %fo, %da;", toward(DA, -INFINITY)) \
    X(f, "cvt.rp.f32.f64 %fo, %da;", toward(DA, INFINITY)) \
    X(f, "{ .reg .b16 %h<2>; cvt.u16.u32 %h0, %ra; cvt.f32.f16 %fo, %h0; }", HA) \
    X(f, "{ .reg .b16 %h<2>; cvt.rn.f16.f32 %h0, %fa; cvt.f32.f16 %fo, %h0; }", half_to_float(float_to_half(FA))) \
    X(f, \
        "{ .reg .b16 %h<4>; cvt.u16.u32 %h0, %ra; cvt.u16.u32 %h1, %rb; add.f16 %h2, %h0, %h1; cvt.f32.f16 %fo, %h2; " \
        "}", \
        half_to_float(float_to_half(HA + HB))) \
    X(f, "{ .reg .b16 %h<4>; .reg .b32 %v; mul.f16x2 %v, %ra, %rb; mov.b32 {%h0, %h1}, %v; cvt.f32.f16 %fo, %h1; }", \
        half_to_float(float_to_half(half_to_float(A >> 16) * half_to_float(B >> 16)))) \
    X(f, "{ .reg .b16 %h<4>; cvt.rn.bf16.f32 %h0, %fa; cvt.f32.bf16 %fo, %h0; }", bf16_to_float(float_to_bf16(FA))) \
    X(w, \
        "{ .reg .pred %q<2>; setp.eq.b32 %q0, %ra, %rb; @%q0 bra SAME; mov.u32 %ro, 5; bra DONE; SAME: mov.u32 %ro, " \
        "6; DONE: }", \
        A == B ? 6 : 5)
