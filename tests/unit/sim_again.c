// Loads that repeat with other addresses, which take the shortest way: what they cost, and that they are still checked.
// SPDX-License-Identifier: MIT
#include "unit/sim_ptx.h"

// `turns` loads of 4 bytes, of lanes `apart` bytes apart, which move by `step`; the first at `from`.
static const char *loop(int turns, int from, int apart, int step)
{
    static char text[2048];
    snprintf(text, sizeof text,
        HEAD ".visible .entry k(.param .u64 k_p)\n{\n .reg .pred %%p<2>; .reg .b32 %%r<8>; .reg .b64 %%rd<4>;\n"
             " ld.param.u64 %%rd1, [k_p]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd2, %%r1, %d; add.s64 %%rd2, %%rd2, "
             "%%rd1; add.s64 %%rd2, %%rd2, %d; mov.u32 %%r2, 0; mov.u32 %%r3, 0;\n"
             "L: ld.global.u32 %%r4, [%%rd2]; add.s32 %%r3, %%r3, %%r4; add.s64 %%rd2, %%rd2, %d; add.s32 %%r2, %%r2, "
             "1; setp.lt.s32 %%p1, %%r2, %d; @%%p1 bra L;\n mul.wide.u32 %%rd3, %%r1, 4; add.s64 %%rd3, %%rd3, %%rd1;"
             " st.global.u32 [%%rd3], %%r3; ret;\n}\n",
        apart, from, step, turns);
    return text;
}

static bool runs(const char *text) { return ptx_launch(text, (struct sim_launch){.block = {32}}); }

static void sums_and_sectors(void)
{
    static const struct {
        int apart, step, turns;
        uint64_t sectors;
    } tries[] = {
        {4, 4, 16, 2 * (4 + 7 * 5)},          // neighbours: five sectors unless they begin with one
        {4, 128, 16, 16 * 4}, {0, 4, 16, 16}, // all lanes at one element
        {128, 4, 16, 16 * 32},                // whole sectors apart
        {36, 4, 8, 8 * 32},                   // not
        {20, 4, 8, 5 * 20 + 3 * 21},          // 624 bytes
    };
    for (size_t n = 0; n < sizeof tries / sizeof *tries; n++) {
        for (int i = 0; i < PTX_INTS; i++) out[i] = i;
        int want[32] = {0};
        for (int l = 0; l < 32; l++)
            for (int k = 0; k < tries[n].turns; k++) want[l] += (l * tries[n].apart + k * tries[n].step) / 4;
        CHECK(runs(loop(tries[n].turns, 0, tries[n].apart, tries[n].step)));
        for (int l = 0; l < 32; l++) CHECK_INT(out[l], want[l]);
        CHECK_INT(counts.ld_requests, tries[n].turns);
        CHECK_INT(counts.ld_sectors, tries[n].sectors);
    }
}

// Each turn the lanes are further apart: their first address is the same, all others are not. (The step in a register
// keeps the loop from being written out.)
static void distances_that_change_are_seen(void)
{
    for (int i = 0; i < PTX_INTS; i++) out[i] = i;
    RUN(HEAD K("mov.u32 %r20, 0; mov.u32 %r21, 4; mov.u32 %r24, 1;\nL: mul.lo.u32 %r22, %r1, %r21; cvt.u64.u32 %rd4, "
               "%r22; "
               "add.s64 %rd4, %rd4, %rd1; ld.global.u32 %r23, [%rd4]; add.s32 %r9, %r9, %r23; add.s32 %r21, %r21, 4; "
               "add.s32 %r20, %r20, %r24; setp.lt.s32 %p1, %r20, 4; @%p1 bra L;"),
        32);
    EACH(32, t * (1 + 2 + 3 + 4));
    CHECK_INT(counts.ld_sectors, 4 + 8 + 12 + 16);
}

// Rows of a block that is 8 or 16 wide: runs of lanes that are neighbours, or at one element, each run from its own
// place.
static const char *rows_of(int run, int apart, int rows_apart, int type, int step)
{
    static char text[2048];
    snprintf(text, sizeof text,
        HEAD ".visible .entry k(.param .u64 k_p)\n{\n .reg .pred %%p<2>; .reg .b32 %%r<9>; .reg .b64 %%rd<6>;\n"
             " ld.param.u64 %%rd1, [k_p]; mov.u32 %%r1, %%tid.x; div.u32 %%r4, %%r1, %d; rem.u32 %%r5, %%r1, %d;"
             " mul.lo.s32 %%r4, %%r4, %d; mad.lo.s32 %%r4, %%r5, %d, %%r4; cvt.s64.s32 %%rd2, %%r4;"
             " add.s64 %%rd2, %%rd2, %%rd1; add.s64 %%rd2, %%rd2, 4096; mov.u32 %%r2, 0; mov.u32 %%r3, 0;"
             " mov.u32 %%r6, 1;\nL: ld.global.u%d %s5, [%%rd2]; %s add.s32 %%r3, %%r3, %%r7; add.s64 %%rd2, %%rd2, %d;"
             " add.s32 %%r2, %%r2, %%r6; setp.lt.s32 %%p1, %%r2, 5; @%%p1 bra L;\n mul.wide.u32 %%rd3, %%r1, 4;"
             " add.s64 %%rd3, %%rd3, %%rd1; st.global.u32 [%%rd3], %%r3; ret;\n}\n",
        run, run, rows_apart, apart, type, type == 64 ? "%rd" : "%r",
        type == 64 ? "cvt.u32.u64 %r7, %rd5;" : "mov.u32 %r7, %r5;", step);
    return text;
}

