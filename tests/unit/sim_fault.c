// What ends a launch early, and the sentence that says so; what is refused before it starts; sampling; sites; memory.
// SPDX-License-Identifier: MIT
#include "sim/sim.h"
#include "sim/core/state.h"
#include "unit/test.h"

#include <stdlib.h>
#include <unistd.h>

#define HEAD ".version 7.8\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n"
#define K(name, body) \
    ".visible .entry " name \
    "(.param .u64 k_p)\n{\n .reg .pred %p<4>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %rd<8>;\n" \
    " .loc 1 12 3\n ld.param.u64 %rd1, [k_p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n" \
    " mad.lo.s32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n " body "\n ret;\n}\n"

static struct sim *sim;
static uint64_t buffer;
static struct sim_counts counts;
static struct sim_fault fault;
static struct sim_module *module;

static struct sim_kernel *load(const char *text)
{
    char error[256] = "";
    if (module) sim_unload(sim, module);
    module = sim_load(sim, text, error);
    struct sim_kernel *k = module ? sim_kernel(module, "k", error) : NULL;
    if (!k) printf("%s\n", error);
    CHECK(k != NULL);
    return k;
}

static double seconds; // that a block may take

static bool launch(const struct sim_kernel *k, uint32_t blocks, uint32_t threads, uint64_t budget)
{
    const struct sim_launch l = {.grid = {blocks, 1, 1},
        .block = {threads, 1, 1},
        .params = &buffer,
        .param_bytes = 8,
        .budget = budget,
        .seconds = seconds};
    return k && sim_launch(sim, k, &l, &counts, &fault);
}

static void check_fault(const char *text, uint32_t threads, enum sim_fault_kind kind, const char *what)
{
    CHECK(!launch(load(text), 4, threads, 1 << 22));
    CHECK_INT(fault.kind, kind);
    CHECK_TEXT(fault.what, what);
}

static void a_bad_address_is_named_with_place_and_buffer(void)
{
    check_fault(HEAD K("k", ".loc 1 14 5\n ld.global.f32 %f1, [%rd3];"), 128, SIM_OUT_OF_BOUNDS,
        "out-of-bounds load of 4 bytes past the end of `data`, at byte 1024 of 1024, at line 14 by block (2,0,0) warp "
        "0 lane 0");
    CHECK_INT(fault.line, 14);
    CHECK_INT(fault.block[0], 2);
    check_fault(HEAD K("k", "st.global.f32 [%rd3+-8], %f1;"), 64, SIM_OUT_OF_BOUNDS,
        "out-of-bounds store of 4 bytes, 8 bytes before the start of `data` (1024 bytes), at line 12 by block (0,0,0) "
        "warp 0 lane 0");
    check_fault(HEAD K("k", "@%p1 ret; setp.gt.u32 %p1, %r4, 80; @%p1 atom.global.add.u32 %r5, [%rd3+900], 1;"), 128,
        SIM_OUT_OF_BOUNDS,
        "out-of-bounds atomic of 4 bytes past the end of `data`, at byte 1224 of 1024, at line 12 by block (0,0,0) "
        "warp 2 lane 17");
    check_fault(HEAD K("k", "ld.global.u64 %rd4, [%rd3+1008];"), 1, SIM_MISALIGNED,
        "misaligned load of 8 bytes at byte 1012 of `data`, at line 12 by block (1,0,0) warp 0 lane 0");
    check_fault(HEAD K("k", "ld.global.u64 %rd4, [16];"), 32, SIM_UNALLOCATED,
        "load of 8 bytes through a null pointer (address 16), at line 12 by block (0,0,0) warp 0 lane 0");
    check_fault(HEAD K("k", "mov.u64 %rd5, 0x123456789a00; ld.u32 %r5, [%rd5];"), 32, SIM_UNALLOCATED,
        "load of 4 bytes at address 0x123456789a00, which belongs to no buffer, at line 12 by block (0,0,0) warp 0 "
        "lane 0");
    check_fault(HEAD K("k",
                    ".shared .align 4 .b8 s[256]; mov.u32 %r6, s; mad.lo.u32 %r5, %r1, 4, %r6;"
                    " st.shared.u32 [%r5+4], %r1;"),
        64, SIM_OUT_OF_BOUNDS,
        "out-of-bounds shared store of 4 bytes at byte 256 of 256, at line 12 by block (0,0,0) warp 1 lane 31");
}

