// Which neighbouring loads of shared memory become one wide access: only where the address is known to be a multiple of
// its width. What is known of an address follows from the instructions that made it.
// SPDX-License-Identifier: MIT
#include "sim/sim.h"
#include "unit/test.h"

static struct sim *sim;

// How many requests a warp makes for two neighbouring words at %r2 + FROM, which `makes` computes from the lane, %r1.
static int requests(const char *makes)
{
    char text[1200], error[256] = "";
    struct sim_counts counts = {0};
    struct sim_fault fault = {0};
    snprintf(text, sizeof text,
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n .reg .pred %%p<4>; .reg .b32 %%r<16>; "
        ".reg .f32 %%f<4>;\n .shared .align 16 .b8 s[4096];\n mov.u32 %%r1, %%tid.x;\n %s\n"
        " ld.shared.f32 %%f1, [%%r2]; ld.shared.f32 %%f2, [%%r2+4]; add.f32 %%f1, %%f1, %%f2; "
        "st.shared.f32 [s+2048], %%f1;\n ret;\n}\n",
        makes);
    struct sim_module *m = sim_load(sim, text, error);
    struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    const struct sim_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    if (!k || !sim_launch(sim, k, &l, &counts, &fault)) printf("%s: %s%s\n", makes, error, fault.what);
    if (m) sim_unload(sim, m);
    return (int)counts.shared_ld_requests;
}

static void what_is_a_multiple_of_eight_is_joined(void)
{
    CHECK_INT(requests("shl.b32 %r2, %r1, 3;"), 1);
    CHECK_INT(requests("mul.lo.u32 %r2, %r1, 24;"), 1);
    CHECK_INT(requests("mad.lo.u32 %r2, %r1, 8, 64;"), 1);
    CHECK_INT(requests("shl.b32 %r3, %r1, 4; add.u32 %r2, %r3, 8;"), 1);
    CHECK_INT(requests("shl.b32 %r3, %r1, 4; or.b32 %r2, %r3, 8;"), 1);
    CHECK_INT(requests("shl.b32 %r3, %r1, 5; shr.u32 %r2, %r3, 2;"), 1);
}

// `and` clears bits: the result is a multiple of whatever either side is a multiple of.
static void and_knows_the_better_of_both_sides(void)
{
    CHECK_INT(requests("shl.b32 %r3, %r1, 2; and.b32 %r2, %r3, -8;"), 1);
    CHECK_INT(requests("shl.b32 %r3, %r1, 3; and.b32 %r2, %r3, 1023;"), 1);
    CHECK_INT(requests("shl.b32 %r3, %r1, 2; and.b32 %r2, %r3, 1020;"), 2);
    // `or` and `add` keep only what both sides have.
    CHECK_INT(requests("shl.b32 %r3, %r1, 3; or.b32 %r2, %r3, 4;"), 2);
}

static void what_is_a_multiple_of_four_only_is_not(void)
{
    CHECK_INT(requests("shl.b32 %r2, %r1, 2;"), 2);
    CHECK_INT(requests("mul.lo.u32 %r2, %r1, 12;"), 2);
    CHECK_INT(requests("shl.b32 %r3, %r1, 3; add.u32 %r2, %r3, 4;"), 2);
    CHECK_INT(requests("shl.b32 %r3, %r1, 4; shr.u32 %r2, %r3, 2;"), 2);
    CHECK_INT(
        requests("setp.gt.u32 %p1, %r1, 3; shl.b32 %r3, %r1, 3; shl.b32 %r4, %r1, 2; selp.b32 %r2, %r3, %r4, %p1;"), 2);
}

int main(void)
{
    sim = sim_new(1);
    what_is_a_multiple_of_eight_is_joined();
    and_knows_the_better_of_both_sides();
    what_is_a_multiple_of_four_only_is_not();
    sim_free(sim);
    return test_end();
}
