// Control flow and lanes in PTX that compilers seldom write: tables of branches, named barriers, partial warps,
// matches, reductions, asynchronous copies, calls in which lanes diverge, locks inside a warp; and where such lanes
// meet again.
// SPDX-License-Identifier: MIT
#include "sim/sim.h"
#include "sim/core/state.h"
#include "unit/test.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define K(body) \
    ".visible .entry k(.param .u64 k_p)\n{\n .reg .pred %p<8>; .reg .b16 %h<4>; .reg .b32 %r<16>; .reg .f32 %f<8>; " \
    ".reg .b64 %rd<10>;\n" \
    " ld.param.u64 %rd1, [k_p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u32 " \
    "%r9, 0;\n " body "\n st.global.u32 [%rd3], %r9;\n ret;\n}\n"

static struct sim *sim;
static uint64_t buffer;
static int *out;
static struct sim_counts counts;
static struct sim_fault fault;

static bool run(const char *text, uint32_t threads, uint32_t dynamic)
{
    char error[256] = "";
    struct sim_module *m = sim_load(sim, text, error);
    struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    bool good = false;
    fault = (struct sim_fault){0};
    memset(out, 0xff, 4096);
    const struct sim_launch l = {.grid = {1, 1, 1},
        .block = {threads, 1, 1},
        .dynamic_shared = dynamic,
        .params = &buffer,
        .param_bytes = 8,
        .budget = 1 << 20};
    if (!k) printf("%s\n", error);
    else good = sim_launch(sim, k, &l, &counts, &fault);
    if (m) sim_unload(sim, m);
    return good;
}
#define RUN(text, threads) CHECK(run(text, threads, 0) || (printf("%s\n", fault.what), false))
#define EACH(threads, value) \
    for (int t = 0; t < (threads); t++) CHECK_INT(out[t], value)

static void branches_by_table(void)
{
    RUN(HEAD K("T: .branchtargets A, B, C, B;\n and.b32 %r2, %r1, 3; brx.idx %r2, T;\n A: mov.u32 %r9, 10;"
               " bra.uni E;\n B: add.s32 %r9, %r2, 20;"
               " bra.uni E;\n C: mov.u32 %r9, 30;\n E: add.s32 %r9, %r9, 1;"),
        40);
    EACH(40, (t & 3) == 0 ? 11 : (t & 3) == 2 ? 31 : 21 + (t & 3));
    CHECK_INT(counts.st_requests, 2); // the lanes met again before the store
    CHECK(!run(HEAD K("T: .branchtargets A, A;\n brx.idx %r1, T;\n A: add.s32 %r9, %r9, 1;"), 3, 0));
    CHECK_INT(fault.kind, SIM_ASSERT); // a fault of the kernel: nothing here that the simulator could not do
}

static void parted_lanes_meet_at_the_earliest_place(void)
{
    // if (a || b) with a load in each arm: the store behind it runs once a warp, the loads once for each arm that is
    // taken.
    RUN(HEAD K(
            "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra T; ld.global.u32 %r3, [%rd3]; and.b32 %r4, %r1, 2;"
            " setp.eq.u32 %p2, %r4, 0; @%p2 bra T;"
            " bra E;\n T: ld.global.u32 %r3, [%rd3+512];\n E: add.s32 %r9, %r3, 7;"),
        32);
    EACH(32, 6);
    CHECK_INT(counts.ld_requests, 2);
    CHECK_INT(counts.st_requests, 1);
    // A loop that each lane leaves at another turn, and an early exit.
    RUN(HEAD K("setp.gt.u32 %p3, %r1, 40; @%p3 exit;\n L: add.s32 %r9, %r9, 2; setp.lt.u32 %p1, %r9, %r1; @%p1 bra L;"),
        64);
    EACH(41, t < 2 ? 2 : t + (t & 1));
    CHECK_INT(counts.st_requests, 2);
}

