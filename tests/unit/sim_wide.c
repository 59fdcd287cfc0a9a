// Atomics on vectors, and values of 128 bits: in registers, in memory, and swapped by many threads at once.
// SPDX-License-Identifier: MIT
#include "sim/ops/half.h"
#include "unit/sim_ptx.h"

static float float_at(int word) { return bits_float((uint32_t)out[word]); }

// 64 threads add to four places of a vector each.
static void sums_of_vectors(void)
{
    memset(out, 0, 4096);
    RUN(HEAD K("cvt.rn.f32.u32 %f1, %r1; mov.f32 %f2, 0f3f800000; and.b32 %r4, %r1, 3; mul.wide.u32 %rd5, %r4, 16; "
               "add.s64 %rd5, %rd5, %rd1; red.global.add.v4.f32 [%rd5+1024], {%f2, %f1, %f2, %f1};"),
        64);
    for (int k = 0; k < 4; k++) {
        CHECK(float_at(256 + 4 * k) == 16 && float_at(258 + 4 * k) == 16);
        CHECK(float_at(257 + 4 * k) == (float)(16 * k + 4 * (15 * 16 / 2)) &&
            float_at(259 + 4 * k) == float_at(257 + 4 * k));
    }
    CHECK_INT(counts.red_requests, 2);
    CHECK_INT(counts.atom_requests, 0);
    // What was there before comes back, each lane another.
    memset(out, 0, 4096);
    RUN(HEAD K("mov.f32 %f1, 0f3f800000; mov.f32 %f2, 0f40000000; atom.global.v2.f32.add {%f3, %f4}, [%rd1+1024], "
               "{%f1, %f2};"
               "fma.rn.f32 %f5, %f3, 0f42c80000, %f4; cvt.rzi.u32.f32 %r9, %f5;"),
        32);
    int sum = 0;
    for (int t = 0; t < 32; sum += out[t] / 102, t++) CHECK_INT(out[t] % 102, 0);
    CHECK_INT(sum, 31 * 32 / 2);
    CHECK_INT(counts.atom_requests, 1);
}

static void halves(void)
{
    memset(out, 0, 4096);
    out[260] = (int)0xbc00c000; // -1, -2
    RUN(HEAD K(
            "mov.b16 %h1, 0x3c00; mov.b16 %h2, 0x4000; red.global.add.noftz.v2.f16 [%rd1+1024], {%h1, %h2};"
            "mov.b32 %r4, 0x40003c00; mov.b32 %r5, 0xc0003c00; red.global.max.noftz.v2.f16x2 [%rd1+1040], {%r4, %r5};"),
        32);
    CHECK_INT((int)half_to_float((uint32_t)out[256] & 0xffff), 32);
    CHECK_INT((int)half_to_float((uint32_t)out[256] >> 16), 64);
    CHECK_INT(out[260], 0x40003c00);
    CHECK_INT(out[261], 0x00003c00);
    memset(out, 0, 4096);
    RUN(HEAD K("mov.b16 %h1, 0x3f80; mov.b16 %h2, 0x4000; atom.global.add.noftz.v2.bf16 {%h0, %h3}, [%rd1+1024], {%h1, "
               "%h2};"
               "mov.b32 %r9, {%h0, %h3};"),
        1);
    CHECK_INT(out[0], 0);
    CHECK_INT(out[256], 0x40003f80);
}

static void words_of_128_bits(void)
{
    for (int k = 0; k < 4; k++) out[256 + k] = 11 * (k + 1);
    RUN(HEAD K(".reg .b128 %q<4>; ld.global.b128 %q1, [%rd1+1024]; mov.b128 {%rd5, %rd6}, %q1; mov.b128 %q2, {%rd6, "
               "%rd5}; "
               "mov.b128 %q3, %q2; st.global.b128 [%rd1+1040], %q3; cvt.u32.u64 %r9, %rd6;"),
        1);
    CHECK_INT(out[0], 33);
    CHECK(out[260] == 33 && out[261] == 44 && out[262] == 11 && out[263] == 22);
    CHECK_INT(counts.ld_sectors, 1);
    CHECK_INT(counts.lanes, 3);
    // A sum of two halves that only whole exchanges keep equal.
    memset(out + 256, 0, 16);
    RUN(HEAD K(".reg .b128 %q<4>; A: ld.global.v2.u64 {%rd5, %rd6}, [%rd1+1024]; mov.b128 %q1, {%rd5, %rd6};"
               "add.s64 %rd7, %rd5, 1; add.s64 %rd8, %rd6, 3; mov.b128 %q2, {%rd7, %rd8};"
               "atom.global.cas.b128 %q3, [%rd1+1024], %q1, %q2; mov.b128 {%rd9, %rd10}, %q3;"
               "setp.ne.s64 %p1, %rd9, %rd5; @%p1 bra A; cvt.u32.u64 %r9, %rd10;"),
        64);
    CHECK(out[256] == 64 && out[258] == 192);
    int seen = 0;
    for (int t = 0; t < 64; t++) seen += out[t] / 3;
    CHECK_INT(seen, 63 * 64 / 2);
    out[256] = 5;
    RUN(HEAD K(".reg .b128 %q<4>; mov.b128 %q1, {%rd1, %rd3}; atom.global.exch.b128 %q2, [%rd1+1024], %q1; "
               "mov.b128 {%rd5, %rd6}, %q2; cvt.u32.u64 %r9, %rd5;"),
        1);
    CHECK_INT(out[0], 5);
}

int main(void)
{
    ptx_begin();
    sums_of_vectors();
    halves();
    words_of_128_bits();
    return ptx_end();
}
