// Blocks side by side: the barrier of a cluster, addresses in another block's shared memory, a cooperative grid whose
// blocks wait for each other, and what cannot be.
// SPDX-License-Identifier: MIT
#include "sim/sim.h"
#include "unit/test.h"

#include <string.h>

#define HEAD ".version 7.8\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n"
#define K(body) \
    HEAD ".visible .entry k(.param .u64 k_p)\n{\n .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<8>;\n" \
         " .shared .align 4 .b8 s[128];\n .loc 1 12 3\n ld.param.u64 %rd1, [k_p]; mov.u32 %r1, %tid.x;" \
         " mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1;\n" \
         " mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2; shl.b32 %r5, %r1, 2; mov.u32 %r6, s;" \
         " add.u32 %r5, %r5, %r6;\n " body "\n ret;\n}\n"
#define MEET "barrier.cluster.arrive; barrier.cluster.wait;\n"

static struct sim *sim;
static uint64_t buffer;
static struct sim_counts counts;
static struct sim_fault fault;

static bool launch(const char *text, uint32_t blocks, uint32_t cluster, bool cooperative)
{
    char error[256] = "";
    struct sim_module *m = sim_load(sim, text, error);
    struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    const struct sim_launch l = {.grid = {blocks, 1, 1},
        .block = {32, 1, 1},
        .cluster = {cluster},
        .cooperative = cooperative,
        .params = &buffer,
        .param_bytes = 8,
        .budget = 1 << 16};
    CHECK_TEXT(error, "");
    const bool good = k && sim_launch(sim, k, &l, &counts, &fault);
    sim_unload(sim, m);
    return good;
}

static const uint32_t *result(void) { return sim_host(sim, buffer, 4); }

static void blocks_of_a_cluster_reach_each_other(void)
{
    // Each writes its number, and reads that of the next block in the ring.
    static const char text[] =
        K("st.shared.u32 [%r5], %r2;" MEET "mov.u32 %r7, %cluster_ctarank; mov.u32 %r8, %cluster_nctarank;"
          " add.u32 %r9, %r7, 1; rem.u32 %r9, %r9, %r8; mapa.shared::cluster.u32 %r10, %r5, %r9;"
          " ld.shared::cluster.u32 %r11, [%r10]; getctarank.shared::cluster.u32 %r12, %r10;"
          " mad.lo.s32 %r11, %r12, 100, %r11; st.global.u32 [%rd3], %r11;" MEET);
    for (uint32_t cluster = 1; cluster <= 16; cluster *= 2) {
        CHECK(launch(text, 16, cluster, false));
        for (uint32_t b = 0; b < 16; b++) {
            const uint32_t rank = (b % cluster + 1) % cluster;
            CHECK_INT(result()[b * 32 + 5], b / cluster * cluster + rank + 100 * rank);
        }
        CHECK_INT(counts.remote, 16 * 32);
    }
}

static void a_whole_grid_waits_for_its_last_block(void)
{
    // The first block waits for what the last one stores.
    static const char text[] = K("setp.ne.u32 %p1, %r2, 0; @%p1 bra WRITE;\n"
                                 "LOOK: ld.volatile.global.u32 %r7, [%rd1+2044]; setp.ne.u32 %p2, %r7, 77; @%p2 bra "
                                 "LOOK;\n"
                                 "WRITE: mov.u32 %r8, 77; st.volatile.global.u32 [%rd3], %r8;");
    memset(sim_host(sim, buffer, 2048), 0, 2048);
    CHECK(launch(text, 16, 0, true));
    for (int i = 0; i < 512; i++) CHECK_INT(result()[i], 77);
    memset(sim_host(sim, buffer, 2048), 0, 2048);
    CHECK(!launch(text, 15, 0, true)); // nobody stores there
    CHECK_INT(fault.kind, SIM_WAITS);
}

static void what_cannot_be_is_named(void)
{
    CHECK(!launch(K(""), 16, 3, false));
    CHECK_TEXT(fault.what, "16 blocks along x are no whole number of clusters, which have 3 there");
    CHECK(!launch(K(""), 64, 32, false));
    CHECK_TEXT(fault.what, "a cluster of 32 blocks, where a device takes at most 16");
    CHECK(!launch(K("mov.u32 %r7, 4; mapa.shared::cluster.u32 %r8, %r5, %r7;"), 16, 4, false));
    CHECK_TEXT(fault.what, "block 4 of a cluster of 4, at line 12 by block (0,0,0) warp 0 lane 0");
    CHECK(!launch(K("mov.u32 %r7, 1; mapa.shared::cluster.u32 %r8, %r5, %r7; ld.shared::cluster.u32 %r9, [%r8+4];"), 16,
        2, false));
    CHECK_INT(fault.kind, SIM_OUT_OF_BOUNDS);
    CHECK(!launch(K("setp.eq.u32 %p1, %r2, 3; @%p1 bra STUCK; " MEET " ret; STUCK: bar.sync 1, 64;"), 16, 4, false));
    CHECK_INT(fault.kind, SIM_DEADLOCK);
}

static void a_kernel_may_bring_its_own_size(void)
{
    static const char text[] =
        HEAD ".visible .entry k(.param .u64 k_p) .explicitcluster .reqnctapercluster 4, 1, 1\n"
             "{ .reg .b32 %r<4>; .reg .b64 %rd<4>; ld.param.u64 %rd1, [k_p]; mov.u32 %r1, %cluster_nctarank;"
             " mov.u32 %r2, %clusterid.x; mov.u32 %r3, %ctaid.x; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2;"
             " mad.lo.s32 %r1, %r2, 10, %r1; st.global.u32 [%rd3], %r1; ret; }\n";
    CHECK(launch(text, 8, 0, false));
    CHECK_INT(result()[3], 4);
    CHECK_INT(result()[7], 14);
}

int main(void)
{
    sim = sim_new(2);
    buffer = sim_alloc(sim, 2048, "data");
    blocks_of_a_cluster_reach_each_other();
    a_whole_grid_waits_for_its_last_block();
    what_cannot_be_is_named();
    a_kernel_may_bring_its_own_size();
    sim_free(sim);
    return test_end();
}