// A buffer that ends inside a word: what lies wholly in it is good, what reaches past its end by a byte is not.
static void a_word_that_is_only_partly_there_is_out_of_bounds(void)
{
    const uint64_t whole = buffer;
    for (uint64_t bytes = 125; bytes <= 127; bytes++) {
        char text[200];
        buffer = sim_alloc(sim, bytes, "odd");
        struct sim_kernel *k = load(HEAD K("k", "ld.global.u32 %r5, [%rd3];"));
        CHECK(launch(k, 1, 31, 0)); // 124 bytes
        CHECK(!launch(k, 1, 32, 0));
        CHECK_INT(fault.kind, SIM_OUT_OF_BOUNDS);
        snprintf(text, sizeof text,
            "out-of-bounds load of 4 bytes past the end of `odd`, at byte 124 of %d, at line 12 by block (0,0,0) "
            "warp 0 lane 31",
            (int)bytes);
        CHECK_TEXT(fault.what, text);
        k = load(HEAD K("k", "st.global.u8 [%rd3], %r5;"));
        CHECK(launch(k, 1, 32, 0)); // the last byte that is stored is number 124
        k = load(HEAD K("k", "st.global.u16 [%rd3], %r5;"));
        CHECK_INT(launch(k, 1, 32, 0), bytes >= 126);
        sim_release(sim, buffer);
    }
    buffer = whole;
    // The same in shared memory, and one lane alone, at a place that no access before it has found good.
    check_fault(HEAD K("k",
                    ".shared .align 4 .b8 s[126]; mov.u32 %r6, s; mad.lo.u32 %r5, %r1, 4, %r6; ld.shared.u32 %r7, "
                    "[%r5];"),
        32, SIM_OUT_OF_BOUNDS,
        "out-of-bounds shared load of 4 bytes at byte 124 of 126, at line 12 by block (0,0,0) warp 0 lane 31");
    CHECK(launch(load(HEAD K("k",
                     ".shared .align 4 .b8 s[126]; mov.u32 %r6, s; mad.lo.u32 %r5, %r1, 4, %r6; ld.shared.u32 %r7, "
                     "[%r5];")),
        1, 31, 0));
}

// A write to what is locked, of whatever kind, is at fault with the element; reading it is not.
static void what_is_locked_may_only_be_read(void)
{
#define AT_56(write) HEAD K("k", "setp.eq.u32 %p1, %r4, 56; @%p1 " write)
    const char where[] =
        "of 4 bytes to `data[28]`, which is `access: read`, at line 12 by block (1,0,0) warp 0 lane 24";
    static const char *const writes[][2] = {{"store", AT_56("st.global.u32 [%rd3], %r5;")},
        {"store", AT_56("st.u32 [%rd3], %r5;")}, {"atomic", AT_56("atom.global.add.u32 %r5, [%rd3], 1;")},
        {"atomic", AT_56("red.global.add.u32 [%rd3], 1;")}};
    sim_lock(sim, buffer, 8, true);
    for (size_t n = 0; n < sizeof writes / sizeof *writes; n++) {
        char what[200];
        snprintf(what, sizeof what, "%s %s", writes[n][0], where);
        CHECK(!launch(load(writes[n][1]), 2, 32, 0));
        CHECK_INT(fault.kind, SIM_LOCKED);
        CHECK_TEXT(fault.what, what);
    }
    CHECK(launch(load(HEAD K("k", "ld.global.u32 %r5, [%rd3];")), 2, 32, 0));
    sim_lock(sim, buffer, 1, true);
    CHECK(!launch(load(HEAD K("k", "st.global.u32 [%rd3], %r5;")), 1, 1, 0));
    CHECK_TEXT(fault.what,
        "store of 4 bytes to byte 0 of `data`, which is `access: read`, at line 12 by block (0,0,0) warp 0 lane 0");
    sim_lock(sim, buffer, 0, false);
    CHECK(launch(load(HEAD K("k", "st.global.u32 [%rd3], %r5;")), 1, 32, 0));
#undef AT_56
}

