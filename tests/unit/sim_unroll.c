// Loops that the compiler unrolls: which, that lanes which leave at different turns then make more requests than the
// longest has turns, and that each lane takes as many turns as before.
// SPDX-License-Identifier: MIT
#include "unit/sim_ptx.h"

enum { ROLLED = 8, UNROLLED = 11 }; // 8 turns; two of four at once, two, and one

// Lane t takes 1 + t % 8 turns: %r2 counts, up to %r3 or down to 0. Each has a load, of a word that is 4 bytes further.
static int loads(const char *starts, const char *pragma, const char *more, const char *closes)
{
    static const char frame[] = HEAD K("|"); // what stands for the kernel's own text
    const char *at = strchr(frame, '|');
    char text[8000];
    snprintf(text, sizeof text,
        "%.*s and.b32 %%r3, %%r1, 7; add.s32 %%r3, %%r3, 1; mov.u32 %%r2, 0; mov.u32 %%r7, 0; mov.u64 %%rd4, %%rd3; "
        "cvt.u64.u32 %%rd6, %%r3; mov.u64 %%rd5, 0; %s\n L: %s\n ld.global.u32 %%r4, [%%rd4+4096]; "
        "add.s32 %%r7, %%r7, %%r4; add.s64 %%rd4, %%rd4, 4; add.s32 %%r9, %%r9, 1;\n %s\n %s\n @%%p1 bra L;\n "
        "st.global.u32 [%%rd3+8192], %%r7;%s",
        (int)(at - frame), frame, starts, pragma, more, closes, at + 1);
    RUN(text, 32);
    return (int)counts.ld_requests;
}

#define TURNS(requests, starts, pragma, more, closes) \
    CHECK_INT(loads(starts, pragma, more, closes), requests); \
    EACH(32, 1 + t % 8)
#define GOES_ON(requests, starts, closes) TURNS(requests, starts, "", "", closes)

static void a_counter_that_decides_the_end_is_unrolled(void)
{
    GOES_ON(UNROLLED, "", "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3;");
    GOES_ON(UNROLLED, "", "add.s32 %r2, %r2, 1; setp.ne.s32 %p1, %r2, %r3;");
    GOES_ON(UNROLLED, "", "add.s32 %r2, %r2, 1; setp.gt.u32 %p1, %r3, %r2;");
    GOES_ON(UNROLLED, "mov.u32 %r2, 1;", "add.s32 %r2, %r2, 1; setp.le.s32 %p1, %r2, %r3;");
    GOES_ON(UNROLLED, "mov.u32 %r2, %r3;", "add.s32 %r2, %r2, -1; setp.ne.s32 %p1, %r2, 0;");
    GOES_ON(UNROLLED, "mov.u32 %r2, %r3;", "sub.s32 %r2, %r2, 1; setp.gt.s32 %p1, %r2, 0;");
    GOES_ON(UNROLLED, "mov.u32 %r2, %r3;", "add.s32 %r2, %r2, -1; setp.ge.s32 %p1, %r2, 1;");
    GOES_ON(UNROLLED, "", "add.s64 %rd5, %rd5, 1; setp.lt.s64 %p1, %rd5, %rd6;");
    GOES_ON(UNROLLED, "mul.lo.u64 %rd6, %rd6, 8;", "add.s64 %rd5, %rd5, 8; setp.ne.s64 %p1, %rd5, %rd6;");
    GOES_ON(UNROLLED, "", "add.s32 %r5, %r2, 1; mov.u32 %r2, %r5; setp.lt.s32 %p1, %r5, %r3;");
}

static void other_loops_are_not(void)
{
    GOES_ON(ROLLED, "mov.u32 %r5, 1;", "add.s32 %r2, %r2, %r5; setp.lt.s32 %p1, %r2, %r3;");
    GOES_ON(ROLLED, "", "add.s32 %r5, %r2, 1; setp.lt.s32 %p1, %r5, %r3; add.s32 %r2, %r2, 1;");
    GOES_ON(ROLLED, "mov.u32 %r5, 0;", "add.s32 %r2, %r2, 1; add.s32 %r5, %r2, 0; setp.lt.s32 %p1, %r5, %r3;");
    TURNS(ROLLED, "", ".pragma \"nounroll\";", "", "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3;");
    TURNS(ROLLED, "", "", "bar.warp.sync -1;", "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3;");
    TURNS(ROLLED, "", "", "red.global.add.u32 [%rd1+16384], 1;", "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3;");
}

// 8 for what is in every turn here, and one for each instruction more: 50 is the most.
static void only_what_is_small_is_unrolled(void)
{
    static const char *const close = "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3;";
    for (int n = 40; n <= 44; n++) {
        char more[2000] = "";
        for (int k = 0; k < n; k++) strcat(more, "xor.b32 %r7, %r7, %r1; ");
        TURNS(n <= 42 ? UNROLLED : ROLLED, "", "", more, close);
    }
    TURNS(ROLLED, "", "", "rem.u32 %r7, %r7, %r3; rem.u32 %r7, %r7, %r3; rem.u32 %r7, %r7, %r3;", close);
    TURNS(UNROLLED, "", "", "mov.u32 %r7, %r7; rem.u32 %r7, %r7, %r3; rem.u32 %r7, %r7, %r3;", close);
}

// Roots and the like are several instructions, unless what is too small may be taken for zero.
static void what_takes_long_costs_more(void)
{
    static const char *const close = "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3;";
    static const struct {
        const char *op;
        int most; // that fit
    } rows[] = {{"ex2.approx.f32", 7}, {"lg2.approx.f32", 7}, {"rsqrt.approx.f32", 7}, {"sqrt.approx.f32", 7},
        {"rcp.approx.f32", 6}, {"ex2.approx.ftz.f32", 42}, {"rcp.approx.ftz.f32", 42}, {"sin.approx.f32", 42}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int n = rows[k].most; n <= rows[k].most + 1; n++) {
            char more[3000] = "";
            for (int i = 0; i < n; i++) sprintf(more + strlen(more), "%s %%f1, %%f1; ", rows[k].op);
            TURNS(n == rows[k].most ? UNROLLED : ROLLED, "mov.f32 %f1, 0f3f800000;", "", more, close);
        }
}

// A loop whose counter is beyond its bound from the start has one turn; one that steps over its bound goes round.
static void a_loop_that_begins_beyond_its_end_has_one_turn(void)
{
    CHECK_INT(loads("mov.u32 %r2, 100;", "", "", "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3;"), 1);
    EACH(32, 1);
    CHECK_INT(loads("mov.u32 %r2, 0x40000000;", "", "",
                  "add.s32 %r2, %r2, 0x60000000; setp.ne.s32 %p1, %r2, 0x60000000;"),
        3);
    EACH(32, 3);
}

int main(void)
{
    ptx_begin();
    a_counter_that_decides_the_end_is_unrolled();
    other_loops_are_not();
    only_what_is_small_is_unrolled();
    what_takes_long_costs_more();
    a_loop_that_begins_beyond_its_end_has_one_turn();
    return ptx_end();
}
