// Blocks that stand for a grid: which are chosen, that counts of kernels whose blocks are alike are exact, and that the
// intervals of others hold the truth. Every kernel of tests/golden that can run on a larger grid is counted whole and
// by some of its blocks; so are kernels made to mislead: a block unlike all others, bounds inside the grid, rows whose
// lengths differ a thousandfold. They take long, and run on small grids unless there
// is an argument: unit_sim_sample all
// full: large grids
// SPDX-License-Identifier: MIT
#include "base/diag.h"
#include "base/file.h"
#include "ptx/module.h"
#include "sim/core/sample.h"
#include "sim/core/state.h"
#include "unit/test.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { FIELDS = offsetof(struct sim_counts, reads_clock) / sizeof(uint64_t), GRID = 512 };

struct args {
    uint64_t out, in;
    int32_t n, s;
};
struct tried {
    int kernels, exact, drawn, whole, missed; // drawn: some count has an interval
};

static void fill(struct sim *sim, const struct args *args)
{
    float *h = sim_host(sim, args->in, 1 << 24);
    unsigned r = 1;
    for (int j = 0; j < 1 << 22; j++) r = r * 1664525 + 1013904223, h[j] = (float)((r >> 8) % 1000);
}

static void clear(struct sim *sim, const struct args *args) { memset(sim_host(sim, args->out, 1 << 24), 0, 1 << 24); }

// Both ways of counting. What becomes of it goes to `t`; returns the widest interval as a share of its count.
static double try_kernel(struct sim *sim, struct sim_kernel *k, const struct args *args, struct sim_launch l,
    struct tried *t)
{
    struct sim_counts all, some;
    struct sim_fault fault;
    struct sim_sampled sampled;
    l.dynamic_shared = 1024, l.params = args, l.param_bytes = sizeof *args;
    clear(sim, args);
    const uint64_t most = l.sample;
    l.sample = 0;
    if (!sim_launch(sim, k, &l, &all, &fault)) return 0; // further than set1 has memory
    clear(sim, args);
    l.sample = most, l.sampled = &sampled;
    CHECK(sim_launch(sim, k, &l, &some, &fault));
    t->kernels++;
    t->whole += sampled.blocks == 0;
    if (!sampled.blocks) return 0;
    CHECK(sampled.blocks < 2 * most);
    const uint64_t *truth = (const uint64_t *)&all, *said = (const uint64_t *)&some,
                   *within = (const uint64_t *)&sampled.within;
    bool missed = false;
    double widest = 0;
    for (size_t f = 0; f < FIELDS; f++) {
        const uint64_t off = truth[f] > said[f] ? truth[f] - said[f] : said[f] - truth[f];
        if (within[f] && (double)within[f] / (double)(said[f] + 1) > widest)
            widest = (double)within[f] / (double)(said[f] + 1);
        if (off <= within[f]) continue;
        missed = true;
        printf("%s: count %zu is %llu, said to be %llu +- %llu\n", k->name, f, (unsigned long long)truth[f],
            (unsigned long long)said[f], (unsigned long long)within[f]);
    }
    t->exact += widest == 0, t->missed += missed, t->drawn += widest > 0;
    return widest;
}

// An eighth of the blocks stand for all.
static void try_set(const char *name, uint32_t grid, struct tried *t)
{
    struct diags diags = {0};
    char path[256], error[256];
    snprintf(path, sizeof path, TESTS_DIR "/golden/%s.ptx", name);
    char *ptx = file_read(path, 1 << 24, NULL, &diags);
    struct sim *sim = sim_new(0);
    struct sim_module *m = ptx ? sim_load(sim, ptx, error) : NULL;
    CHECK(m != NULL);
    struct args args = {sim_alloc(sim, 1 << 24, "o"), sim_alloc(sim, 1 << 24, "a"), 1 << 20, 3};
    fill(sim, &args);
    for (const struct ptx_func *f = m ? m->ptx->funcs : NULL; f; f = f->next) {
        struct sim_kernel *k = f->entry && strncmp(f->name, "t_", 2) != 0 ? sim_kernel(m, f->name, error) : NULL;
        if (k)
            try_kernel(sim, k, &args,
                (struct sim_launch){.grid = {grid, 1, 1}, .block = {256, 1, 1}, .sample = grid / 8}, t);
    }
    sim_free(sim);
    free(ptx);
}

