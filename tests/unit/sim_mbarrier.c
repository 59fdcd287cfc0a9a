// Barriers in shared memory and bulk copies: lanes of one warp that wait for each other, phases, and what nothing ends.
// That results and counts are a GPU's, tests/unit/sim_golden.c tries with set6.
// SPDX-License-Identifier: MIT
#include "unit/sim_ptx.h"

#define SHARED(body) \
    HEAD ".shared .align 16 .b64 bar; .shared .align 16 .b8 tile[256];\n" K("mov.u32 %r2, bar; mov.u32 %r3, " \
                                                                            "tile;" body)
#define INIT(n) "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r2], " #n "; bar.sync 0;"
#define WAIT(label, parity) label ": mbarrier.try_wait.parity.shared.b64 %p2, [%r2], " #parity "; @!%p2 bra " label ";"
#define ARRIVE "mbarrier.arrive.shared.b64 _, [%r2];"

static bool fails(const char *text, uint32_t threads, enum sim_fault_kind kind, const char *what)
{
    const bool ran = ptx_launch(text, (struct sim_launch){.block = {threads}, .budget = (uint64_t)1 << 32});
    if (ran || fault.kind != kind || !strstr(fault.what, what)) printf("%s\n", ran ? "it ran" : fault.what);
    return !ran && fault.kind == kind && strstr(fault.what, what);
}

static void phases(void)
{
    // Four phases, and the parity of each is seen by all.
    RUN(SHARED(INIT(96) ARRIVE WAIT("A", 0) ARRIVE WAIT("B", 1)
                ARRIVE WAIT("C", 0) "mbarrier.test_wait.parity.shared.b64 %p3, [%r2], 1; selp.u32 %r9, 1, 7, %p3;"),
        96);
    EACH(96, 7);
    // The state that an arrival gives is of the phase that it arrives in.
    RUN(SHARED(INIT(64) "mbarrier.arrive.shared.b64 %rd4, [%r2]; mbarrier.pending_count.b64 %r9, %rd4;"
                        "A: mbarrier.test_wait.shared.b64 %p2, [%r2], %rd4; @!%p2 bra A;"),
        64);
    for (int t = 0, sum = 0; t < 64; sum += out[t], t++)
        if (t == 63) CHECK_INT(sum + out[t], 64 * 65 / 2);
    // An arrival that drops out is not awaited again.
    RUN(SHARED(INIT(64) "setp.ge.u32 %p3, %r1, 32; @%p3 bra D;" ARRIVE WAIT("A", 0) ARRIVE WAIT("B",
            1) "mov.u32 %r9, 5; bra E; D: mbarrier.arrive_drop.shared.b64 _, [%r2]; mov.u32 %r9, 5; E:"),
        64);
    EACH(64, 5);
}

// Lane 0 waits before the place where the others arrive, whichever comes first in the code.
static void lanes_wait_for_lanes(void)
{
    RUN(SHARED(INIT(31) "setp.ne.u32 %p3, %r1, 0; @%p3 bra O;" WAIT("A", 0) "mov.u32 %r9, 3; bra E; O: " ARRIVE
                                                                            "mov.u32 %r9, 3; E:"),
        32);
    EACH(32, 3);
    RUN(SHARED(INIT(1) "setp.eq.u32 %p3, %r1, 31; @%p3 bra O;" WAIT("A", 0) "mov.u32 %r9, 4; bra E; O: " ARRIVE
                                                                            "mov.u32 %r9, 4; E:"),
        32);
    EACH(32, 4);
}

static void what_nothing_ends(void)
{
    CHECK(fails(SHARED(INIT(64) ARRIVE WAIT("A", 0)), 32, SIM_DEADLOCK,
        "waits at an mbarrier for 32 of 64 arrivals and 0 bytes, and nothing comes"));
    CHECK(fails(SHARED(INIT(32) "mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 16;" WAIT("A", 0)), 32, SIM_DEADLOCK,
        "for 0 of 32 arrivals and 512 bytes"));
    CHECK(fails(SHARED(INIT(32) ARRIVE ARRIVE WAIT("A", 0)), 32, SIM_DEADLOCK,
        "it has opened more than once: is it used again before all have seen that it opened"));
    CHECK(fails(SHARED(INIT(8) "mbarrier.arrive.noComplete.shared.b64 %rd4, [%r2], 5;"), 32, SIM_ASSERT,
        "5 arrive at an mbarrier where 3 are still to come"));
    CHECK(fails(SHARED("mbarrier.init.shared.b64 [%r2+4], 1;"), 1, SIM_MISALIGNED, "is no multiple of 8"));
    CHECK(fails(SHARED("mbarrier.init.shared.b64 [%r2+4096], 1;"), 1, SIM_OUT_OF_BOUNDS, "byte 4096 of shared memory"));
}

#define COPY(to, from, bytes) \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" to "], [" from "], " #bytes ", [%r2];"
static void copies(void)
{
    for (int t = 0; t < 64; t++) out[t] = 100 + t;
    RUN(SHARED(INIT(1) "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 128; @%p1 " COPY("%r3+16", "%rd1", 128)
                WAIT("A", 0) "shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r3; ld.shared.u32 %r9, [%r5+16];"),
        32);
    for (int t = 0; t < 32; t++) CHECK_INT(out[t], 100 + t);
    CHECK_INT(counts.ld_requests, 0); // a unit of its own makes them
    RUN(SHARED("shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r3; st.shared.u32 [%r5], %r1; bar.sync 0;"
               "setp.eq.u32 %p1, %r1, 0; @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1+256], [%r3], 64;"
               "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%rd1+256], [%r3], 64;"
               "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"),
        32);
    for (int t = 0; t < 16; t++) CHECK_INT(out[64 + t], 2 * t);
    CHECK(fails(SHARED(INIT(1) COPY("%r3", "%rd1", 24)), 1, SIM_MISALIGNED, "a bulk copy of 24 bytes"));
    CHECK(fails(SHARED(INIT(1) COPY("%r3", "%rd1+65520", 32)), 1, SIM_OUT_OF_BOUNDS, "past the end of `out`"));
    CHECK(fails(SHARED(INIT(1) COPY("%r3+256", "%rd1", 16)), 1, SIM_OUT_OF_BOUNDS, "reaches byte"));
}

// What is read after the wait was written before it: no race.
static void a_wait_orders(void)
{
    struct sim_races races = {0};
    const struct sim_launch l = {.block = {64}, .watch = UINT32_MAX, .races = &races};
#define EXCHANGE(wait) \
    SHARED(INIT(64) "shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r3; st.shared.u32 [%r5], %r1;" ARRIVE wait \
                    "xor.b32 %r6, %r1, 32; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r3; ld.shared.u32 %r9, [%r6];")
    CHECK(ptx_launch(EXCHANGE(WAIT("A", 0)), l) || (printf("%s\n", fault.what), false));
    CHECK_INT(races.shared, 0);
    CHECK(!ptx_launch(EXCHANGE(""), l) || races.shared);
}

int main(void)
{
    ptx_begin();
    phases();
    lanes_wait_for_lanes();
    what_nothing_ends();
    copies();
    a_wait_orders();
    return ptx_end();
}
