// Two accesses of one piece of code whose lanes are as far apart, or only seem to be: each turn of a loop the distances
// change, and both must read what they name and cost what their lanes make.
// SPDX-License-Identifier: MIT
#include "unit/sim_ptx.h"

enum { TURNS = 12, THREADS = 64 };

// Before the first access: %r20 the turn, %r21 the lanes' distance, which changes after four turns, %r29 0, 0, 1, 1 in
// these, so that the second may be unlike the first after it was like it for a while. %rd4 = out + t * distance * 4,
// %r10 the number of threads, %rd6 = 4 times that, %rd8 = 4 t %r29. The first access adds to %r9, the second loads
// into %r24.
#define LOOP(between, second) \
    HEAD \
        K(".shared .align 4 .b8 s[8192]; mov.u32 %r20, 0; mov.u32 %r25, 1; mov.u32 %r10, %ntid.x; mul.wide.u32 %rd6, " \
          "%r10, 4; mov.u32 %r27, s;\n" \
          "L: and.b32 %r21, %r20, 4; add.s32 %r21, %r21, 1; mul.lo.s32 %r22, %r1, %r21; mul.wide.u32 %rd4, %r22, 4; " \
          "add.s64 %rd4, %rd4, %rd1; shl.b32 %r28, %r22, 2; add.s32 %r28, %r28, %r27; shr.u32 %r29, %r20, 1; and.b32 " \
          "%r29, %r29, 1; mul.wide.u32 %rd8, %r1, %r29; shl.b64 %rd8, %rd8, 2; shl.b32 %r30, %r29, 4; setp.lt.u32 " \
          "%p2, %r1, %r30; mov.u32 %r24, 0;\n" \
          "ld.global.u32 %r23, [%rd4]; add.s32 %r9, %r9, %r23; " between " " second " add.s32 %r9, %r9, %r24;\n" \
          "add.s32 %r20, %r20, %r25; setp.lt.s32 %p1, %r20, 12; @%p1 bra L;")

static int later(int turn) { return turn >> 1 & 1; }
static int same(int t, int turn) { return t * (1 + (turn & 4)); }
static int beyond(int t, int turn) { return same(t, turn) + 2; }
static int by_block(int t, int turn) { return same(t, turn) + THREADS; }
static int by_thread(int t, int turn) { return same(t, turn) + t * later(turn); }
static int by_turn(int t, int turn) { return same(t, turn) + turn; }
static int by_guard(int t, int turn) { return same(t, turn) + (t < 16 * later(turn) ? 8 : 0); }
static int some(int t, int turn) { return t < 16 * later(turn) ? same(t, turn) + 1 : -1; }
static int taken(int t, int turn) { return same(t, turn) + 128 - THREADS; }

static const struct {
    const char *text;
    int (*second)(int t, int turn);
} tries[] = {
    {LOOP("", "ld.global.u32 %r24, [%rd4+8];"), beyond},
    {LOOP("add.s64 %rd5, %rd4, %rd6;", "ld.global.u32 %r24, [%rd5];"), by_block},
    {LOOP("add.s64 %rd5, %rd6, %rd4;", "ld.global.u32 %r24, [%rd5];"), by_block},
    {LOOP("mov.u64 %rd5, %rd4; add.s64 %rd5, %rd5, 512; sub.s64 %rd5, %rd5, %rd6;", "ld.global.u32 %r24, [%rd5];"),
        taken},
    {LOOP("add.s64 %rd5, %rd4, %rd8;", "ld.global.u32 %r24, [%rd5];"), by_thread},
    {LOOP("sub.s64 %rd5, %rd4, %rd8; add.s64 %rd5, %rd5, %rd8; add.s64 %rd4, %rd4, %rd8;",
         "ld.global.u32 %r24, [%rd4];"),
        by_thread},
    {LOOP("mul.wide.u32 %rd7, %r20, 4; add.s64 %rd5, %rd4, %rd7;", "ld.global.u32 %r24, [%rd5];"), by_turn},
    {LOOP("@%p2 add.s64 %rd4, %rd4, 32;", "ld.global.u32 %r24, [%rd4];"), by_guard},
    {LOOP("", "@%p2 ld.global.u32 %r24, [%rd4+4];"), some},
    {LOOP("bar.sync 0;", "ld.global.u32 %r24, [%rd4+8];"), beyond},
    {LOOP("mad.lo.s32 %r26, %r1, %r29, %r22; mul.wide.u32 %rd4, %r26, 4; add.s64 %rd4, %rd4, %rd1;",
         "ld.global.u32 %r24, [%rd4];"),
        by_thread},
    {LOOP("mul.wide.u32 %rd7, %r1, %r29; shl.b64 %rd7, %rd7, 2; add.s64 %rd5, %rd4, %rd7; mov.u64 %rd7, 64;",
         "ld.global.u32 %r24, [%rd5];"),
        by_thread},
    // 32 bits, in shared memory
    {LOOP("st.shared.u32 [%r28+4], %r23;", "ld.shared.u32 %r24, [%r28+4];"), same},
    {LOOP("st.shared.u32 [%r28], %r23; add.s32 %r28, %r28, %r10; sub.s32 %r28, %r28, 64;",
         "ld.shared.u32 %r24, [%r28];"),
        same},
};

