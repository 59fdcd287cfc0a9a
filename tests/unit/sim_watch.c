// Accesses that nothing orders: of two warps that read a place before a third thread's write both count, byte by byte;
// which blocks are watched; and exchanges of lanes whose members come from several sides or have ended.
// SPDX-License-Identifier: MIT
#include "unit/sim_ptx.h"

static struct sim_races races;

static bool watched(const char *text, uint32_t blocks, uint32_t threads, uint32_t watch)
{
    races = (struct sim_races){0};
    return ptx_launch(text, (struct sim_launch){.grid = {blocks}, .block = {threads}, .watch = watch, .races = &races});
}
#define WATCHED(text, threads) CHECK(watched(text, 1, threads, UINT32_MAX) || (printf("%s\n", fault.what), false))

// The warps run one after the other: thread 0 reads the byte at s+FIRST, then thread 32 that at s+SECOND, and writes at
// s+WRITTEN.
#define READ_AND_WRITE(first, second, written) \
    HEAD K(".shared .align 4 .b32 s[4]; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 32;" \
           " @%p1 st.shared.u32 [s], %r1; bar.sync 0; @%p1 ld.shared.u8 %r9, [s+" first "];" \
           " @%p2 ld.shared.u8 %r9, [s+" second "]; @%p2 st.shared.u8 [s+" written "], 77;")

static void both_of_two_readers_count(void)
{
    // The last reader is the writer's own warp, which is in order with itself: only the one before it is not.
    WATCHED(READ_AND_WRITE("0", "0", "0"), 64);
    CHECK_INT(races.shared, 1);
    // It read another byte.
    WATCHED(READ_AND_WRITE("1", "0", "0"), 64);
    CHECK_INT(races.shared, 0);
    WATCHED(READ_AND_WRITE("1", "0", "1"), 64);
    CHECK_INT(races.shared, 1);
    // A barrier between is enough.
    WATCHED(HEAD K(".shared .align 4 .b32 s[4]; setp.eq.u32 %p2, %r1, 32; setp.lt.u32 %p3, %r1, 1;"
                   " @%p3 st.shared.u32 [s], %r1; bar.sync 0; ld.shared.u32 %r9, [s]; bar.sync 0;"
                   " @%p2 st.shared.u32 [s], 77;"),
        64);
    CHECK_INT(races.shared, 0);
}

// The reader before the last one is remembered with its place: it is the one that the store comes too early for.
static void where_each_reader_read_is_remembered(void)
{
    WATCHED(HEAD
        ".file 1 \"k.cu\"\n" K(
            ".shared .align 4 .b32 s; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 32; @%p1 st.shared.u32 [s], %r1;"
            " bar.sync 0;\n .loc 1 5 0\n @%p1 ld.shared.u32 %r9, [s];\n .loc 1 6 0\n @%p2 ld.shared.u32 %r9, [s];\n"
            " .loc 1 7 0\n @%p2 st.shared.u32 [s], 77;"),
        64);
    CHECK_INT(races.shared, 1);
    CHECK(strstr(races.shared_what, "at line 7 that lane 0 of warp 0 read at line 5"));
}

// Warp 0 of one block and warp 0 of another are two.
static void a_warp_of_another_block_is_another_reader(void)
{
    CHECK(watched(HEAD K(".reg .b64 %rd8; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, %ctaid.x; setp.eq.u32 %p2, %r2, 1;"
                         " @%p1 ld.global.u32 %r9, [%rd1]; and.pred %p3, %p1, %p2; @%p3 st.global.u32 [%rd1], 77;"),
        2, 32, UINT32_MAX));
    CHECK(races.global > 0);
}

// Two warps write one word of shared memory in block N of 1000, of which 16 are watched: four parts, of each the first
// four blocks, and the last four of all.
static void the_ends_of_a_grid_are_watched(void)
{
    static const struct {
        int block;
        bool seen;
    } tries[] = {{0, true}, {3, true}, {4, false}, {251, true}, {254, true}, {255, false}, {995, false}, {996, true},
        {999, true}};
    for (size_t n = 0; n < sizeof tries / sizeof *tries; n++) {
        char text[2048];
        snprintf(text, sizeof text,
            HEAD
            ".visible .entry k(.param .u64 k_p)\n{\n .reg .pred %%p<2>; .reg .b32 %%r<4>; .shared .align 4 .b32 s;\n"
            " mov.u32 %%r1, %%ctaid.x; setp.ne.u32 %%p1, %%r1, %d; @%%p1 ret; mov.u32 %%r2, %%tid.x;"
            " st.shared.u32 [s], %%r2; ret;\n}\n",
            tries[n].block);
        CHECK(watched(text, 1000, 64, 16) || (printf("%s\n", fault.what), false));
        if ((races.shared > 0) != tries[n].seen) printf("block %d\n", tries[n].block);
        CHECK((races.shared > 0) == tries[n].seen);
    }
}

// What a shuffle or a vote waits for are the lanes that its mask names, that live, and are not there yet.
static void members_may_come_apart_or_have_ended(void)
{
    // The upper half has ended: a full mask means those that are left.
    WATCHED(HEAD K("setp.gt.u32 %p1, %r1, 15; @%p1 ret; vote.sync.ballot.b32 %r9, 1, -1;"), 32);
    for (int t = 0; t < 16; t++) CHECK_INT(out[t], 0xffff);
    // The two halves come from different sides, one after the other.
    WATCHED(HEAD K("setp.lt.u32 %p1, %r1, 16; mov.u32 %r2, 7; @%p1 bra L; mov.u32 %r2, 9; bra M;\n L: mov.u32 %r2, 8;\n"
                   " M: shfl.sync.bfly.b32 %r9|%p2, %r2, 16, 31, -1;"),
        32);
    EACH(32, t < 16 ? 9 : 8);
    // Each half exchanges for itself: the other need not come.
    WATCHED(HEAD K("setp.lt.u32 %p1, %r1, 16; @%p1 bra L; vote.sync.ballot.b32 %r9, 1, 0xffff0000; bra M;\n"
                   " L: vote.sync.ballot.b32 %r9, 1, 0xffff;\n M:"),
        32);
    EACH(32, t < 16 ? 0xffff : (int)0xffff0000);
    // Some of whom the mask names never come.
    CHECK(!watched(HEAD K("setp.lt.u32 %p1, %r1, 16; @%p1 bra M; vote.sync.ballot.b32 %r9, 1, -1;\n M: bar.sync 0;"), 1,
        32, UINT32_MAX));
    CHECK_INT(fault.kind, SIM_DIVERGED);
}

int main(void)
{
    ptx_begin();
    both_of_two_readers_count();
    where_each_reader_read_is_remembered();
    a_warp_of_another_block_is_another_reader();
    the_ends_of_a_grid_are_watched();
    members_may_come_apart_or_have_ended();
    return ptx_end();
}