static void rows_are_loaded_each_from_its_place(void)
{
    static const struct {
        int run, apart, rows_apart, type;
        uint64_t sectors; // a turn
    } tries[] = {
        {16, 4, 512, 32, 4}, {16, 0, 512, 32, 2}, {16, 4, -512, 32, 4}, {16, 8, 256, 64, 8}, {16, 0, -64, 64, 2},
        {8, 4, 512, 32, 4}, {8, 0, -512, 32, 4}, {8, 8, 512, 64, 8}, {8, 0, 512, 64, 4}, {4, 4, 512, 32, 8},
        {16, 8, 512, 32, 8}, // these have no short way
    };
    for (size_t n = 0; n < sizeof tries / sizeof *tries; n++) {
        const int run = tries[n].run, turns = 5;
        for (int i = 0; i < PTX_INTS; i++) out[i] = i;
        int want[32] = {0};
        for (int l = 0; l < 32; l++)
            for (int k = 0; k < turns; k++)
                want[l] += (4096 + l / run * tries[n].rows_apart + l % run * tries[n].apart + k * 64) / 4;
        CHECK(runs(rows_of(run, tries[n].apart, tries[n].rows_apart, tries[n].type, 64)));
        for (int l = 0; l < 32; l++) CHECK_INT(out[l], want[l]);
        CHECK_INT(counts.ld_requests, turns);
        CHECK_INT(counts.ld_sectors, (uint64_t)turns * tries[n].sectors);
    }
    // Rows before the first lane's are held to the bounds too, and to those of the buffer's end.
    CHECK(!runs(rows_of(16, 4, -4096, 32, -64)));
    CHECK_INT(fault.kind, SIM_OUT_OF_BOUNDS);
    CHECK(strstr(fault.what, "before the start of `out`"));
    CHECK(!runs(rows_of(16, 4, PTX_INTS * 4 - 4096 - 64, 32, 64)));
    CHECK_INT(fault.kind, SIM_OUT_OF_BOUNDS);
    CHECK(strstr(fault.what, "past the end of `out`"));
}

static void bounds_are_kept(void)
{
    const int end = PTX_INTS * 4;
    for (int apart = 0; apart <= 4; apart += 4) {
        CHECK(!runs(loop(9, end - 8 * 128, apart, 128)));
        CHECK_INT(fault.kind, SIM_OUT_OF_BOUNDS);
        CHECK(strstr(fault.what, "past the end of `out`"));
        CHECK(!runs(loop(3, 128, apart, -128)));
        CHECK_INT(fault.kind, SIM_OUT_OF_BOUNDS);
        CHECK(strstr(fault.what, "128 bytes before the start of `out`"));
        CHECK(!runs(loop(2, 0, apart, 130)));
        CHECK_INT(fault.kind, SIM_MISALIGNED);
    }
}

static void what_nothing_wrote_is_seen(void)
{
    struct sim_races races = {0};
    const uint64_t kept = buffer;
    buffer = sim_alloc(sim, 4096, "fresh");
    sim_undefine(sim, buffer);
    CHECK(ptx_launch(HEAD K("mov.u32 %r9, 1;"),
        (struct sim_launch){.block = {32}, .watch = UINT32_MAX, .races = &races}));
    CHECK(!ptx_launch(loop(2, 0, 4, 128), (struct sim_launch){.block = {32}, .watch = UINT32_MAX, .races = &races}));
    CHECK_INT(fault.kind, SIM_UNDEFINED);
    buffer = kept;
}

// The memory of a launch serves the next one, which finds nothing in it.
#define PLACES \
    ".shared .align 4 .b8 s[128]; .local .align 4 .b8 m[4]; mov.u32 %r20, s; shl.b32 %r21, %r1, 2; " \
    "add.s32 %r20, %r20, %r21; mov.u32 %r22, m; "
static void nothing_is_left_behind(void)
{
    static const char writes[] = HEAD K(PLACES "mov.u32 %r9, 7; mov.u32 %r11, 7; st.shared.u32 [%r20], %r9; "
                                               "st.local.u32 [%r22], %r9;");
    static const char reads[] = HEAD K(PLACES "ld.shared.u32 %r9, [%r20]; ld.local.u32 %r10, [%r22]; "
                                              "add.s32 %r9, %r9, %r10; add.s32 %r9, %r9, %r11;");
    for (int turn = 0; turn < 3; turn++) {
        RUN(writes, 32);
        EACH(32, 7);
        RUN(reads, 32);
        EACH(32, 0);
    }
}

int main(void)
{
    ptx_begin();
    sums_and_sectors();
    distances_that_change_are_seen();
    rows_are_loaded_each_from_its_place();
    bounds_are_kept();
    what_nothing_wrote_is_seen();
    nothing_is_left_behind();
    return ptx_end();
}
