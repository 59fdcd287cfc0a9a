// Random and awkward values, the same from a seed, through one instruction each: floating point, conversions, shifts,
// wide and high products, bit fields, permutations, run by the simulator and in C.
//     unit_sim_random_values [ROUNDS [FIRST_SEED]]      60 rounds of 96 threads from seed 1 unless it says otherwise
// SPDX-License-Identifier: MIT
#include "base/str.h"
#include "sim/sim.h"
#include "unit/test.h"

#include <limits.h>
#include <stdlib.h>

struct values {
    uint32_t a, b, c, spare;
    uint64_t la, lb, lc;
};
enum { THREADS = 96, BYTES = sizeof(struct values) };

static float f(uint32_t x)
{
    float y;
    memcpy(&y, &x, 4);
    return y;
}
static double d(uint64_t x)
{
    double y;
    memcpy(&y, &x, 8);
    return y;
}
static uint64_t bits(float x)
{
    uint32_t y;
    memcpy(&y, &x, 4);
    return y;
}
static uint64_t long_bits(double x)
{
    uint64_t y;
    memcpy(&y, &x, 8);
    return y;
}

// A conversion to whole numbers stays within their range; no number is 0.
static uint64_t whole(double x, double low, double high)
{
    if (isnan(x)) return 0;
    x = trunc(x);
    return x <= low ? (uint64_t)(int64_t)low : x >= high ? (uint64_t)high : x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}
static uint64_t long_whole(double x)
{
    return isnan(x)                  ? UINT64_C(1) << 63
        : x >= 9223372036854775807.  ? (uint64_t)INT64_MAX
        : x <= -9223372036854775808. ? UINT64_C(1) << 63
                                     : (uint64_t)(int64_t)trunc(x);
}