static void released_memory_is_gone(void)
{
    const uint64_t keep = buffer;
    buffer = sim_alloc(sim, 4096, "old");
    struct sim_kernel *k = load(HEAD K("k", "ld.global.u32 %r5, [%rd3];"));
    CHECK(launch(k, 4, 128, 0));
    sim_release(sim, buffer);
    CHECK(!launch(k, 4, 128, 0));
    CHECK_TEXT(fault.what,
        "load of 4 bytes at byte 0 of `old`, which has been released, at line 12 by block (0,0,0) warp 0 lane 0");
    const uint64_t again = sim_alloc(sim, 4096, "new");
    CHECK(again == buffer); // mapped pages are used again
    CHECK(launch(k, 4, 128, 0));
    sim_release(sim, again);
    buffer = keep;
}

static void what_does_not_end_is_ended(void)
{
    check_fault(HEAD K("k", "L: add.s32 %r5, %r5, 1; bra L;"), 32, SIM_BUDGET,
        "more than 4194304 warp instructions executed, probably an endless loop, at line 12 by block (0,0,0) warp 0 "
        "lane 0");
    seconds = 1e-9;
    check_fault(HEAD K("k", "L: add.s32 %r5, %r5, 1; bra L;"), 32, SIM_BUDGET,
        "one block took more than 1e-09 s of processor time, probably an endless loop, at line 12 by block (0,0,0) "
        "warp "
        "0 lane 0");
    seconds = 0;
    // Lanes that have ended, and lanes of a warp that come apart, do not hold a barrier up.
    CHECK(launch(load(HEAD K("k",
                     "setp.gt.u32 %p1, %r1, 40; @%p1 ret; setp.gt.u32 %p2, %r1, 20; @%p2 bra W; bar.sync 0;"
                     " ret; W: bar.sync 0;")),
        4, 64, 0));
}

static void a_barrier_that_not_all_reach_is_a_deadlock(void)
{
    check_fault(HEAD K("k",
                    "setp.gt.u32 %p2, %r1, 40; @%p2 bra W; bar.sync 1, 96; bra E; W: bar.sync 2, 64;"
                    " E:"),
        64, SIM_DEADLOCK,
        "41 of 64 threads wait at barrier 1, which the others do not reach, at line 12 by block (0,0,0) warp 0 lane 0");
}

static void asserts_and_traps_end_the_launch(void)
{
    check_fault(HEAD K("k", "setp.eq.u32 %p1, %r4, 70; @%p1 trap;"), 32, SIM_ASSERT,
        "the kernel executed `trap`, at line 12 by block (2,0,0) warp 0 lane 6; the source asks for it there, or uses "
        "a null pointer");
    check_fault(HEAD
        ".global .align 1 .b8 m[6] = {120, 32, 62, 32, 48};\n.global .align 1 .b8 f[5] = {107, 46, 99, 117};\n"
        ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n" K(
            "k",
            "{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;"
            " mov.u64 %rd4, m; mov.u64 %rd5, f;"
            " st.param.b64 [p0+0], %rd4; st.param.b64 [p1+0], %rd5; st.param.b32 [p2+0], 9;"
            " st.param.b64 [p3+0], %rd5;"
            " st.param.b64 [p4+0], 1; call.uni __assertfail, (p0, p1, p2, p3, p4); }"),
        32, SIM_ASSERT, "assertion `x > 0` failed in k.cu:9, at line 12 by block (0,0,0) warp 0 lane 0");
}

