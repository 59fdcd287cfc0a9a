// Every arithmetic instruction against C: each row is PTX and what it should give, for numbers at the edges of their
// types and random ones, in every variant of the interpreter that this processor runs, with all lanes active and with
// some.
// SPDX-License-Identifier: MIT
#include "sim/ops/half.h"
#include "sim/sim.h"
#include "sim/core/state.h"
#include "unit/test.h"
#include "unit/sim_alu_rows.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>

#include "unit/sim_simd_rows.h"

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
// The float beside it on the way to `end`, unless it is one.
static float toward(double v, double end)
{
    const float f = (float)v;
    const bool beyond = end > 0 ? f < v : end < 0 ? f > v : fabs(f) > fabs(v);
    return beyond ? nextafterf(f, (float)end) : f;
}

static int32_t to_int(double v, double lo, double hi)
{
    return v != v ? 0 : v <= lo ? (int32_t)lo : v >= hi ? (int32_t)hi : (int32_t)v;
}
static int64_t to_long(double v)
{
    return v != v ? INT64_MIN : v < -0x1p63 ? INT64_MIN : v >= 0x1p63 ? INT64_MAX : (int64_t)v;
}

#define TEXT_ROW(kind, text, value) {#kind[0], text},
static const struct {
    char kind;
    const char *text;
} rows[] = {ROWS(TEXT_ROW) SIMD_ROWS(TEXT_ROW)};
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
        SIMD_ROWS(VALUE_ROW)
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
    " cvt.u32.u64 %ra, %la; cvt.u32.u64 %rb, %lb; cvt.u32.u64 %rc, %lc; mov.b32 %fa, %ra; mov.b32 %fb, %rb; mov.b32 "
    "%fc, %rc;\n"
    " mov.b64 %da, %la; mov.b64 %db, %lb; mov.b64 %dc, %lc; mov.u64 %lo, 77; mov.u32 %ro, 77; mov.b32 %fo, 77;"
    " mov.b64 %do, 77;\n"
    " and.b32 %t, %rb, 1; setp.eq.u32 %p1, %t, 1; and.b32 %t, %rc, 1; setp.eq.u32 %p3, %t, 1;\n";

static void fill(struct in *in)
{
    static const uint64_t edges[] = {0, 1, 2, 31, 32, 33, 63, 64, 255, 0x7f, 0x80, 0x7fff, 0x8000, 0x7fffffff,
        0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x3f800000, 0xbf800000,
        0x7f800000, 0xff800000, 0x7fc00000, 0x00000123, 0x3f000000, 0x3ff0000000000000, 0x7ff0000000000000,
        0x7ff8000000000000, 0x4b000001, 0x3c003c00, 0x7bff0001};
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
                (unsigned long long)x[t].a, (unsigned long long)x[t].b, (unsigned long long)x[t].c,
                (unsigned long long)got[t], (unsigned long long)want, sim->exec->name);
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