#define BEGIN \
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p_o, .param .u64 p_a, .param .u32 " \
    "p_n, .param .u32 p_s)\n{\n" \
    " .reg .pred %p<8>; .reg .b32 %r<32>; .reg .f32 %f<8>; .reg .b64 %rd<16>;\n" \
    " ld.param.u64 %rd1, [p_o]; ld.param.u64 %rd2, [p_a]; ld.param.u32 %r1, [p_n]; ld.param.u32 %r2, [p_s];\n" \
    " mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y; mov.u32 %r5, %ntid.x; mov.u32 %r6, %tid.x;\n" \
    " mad.lo.s32 %r7, %r3, %r5, %r6; mul.wide.u32 %rd3, %r7, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
#define END "\n ret;\n}\n"
#define LOOP \
    " mov.u32 %r10, 0;\nL: ld.global.f32 %f1, [%rd5]; add.s32 %r10, %r10, 1; setp.lt.s32 %p2, %r10, %r9; @%p2 bra " \
    "L;\n"

// Each must be held by its interval; `exact`: and is known to be exact.
static const struct {
    const char *name, *body;
    uint32_t grid[2];
    bool exact;
} made[] = {
    {"bound inside the grid", "setp.ge.s32 %p1, %r7, 70000; @%p1 ret; st.global.f32 [%rd4], 0f00000000;", {500, 1},
        false},
    {"bound at its end", "setp.ge.s32 %p1, %r7, 127800; @%p1 ret; st.global.f32 [%rd4], 0f00000000;", {500, 1}, true},
    {"two bounds, nothing between most blocks",
        "setp.lt.s32 %p1, %r7, 70000; @%p1 ret; setp.ge.s32 %p1, %r7, 70200; @%p1 ret; ld.global.f32 %f1, [%rd5];"
        "st.global.f32 [%rd4], %f1;",
        {500, 1}, false},
    {"one block unlike the others", "setp.ne.s32 %p1, %r3, 333; @%p1 ret; st.global.f32 [%rd4], 0f00000000;", {500, 1},
        false},
    {"every third block", "rem.u32 %r8, %r3, 3; setp.ne.s32 %p1, %r8, 0; @%p1 ret; st.global.f32 [%rd4], 0f00000000;",
        {500, 1}, false},
    {"a triangle", "setp.gt.s32 %p1, %r3, %r4; @%p1 ret; st.global.f32 [%rd4], 0f00000000;", {40, 40}, false},
    {"a loop as long as the block's number", "mov.u32 %r9, %r3;" LOOP "st.global.f32 [%rd4], %f1;", {500, 1}, false},
    {"a row and a column",
        "setp.ge.s32 %p1, %r7, 10000; @%p1 ret; setp.ge.s32 %p1, %r4, 39; @%p1 ret;"
        "st.global.f32 [%rd4], 0f00000000;",
        {40, 40}, true},
    {"rows at odd distances",
        "mad.lo.s32 %r8, %r4, 1003, %r7; mul.wide.u32 %rd6, %r8, 4; add.s64 %rd7, %rd2, %rd6;"
        "ld.global.f32 %f1, [%rd7]; st.global.f32 [%rd4], %f1;",
        {40, 40}, false},
    {"what is read decides",
        "ld.global.f32 %f1, [%rd5]; setp.lt.f32 %p1, %f1, 0f44610000; @%p1 ret;"
        "st.global.f32 [%rd4], 0f00000000;",
        {500, 1}, false},
    {"lengths that differ a thousandfold",
        "ld.global.f32 %f1, [%rd2]; ld.global.f32 %f1, [%rd5]; mul.f32 %f1, %f1, %f1;"
        "mul.f32 %f1, %f1, 0f3C23D70A; cvt.rzi.s32.f32 %r9, %f1; shr.u32 %r9, %r9, 8;" LOOP
        "st.global.f32 [%rd4], %f1;",
        {500, 1}, false},
};

static void try_made(struct tried *t)
{
    struct sim *sim = sim_new(0);
    struct args args = {sim_alloc(sim, 1 << 24, "o"), sim_alloc(sim, 1 << 24, "a"), 1 << 20, 3};
    fill(sim, &args);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        char text[4096], error[256];
        snprintf(text, sizeof text, "%s%s%s", BEGIN, made[i].body, END);
        struct sim_module *m = sim_load(sim, text, error);
        struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
        const int missed = t->missed, kernels = t->kernels;
        if (!k) printf("%s: %s\n", made[i].name, error);
        CHECK(k != NULL);
        if (!k) continue;
        const struct sim_launch l = {.grid = {made[i].grid[0], made[i].grid[1], 1}, .block = {256, 1, 1}, .sample = 64};
        const double widest = try_kernel(sim, k, &args, l, t);
        if (t->missed > missed || (widest == 0) != made[i].exact) printf("%s: +- %g\n", made[i].name, widest);
        CHECK_INT(t->kernels, kernels + 1);
        CHECK_INT(t->missed, missed);
        CHECK((widest == 0) == made[i].exact);
        sim_unload(sim, m);
    }
    sim_free(sim);
}