static void check_refused(const char *text, const char *entry, const char *want)
{
    char error[256] = "";
    if (module) sim_unload(sim, module);
    module = sim_load(sim, text, error);
    CHECK(module && !sim_kernel(module, entry, error));
    CHECK_TEXT(error, want);
}

static void what_is_unknown_refuses_its_kernel_only(void)
{
    char error[256];
    const char *text = HEAD K("a", "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd1], %r1;")
        K("b", "add.f32 %f1, %f2, %f3;") K("c", "multimem.red.relaxed.gpu.global.add.u32 [%rd1], %r3;")
            K("d", "call.uni cudaGetParameterBufferV2, (%rd1);") K("e", "frobnicate.u32 %r1, %r2;");
    check_refused(text, "a", "unsupported: tcgen05.alloc");
    CHECK(sim_kernel(module, "b", error) != NULL);
    CHECK(!sim_kernel(module, "c", error));
    CHECK_TEXT(error,
        "unsupported: multimem (its address stands for the memory of several GPUs; no buffer has such a one)");
    CHECK(!sim_kernel(module, "d", error));
    CHECK_TEXT(error, "unsupported: cudaGetParameterBufferV2");
    CHECK(!sim_kernel(module, "e", error));
    CHECK_TEXT(error, "unsupported: frobnicate");
    CHECK(!sim_kernel(module, "z", error));
    CHECK_TEXT(error, "no entry `z`; there are: a, b, c, d, e");
    CHECK(!sim_load(sim, "int main() {}", error));
    CHECK_TEXT(error, "this is not PTX: it does not begin with `.version`");
    CHECK(!sim_load(sim, HEAD ".entry k() {\n ret;", error));
    CHECK_TEXT(error, "the PTX ends inside `k`");
}

static void launches_that_no_device_takes_are_refused(void)
{
    struct sim_kernel *k = load(HEAD K("k", ""));
    CHECK(!launch(k, 1, 1025, 0));
    CHECK_INT(fault.kind, SIM_BAD_LAUNCH);
    CHECK_TEXT(fault.what, "threads in a block: 1025, where a device takes at most 1024");
    CHECK(!launch(k, 0, 32, 0));
    CHECK_INT(fault.kind, SIM_BAD_LAUNCH);
    const struct sim_launch short_params = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .params = &buffer, .param_bytes = 4};
    CHECK(!sim_launch(sim, k, &short_params, &counts, &fault));
    CHECK_TEXT(fault.what, "4 bytes of parameters, but the kernel takes 8");
    const struct sim_launch large = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared = 1 << 20, .params = &buffer, .param_bytes = 8};
    CHECK(!sim_launch(sim, k, &large, &counts, &fault));
    CHECK_INT(fault.kind, SIM_BAD_LAUNCH);
    // A terabyte of local memory for one block.
    k = load(HEAD K("k", ".local .b8 much[1073741824]; mov.u64 %rd4, much;"));
    CHECK(!launch(k, 1, 1024, 0));
    CHECK_TEXT(fault.what, "1 block at once needs more memory than there is here");
}

static void a_launch_can_be_stopped(void)
{
    volatile bool stop = true;
    const struct sim_launch l = {
        .grid = {4, 1, 1}, .block = {32, 1, 1}, .params = &buffer, .param_bytes = 8, .stop = &stop};
    CHECK(!sim_launch(sim, load(HEAD K("k", "L: bra L;")), &l, &counts, &fault));
    CHECK_INT(fault.kind, SIM_STOPPED);
}

