// Whole kernels of tests/golden/language.cu, as nvcc and as clang compile them, against the same computations in C:
// divergence, calls, address spaces, shuffles and votes, atomics, barriers, vectors, reals, wide integers, locks.
// SPDX-License-Identifier: MIT
#include "base/diag.h"
#include "base/file.h"
#include "sim/sim.h"
#include "unit/test.h"

#include <stdlib.h>

enum { BLOCK = 128, BLOCKS = 2, N = BLOCK * BLOCKS };
static int in[N];
static int *device_out;

static int divergence(int t, int before)
{
    int v = in[t], sum = 0;
    for (int i = 0; i < (v & 15); i++) {
        if ((i * v) % 3 == 0) continue;
        if (sum > 500) break;
        switch ((v + i) % 7) {
        case 0: sum += 3; break;
        case 1: sum ^= v; break;
        case 2:
            sum += i * i;
            sum -= 1;
            break;
        case 3: sum -= 1; break;
        case 4: sum = sum * 2 + 1; break;
        case 5: sum += v & 64 ? 100 : 50; break;
        default: sum += v % 11;
        }
    }
    return v % 5 == 2 ? before : sum;
}

struct triple {
    int a;
    long long b;
    short c[3];
};
static int inner(int x, int y) { return x > y ? x - y : (y - x) * 3; }
static struct triple outer(struct triple s, int k)
{
    s.a += inner(k, s.c[1]);
    if (k & 1) s.b = s.b * 5 + inner(s.a, k);
    s.c[k % 3] = (short)(s.c[k % 3] + 7);
    return s;
}
static int calls(int t, int before)
{
    (void)before;
    int v = in[t];
    struct triple s = {v, v * 3ll, {(short)v, (short)(v >> 3), 9}};
    if (v & 2) s = outer(s, v % 10);
    else if (v & 4) s = outer(outer(s, 3), 4);
    for (int i = 0; i < (v & 3); i++) s.a += inner(i, v & 7);
    return s.a + (int)s.b + s.c[0] + s.c[1] * 2 + s.c[2] * 3;
}

static int spaces(int t, int before)
{
    static const int weights[8] = {1, -2, 3, -4, 5, -6, 7, -8}, bias[4] = {10, 20, 30, 40};
    (void)before;
    int local[8], u = t % BLOCK, v = in[t], base = t - u;
    for (int i = 0; i < 8; i++) local[(i + in[u]) & 7] = in[u] * i;
    int tile[64];
    for (int k = 0; k < 64; k++) tile[k] = in[(base + k) & 63] + 1;
    const int *any = v % 3 == 0 ? local : v % 3 == 1 ? tile : bias;
    return any[v & 3] + weights[v & 7] + (v & 1 ? 40 : 20) + local[v & 7];
}

static int bits(unsigned x)
{
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}
static int lanes(int t, int before)
{
    (void)before;
    const int lane = t & 31, first = t - lane, v = in[t], *w = in + first;
    unsigned odd = 0;
    int any = 0, all = 1;
    for (int l = 0; l < 32; l++) odd |= (unsigned)(w[l] & 1) << l, any |= w[l] > 990, all &= w[l] > 5;
    int r = w[lane >= 3 ? lane - 3 : lane] + 2 * w[lane + 5 < 32 ? lane + 5 : lane] + 3 * w[lane ^ 9] + 5 * w[v & 31];
    r += 7 * w[(lane & ~7) | ((lane + 3) & 7)];
    r ^= (int)odd;
    r += any * 1000 + all * 2000;
    if (v & 1) r += 11 * w[__builtin_ctz(odd)];
    else r -= bits(~odd);
    return r;
}

static int barriers(int t, int before)
{
    int sum = 0, base = t / BLOCK * BLOCK, odd = 0, any = 0;
    for (int k = 0; k < BLOCK; k++) {
        sum += in[base + k];
        if (in[base + k] == 3) continue;
        odd += in[base + k] & 1;
        any |= in[base + k] == 998;
    }
    return in[t] == 3 ? before : sum + odd * 3 + any * 5 + 9;
}

static int vectors(int t, int before)
{
    (void)before;
    const unsigned char *b = (const unsigned char *)&in[t];
    const int *q = &in[(t & 63) * 4];
    long long l[2];
    short s[2];
    memcpy(l, q, sizeof l);
    memcpy(s, &in[t], sizeof s);
    return b[0] + b[1] * 2 + b[2] * 3 + b[3] + s[0] - s[1] + q[0] - q[1] + q[2] * q[3] + (int)(l[0] >> 3) + (int)l[1];
}

static unsigned brev(unsigned x)
{
    unsigned r = 0;
    for (int k = 0; k < 32; k++) r |= (x >> k & 1) << (31 - k);
    return r;
}
static int wide(int t, int before)
{
    (void)before;
    unsigned long long a = (unsigned long long)in[t] * 0x9e3779b97f4a7c15ull, b = a ^ a >> 29;
    unsigned long long r = (unsigned long long)((unsigned __int128)a * b >> 64) + a / (b % 1000 + 1) +
        (unsigned long long)__builtin_popcountll(a) + (unsigned long long)(b >> 20 ? __builtin_clzll(b >> 20) : 64);
    unsigned x = (unsigned)a, y = (unsigned)(b >> 32), n = (unsigned)in[t] & 31;
    r += ((x & 0xffff) | y << 16) + brev(x) + (n ? y << n | x >> (32 - n) : y) +
        (unsigned)((unsigned long long)x * y >> 32);
    return (int)(r ^ r >> 32);
}