static void the_layout_of_blocks_does_not_matter(void)
{
    // What follows the loop lies in the middle of it; lanes leave after 1 to 32 turns and still do it together.
    RUN(HEAD K("L: add.s32 %r9, %r9, 1; setp.gt.u32 %p1, %r9, %r1; @!%p1 bra M;\n X: st.global.u32 [%rd3+256], %r9; "
               "bra E;\n"
               " M: add.s32 %r2, %r2, 1; bra L;\n E: add.s32 %r9, %r9, 100;"),
        32);
    EACH(32, t + 101);
    for (int t = 0; t < 32; t++) CHECK_INT(out[64 + t], t + 1);
    CHECK_INT(counts.st_requests, 2);
    // The same with a loop in the loop, whose body comes first of all.
    RUN(HEAD
            K("bra S;\n B: add.s32 %r3, %r3, 1; add.s32 %r9, %r9, 1; setp.lt.u32 %p1, %r3, %r1; @%p1 bra B; bra N;\n"
              " X: st.global.u32 [%rd3+256], %r9; bra E;\n S: mov.u32 %r2, 0;\n H: setp.ge.u32 %p2, %r2, 3; @%p2 bra X;"
              " mov.u32 %r3, 0; bra B;\n N: add.s32 %r2, %r2, 1; bra H;\n E:"),
        32);
    EACH(32, t ? 3 * t : 3);
    CHECK_INT(counts.st_requests, 2);
}

static void calls_part_and_return(void)
{
    const char *text =
        HEAD ".func (.param .b32 fr) f(.param .b32 fa)\n{\n .reg .b32 %r<4>; .reg .pred %p<2>; ld.param.b32 %r1, [fa];"
             " and.b32 %r2, %r1, 4;"
             " setp.eq.u32 %p1, %r2, 0; @%p1 bra Z; mul.lo.s32 %r1, %r1, 3; st.param.b32 [fr], %r1; ret;\nZ: add.s32 "
             "%r1, %r1, 100;"
             " st.param.b32 [fr], %r1; ret;\n}\n" K(
                 "setp.lt.u32 %p1, %r1, 12; @!%p1 bra B;\n { .param .b32 a; st.param.b32 [a], %r1; .param .b32 r;"
                 " call (r), f, (a); ld.param.b32 %r9, [r]; }\n bra E;\n B: add.s32 %r2, %r1, 1; { .param .b32 a;"
                 " st.param.b32 [a], %r2; .param .b32 r;"
                 " call (r), f, (a); ld.param.b32 %r9, [r]; add.s32 %r9, %r9, 1000; }\n E:");
    RUN(text, 32);
    EACH(32, t < 12 ? (t & 4 ? t * 3 : t + 100) : 1000 + ((t + 1) & 4 ? (t + 1) * 3 : t + 101));
    CHECK_INT(counts.st_requests, 1);
}

static void pointers_are_called(void)
{
    // Lanes choose between two functions; one has a different number of arguments' bytes behind it.
    const char *text = HEAD
        ".func (.param .b32 fr) f(.param .b32 fa)\n{\n .reg .b32 %r<4>; ld.param.b32 %r1, [fa]; add.s32 %r2, %r1, 5;"
        " st.param.b32 [fr], %r2; ret;\n}\n"
        ".func (.param .b32 gr) g(.param .b32 ga)\n{\n .reg .b32 %r<4>; ld.param.b32 %r1, [ga]; mul.lo.s32 %r2, %r1, 7;"
        " st.param.b32 [gr], %r2; ret;\n}\n"
        ".global .align 8 .u64 table[2] = {f, g};\n" K(
            ".reg .b64 %q<4>; and.b32 %r2, %r1, 1; mul.wide.u32 %q1, %r2, 8; mov.u64 %q2, table; add.s64 %q2, %q2, %q1;"
            " ld.global.u64 %q3, [%q2]; { .param .b32 a; st.param.b32 [a], %r1; .param .b32 r;"
            " p: .callprototype (.param .b32 _) _ (.param .b32 _); call (r), %q3, (a), p; ld.param.b32 %r9, [r]; }");
    RUN(text, 32);
    EACH(32, t & 1 ? 7 * t : t + 5);
    CHECK_INT(counts.stacked_calls, 1);
    CHECK(!run(HEAD K(".reg .b64 %q; mov.u64 %q, 8; call %q, ();"), 1, 0));
    CHECK_INT(fault.kind, SIM_ASSERT);
    CHECK(strstr(fault.what, "a call through a pointer that is no function of this kernel's (0x8)"));
}

