// Lanes that act together by masks of their own: votes, matches, reductions and shuffles of parts of a warp, the parts
// arriving together or apart; a shuffle from a lane that is not there; the shared memory that the system keeps.
// SPDX-License-Identifier: MIT
#include "unit/sim_ptx.h"

// %r11: the lane's number modulo 3; %r10: the lanes that have the same one.
#define THIRDS " rem.u32 %r11, %r1, 3; mov.u32 %r10, 0x49249249; shl.b32 %r10, %r10, %r11;\n"
static unsigned third(int t) { return 0x49249249u << t % 3; }

static int sum_of_third(int t)
{
    int sum = 0;
    for (int l = t % 3; l < 32; l += 3) sum += l;
    return sum;
}

static void each_lane_has_its_own_members(void)
{
    RUN(HEAD K(THIRDS "redux.sync.add.s32 %r9, %r1, %r10;"), 32);
    EACH(32, sum_of_third(t));
    RUN(HEAD K(THIRDS
            "redux.sync.max.u32 %r2, %r1, %r10; redux.sync.xor.b32 %r3, %r1, %r10; mad.lo.u32 %r9, %r2, 100, %r3;"),
        32);
    for (int t = 0; t < 32; t++) {
        int most = 0, mixed = 0;
        for (int l = t % 3; l < 32; l += 3) most = l, mixed ^= l;
        CHECK_INT(out[t], most * 100 + mixed);
    }
    RUN(HEAD K(THIRDS "setp.lt.u32 %p1, %r1, 16; vote.sync.ballot.b32 %r9, %p1, %r10;"), 32);
    EACH(32, (int)(third(t) & 0xffff));
    RUN(HEAD K(THIRDS "setp.ne.u32 %p1, %r1, 4; vote.sync.all.pred %p2, %p1, %r10; vote.sync.any.pred %p3, !%p1, %r10;"
                      " selp.u32 %r9, 1, 0, %p2; @%p3 add.s32 %r9, %r9, 10;"),
        32);
    EACH(32, t % 3 == 1 ? 10 : 1);
    RUN(HEAD K(THIRDS "shr.u32 %r2, %r1, 3; match.any.sync.b32 %r9, %r2, %r10; match.all.sync.b32 %r3|%p1, %r11, %r10;"
                      " @!%p1 mov.u32 %r9, 0; setp.ne.s32 %p2, %r3, %r10; @%p2 mov.u32 %r9, 1;"),
        32);
    EACH(32, (int)(third(t) & 0xffu << (t & ~7)));
    RUN(HEAD K(THIRDS
            "shfl.sync.idx.b32 %r9, %r1, %r11, 31, %r10; elect.sync _|%p1, %r10; @%p1 add.s32 %r9, %r9, 100;"),
        32);
    EACH(32, t % 3 + (t < 3 ? 100 : 0));
    CHECK_INT(counts.undefined_shuffles, 0);
}

static void parts_wait_for_their_own_members_only(void)
{
    // The thirds come to one reduction from different sides; inside each, odd and even lanes do as well.
    RUN(HEAD K(THIRDS "mov.u32 %r2, %r1; and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 1; setp.eq.u32 %p2, %r11, 1;"
                      " @%p1 bra O; @%p2 bra E; add.s32 %r2, %r2, 1000; bra J;\n E: add.s32 %r2, %r2, 2000; bra J;\n"
                      " O: @%p2 bra P; add.s32 %r2, %r2, 1000; bra J;\n P: add.s32 %r2, %r2, 2000;\n"
                      " J: redux.sync.min.s32 %r9, %r2, %r10; bar.warp.sync %r10;"),
        32);
    EACH(32, t % 3 == 1 ? 2001 : t % 3 + 1000);
    // A third ends without the rest having come: it is not waited for, and does not wait.
    RUN(HEAD K(THIRDS "setp.eq.u32 %p1, %r11, 2; @%p1 bra X; redux.sync.add.s32 %r9, %r1, %r10; bra E;\n"
                      " X: exit;\n E:"),
        32);
    EACH(32, t % 3 == 2 ? out[t] : sum_of_third(t));
}

static void an_old_vote_takes_who_is_there(void)
{
    RUN(HEAD K("setp.ge.u32 %p1, %r1, 8; @%p1 bra E; setp.eq.u32 %p2, %r1, 3; vote.any.pred %p3, %p2; vote.ballot.b32 "
               "%r9, "
               "%p2; @%p3 add.s32 %r9, %r9, 100; vote.all.pred %p4, %p2; @%p4 add.s32 %r9, %r9, 1000;\n E:"),
        32);
    EACH(32, t < 8 ? 108 : 0);
}

static void a_shuffle_from_an_absent_lane_is_noted(void)
{
    RUN(HEAD K("and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; @%p1 bra E; shfl.sync.down.b32 %r9, %r1, 1, 31, "
               "0x55555555;\n E:"),
        32);
    CHECK_INT(counts.undefined_shuffles, 16);
    EACH(32, 0); // as an H200 gives it, not what the absent lane's register holds
    RUN(HEAD K("shfl.sync.down.b32 %r9, %r1, 16, 31, -1;"), 32);
    CHECK_INT(counts.undefined_shuffles, 0);
    EACH(32, t < 16 ? t + 16 : t);
}

