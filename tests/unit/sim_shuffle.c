// Shuffles, lane by lane, against what the PTX manual says of them: every kind, distance and width, the predicate too.
// SPDX-License-Identifier: MIT
#include "sim/sim.h"
#include "unit/test.h"

static struct sim *sim;
static uint64_t buffer;
static uint32_t *out;

static void shuffled(const char *kind, const char *distance, uint32_t clamp)
{
    char text[1200], error[256] = "";
    struct sim_counts counts;
    struct sim_fault fault = {0};
    snprintf(text, sizeof text,
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_p)\n{\n .reg .pred %%p<4>; "
        ".reg .b32 %%r<16>; .reg .b64 %%rd<8>;\n ld.param.u64 %%rd1, [k_p]; mov.u32 %%r1, %%tid.x; mul.wide.u32 "
        "%%rd2, %%r1, 8; add.s64 %%rd3, %%rd1, %%rd2;\n mad.lo.u32 %%r2, %%r1, 3, 100; xor.b32 %%r4, %%r1, 5;\n"
        " shfl.sync.%s.b32 %%r3|%%p1, %%r2, %s, %u, -1;\n selp.u32 %%r5, 1, 0, %%p1; st.global.u32 [%%rd3], %%r3; "
        "st.global.u32 [%%rd3+4], %%r5;\n ret;\n}\n",
        kind, distance, clamp);
    struct sim_module *m = sim_load(sim, text, error);
    struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    const struct sim_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .params = &buffer, .param_bytes = 8};
    memset(out, 0xff, 256);
    if (!k || !sim_launch(sim, k, &l, &counts, &fault)) printf("shfl.%s: %s%s\n", kind, error, fault.what);
    CHECK(k != NULL);
    if (m) sim_unload(sim, m);
}

// The width that CUDA gives is a power of two; the PTX has it as the lanes' segment, with the clamp behind it.
static void check(char kind, int n, int width, bool own)
{
    char distance[16];
    const uint32_t clamp = (uint32_t)(32 - width) << 8 | (kind == 'u' ? 0 : 31);
    snprintf(distance, sizeof distance, "%d", n);
    shuffled(kind == 'u' ? "up" : kind == 'd' ? "down" : kind == 'x' ? "bfly" : "idx", own ? "%r4" : distance, clamp);
    for (int lane = 0; lane < 32; lane++) {
        const int by = own ? lane ^ 5 : n, first = lane / width * width;
        const int from = kind == 'u' ? lane - by
            : kind == 'd'            ? lane + by
            : kind == 'x'            ? (lane ^ by)
                                     : first + by % width;
        const bool in = kind == 'i' || (kind == 'x' ? from < first + width : from >= first && from < first + width);
        CHECK_INT(out[2 * lane], 100 + 3 * (in ? from : lane));
        CHECK_INT(out[2 * lane + 1], in);
    }
}

int main(void)
{
    sim = sim_new(1);
    buffer = sim_alloc(sim, 256, "out");
    out = sim_host(sim, buffer, 256);
    for (const char *kind = "udxi"; *kind; kind++)
        for (int width = 4; width <= 32; width *= 2) {
            static const int distances[] = {0, 1, 3, 16, 31};
            for (int d = 0; d < 5; d++) check(*kind, distances[d], width, false);
            check(*kind, 0, width, true); // a distance of each lane's own
        }
    sim_free(sim);
    return test_end();
}