static void functions_call_themselves(void)
{
    // fib, with a local variable whose address is taken: each call has its own.
    const char *text =
        HEAD ".func (.param .b32 fr) fib(.param .b32 fa)\n{\n .local .align 4 .b8 depot[4]; .reg .b32 %r<8>; .reg .b64 "
             "%d<3>;"
             " .reg .pred %p<2>; mov.u64 %d1, depot; ld.param.b32 %r1, [fa]; st.local.b32 [%d1], %r1;"
             " setp.lt.s32 %p1, %r1, 2; @%p1 bra E; add.s32 %r2, %r1, -1;"
             " { .param .b32 a; st.param.b32 [a], %r2; .param .b32 r; call (r), fib, (a); ld.param.b32 %r3, [r]; }"
             " ld.local.b32 %r4, [depot]; add.s32 %r4, %r4, -2;"
             " { .param .b32 a; st.param.b32 [a], %r4; .param .b32 r; call (r), fib, (a); ld.param.b32 %r5, [r]; }"
             " add.s32 %r1, %r3, %r5; E: st.param.b32 [fr], %r1; ret;\n}\n" K(
                 "and.b32 %r2, %r1, 7; { .param .b32 a; st.param.b32 [a], %r2; .param .b32 r; call (r), fib, (a);"
                 " ld.param.b32 %r9, [r]; }");
    static const int fib[8] = {0, 1, 1, 2, 3, 5, 8, 13};
    RUN(text, 64);
    EACH(64, fib[t & 7]);
    CHECK(counts.stacked_calls > 0);
    CHECK(!run(HEAD ".func f()\n{\n call f, (); ret;\n}\n" K("call f, ();"), 1, 0));
    CHECK_INT(fault.kind, SIM_ASSERT);
    CHECK(strstr(fault.what, "calls go deeper than the stack of a thread"));
}

static void an_entry_is_not_called(void)
{
    static const char *const texts[] = {HEAD ".visible .entry k()\n{\n call.uni k; ret;\n}\n",
        HEAD
        ".func f();\n.visible .entry k()\n{\n call.uni f; ret;\n}\n.func f()\n{\n call.uni k; call.uni f; ret;\n}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char error[256] = "";
        struct sim_module *m = sim_load(sim, texts[i], error);
        CHECK(m && !sim_kernel(m, "k", error));
        CHECK_TEXT(error, "unsupported: a call of an entry, which only a launch may start");
        if (m) sim_unload(sim, m);
    }
}

static void named_barriers_count_threads(void)
{
    // Warps 0 and 1 arrive and go on; warps 2 and 3 wait for them and read what they wrote.
    const char *text = HEAD ".shared .align 4 .b8 s[256];\n" K(
        "mov.u32 %r2, s; setp.ge.u32 %p1, %r1, 64; @%p1 bra W; mad.lo.u32 %r3, %r1, 4, %r2; add.s32 %r9, %r1, 5;"
        " st.shared.u32 [%r3], %r9;"
        " bar.arrive 3, 128; bra E;\n W: bar.sync 3, 128; add.s32 %r4, %r1, -64; mad.lo.u32 %r3, %r4, 4, %r2;"
        " ld.shared.u32 %r9, [%r3];\n E:");
    RUN(text, 128);
    EACH(128, t % 64 + 5);
    RUN(HEAD
            K("and.b32 %r2, %r1, 3; setp.eq.u32 %p1, %r2, 0; bar.red.popc.u32 %r9, 0, %p1; bar.red.or.pred %p2, 1, %p1;"
              " bar.red.and.pred %p3, 2, %p1;"
              " @%p2 add.s32 %r9, %r9, 100; @%p3 add.s32 %r9, %r9, 1000; bar.red.and.pred %p4, 0, !%p3;"
              " @%p4 add.s32 %r9, %r9, 5000;"),
        80);
    EACH(80, 5120);
}

