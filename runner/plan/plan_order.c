// The order of measurement: a seeded shuffle, so that a drift of clocks or temperature cannot look like an effect of
// an axis.
// SPDX-License-Identifier: MIT
#include "plan/plan.h"

#include <stdlib.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// 0 ... n-1, all equally likely.
static uint64_t below(uint64_t n, uint64_t *state)
{
    uint64_t most = UINT64_MAX - UINT64_MAX % n, r = splitmix(state);
    while (r >= most) r = splitmix(state);
    return r % n;
}

uint32_t *plan_order(const struct plan *p, uint64_t seed, unsigned shard, unsigned shards, size_t *count)
{
    size_t n = plan_count(p), kept = 0;
    uint32_t *order = mem_alloc(n * sizeof *order);
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        size_t j = below(i, &seed);
        uint32_t swapped = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swapped;
    }
    if (shards < 1) shards = shard = 1;
    for (size_t i = shard ? shard - 1 : 0; i < n; i += shards) order[kept++] = order[i];
    *count = kept;
    return order;
}