static void sites_say_which_line_costs_what(void)
{
    struct sim_kernel *k = load(HEAD ".shared .align 4 .b8 s[4096];\n" K("k",
        ".loc 1 30 1\n ld.global.f32 %f1, [%rd3];"
        " .loc 1 20 1\n mul.lo.u32 %r5, %r1, 128; mov.u32 %r6, s; add.s32 %r5, %r5, %r6;\n"
        " st.shared.f32 [%r5], %f1; setp.gt.u32 %p1, %r1, 900; @%p1 st.global.f32 [%rd3], %f1;"));
    struct sim_site site[4];
    CHECK(launch(k, 4, 32, 0));
    CHECK_INT(sim_sites(k, site, 4), 2);
    CHECK_INT(site[0].line, 20);
    CHECK_TEXT(site[0].op, "st.shared.f32");
    CHECK_INT(site[0].wavefronts, 128);
    CHECK_INT(site[1].line, 30);
    CHECK_INT(site[1].sectors, 16);
    CHECK_INT(site[1].lanes, 128);
    CHECK_INT(sim_sites(k, site, 0), 2);
}

static void the_clock_is_flagged(void)
{
    CHECK(launch(load(HEAD K("k", "mov.u32 %r5, %clock;")), 1, 32, 0));
    CHECK(counts.reads_clock);
    CHECK(launch(load(HEAD K("k", "")), 1, 32, 0));
    CHECK(!counts.reads_clock);
}

static void constants_are_not_global_loads(void)
{
    CHECK(launch(load(HEAD ".const .align 4 .b32 c[4] = {1, 2, 3, 4};\n" K("k",
                     "ld.const.u32 %r5, [c+8];"
                     " st.global.u32 [%rd3], %r5;")),
        1, 32, 0));
    CHECK_INT(counts.ld_requests, 0);
    CHECK_INT(counts.st_requests, 1);
    CHECK_INT(((const int *)sim_host(sim, buffer, 4))[0], 3);
    size_t bytes = 0;
    CHECK(sim_symbol(module, "c", &bytes) != 0);
    CHECK_INT(bytes, 16);
    CHECK(sim_symbol(module, "d", &bytes) == 0);
}

static void the_first_block_at_fault_is_named_whatever_the_threads_do(void)
{
    struct sim_kernel *k = load(HEAD K("k", "setp.ge.u32 %p1, %r2, 5; @%p1 trap;"));
    for (int n = 0; n < 20; n++) {
        CHECK(!launch(k, 300, 32, 0));
        CHECK_INT(fault.block[0], 5);
    }
}

static void host_pointers_stay_inside(void)
{
    CHECK(sim_host(sim, buffer, 1024) != NULL);
    CHECK(sim_host(sim, buffer + 1020, 4) != NULL);
    CHECK(sim_host(sim, buffer + 1020, 8) == NULL);
    CHECK(sim_host(sim, buffer + 1024, 0) != NULL);
    CHECK(sim_host(sim, 0, 1) == NULL);
    CHECK_INT(buffer % 256, 0);
    CHECK(sim_alloc(sim, (size_t)1 << 60, "huge") == 0);
}

int main(void)
{
    for (int threads = 1; threads <= 3; threads += 2) {
        sim = sim_new(threads);
        module = NULL;
        buffer = sim_alloc(sim, 1024, "data");
        a_bad_address_is_named_with_place_and_buffer();
        a_word_that_is_only_partly_there_is_out_of_bounds();
        what_is_locked_may_only_be_read();
        released_memory_is_gone();
        what_does_not_end_is_ended();
        a_barrier_that_not_all_reach_is_a_deadlock();
        asserts_and_traps_end_the_launch();
        what_is_unknown_refuses_its_kernel_only();
        launches_that_no_device_takes_are_refused();
        a_launch_can_be_stopped();
        sites_say_which_line_costs_what();
        the_clock_is_flagged();
        constants_are_not_global_loads();
        the_first_block_at_fault_is_named_whatever_the_threads_do();
        host_pointers_stay_inside();
        sim_free(sim);
    }
    return test_end();
}
