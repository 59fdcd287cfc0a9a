// Loads of which a lane needs one: the second of two is made only by the lanes that take it, where ptxas 13.0 makes it
// so. Each case was compiled by it, and the guards of its loads read.
// SPDX-License-Identifier: MIT
#include "sim/sim.h"
#include "unit/test.h"

static struct sim *sim;

// How many loads a warp makes of `loads`, which chooses by %p1; that is true in all lanes. %rd1: 32 words of floats.
static int requests(const char *loads)
{
    char text[1600], error[256] = "";
    struct sim_counts counts = {0};
    struct sim_fault fault = {0};
    snprintf(text, sizeof text,
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n .reg .pred %%p<4>; .reg "
        ".b32 %%r<40>; .reg .f32 %%f<9>; .reg .f64 %%fd<9>; .reg .b64 %%rd<4>;\n .shared .align 16 .b8 s[512];\n"
        " ld.param.u64 %%rd1, [a];\n mov.u32 %%r1, %%tid.x; mov.u32 %%r2, s; setp.lt.u32 %%p1, %%r1, 99;\n %s\n"
        " st.global.f32 [%%rd1], %%f1;\n ret;\n}\n",
        loads);
    struct sim_module *m = sim_load(sim, text, error);
    struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    uint64_t a = sim_alloc(sim, 512, "a");
    const struct sim_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .params = &a, .param_bytes = sizeof a};
    if (!k || !sim_launch(sim, k, &l, &counts, &fault)) printf("%s: %s%s\n", loads, error, fault.what);
    if (m) sim_unload(sim, m);
    return (int)(counts.ld_requests + counts.shared_ld_requests);
}

#define TWO "ld.global.f32 %f2, [%rd1]; ld.global.f32 %f3, [%rd1+128]; "
#define CHOOSE "selp.f32 %f1, %f2, %f3, %p1; "

#define TILE(stride) \
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11}, [%r2], " stride ";" \
    " "

int main(void)
{
    sim = sim_new(1);
    CHECK_INT(requests(TWO CHOOSE), 1);
    CHECK_INT(requests(TWO "selp.f32 %f1, %f3, %f2, %p1;"), 2); // all lanes take the later one
    CHECK_INT(requests("ld.shared.f32 %f2, [%r2]; ld.shared.f32 %f3, [%r2+64]; " CHOOSE), 1);
    CHECK_INT(requests("ld.shared.f32 %f2, [%r2]; ld.shared.f32 %f3, [%r2+4]; selp.f32 %f1, %f3, %f2, %p1;"),
        1);                                                       // joined
    CHECK_INT(requests(TWO "add.f32 %f2, %f2, %f2; " CHOOSE), 2); // an addition is the later one
    CHECK_INT(requests(TWO CHOOSE "add.f32 %f1, %f1, %f3;"), 2);  // needed by all
    CHECK_INT(requests(TWO CHOOSE "add.f32 %f1, %f1, %f2;"), 2);
    CHECK_INT(requests(TWO "add.f32 %f4, %f2, %f2; " CHOOSE), 1); // needed before, not behind
    CHECK_INT(requests("ld.global.f32 %f2, [%rd1]; selp.f32 %f1, %f2, 0f3F800000, %p1;"), 1);
    CHECK_INT(requests(TWO "bar.sync 0; " CHOOSE), 2);
    CHECK_INT(requests(TWO CHOOSE "ld.global.f32 %f4, [%rd1+64]; selp.f32 %f1, %f4, %f1, %p1;"), 2); // a choice first
    CHECK_INT(requests("ld.global.f64 %fd2, [%rd1]; ld.global.f64 %fd3, [%rd1+128]; selp.f64 %fd1, %fd2, %fd3, %p1; "
                       "cvt.rn.f32.f64 %f1, %fd1;"),
        2);
    CHECK_INT(requests(TILE("16") TILE("16")), 1); // a tile that is there
    CHECK_INT(requests(TILE("16") TILE("8")), 2);  // its rows stand closer
    sim_free(sim);
    return test_end();
}