static void lanes_of_a_warp_wait_for_each_other(void)
{
    // Two halves arrive at one shuffle from different sides; the members' mask keeps it back until both are there.
    RUN(HEAD K("setp.lt.u32 %p1, %r1, 16; mov.u32 %r2, 7; @%p1 bra L; mov.u32 %r2, 9; bra M;\n L: mov.u32 %r2, 8;\n"
               " M: shfl.sync.bfly.b32 %r9|%p2, %r2, 16, 31, -1; bar.warp.sync -1;"),
        32);
    EACH(32, t < 16 ? 9 : 8);
    RUN(HEAD K("and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; @%p1 bra O; vote.sync.ballot.b32 %r9, 1, 0x55555555; bra "
               "E;\n"
               " O: activemask.b32 %r9;\n E:"),
        32);
    EACH(32, t & 1 ? (int)0xaaaaaaaa : 0x55555555);
    RUN(HEAD K("shr.u32 %r2, %r1, 2; match.any.sync.b32 %r9, %r2, -1; match.all.sync.b32 %r3|%p1, %r2, -1;"
               " @%p1 mov.u32 %r9, 0;"),
        32);
    EACH(32, (int)(0xfu << (t & ~3)));
    RUN(HEAD K("redux.sync.max.s32 %r2, %r1, -1; redux.sync.add.u32 %r3, %r1, -1; redux.sync.xor.b32 %r4, %r1, -1;"
               " elect.sync %r5|%p1, -1;"
               " mad.lo.s32 %r9, %r2, 1000, %r3; add.s32 %r9, %r9, %r4; @%p1 add.s32 %r9, %r9, 1000000;"),
        32);
    EACH(32, 31 * 1000 + 496 + (t == 0 ? 1000000 : 0));
    RUN(HEAD K("shfl.sync.up.b32 %r9|%p1, %r1, 2, 0x1c00, -1; @!%p1 add.s32 %r9, %r9, 100;"), 32); // segments of 4
    EACH(32, t % 4 < 2 ? t + 100 : t - 2);
}

// Here those who come first do wait: their place lies before what the others still have to do.
static void lanes_wait_for_those_that_come_later(void)
{
    RUN(HEAD K("bra S;\n M: shfl.sync.bfly.b32 %r9|%p2, %r2, 16, 31, -1; bra E;\n"
               " S: setp.lt.u32 %p1, %r1, 16; mov.u32 %r2, 8; @%p1 bra M; mov.u32 %r2, 9; bra M;\n E:"),
        32);
    EACH(32, t < 16 ? 9 : 8);
    CHECK_INT(counts.st_requests, 1); // who waited goes on once
    // In a loop, whichever way comes first in it: who waited goes on once, and what waits elsewhere still waits.
#define WAY_ON "M: @%p4 vote.sync.ballot.b32 %r9, 1, %r5; @%p3 bra H; bra E;\n"
#define WAY_BACK "L: setp.ne.u32 %p2, %r1, %r1; bra H;\n"
#define LOOP(first, second, choose) \
    HEAD K("mov.u32 %r5, 0x00ffffff; setp.ge.u32 %p2, %r1, 8; setp.ne.u32 %p3, %r1, %r1; setp.lt.u32 %p4, %r1, 24;\n" \
           " H: " choose first second "E: bar.sync 0;")
    RUN(LOOP(WAY_ON, WAY_BACK, "@%p2 bra L; bra M;\n"), 32);
    EACH(32, t < 24 ? 0x00ffffff : 0);
    CHECK_INT(counts.st_requests, 1);
    RUN(LOOP(WAY_BACK, WAY_ON, "@!%p2 bra M; bra L;\n"), 32);
    EACH(32, t < 24 ? 0x00ffffff : 0);
    CHECK_INT(counts.st_requests, 1);
    // Lanes 0 and 1 wait for 31, which ends; 2 and 3 for 30, which waits for 2. Nobody else is left: the first two go
    // on, and when that helps nobody the next two.
    RUN(HEAD K("bra S;\n M: vote.sync.ballot.b32 %r9, 1, %r5; bra E;\n"
               " S: mov.u32 %r5, 0x80000003; setp.lt.u32 %p1, %r1, 2; @%p1 bra M;"
               " mov.u32 %r5, 0x4000000c; setp.lt.u32 %p1, %r1, 4; @%p1 bra M; setp.ne.u32 %p1, %r1, 30; @%p1 exit;"
               " vote.sync.ballot.b32 %r9, 1, 0x40000004;\n E:"),
        32);
    CHECK(out[0] == 3 && out[1] == 3 && out[30] == 0x40000000 && out[31] == -1);
    CHECK_INT(counts.st_requests, 3);
}

