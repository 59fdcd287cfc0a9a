// The simulator's speed on small launches: those of tests/golden, without the textures'. Of each its processor time by
// one thread, and how many accesses of a warp that is a second; then the means, the slowest, and what a launch of
// nothing takes. usage: bench_launches [times, default 5] [set or kernel]
// SPDX-License-Identifier: MIT
#include "base/diag.h"
#include "base/file.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct args {
    uint64_t out, in;
    int32_t n, s;
};
struct timed {
    char kernel[24];
    double seconds, rate;
    uint64_t accesses;
};
static struct timed all[1024];
static size_t count;

static int by_rate(const void *pa, const void *pb)
{
    const struct timed *a = pa, *b = pb;
    return a->rate < b->rate ? -1 : a->rate > b->rate;
}

// The best of `times`, since the first of them learns what memory there is.
static bool run(struct sim *sim, struct sim_module *m, const char *kernel, uint32_t threads, const struct args *args,
    int times, struct timed *out)
{
    char error[256];
    struct sim_kernel *k = sim_kernel(m, kernel, error);
    const struct sim_launch l = {.grid = {32, 1, 1},
        .block = {threads, 1, 1},
        .dynamic_shared = 1024,
        .cooperative = strncmp(kernel, "y_", 2) == 0,
        .params = args,
        .param_bytes = sizeof *args};
    snprintf(out->kernel, sizeof out->kernel, "%s", kernel);
    out->seconds = 1e9;
    for (int n = 0; k && n < times; n++) {
        struct sim_counts c;
        struct sim_fault fault;
        const double start = now();
        if (!sim_launch(sim, k, &l, &c, &fault)) return false;
        const double took = now() - start;
        if (took < out->seconds) out->seconds = took;
        out->accesses = c.accesses;
    }
    out->rate = (double)out->accesses / out->seconds / 1e6;
    return k != NULL;
}

static void run_set(const char *name, int times, const char *only)
{
    struct diags diags = {0};
    char path[256], error[256];
    snprintf(path, sizeof path, TESTS_DIR "/golden/%s.ptx", name);
    char *ptx = file_read(path, 1 << 24, NULL, &diags);
    snprintf(path, sizeof path, TESTS_DIR "/golden/%s_h200_ncu.csv", name);
    char *csv = file_read(path, 1 << 24, NULL, &diags);
    struct sim *sim = sim_new(1);
    struct sim_module *m = ptx ? sim_load(sim, ptx, error) : NULL;
    struct args args = {sim_alloc(sim, 1 << 24, "o"), sim_alloc(sim, 1 << 24, "a"), 1 << 20, 0};
    memset(sim_host(sim, args.out, 1 << 24), 0, 1 << 24);
    float *in = sim_host(sim, args.in, 1 << 24);
    for (uint32_t j = 0, r = 1; j < 1 << 22; j++) r = r * 1664525 + 1013904223, in[j] = (float)((r >> 8) % 1000);
    for (char *row = csv; m && row && *row; row = strchr(row, '\n') ? strchr(row, '\n') + 1 : NULL) {
        char kernel[24];
        uint32_t threads = 256;
        if (sscanf(row, "%*d,%23[^,],%d", kernel, &args.s) != 2 || strncmp(kernel, "t_", 2) == 0) continue;
        char *few = strchr(kernel, '@');
        if (few) threads = (uint32_t)strtoul(few + 1, NULL, 10), *few = 0;
        if (only && strcmp(only, kernel) != 0 && strcmp(only, name) != 0) continue;
        if (count < sizeof all / sizeof *all) count += run(sim, m, kernel, threads, &args, times, &all[count]);
    }
    sim_free(sim);
    free(ptx);
    free(csv);
}

int main(int argc, char **argv)
{
    const int times = argc > 1 ? atoi(argv[1]) : 5;
    double seconds = 0, rates = 0, accesses = 0;
    for (int n = 1; n <= 8; n++) {
        char name[8];
        snprintf(name, sizeof name, "set%d", n);
        const size_t from = count;
        double took = 0, sum = 0, mean = 0;
        if (n != 2) run_set(name, times, argc > 2 ? argv[2] : NULL);
        for (size_t k = from; k < count; k++)
            took += all[k].seconds, sum += (double)all[k].accesses, mean += all[k].rate;
        if (count > from)
            printf("%s: %zu launches, %.1f M accesses a second, their mean %.1f\n", name, count - from,
                sum / took / 1e6, mean / (double)(count - from));
    }
    if (!count) return 1;
    for (size_t n = 0; n < count; n++)
        seconds += all[n].seconds, rates += all[n].rate, accesses += (double)all[n].accesses;
    qsort(all, count, sizeof *all, by_rate);
    for (size_t n = 0; n < count && n < 15; n++)
        printf("%-10s %9.0f accesses %8.3f ms %7.2f M a second\n", all[n].kernel, (double)all[n].accesses,
            all[n].seconds * 1e3, all[n].rate);
    printf("%zu launches: %.0f accesses in %.1f ms: %.1f M a second; the launches' mean %.1f, median %.1f\n", count,
        accesses, seconds * 1e3, accesses / seconds / 1e6, rates / (double)count, all[count / 2].rate);
    return 0;
}
