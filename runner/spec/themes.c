// The table of themes.
// SPDX-License-Identifier: MIT
#include "spec/themes.h"

#include <stdint.h>
#include <string.h>

const struct theme themes[] = {
    {"access",
        "The 32 addresses of a warp fall into sectors of 32 bytes: how many they touch is what memory has to move.",
        "stride saturation coalescing fetch element_size matrix block_shape layout vecadd"},
    {"caches", "What was read before comes from L1 or L2: how much fits, how long a load takes, what each gives.",
        "latency cache_capacity l1_bandwidth l2_bandwidth copy stream read_only lookup image_resize l2_hit_ratio "
        "l2_shared_window"},
    {"shared", "Shared memory is as fast as registers are near, as long as the lanes of a warp want different banks.",
        "bank_conflicts transpose transpose_speedup best_transpose async_copy tensor_copy distributed_shared"},
    {"execution", "Warps hide the time that loads take, if there are enough of them and their lanes go one way.",
        "divergence occupancy warps_or_loads latency_hiding scalability boundary atomics barriers registers "
        "occupancy_registers local_array"},
    {"arithmetic", "A kernel is limited by memory or by arithmetic: what it does with each byte decides which.",
        "roofline matmul tensor_core"},
    {"transfers",
        "Between host and device there is a bus: what crosses it, how fast, and what can run at the same time.",
        "transfer batching overlap copies copies_both_ways mapped far_latency managed managed_copies page_faults peer "
        "peer_latency"},
    {"launch", "Starting work takes time by itself: a few microseconds that small kernels cannot hide.",
        "launch launch_train launch_overhead allocation"},
    {NULL, NULL, NULL},
};

size_t theme_place(const char *theme)
{
    size_t i = 0;
    while (themes[i].name && strcmp(themes[i].name, theme) != 0) i++;
    return i;
}

size_t theme_step(const char *theme, const char *experiment)
{
    const char *p = themes[theme_place(theme)].order;
    for (size_t step = 0; p && *p; step++) {
        const size_t n = strcspn(p, " ");
        if (strlen(experiment) == n && strncmp(p, experiment, n) == 0) return step;
        p += n + (p[n] == ' ');
    }
    return SIZE_MAX;
}