static void a_partial_warp_is_whole_without_its_missing_lanes(void)
{
    RUN(HEAD K("vote.sync.ballot.b32 %r9, 1, -1; bar.sync 0;"), 37);
    EACH(37, t < 32 ? -1 : 31);
    CHECK_INT(out[37], -1);
    CHECK_INT(counts.lanes, 37);
}

// Lanes that look in vain for a lock let the one that has it go on, as on an H200: of one warp and of others.
static void a_lock_goes_from_lane_to_lane(void)
{
    CHECK(run(HEAD K("L: atom.global.cas.b32 %r3, [%rd1+2048], -1, 1; setp.ne.s32 %p1, %r3, -1; @%p1 bra L;"
                     " ld.volatile.global.u32 %r5, [%rd1+2052]; add.u32 %r5, %r5, 1; st.volatile.global.u32 "
                     "[%rd1+2052], %r5;"
                     " membar.gl; atom.global.exch.b32 %r4, [%rd1+2048], -1; mov.u32 %r9, 5;\n"),
        96, 0));
    CHECK_INT(out[513], 95);
    EACH(96, 5);
    CHECK(!run(HEAD K("L: atom.global.exch.b32 %r3, [%rd1+2048], -1; setp.eq.s32 %p1, %r3, -1; @%p1 bra L;\n"), 64, 0));
    CHECK_INT(fault.kind, SIM_WAITS); // nobody gives it back
}

// Enough come to a barrier without waiting: it has opened when the other warp comes, which waits for the next ones.
static void a_barrier_opens_for_those_that_do_not_wait(void)
{
    CHECK(!run(HEAD K("setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 1, 64; bra E;\nA: bar.arrive 1, 32; \nE:\n"), 64,
        0));
    CHECK_INT(fault.kind, SIM_DEADLOCK);
}

static void copies_to_shared_memory_are_global_loads(void)
{
    for (int k = 0; k < 128; k++) out[512 + k] = k;
    const char *text = HEAD ".extern .shared .align 16 .b8 d[];\n.shared .align 4 .b8 s[20];\n" K(
        "mov.u32 %r2, d; mov.u32 %r5, s; mad.lo.u32 %r3, %r1, 16, %r2; mul.wide.u32 %rd4, %r1, 16;"
        " add.s64 %rd4, %rd4, %rd1; add.s64 %rd4, %rd4, 2048;"
        " setp.lt.u32 %p1, %r1, 16; selp.u32 %r4, 16, 8, %p1; cp.async.cg.shared.global [%r3], [%rd4], 16, %r4;"
        " cp.async.commit_group;"
        " cp.async.wait_group 0; bar.sync 0; ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [%r3]; sub.s32 %r2, %r2, %r5;"
        " mad.lo.u32 %r9, %r2, 1000, %r9;");
    memset(out, 0xff, 2048);
    char error[256];
    struct sim_module *m = sim_load(sim, text, error);
    struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    if (!k) printf("%s\n", error);
    const struct sim_launch l = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared = 512, .params = &buffer, .param_bytes = 8};
    CHECK(k && sim_launch(sim, k, &l, &counts, &fault));
    EACH(32, 32 * 1000 + (t < 16 ? t * 4 + 3 : 0)); // dynamic memory lies behind the static, aligned
    CHECK_INT(counts.ld_requests, 1);
    CHECK_INT(counts.ld_sectors, 16);
    CHECK_INT(counts.shared_st_requests, 0);
    sim_unload(sim, m);
}

// Where the predicate is true the source is not looked at: it may be anything, and zeros are written.
static void copies_that_ignore_their_source_write_zeros(void)
{
    CHECK(run(HEAD
        ".shared .align 16 .b8 s[512];\n" K(
            "mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 16, %r2; st.shared.u32 [%r3+12], 77; mul.wide.u32 %rd4, %r1, 16;"
            " add.s64 %rd4, %rd4, %rd1; add.s64 %rd4, %rd4, 2048; st.global.u32 [%rd4+12], %r3;"
            " setp.ge.u32 %p1, %r1, 8; @%p1 mov.u64 %rd4, 64; setp.ge.u32 %p2, %r1, 24; @%p2 bra L;"
            " cp.async.cg.shared.global [%r3], [%rd4], 16, %p1;\n"
            "L: cp.async.wait_all; bar.sync 0; ld.shared.u32 %r9, [%r3+12];"),
        32, 0));
    EACH(32, t < 8 ? t * 16 : t < 24 ? 0 : 77);
    CHECK_INT(counts.ld_requests, 1);
    CHECK_INT(counts.ld_sectors, 4);
}

