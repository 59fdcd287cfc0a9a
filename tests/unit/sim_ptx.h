// Runs one PTX kernel `k` that takes a buffer of ints: what the tests of the interpreter share. Before the kernel's own
// text %rd1 is the buffer, %r1 the thread, %rd3 the thread's own int; after it %r9 is stored there.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/sim.h"
#include "unit/test.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define K(body) \
    ".visible .entry k(.param .u64 k_p)\n{\n .reg .pred %p<8>; .reg .b16 %h<4>; .reg .b32 %r<32>; .reg .f32 %f<16>; " \
    ".reg .b64 %rd<16>;\n" \
    " ld.param.u64 %rd1, [k_p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u32 " \
    "%r9, 0;\n " body "\n st.global.u32 [%rd3], %r9;\n ret;\n}\n"
enum { PTX_INTS = 1 << 14 };

static struct sim *sim;
static uint64_t buffer;
static int *out;
static struct sim_counts counts;
static struct sim_fault fault;

static bool ptx_launch(const char *text, struct sim_launch l)
{
    char error[256] = "";
    struct sim_module *m = sim_load(sim, text, error);
    struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    bool good = false;
    fault = (struct sim_fault){0};
    memset(&counts, 0, sizeof counts);
    for (int i = 0; i < 3; i++) l.grid[i] += !l.grid[i], l.block[i] += !l.block[i];
    l.params = &buffer, l.param_bytes = 8;
    if (!l.budget) l.budget = 1 << 20;
    if (!k) printf("%s\n", error);
    else good = sim_launch(sim, k, &l, &counts, &fault);
    if (m) sim_unload(sim, m);
    return good;
}
#define RUN(text, threads) \
    CHECK(ptx_launch(text, (struct sim_launch){.block = {threads}}) || (printf("%s\n", fault.what), false))
#define EACH(threads, value) \
    for (int t = 0; t < (threads); t++) CHECK_INT(out[t], value)

static inline void ptx_begin(void)
{
    sim = sim_new(1);
    buffer = sim_alloc(sim, PTX_INTS * sizeof(int), "out");
    out = sim_host(sim, buffer, PTX_INTS * sizeof(int));
}
static inline int ptx_end(void)
{
    sim_free(sim);
    return test_end();
}