static uint64_t sectors(int (*at)(int, int), int turn, int warp)
{
    bool seen[PTX_INTS / 8] = {false};
    uint64_t n = 0;
    for (int t = 32 * warp; t < 32 * warp + 32; t++)
        if (at(t, turn) >= 0 && !seen[at(t, turn) / 8]) seen[at(t, turn) / 8] = true, n++;
    return n;
}

static void each_reads_what_it_names(void)
{
    for (size_t n = 0; n < sizeof tries / sizeof *tries; n++) {
        const bool shared = strstr(tries[n].text, "ld.shared") != NULL;
        uint64_t want = 0;
        for (int i = 0; i < PTX_INTS; i++) out[i] = i;
        RUN(tries[n].text, THREADS);
        for (int t = 0; t < THREADS; t++) {
            int sum = 0;
            for (int turn = 0; turn < TURNS; turn++) {
                const int second = tries[n].second(t, turn);
                sum += same(t, turn) + (second < 0 ? 0 : second);
            }
            CHECK_INT(out[t], sum);
        }
        for (int turn = 0; turn < TURNS; turn++)
            for (int warp = 0; warp < THREADS / 32; warp++)
                want += sectors(same, turn, warp) + (shared ? 0 : sectors(tries[n].second, turn, warp));
        CHECK_INT(counts.ld_sectors, want);
    }
}

// After four turns the lanes of the second warp are further apart. The barrier lets the first warp come between that
// warp's accesses.
static void a_barrier_lets_others_run(void)
{
    static const char text[] =
        HEAD K("mov.u32 %r20, 0; mov.u32 %r25, 1; shr.u32 %r26, %r1, 5;\n"
               "L: shr.u32 %r21, %r20, 2; mul.lo.s32 %r21, %r21, %r26; add.s32 %r21, %r21, 1; mul.lo.s32 %r22, %r1, "
               "%r21; mul.wide.u32 %rd4, %r22, 4; add.s64 %rd4, %rd4, %rd1; ld.global.u32 %r23, [%rd4+256]; bar.sync "
               "0; ld.global.u32 %r24, [%rd4+512]; add.s32 %r9, %r9, %r24; add.s32 %r20, %r20, %r25; setp.lt.s32 %p1, "
               "%r20, 12; @%p1 bra L;");
    for (int i = 0; i < PTX_INTS; i++) out[i] = i;
    RUN(text, THREADS);
    for (int t = 0; t < THREADS; t++) {
        int sum = 0;
        for (int turn = 0; turn < TURNS; turn++) sum += t * (1 + turn / 4 * (t / 32)) + 128;
        CHECK_INT(out[t], sum);
    }
}

// What is before a loop is done once, what is in it each turn.
static void a_loop_is_another_piece(void)
{
    static const char text[] =
        HEAD K("mov.u32 %r20, 0; mov.u32 %r25, 1; mov.u64 %rd4, %rd3; ld.global.u32 %r23, [%rd4];\n"
               "L: ld.global.u32 %r24, [%rd4]; add.s32 %r9, %r9, %r24; shr.u32 %r21, %r20, 1; mul.wide.u32 %rd5, %r1, "
               "%r21; shl.b64 %rd5, %rd5, 2; add.s64 %rd4, %rd4, %rd5; add.s32 %r20, %r20, %r25; setp.lt.s32 %p1, "
               "%r20, 4; @%p1 bra L; add.s32 %r9, %r9, %r23;");
    for (int i = 0; i < PTX_INTS; i++) out[i] = i;
    RUN(text, 32);
    EACH(32, t * (1 + 1 + 1 + 2 + 1));
}

int main(void)
{
    ptx_begin();
    each_reads_what_it_names();
    a_barrier_lets_others_run();
    a_loop_is_another_piece();
    return ptx_end();
}