static void narrow_and_wide_elements_keep_their_value(void)
{
    RUN(HEAD K(
            "add.s32 %r2, %r1, -5; cvt.u16.u32 %h1, %r2; st.global.u8 [%rd3], %h1; st.global.b16 [%rd3+2], %h1;"
            " ld.global.s8 %r3, [%rd3];"
            " ld.global.u16 %r4, [%rd3+2]; ld.global.s16 %rd5, [%rd3+2]; cvt.u32.u64 %r5, %rd5; sub.s32 %r6, %r3, %r5;"
            " add.s32 %r9, %r6, %r4;"
            " ld.global.v2.u8 {%h2, _}, [%rd3]; cvt.u32.u16 %r7, %h2; and.b32 %r8, %r2, 255; sub.s32 %r7, %r7, %r8;"
            " add.s32 %r9, %r9, %r7;"),
        32);
    EACH(32, (t - 5) & 0xffff);
    RUN(HEAD ".global .align 8 .u64 g[2] = {generic(h)+4, 5};\n.global .align 4 .b32 h[2] = {7, 9};\n" K(
            "prefetch.global.L2 [%rd3]; ld.global.u64 %rd4, [g]; ld.global.relaxed.gpu.u32 %r2, [%rd4];"
            " ld.global.u64 %rd5, [g+8]; cvt.u32.u64 %r3, %rd5;"
            " membar.gl; fence.acq_rel.gpu; mad.lo.s32 %r9, %r2, 10, %r3; discard.global.L2 [%rd1], 128;"
            " prefetchu.L1 [%rd3]; applypriority.global.L2::evict_normal [%rd1], 128; pmevent 3; brkpt;"
            " setmaxnreg.inc.sync.aligned.u32 64;"),
        8);
    EACH(8, 95);
}

static void generic_addresses_find_their_space(void)
{
    RUN(HEAD ".shared .align 4 .b8 s[128];\n" K(
            ".local .align 4 .b8 l[16]; mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], 5;"
            " st.local.u32 [l+8], 6; st.global.u32 [%rd3], 7;"
            " mov.u64 %rd4, l; cvta.local.u64 %rd5, %rd4; add.s64 %rd5, %rd5, 8; cvt.u64.u32 %rd6, %r3;"
            " cvta.shared.u64 %rd6, %rd6;"
            " and.b32 %r4, %r1, 3; setp.eq.u32 %p1, %r4, 0; setp.eq.u32 %p2, %r4, 1; mov.u64 %rd7, %rd3;"
            " @%p1 mov.u64 %rd7, %rd5; @%p2 mov.u64 %rd7, %rd6;"
            " ld.u32 %r9, [%rd7]; isspacep.shared %p3, %rd7; @%p3 add.s32 %r9, %r9, 50; isspacep.global %p4, %rd7;"
            " @%p4 add.s32 %r9, %r9, 500;"),
        32);
    EACH(32, (t & 3) == 0 ? 6 : (t & 3) == 1 ? 55 : 507);
    CHECK_INT(counts.ld_requests, 1);
    CHECK_INT(counts.shared_ld_requests, 1);
    CHECK_INT(counts.local_ld_requests, 1);
}

int main(void)
{
    sim = sim_new(1);
    buffer = sim_alloc(sim, 4096, "out");
    out = sim_host(sim, buffer, 4096);
    branches_by_table();
    parted_lanes_meet_at_the_earliest_place();
    the_layout_of_blocks_does_not_matter();
    calls_part_and_return();
    pointers_are_called();
    functions_call_themselves();
    an_entry_is_not_called();
    named_barriers_count_threads();
    lanes_of_a_warp_wait_for_each_other();
    lanes_wait_for_those_that_come_later();
    a_partial_warp_is_whole_without_its_missing_lanes();
    a_lock_goes_from_lane_to_lane();
    a_barrier_opens_for_those_that_do_not_wait();
    copies_to_shared_memory_are_global_loads();
    copies_that_ignore_their_source_write_zeros();
    narrow_and_wide_elements_keep_their_value();
    generic_addresses_find_their_space();
    sim_free(sim);
    return test_end();
}