static float real(int t)
{
    float f = (float)in[t] / 64, g = sqrtf(f + 1) / sqrtf(f + 2);
    double d = (double)in[t] / 3 + 1e-3 * (double)(in[t] * in[t]);
    g += sinf(f) * cosf(f) + expf(-f) + logf(f + 1) + powf(f + 0.5f, 1.25f) + fminf(f, 3.f) + floorf(f) + fabsf(f - 4);
    return g + (float)(d / (d + 7) + sqrt(d)) + (float)(int)(f * 10.f) + (float)(unsigned)(d + 0.5);
}

static bool run(struct sim *sim, struct sim_module *m, const char *name, uint64_t out, uint64_t data, uint32_t dynamic)
{
    char error[256];
    struct sim_kernel *k = sim_kernel(m, name, error);
    if (!k) printf("%s: %s\n", name, error);
    CHECK(k != NULL);
    if (!k) return false;
    const struct {
        uint64_t out, in;
        int n;
    } args = {out, data, N};
    const struct sim_launch l = {.grid = {BLOCKS, 1, 1},
        .block = {BLOCK, 1, 1},
        .dynamic_shared = dynamic,
        .params = &args,
        .param_bytes = sizeof args};
    struct sim_counts counts;
    struct sim_fault fault;
    const bool good = sim_launch(sim, k, &l, &counts, &fault);
    if (!good) printf("%s: %s\n", name, fault.what);
    CHECK(good);
    return good;
}

static void check_atomics(const int *out)
{
    unsigned s[8], total[8] = {0};
    for (int b = 0; b < BLOCKS; b++) {
        memset(s, 0, sizeof s);
        s[3] = 1000;
        for (int k = b * BLOCK; k < (b + 1) * BLOCK; k++) {
            const unsigned v = (unsigned)in[k];
            s[0]++, s[1] += v, s[2] = v > s[2] ? v : s[2], s[3] = v < s[3] ? v : s[3], s[4] |= 1u << (v & 31),
                               s[5] ^= v;
            s[6] = s[6] >= 9 ? 0 : s[6] + 1, s[7] += v & 3;
        }
        for (int k = 0; k < 8; k++) total[k] += s[k];
    }
    for (int k = 0; k < 8; k++) CHECK_INT(out[k], (int)total[k]);
    int most = 0, least = 0, mask = -1;
    for (int t = 0; t < N; t++) {
        most = in[t] > most ? in[t] : most, least = in[t] - 2000 < least ? in[t] - 2000 : least;
        mask &= (int)~(1u << (in[t] & 31));
    }
    float f;
    long long l;
    memcpy(&f, out + 11, 4);
    memcpy(&l, out + 12, 8);
    CHECK_INT(out[8], most);
    CHECK_INT(out[9], least);
    CHECK_INT(out[10], 77);
    CHECK(f == 0.5f * N);
    CHECK_INT(l, (long long)N << 33);
    CHECK_INT(out[14], mask);
    unsigned d = 0;
    for (int t = 0; t < N; t++) d = d == 0 || d > 5 ? 5 : d - 1;
    CHECK_INT(out[15], d);
    CHECK_INT(out[16], -3 * N);
}

static void check_ints(const char *name, int (*f)(int, int), const int *out)
{
    for (int t = 0; t < N; t++) {
        test_checks++;
        if (out[t] == f(t, -1)) continue;
        test_failures++;
        printf("%s: thread %d has %d, not %d\n", name, t, out[t], f(t, -1));
        return;
    }
}

static void run_all(struct sim *sim, const char *path)
{
    static const struct {
        const char *name;
        int (*value)(int, int);
    } plain[] = {{"divergence", divergence}, {"calls", calls}, {"spaces", spaces}, {"lanes", lanes},
        {"barriers", barriers}, {"vectors", vectors}, {"wide", wide}};
    char error[256];
    struct diags diags = {0};
    char *ptx = file_read(path, 1 << 24, NULL, &diags);
    struct sim_module *m = ptx ? sim_load(sim, ptx, error) : NULL;
    CHECK(m != NULL);
    if (!m) return;
    const uint64_t out = sim_alloc(sim, sizeof in, "out"), data = sim_alloc(sim, sizeof in, "in");
    memcpy(sim_host(sim, data, sizeof in), in, sizeof in);
    device_out = sim_host(sim, out, sizeof in);
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++) {
        memset(device_out, 0xff, sizeof in);
        if (run(sim, m, plain[k].name, out, data, BLOCK * 4)) check_ints(plain[k].name, plain[k].value, device_out);
    }
    memset(device_out, 0, sizeof in);
    device_out[14] = -1;
    if (run(sim, m, "atomics", out, data, 0)) check_atomics(device_out);
    if (run(sim, m, "reals", out, data, 0))
        for (int t = 0; t < N; t++) CHECK(fabsf(((float *)device_out)[t] - real(t)) <= 2e-5f * fabsf(real(t)));
    memset(device_out, 0, sizeof in);
    if (run(sim, m, "locks", out, data, 0)) {
        int sum = 0;
        for (int t = 0; t < N; t += 32) sum += in[t];
        CHECK_INT(device_out[1], sum);
        CHECK_INT(device_out[2], BLOCKS);
    }
    sim_release(sim, out);
    sim_release(sim, data);
    sim_unload(sim, m);
    free(ptx);
}

int main(void)
{
    unsigned s = 7;
    for (int t = 0; t < N; t++) s = s * 1664525 + 1013904223, in[t] = (int)((s >> 8) % 1000);
    in[17] = 3, in[200] = 3, in[70] = 998;
    for (int threads = 1; threads <= 2; threads++) {
        struct sim *sim = sim_new(threads);
        run_all(sim, TESTS_DIR "/golden/language_nvcc.ptx");
        run_all(sim, TESTS_DIR "/golden/language_clang.ptx");
        sim_free(sim);
    }
    return test_end();
}
