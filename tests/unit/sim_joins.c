// Which neighbouring loads of shared memory become one wide access: only where the address is known to be a multiple of
// its width. What is known of an address follows from the instructions that made it.
// SPDX-License-Identifier: MIT
#include "sim/sim.h"
#include "unit/test.h"

static struct sim *sim;

// How many requests of shared loads the warp makes.
static int requests_of(const char *makes, const char *loads)
{
    char text[1200], error[256] = "";
    struct sim_counts counts = {0};
    struct sim_fault fault = {0};
    snprintf(text, sizeof text,
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n .reg .pred %%p<4>; .reg .b32 %%r<16>; "
        ".reg .f32 %%f<8>;\n .shared .align 16 .b8 s[4096];\n mov.u32 %%r1, %%tid.x;\n %s\n"
        " %s st.shared.f32 [s+2048], %%f1;\n ret;\n}\n",
        makes, loads);
    struct sim_module *m = sim_load(sim, text, error);
    struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    const struct sim_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    if (!k || !sim_launch(sim, k, &l, &counts, &fault)) printf("%s: %s%s\n", makes, error, fault.what);
    if (m) sim_unload(sim, m);
    return (int)counts.shared_ld_requests;
}

// For two neighbouring words at %r2, which `makes` computes from the lane, %r1.
static int requests(const char *makes)
{
    return requests_of(makes, "ld.shared.f32 %f1, [%r2]; ld.shared.f32 %f2, [%r2+4]; add.f32 %f1, %f1, %f2;");
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

// Pairs are joined as they are, but only where both of their words are needed.
static void whole_pairs_are_joined(void)
{
    const char *makes = "shl.b32 %r2, %r1, 4;",
               *loads[] = {"ld.shared.v2.f32 {%f1, %f2}, [%r2];", "ld.shared.v2.f32 {%f3, %f4}, [%r2+8];",
                   "add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3;", "add.f32 %f1, %f1, %f4;"};
    char all[400], three[400];
    snprintf(all, sizeof all, "%s %s %s %s", loads[0], loads[1], loads[2], loads[3]);
    snprintf(three, sizeof three, "%s %s %s", loads[0], loads[1], loads[2]);
    CHECK_INT(requests_of(makes, all), 1);
    CHECK_INT(requests_of(makes, three), 2);
    CHECK_INT(requests_of(makes,
                  "ld.shared.v2.f32 {%f1, %f2}, [%r2]; ld.shared.v2.f32 {%f3, _}, [%r2+8];"
                  " add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3;"),
        2);
}

// What may be written, or told, between two accesses keeps them apart.
static void what_orders_keeps_apart(void)
{
    static const char *const between[] = {"bar.sync 0;", "membar.cta;", "nanosleep.u32 10;", "griddepcontrol.wait;",
        "mbarrier.arrive.shared.b64 _, [s+1024];", "red.shared.add.u32 [s+1032], 1;", NULL};
    char text[400];
    for (int k = 0; between[k]; k++) {
        snprintf(text, sizeof text,
            "mbarrier.init.shared.b64 [s+1024], 64; ld.shared.f32 %%f1, [%%r2]; %s ld.shared.f32 %%f2, [%%r2+4];"
            " add.f32 %%f1, %%f1, %%f2;",
            between[k]);
        const int got = requests_of("shl.b32 %r2, %r1, 3;", text);
        if (got != 2) printf("%s\n", between[k]);
        CHECK_INT(got, 2);
    }
}

int main(void)
{
    sim = sim_new(1);
    what_is_a_multiple_of_eight_is_joined();
    and_knows_the_better_of_both_sides();
    what_is_a_multiple_of_four_only_is_not();
    whole_pairs_are_joined();
    what_orders_keeps_apart();
    sim_free(sim);
    return test_end();
}
