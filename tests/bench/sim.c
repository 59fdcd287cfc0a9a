// The simulator's speed beside memcpy's: a coalesced copy of 64Mi floats, every block counted, by two threads; the same
// with reads 32 elements apart; a loop of arithmetic; a product of matrices. Prints ratios of processor time. usage:
// bench_sim [elements in Mi]
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/core/exec.h"
#include "sim/sim.h"
#include "sim/core/state.h"

static const char *const text =
    ".version 7.5\n.target sm_80\n.address_size 64\n"
    ".visible .entry copy(.param .u64 in, .param .u64 out, .param .u64 n, .param .u64 stride)\n{\n"
    " .reg .pred %p<2>; .reg .f32 %f<2>; .reg .b32 %r<5>; .reg .b64 %rd<14>;\n"
    " ld.param.u64 %rd2, [in]; ld.param.u64 %rd3, [out]; ld.param.u64 %rd4, [n]; ld.param.u64 %rd5, [stride];\n"
    " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mul.wide.u32 %rd6, %r1, %r2; mov.u32 %r3, %tid.x; cvt.u64.u32 %rd7, "
    "%r3;\n"
    " add.s64 %rd1, %rd6, %rd7; setp.ge.u64 %p1, %rd1, %rd4; @%p1 bra END;\n"
    " cvta.to.global.u64 %rd8, %rd2; mul.lo.s64 %rd9, %rd1, %rd5; add.s64 %rd13, %rd4, -1; and.b64 %rd9, %rd9, %rd13;\n"
    " shl.b64 %rd9, %rd9, 2; add.s64 %rd10, %rd8, %rd9; ld.global.f32 %f1, [%rd10]; cvta.to.global.u64 %rd11, %rd3;\n"
    " shl.b64 %rd12, %rd1, 2; add.s64 %rd12, %rd11, %rd12; st.global.f32 [%rd12], %f1;\nEND: ret;\n}\n"
    ".visible .entry spin(.param .u64 out)\n{\n"
    " .reg .pred %p<2>; .reg .f32 %f<3>; .reg .b32 %r<5>;\n"
    " mov.u32 %r1, 0; mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f3F000000;\nL: fma.rn.f32 %f1, %f1, %f2, %f2;\n"
    " add.f32 %f1, %f1, %f2; mul.f32 %f1, %f1, %f2; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 1000; @%p1 bra L; "
    "ret;\n}\n"
    // A row of a matrix times a column: what a plain product of matrices does for each element.
    ".visible .entry product(.param .u64 in, .param .u64 out, .param .u64 n, .param .u64 width)\n{\n"
    " .reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<5>; .reg .b64 %rd<14>;\n"
    " ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u64 %rd3, [width]; mov.u32 %r1, %ctaid.x; mov.u32 "
    "%r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3; cvt.u64.u32 %rd4, %r4; rem.u64 %rd5, %rd4, %rd3;"
    " sub.s64 %rd6, %rd4, %rd5; shl.b64 %rd7, %rd3, 2; shl.b64 %rd8, %rd6, 2; add.s64 %rd8, %rd1, %rd8;"
    " shl.b64 %rd9, %rd5, 2; add.s64 %rd9, %rd1, %rd9; mov.u64 %rd10, 0; mov.f32 %f1, 0f00000000;\n"
    "L: ld.global.f32 %f2, [%rd8]; ld.global.f32 %f3, [%rd9]; fma.rn.f32 %f1, %f2, %f3, %f1; add.s64 %rd8, %rd8, 4;"
    " add.s64 %rd9, %rd9, %rd7; add.s64 %rd10, %rd10, 1; setp.lt.u64 %p1, %rd10, %rd3; @%p1 bra L;\n"
    " shl.b64 %rd11, %rd4, 2; add.s64 %rd11, %rd2, %rd11; st.global.f32 [%rd11], %f1; ret;\n}\n";

// Processor time, which other users of the machine take nothing of; two threads' is halved below.
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct args {
    uint64_t in, out, n, stride;
};

static double launch(struct sim *sim, struct sim_kernel *k, const struct args *args, uint64_t threads,
    struct sim_counts *counts)
{
    const struct sim_launch l = {
        .grid = {(uint32_t)(threads / 256), 1, 1}, .block = {256, 1, 1}, .params = args, .param_bytes = sizeof *args};
    struct sim_fault fault;
    double best = 1e9;
    for (int k3 = 0; k3 < 3; k3++) {
        const double start = now();
        if (!sim_launch(sim, k, &l, counts, &fault)) {
            printf("%s\n", fault.what);
            exit(1);
        }
        const double took = (now() - start) / 2;
        if (took < best) best = took;
    }
    return best;
}

int main(int argc, char **argv)
{
    const uint64_t n = (argc > 1 ? strtoull(argv[1], NULL, 10) : 64) << 20;
    char error[256];
    struct sim *sim = sim_new(2);
    struct args args = {sim_alloc(sim, n * 4, "in"), sim_alloc(sim, n * 4, "out"), n, 1};
    if (!args.in || !args.out) return 1;
    memset(sim_host(sim, args.in, n * 4), 1, n * 4);
    memset(sim_host(sim, args.out, n * 4), 0, n * 4);
    double copy = 1e9;
    for (int k = 0; k < 3; k++) {
        const double start = now();
        memcpy(sim_host(sim, args.out, n * 4), sim_host(sim, args.in, n * 4), n * 4);
        if (now() - start < copy) copy = now() - start;
    }
    printf("memcpy of the bytes, one thread       %7.3f s\n", copy);
    for (int v = 0; variant_get(v); v++) {
        sim->exec = variant_get(v);
        struct sim_module *m = sim_load(sim, text, error);
        struct sim_kernel *k = m ? sim_kernel(m, "copy", error) : NULL, *spin = k ? sim_kernel(m, "spin", error) : NULL,
                          *product = spin ? sim_kernel(m, "product", error) : NULL;
        if (!product) return printf("%s\n", error), 1;
        struct sim_counts c;
        args.stride = 1;
        double t = launch(sim, k, &args, n, &c);
        printf("%-5s coalesced, %5.2f sectors/request %7.3f s, %5.2f x memcpy\n", sim->exec->name,
            (double)c.ld_sectors / (double)c.ld_requests, t, t / copy);
        args.stride = 32;
        t = launch(sim, k, &args, n, &c);
        printf("%-5s strided,   %5.2f sectors/request %7.3f s, %5.2f x memcpy\n", sim->exec->name,
            (double)c.ld_sectors / (double)c.ld_requests, t, t / copy);
        t = launch(sim, spin, &args, 1 << 18, &c);
        printf("%-5s arithmetic, %.2f ns a warp instruction and thread\n", sim->exec->name,
            t * 2 / (8192.0 * 6000) * 1e9);
        args.stride = 512;
        t = launch(sim, product, &args, 512 * 512, &c) * 2;
        printf("%-5s product of 512 x 512, %.1f M warp accesses a second and thread\n", sim->exec->name,
            (double)c.accesses / t / 1e6);
        sim_unload(sim, m);
    }
    sim_free(sim);
    return 0;
}