static uint32_t field(uint32_t x, uint32_t at, uint32_t n)
{
    at &= 255, n &= 255;
    const uint64_t wide = at > 31 ? 0 : (uint64_t)x >> at;
    return (uint32_t)(n > 31 ? wide : wide & ((1u << n) - 1));
}
static uint32_t signed_field(uint32_t x, uint32_t at, uint32_t n)
{
    at &= 255, n &= 255;
    if (n == 0) return 0;
    const uint32_t last = at + n - 1 > 31 ? 31 : at + n - 1, sign = x >> last & 1;
    uint32_t out = 0;
    for (uint32_t k = 0; k < 32; k++) out |= (k < n && at + k < 32 ? x >> (at + k) & 1 : sign) << k;
    return out;
}
static uint32_t insert(uint32_t from, uint32_t into, uint32_t at, uint32_t n)
{
    at &= 255, n &= 255;
    for (uint32_t k = 0; k < n && at + k < 32; k++) into = (into & ~(1u << (at + k))) | (from >> k & 1) << (at + k);
    return into;
}
static uint32_t permute(uint32_t a, uint32_t b, uint32_t how)
{
    const uint64_t all = (uint64_t)b << 32 | a;
    uint32_t out = 0;
    for (int k = 0; k < 4; k++) {
        const uint32_t pick = how >> 4 * k & 15, byte = (uint32_t)(all >> 8 * (pick & 7)) & 255;
        out |= (pick & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * k;
    }
    return out;
}
static uint32_t reversed(uint32_t x)
{
    uint32_t out = 0;
    for (int k = 0; k < 32; k++) out |= (x >> k & 1) << (31 - k);
    return out;
}
static uint64_t high(uint64_t a, uint64_t b)
{
    const uint64_t ah = a >> 32, al = (uint32_t)a, bh = b >> 32, bl = (uint32_t)b, middle = (al * bl >> 32) + ah * bl;
    return ah * bh + (middle >> 32) + (((uint32_t)middle + al * bh) >> 32);
}
static uint64_t signed_high(uint64_t a, uint64_t b)
{
    return high(a, b) - ((int64_t)a < 0 ? b : 0) - ((int64_t)b < 0 ? a : 0);
}
static uint32_t left(uint32_t low, uint32_t up, uint32_t n) { return n ? up << n | low >> (32 - n) : up; }
static uint32_t right(uint32_t low, uint32_t up, uint32_t n) { return n ? up << (32 - n) | low >> n : low; }

#define S(x) ((int32_t)(x))
#define SL(x) ((int64_t)(x))
#define WIDE(x) ((int64_t)(int32_t)(x))
#define SHORT(x) ((int64_t)(int16_t)(x))
// X(what is compared: W 32 bits, L 64, F and D floating point; PTX of the result $d or $l; the value in C)
#define ROWS(X) \
    X(F, "add.rn.f32 $d, $a, $b;", bits(f(A) + f(B))) \
    X(F, "sub.f32 $d, $a, $b;", bits(f(A) - f(B))) \
    X(F, "mul.rn.f32 $d, $a, $b;", bits(f(A) * f(B))) \
    X(F, "div.rn.f32 $d, $a, $b;", bits(f(A) / f(B))) \
    X(F, "fma.rn.f32 $d, $a, $b, $c;", bits(fmaf(f(A), f(B), f(C)))) \
    X(F, "sqrt.rn.f32 $d, $a;", bits(sqrtf(f(A)))) \
    X(F, "rcp.rn.f32 $d, $a;", bits(1 / f(A))) \
    X(F, "neg.f32 $d, $a;", bits(-f(A))) \
    X(F, "abs.f32 $d, $a;", bits(fabsf(f(A)))) \
    X(D, "add.rn.f64 $l, $A, $B;", long_bits(d(LA) + d(LB))) \
    X(D, "sub.f64 $l, $A, $B;", long_bits(d(LA) - d(LB))) \
    X(D, "mul.f64 $l, $A, $B;", long_bits(d(LA) * d(LB))) \
    X(D, "div.rn.f64 $l, $A, $B;", long_bits(d(LA) / d(LB))) \
    X(D, "fma.rn.f64 $l, $A, $B, $C;", long_bits(fma(d(LA), d(LB), d(LC)))) \
    X(D, "sqrt.rn.f64 $l, $A;", long_bits(sqrt(d(LA)))) \
    X(F, "cvt.rn.f32.f64 $d, $A;", bits((float)d(LA))) \
    X(D, "cvt.f64.f32 $l, $a;", long_bits((double)f(A))) \
    X(F, "cvt.rn.f32.s32 $d, $a;", bits((float)S(A))) \
    X(F, "cvt.rn.f32.u32 $d, $a;", bits((float)A)) \
    X(F, "cvt.rn.f32.s64 $d, $A;", bits((float)SL(LA))) \
    X(F, "cvt.rn.f32.u64 $d, $A;", bits((float)LA)) \
    X(D, "cvt.rn.f64.u64 $l, $A;", long_bits((double)LA)) \
    X(D, "cvt.rn.f64.s32 $l, $a;", long_bits((double)S(A))) \
    X(W, "cvt.rzi.s32.f32 $d, $a;", whole(f(A), INT32_MIN, INT32_MAX)) \
    X(W, "cvt.rzi.u32.f32 $d, $a;", whole(f(A), 0, UINT32_MAX)) \
    X(W, "cvt.rzi.s32.f64 $d, $A;", isnan(d(LA)) ? 0x80000000u : whole(d(LA), INT32_MIN, INT32_MAX)) \
    X(L, "cvt.rzi.s64.f64 $l, $A;", long_whole(d(LA))) \
    X(F, "cvt.rni.f32.f32 $d, $a;", bits(nearbyintf(f(A)))) \
    X(F, "cvt.rmi.f32.f32 $d, $a;", bits(floorf(f(A)))) \
    X(F, "cvt.rpi.f32.f32 $d, $a;", bits(ceilf(f(A)))) \
    X(F, "cvt.rzi.f32.f32 $d, $a;", bits(truncf(f(A)))) \
    X(L, "cvt.s64.s32 $l, $a;", WIDE(A)) \
    X(L, "cvt.u64.u32 $l, $a;", A) \
    X(L, "mul.wide.s32 $l, $a, $b;", WIDE(A) * WIDE(B)) \
    X(L, "mul.wide.u32 $l, $a, $b;", (uint64_t)A *B) \
    X(L, "mad.wide.s32 $l, $a, $b, $A;", (uint64_t)(WIDE(A) * WIDE(B)) + LA) \
    X(L, "mad.wide.u32 $l, $a, $b, $A;", (uint64_t)A *B + LA) \
    X(W, "mul.hi.s32 $d, $a, $b;", (uint64_t)(WIDE(A) * WIDE(B)) >> 32) \
    X(W, "mul.hi.u32 $d, $a, $b;", (uint64_t)A *B >> 32) \
    X(W, "mad.hi.u32 $d, $a, $b, $c;", ((uint64_t)A * B >> 32) + C) \
    X(W, "mad.hi.s32 $d, $a, $b, $c;", ((uint64_t)(WIDE(A) * WIDE(B)) >> 32) + C) \
    X(W, "mad.lo.s32 $d, $a, $b, $c;", A *B + C) \
    X(L, "mul.lo.s64 $l, $A, $B;", LA *LB) \
    X(L, "mul.hi.u64 $l, $A, $B;", high(LA, LB)) \
    X(L, "mul.hi.s64 $l, $A, $B;", signed_high(LA, LB)) \
    X(L, "mad.lo.s64 $l, $A, $B, $C;", LA *LB + LC) \
    X(W, "shl.b32 $d, $a, $b;", B > 31 ? 0 : A << (B & 31)) \
    X(W, "shr.u32 $d, $a, $b;", B > 31 ? 0 : A >> (B & 31)) \
    X(W, "shr.s32 $d, $a, $b;", S(A) >> (B > 31 ? 31 : B)) \
    X(L, "shl.b64 $l, $A, $b;", B > 63 ? 0 : LA << (B & 63)) \
    X(L, "shr.u64 $l, $A, $b;", B > 63 ? 0 : LA >> (B & 63)) \
    X(L, "shr.s64 $l, $A, $b;", SL(LA) >> (B > 63 ? 63 : B)) \
    X(W, "shf.l.wrap.b32 $d, $a, $b, $c;", left(A, B, C & 31)) \
    X(W, "shf.r.wrap.b32 $d, $a, $b, $c;", right(A, B, C & 31)) \
    X(W, "shf.l.clamp.b32 $d, $a, $b, $c;", C > 31 ? A : left(A, B, C & 31)) \
    X(W, "shf.r.clamp.b32 $d, $a, $b, $c;", C > 31 ? B : right(A, B, C & 31)) \
    X(W, "prmt.b32 $d, $a, $b, $c;", permute(A, B, C)) \
    X(W, "bfe.u32 $d, $a, $b, $c;", field(A, B, C)) \
    X(W, "bfe.s32 $d, $a, $b, $c;", signed_field(A, B, C)) \
    X(W, "bfi.b32 $d, $a, $b, $c, 7;", insert(A, B, C, 7)) \
    X(W, "brev.b32 $d, $a;", reversed(A)) \
    X(W, "clz.b32 $d, $a;", A ? (unsigned)__builtin_clz(A) : 32) \
    X(W, "popc.b32 $d, $a;", (unsigned)__builtin_popcount(A)) \
    X(W, "clz.b64 $d, $A;", LA ? (unsigned)__builtin_clzll(LA) : 64) \
    X(W, "popc.b64 $d, $A;", (unsigned)__builtin_popcountll(LA)) \
    X(W, "min.s32 $d, $a, $b;", S(A) < S(B) ? A : B) \
    X(W, "max.u32 $d, $a, $b;", A > B ? A : B) \
    X(L, "max.s64 $l, $A, $B;", SL(LA) > SL(LB) ? LA : LB) \
    X(W, "lop3.b32 $d, $a, $b, $c, 0xe8;", (A & B) | (A & C) | (B & C)) \
    X(W, "div.u32 $d, $a, $b;", B ? A / B : 0xffffffffu) \
    X(W, "rem.u32 $d, $a, $b;", B ? A % B : A)

enum kind { W, L, F, D };
#define TEXT(kind, ptx, value) ptx,
#define KIND(kind, ptx, value) kind,
static const char *const texts[] = {ROWS(TEXT)};
static const enum kind kinds[] = {ROWS(KIND)};
enum { OPS = sizeof texts / sizeof *texts };

static void in_c(const struct values *v, uint64_t out[OPS])
{
    const uint32_t A = v->a, B = v->b, C = v->c;
    const uint64_t LA = v->la, LB = v->lb, LC = v->lc;
    size_t n = 0;
#define VALUE(kind, ptx, value) \
    out[n] = (uint64_t)(value), out[n] = kind == W || kind == F ? (uint32_t)out[n] : out[n], n++;
    ROWS(VALUE)
}

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static uint32_t word(uint64_t *state)
{
    static const uint32_t awkward[] = {0, 1, 2, 31, 32, 33, 63, 64, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff,
        0x3f800000, 0xbf000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x00800000, 0x7f7fffff, 0x4f000000,
        0xcf000000, 0x5f000000, 0x3effffff, 0x4b7fffff};
    const uint64_t x = draw(state);
    const uint32_t pick = (uint32_t)(x >> 32);
    if (pick % 4 == 0) return awkward[(pick >> 8) % (sizeof awkward / sizeof *awkward)];
    if (pick % 4 == 1) return (uint32_t)x & 63;
    if (pick % 4 == 2) return ((uint32_t)x & 0x87ffffffu) + 0x3c000000u; // floating point near 1
    return (uint32_t)x;
}
static uint64_t long_word(uint64_t *state)
{
    static const uint64_t awkward[] = {0, 1, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 1,
        0x0010000000000000, 0x8000000000000000, 0x7fffffffffffffff, 0xffffffffffffffff, 0x3ff0000000000000,
        0x43e0000000000000, 0xc3e0000000000000, 0x47efffffe0000000, 0x36a0000000000000, 0x41dfffffffc00000};
    const uint64_t x = draw(state), pick = draw(state);
    if (pick % 4 == 0) return awkward[(pick >> 8) % (sizeof awkward / sizeof *awkward)];
    if (pick % 4 == 1) return (uint64_t)word(state);
    if (pick % 4 == 2) return (x & 0x80ffffffffffffffu) + 0x3f80000000000000u;
    return x;
}

static void write_program(struct str *s)
{
    str_add(s,
        ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 i, .param .u64 o)\n{\n"
        ".reg .b32 %a, %b, %c, %d, %t; .reg .b64 %la, %lb, %lc, %l, %i, %o, %n;\n"
        "ld.param.u64 %i, [i]; ld.param.u64 %o, [o]; mov.u32 %t, %tid.x;\n");
    str_addf(s, "mul.wide.u32 %%n, %%t, %d; add.u64 %%i, %%i, %%n; mul.wide.u32 %%n, %%t, %d; add.u64 %%o, %%o, %%n;\n",
        BYTES, 8 * OPS);
    str_add(s,
        "ld.global.u32 %a, [%i]; ld.global.u32 %b, [%i+4]; ld.global.u32 %c, [%i+8];\n"
        "ld.global.u64 %la, [%i+16]; ld.global.u64 %lb, [%i+24]; ld.global.u64 %lc, [%i+32];\n");
    for (int n = 0; n < OPS; n++) {
        for (const char *p = texts[n]; *p; p++) {
            if (*p != '$') str_add_bytes(s, p, 1);
            else if (*++p >= 'a') str_addf(s, "%%%c", *p);
            else str_addf(s, "%%l%c", *p + 'a' - 'A');
        }
        if (kinds[n] == W || kinds[n] == F) str_addf(s, " cvt.u64.u32 %%l, %%d;");
        str_addf(s, " st.global.u64 [%%o+%d], %%l;\n", 8 * n);
    }
    str_add(s, "ret;\n}\n");
}

static bool same(enum kind kind, uint64_t got, uint64_t want)
{
    if (kind == F && isnan(f((uint32_t)want))) return isnan(f((uint32_t)got));
    if (kind == D && isnan(d(want))) return isnan(d(got));
    return got == want;
}

int main(int argc, char **argv)
{
    const uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 60,
                   first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    char error[256] = "";
    struct str text = {0};
    struct sim *sim = sim_new(1);
    const uint64_t params[] = {sim_alloc(sim, THREADS * BYTES, "in"), sim_alloc(sim, THREADS * OPS * 8, "out")};
    write_program(&text);
    struct sim_module *m = sim_load(sim, text.text, error);
    struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    CHECK_TEXT(error, "");
    for (uint64_t seed = first; k && seed < first + rounds && test_failures < 20; seed++) {
        struct values *v = sim_host(sim, params[0], THREADS * BYTES);
        uint64_t state = seed * 0x9e3779b97f4a7c15u, want[OPS];
        for (int t = 0; t < THREADS; t++) {
            v[t].a = word(&state), v[t].b = word(&state), v[t].c = word(&state);
            v[t].la = long_word(&state), v[t].lb = long_word(&state), v[t].lc = long_word(&state);
        }
        struct sim_counts counts;
        struct sim_fault fault = {0};
        const struct sim_launch l = {
            .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = params, .param_bytes = sizeof params};
        CHECK(sim_launch(sim, k, &l, &counts, &fault));
        CHECK_TEXT(fault.what, "");
        const uint64_t *out = sim_host(sim, params[1], THREADS * OPS * 8);
        for (int t = 0; t < THREADS; t++) {
            in_c(&v[t], want);
            for (int n = 0; n < OPS; n++) {
                const bool good = same(kinds[n], out[t * OPS + n], want[n]);
                if (!good)
                    printf("seed %llu, %s of %x %x %x, %llx %llx %llx: %llx, not %llx\n", (unsigned long long)seed,
                        texts[n], v[t].a, v[t].b, v[t].c, (unsigned long long)v[t].la, (unsigned long long)v[t].lb,
                        (unsigned long long)v[t].lc, (unsigned long long)out[t * OPS + n], (unsigned long long)want[n]);
                CHECK(good);
            }
        }
    }
    str_release(&text);
    sim_free(sim);
    return test_end();
}