// The two intervals by themselves, on a grid in one direction: 1000 blocks, whose first and last run, and of the 998
// between them both corners and so many drawn ones.
static void intervals(void)
{
    struct sample_set set;
    struct sim_counts sum, within, could = {.ld_requests = 100};
    struct depend bounds = {0}, anything = {.paths = true};
    CHECK(sample_choose(&set, (const uint32_t[3]){1000, 1, 1}, 64, false));
    CHECK_INT(set.part_count, 3);
    const struct sample_part *p = &set.parts[2];
    const uint64_t drawn = p->to - p->from - p->alone, rest = p->blocks - p->alone;
    CHECK_INT(rest, 996);
    CHECK_INT(drawn, 63);
    for (size_t k = 0; k < set.count; k++)
        set.seen[k] = (struct sim_counts){.ld_requests = 10, .lanes = 320}, set.spent[k] = 7;
    // All alike, by bounds on their number alone: it is known of the others too.
    sample_conclude(&set, &bounds, &could, &sum, &within);
    CHECK_INT(sum.ld_requests, 10000);
    CHECK_INT(within.ld_requests, 0);
    // By anything else: ln(100) / 63 of those that did not run may do as much as a block could.
    sample_conclude(&set, &anything, &could, &sum, &within);
    CHECK_INT(sum.ld_requests, 10000);
    CHECK(fabs((double)within.ld_requests - (996 - 63) * (log(100) / 63) * 100) < 2);
    CHECK_INT(within.ld_sectors, 0);
    // Every second drawn block does 2 more: neighbours differ by 2, and the mean of all is off by as much as chance
    // lets it, once in a hundred times by more.
    for (size_t k = p->from + p->alone; k < p->to; k++) set.seen[k].ld_requests = (k - p->from) % 2 ? 12 : 10;
    sample_conclude(&set, &bounds, &could, &sum, &within);
    const double n = 63, spread = 4.0 * (n - 1) / (2 * (n - 1)), few = 1 / (n - 1),
                 half = 2.576 * (1 + 1.3 * few + 5 * few * few) * sqrt(996.0 * 996 * spread / n * (1 - n / 996));
    CHECK_INT(sum.ld_requests, (int)(40 + 996.0 / 63 * (31 * 12 + 32 * 10) + 0.5));
    CHECK(fabs((double)within.ld_requests - half) <= 1);
    CHECK(within.ld_requests > 450 && within.ld_requests < 470);
    sample_release(&set);
}

int main(int argc, char **argv)
{
    static const char *const sets[] = {"set1", "set3", "set4", "set5", "set6", "set7", "set8", "set9", "set10"};
    struct tried t = {0};
    (void)argv;
    intervals();
    try_made(&t);
    for (size_t n = 0; n < sizeof sets / sizeof *sets; n++) try_set(sets[n], argc > 1 ? GRID : GRID / 8, &t);
    printf("%d kernels, %d exact, %d with an interval, %d whole, %d missed\n", t.kernels, t.exact, t.drawn, t.whole,
        t.missed);
    CHECK(t.kernels >= 700 && t.exact >= 350 && t.drawn >= 300);
    CHECK(t.missed * 100 <= t.kernels); // the intervals are 99 % ones
    return test_end();
}