static void directives_need_no_space_between_them(void)
{
    RUN(HEAD
        ".visible.entry k(.param.u64 k_p)\n{.reg.b16 h,r;.reg.b32 %r<4>;.reg.b64 %rd<4>;.shared.align 4.b8 s[128];\n"
        " ld.param.u64 %rd1,[k_p]; mov.u32 %r1,%tid.x; cvt.u16.u32 h,%r1; add.u16 r,h,h; cvt.u32.u16 %r2,r;"
        " mul.wide.u32 %rd2,%r1,4; add.s64 %rd1,%rd1,%rd2; st.global.u32 [%rd1],%r2; ret;}",
        32);
    EACH(32, 2 * t);
}

// What cooperative groups of several warps meet in belongs to no buffer of the kernel's.
static void the_system_keeps_shared_memory(void)
{
    const char *text = HEAD ".extern .shared .align 4 .b8 d[];\n" K(
        "mov.u32 %r2, %reserved_smem_offset_1; mov.u32 %r3, d; mad.lo.u32 %r4, %r1, 4, %r3; st.shared.u32 [%r4], %r1;"
        " setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [%r2], 77; bar.sync 0; ld.shared.u32 %r5, [%r2];"
        " ld.shared.u32 %r6, [%r4]; mad.lo.u32 %r9, %r5, 100, %r6;");
    CHECK(ptx_launch(text, (struct sim_launch){.block = {64}, .dynamic_shared = 256}));
    EACH(64, 7700 + t);
    CHECK(!ptx_launch(HEAD ".extern .shared .align 4 .b8 d[];\n" K("mov.u32 %r3, d; st.shared.u32 [%r3+256], %r1;"),
        (struct sim_launch){.block = {64}, .dynamic_shared = 256}));
}

// Two warps hand a word to and fro. Looking again is not counted, and costs no million turns.
static void a_warp_that_waits_lets_the_others_run(void)
{
    static const char text[] = HEAD ".shared .align 4 .b8 s[8];\n" K(
        "mov.u32 %r2, s; setp.ne.u32 %p2, %r1, 0; @%p2 bra A; st.shared.u32 [%r2], 0;\n A: bar.sync 0; setp.lt.u32 "
        "%p1, %r1, 32; mov.u32 %r3, 0;"
        " shr.u32 %r4, %r1, 5;\n T: mad.lo.u32 %r5, %r3, 2, %r4; bra W;\n"
        " W: ld.acquire.cta.shared.u32 %r6, [%r2]; setp.ne.u32 %p3, %r6, %r5; @%p3 bra W;\n"
        " bar.warp.sync -1; and.b32 %r7, %r1, 31; setp.ne.u32 %p4, %r7, 0; @%p4 bra N; add.u32 %r8, %r5, 1; "
        "st.shared.u32 [%r2], %r8;\n"
        " N: bar.warp.sync -1; add.u32 %r3, %r3, 1; setp.lt.u32 %p5, %r3, 4; @%p5 bra T; mov.u32 %r9, %r5;");
    CHECK(ptx_launch(text, (struct sim_launch){.block = {64}, .budget = 4000}) || (printf("%s\n", fault.what), false));
    EACH(64, 6 + t / 32);
    CHECK(counts.shared_ld_requests >= 8 && counts.shared_ld_requests <= 16);
    CHECK_INT(counts.shared_st_requests, 9);
    // A loop that counts its turns is no wait: all its loads are.
    RUN(HEAD K("mov.u32 %r2, 0;\n L: ld.volatile.global.u32 %r3, [%rd1]; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, "
               "50; @%p1 bra L;"),
        32);
    CHECK_INT(counts.ld_requests, 50);
}

static void pairs_of_bfloat16_have_no_reduction_of_unknown_space(void)
{
    memset(out, 0, 4096);
    RUN(HEAD K("mov.u32 %r2, 0x3f803f80; atom.add.noftz.bf16x2 %r3, [%rd1+512], %r2;"), 32);
    CHECK_INT(counts.atom_requests, 1);
    CHECK_INT(counts.red_requests, 0);
    CHECK_INT(out[128], 0x42004200); // 32.0 twice
    RUN(HEAD K("mov.u32 %r2, 0x3c003c00; atom.add.noftz.f16x2 %r3, [%rd1+1024], %r2;"), 32);
    CHECK_INT(counts.atom_requests, 1);
    RUN(HEAD K("mov.u32 %r2, 0x3f803f80; atom.global.add.noftz.bf16x2 %r3, [%rd1+512], %r2;"), 32);
    CHECK_INT(counts.red_requests, 1);
}

int main(void)
{
    ptx_begin();
    each_lane_has_its_own_members();
    parts_wait_for_their_own_members_only();
    an_old_vote_takes_who_is_there();
    a_shuffle_from_an_absent_lane_is_noted();
    directives_need_no_space_between_them();
    the_system_keeps_shared_memory();
    a_warp_that_waits_lets_the_others_run();
    pairs_of_bfloat16_have_no_reduction_of_unknown_space();
    return ptx_end();
}
