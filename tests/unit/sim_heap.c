// Memory that kernels take: malloc and free, what goes wrong with them, and alloca. That results are a GPU's,
// tests/unit/sim_golden.c tries with set6.
// SPDX-License-Identifier: MIT
#include "unit/sim_ptx.h"

#define CALLS \
    HEAD ".extern .func (.param .b64 r) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n" \
         ".global .align 8 .u64 kept;\n"
#define MALLOC(to, bytes) \
    "{ .param .b64 a0; .param .b64 r0; st.param.b64 [a0], " bytes "; call.uni (r0), malloc, (a0); ld.param.b64 " to \
    ", [r0]; }"
#define FREE(at) "{ .param .b64 a0; st.param.b64 [a0], " at "; call.uni free, (a0); }"

static bool fails(const char *text, uint32_t threads, enum sim_fault_kind kind, const char *what)
{
    const bool ran = ptx_launch(text, (struct sim_launch){.block = {threads}});
    if (ran || fault.kind != kind || !strstr(fault.what, what)) printf("%s\n", ran ? "it ran" : fault.what);
    return !ran && fault.kind == kind && strstr(fault.what, what);
}

// Each thread has a piece of its own, keeps its number there, and reads it again.
static void pieces_are_apart(void)
{
    RUN(CALLS K(MALLOC("%rd5", "40") "st.u32 [%rd5+36], %r1; bar.sync 0; ld.u32 %r9, [%rd5+36];" FREE("%rd5")), 256);
    for (int t = 0; t < 256; t++) CHECK_INT(out[t], t);
    CHECK_INT(counts.heap_calls, 512);
    CHECK_INT(counts.ld_requests, 8);
}

// What is given back can be had again: 100 rounds of 64 KiB need no more than one.
static void what_is_given_back(void)
{
    RUN(CALLS K("A: " MALLOC("%rd5", "65536") "setp.ne.u64 %p2, %rd5, 0; selp.u32 %r4, 1, 0, %p2; add.u32 %r9, %r9, "
                                              "%r4;" FREE("%rd5") "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 100; "
                                                                  "@%p1 bra A;"),
        32);
    EACH(32, 100);
    // 8 MiB are there, as on a device whose host asks for no more.
    RUN(CALLS K("A: " MALLOC("%rd5", "1000000") "setp.ne.u64 %p2, %rd5, 0; @%p2 add.u32 %r9, %r9, 1; @%p2 bra A;"), 1);
    CHECK_INT(out[0], 8);
    RUN(CALLS K(MALLOC("%rd5", "0x10000000000") "cvt.u32.u64 %r9, %rd5; add.u32 %r9, %r9, 7;"), 1);
    CHECK_INT(out[0], 7);
    RUN(CALLS K(FREE("0") "mov.u32 %r9, 3;"), 1);
    CHECK_INT(out[0], 3);
}

static void what_goes_wrong(void)
{
    CHECK(fails(CALLS K(MALLOC("%rd5", "40") "st.u32 [%rd5+40], %r1;"), 1, SIM_OUT_OF_BOUNDS,
        "past the end of `malloc`, at byte 40 of 40"));
    CHECK(fails(CALLS K(MALLOC("%rd5", "40") FREE("%rd5") "ld.u32 %r9, [%rd5];"), 1, SIM_UNALLOCATED,
        "load of 4 bytes"));
    // The site has seen these bytes before they were given back.
    CHECK(fails(CALLS K(MALLOC("%rd5", "40") "mov.u32 %r5, 0; A: ld.global.u32 %r9, [%rd5]; setp.eq.u32 %p1, %r5, 0; "
                                             "@!%p1 bra B;" FREE("%rd5") "mov.u32 %r5, 1; bra A; B:"),
        1, SIM_UNALLOCATED, "load of 4 bytes"));
    CHECK(fails(CALLS K(MALLOC("%rd5", "40") FREE("%rd5") FREE("%rd5")), 1, SIM_ASSERT, "which malloc did not give"));
    CHECK(fails(CALLS K(MALLOC("%rd5", "40") "add.s64 %rd5, %rd5, 8;" FREE("%rd5")), 1, SIM_ASSERT, "free of 0x"));
    CHECK(fails(CALLS K(FREE("%rd1")), 1, SIM_ASSERT, "which malloc did not give"));
}

// A piece that another thread had before holds nothing yet, and nobody races for it.
static void the_watch_knows_pieces(void)
{
    struct sim_races races = {0};
    const struct sim_launch l = {.block = {64}, .watch = UINT32_MAX, .races = &races};
    CHECK(ptx_launch(CALLS K(MALLOC("%rd5", "16") "st.u32 [%rd5], %r1; ld.u32 %r9, [%rd5];" FREE("%rd5")), l) ||
        (printf("%s\n", fault.what), false));
    CHECK_INT(races.global, 0);
    CHECK(!ptx_launch(CALLS K(MALLOC("%rd5", "16") "st.u32 [%rd5], %r1;" FREE("%rd5")
                              MALLOC("%rd6", "16") "ld.u32 %r9, [%rd6];"),
        l));
    CHECK_INT(fault.kind, SIM_UNDEFINED);
    // One thread's piece, which all write without order.
    CHECK(ptx_launch(CALLS K("setp.eq.u32 %p1, %r1, 0; @!%p1 bra W;" MALLOC("%rd5",
                         "16") "st.global.u64 [kept], %rd5; W: "
                               "bar.sync 0; ld.global.u64 %rd6, [kept]; st.u32 [%rd6], %r1;"),
              l) ||
        (printf("%s\n", fault.what), false));
    CHECK(races.global > 0);
}

static void stacks_grow(void)
{
    // Each lane has as many words as its number says, and one more.
    RUN(HEAD K("add.u32 %r4, %r1, 1; mul.wide.u32 %rd5, %r4, 4; alloca.u64 %rd6, %rd5, 16; and.b64 %rd8, %rd6, 15;"
               "alloca.u64 %rd7, 4; st.local.u32 [%rd7], 1000; mul.wide.u32 %rd5, %r1, 4; add.s64 %rd6, %rd6, %rd5;"
               "st.local.u32 [%rd6], %r1; ld.local.u32 %r5, [%rd7]; ld.local.u32 %r6, [%rd6]; add.u32 %r9, %r5, %r6;"
               "cvt.u32.u64 %r7, %rd8; add.u32 %r9, %r9, %r7;"),
        64);
    for (int t = 0; t < 64; t++) CHECK_INT(out[t], 1000 + t);
    RUN(HEAD K("A: stacksave.u64 %rd5; alloca.u64 %rd6, 8192; stackrestore.u64 %rd5; add.u32 %r9, %r9, 1; "
               "setp.lt.u32 %p1, %r9, 50; @%p1 bra A;"),
        32);
    EACH(32, 50);
    CHECK(fails(HEAD K("alloca.u64 %rd6, 20000;"), 1, SIM_ASSERT, "alloca of 20000 bytes"));
}

int main(void)
{
    ptx_begin();
    pieces_are_apart();
    what_is_given_back();
    what_goes_wrong();
    the_watch_knows_pieces();
    stacks_grow();
    return ptx_end();
}
