// Runs blocks side by side, and what they do to each other: the barrier of a cluster and addresses in another block.
// SPDX-License-Identifier: MIT
#include "sim/core/residents.h"

#include "base/arena.h"
#include "base/machine.h"
#include "sim/core/fault.h"
#include "sim/core/flow.h"
#include "sim/core/place.h"
#include "sim/core/state.h"
#include "sim/watch/watch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block *resident_of(const struct block *b, uint64_t address)
{
    const uint64_t rank = (address >> RESIDENT_SHIFT) - 1;
    return b->cluster && rank < b->cluster->count ? b->cluster->blocks[rank] : NULL;
}

static uint64_t cluster_blocks(const struct shared_work *w)
{
    return (uint64_t)w->cluster[0] * w->cluster[1] * w->cluster[2];
}

static bool refuse(struct sim_fault *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(struct sim_fault *fault, const char *fmt, ...)
{
    va_list args;
    *fault = (struct sim_fault){.kind = SIM_BAD_LAUNCH};
    va_start(args, fmt);
    vsnprintf(fault->what, sizeof fault->what, fmt, args);
    va_end(args);
    return false;
}

bool residents_admit(struct shared_work *w, struct sim_fault *fault)
{
    const struct sim_launch *l = w->launch;
    const uint32_t *own = w->kernel->cluster;
    for (int n = 0; n < 3; n++) {
        w->cluster[n] = l->cluster[n] ? l->cluster[n] : own[n] ? own[n] : 1;
        w->clusters |= l->cluster[n] || own[n];
    }
    w->together = w->clusters || w->kernel->meets;
    if (cluster_blocks(w) > MOST_IN_CLUSTER)
        return refuse(fault, "a cluster of %llu blocks, where a device takes at most %d",
            (unsigned long long)cluster_blocks(w), MOST_IN_CLUSTER);
    for (int n = 0; n < 3; n++)
        if (l->grid[n] % w->cluster[n])
            return refuse(fault, "%u blocks along %c are no whole number of clusters, which have %u there", l->grid[n],
                "xyz"[n], w -> cluster[n]);
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2],
                   each = (threads + LANES - 1) / LANES * w->kernel->warp_bytes + w->all_shared +
        threads * (w->kernel->local_bytes + w->kernel->frame_bytes),
                   room = machine_data_memory() / 2, at_once = residents_count(w) ? residents_count(w) : 1;
    if (at_once > room / (each ? each : 1))
        return refuse(fault, "%llu block%s at once need%s more memory than there is here", (unsigned long long)at_once,
            at_once > 1 ? "s" : "", at_once > 1 ? "" : "s");
    if (!l->cooperative) return true;
    w->workspace = sim_alloc(w->sim, 8, "the grid's barrier");
    if (!w->workspace) return refuse(fault, "no memory on this machine for the grid's barrier");
    memset((void *)(uintptr_t)w->workspace, 0, 8);
    return true;
}

uint64_t residents_count(const struct shared_work *w)
{
    return w->launch->cooperative || w->launch->at_once ? w->blocks : w->together ? cluster_blocks(w) : 0;
}

// Opens the cluster's barrier if all of its threads have come.
static bool open_cluster(struct block_cluster *c)
{
    uint32_t live = 0;
    for (uint32_t k = 0; k < c->count; k++)
        for (uint32_t n = 0; n < c->blocks[k]->warp_count; n++)
            live += (uint32_t)__builtin_popcount(block_warp(c->blocks[k], n)->live);
    if (!c->arrived || c->arrived < live) return false;
    c->arrived = 0;
    c->phase++;
    for (uint32_t k = 0; k < c->count; k++)
        if (c->blocks[k]->watch) watch_cluster_met(c->blocks[k]);
    for (uint32_t k = 0; k < c->count; k++)
        for (uint32_t n = 0; n < c->blocks[k]->warp_count; n++) {
            struct warp *w = block_warp(c->blocks[k], n);
            for (int g = 0; g < w->group_count; g++)
                if (w->groups[g].state == GROUP_CLUSTER) w->groups[g].state = GROUP_READY, w->groups[g].at++;
        }
    return true;
}

// Runs a block for a while. False: a fault.
static bool pass(struct block *b, bool *moved, bool *idle, bool *stuck)
{
    const enum flow_state s = flow_pass(b);
    b->ended = s == FLOW_ENDED;
    *stuck = s == FLOW_STUCK;
    *moved |= s != FLOW_STUCK;
    *idle = *idle && (b->ended || s == FLOW_STUCK || flow_idles(b));
    return s != FLOW_FAILED;
}

static bool in_vain(struct sim_worker *set, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++)
        if (!set[n].block.ended && flow_idles(&set[n].block)) {
            flow_in_vain(&set[n].block);
            return true;
        }
    return false;
}

// In a drawn order one block does not begin before nothing else can be done: `held`.
static void run_set(struct sim_worker *set, uint64_t count, struct block_cluster *clusters, uint64_t cluster_count,
    uint64_t held)
{
    for (;;) {
        bool moved = false, idle = true, stuck = false;
        struct block *waits = NULL;
        for (uint64_t n = 0; n < count; n++) {
            struct block *b = &set[n].block;
            if (b->ended || n == held) continue;
            if (!pass(b, &moved, &idle, &stuck)) return;
            if (!b->ended && (!waits || stuck)) waits = b;
        }
        if (!waits && held >= count) return;
        for (uint64_t c = 0; c < cluster_count; c++) moved |= open_cluster(&clusters[c]);
        if (held < count && (!waits || !moved || idle)) held = count;
        else if (!moved) {
            flow_deadlock(waits);
            return;
        } else if (idle && in_vain(set, count)) return;
    }
}

// The block at a place of a cluster, both counted along x first.
static uint64_t block_at(const struct shared_work *w, uint64_t cluster, uint64_t place)
{
    const uint32_t *grid = w->launch->grid, *size = w->cluster;
    uint64_t id[3];
    for (int n = 0; n < 3; n++) {
        id[n] = cluster % (grid[n] / size[n]) * size[n] + place % size[n];
        cluster /= grid[n] / size[n];
        place /= size[n];
    }
    return id[0] + grid[0] * (id[1] + (uint64_t)grid[1] * id[2]);
}

void residents_run(struct sim_worker *workers, uint64_t count)
{
    const struct shared_work *w = workers[0].work;
    const uint64_t each = cluster_blocks(w), in_set = count / each, all = w->blocks / each;
    struct block_cluster *clusters = mem_alloc(in_set * sizeof *clusters);
    bool good = true;
    for (uint64_t first = 0; good && first < all; first += in_set) {
        for (uint64_t n = 0; n < count; n++) {
            struct block_cluster *c = &clusters[n / each];
            if (n % each == 0) *c = (struct block_cluster){.count = (uint32_t)each};
            c->blocks[n % each] = &workers[n].block;
            workers[n].block.cluster = c;
            place_block(&workers[n], block_at(w, first + n / each, n % each));
        }
        for (uint64_t n = 0; n < count; n++) good = good && workers[n].block.fault.kind == SIM_OK;
        if (good)
            run_set(workers, count, clusters, in_set, w->launch->schedule ? w->launch->schedule * 5 % count : count);
        for (uint64_t n = 0; n < count; n++) good = good && workers[n].block.fault.kind == SIM_OK;
    }
    free(clusters);
}

static HANDLER(arrive)
{
    w->block->cluster->arrived += (uint32_t)__builtin_popcount(mask);
    w->cluster_phase = w->block->cluster->phase;
    return i + 1;
}

static HANDLER(wait_for_cluster)
{
    const struct block_cluster *c = w->block->cluster;
    if (c->phase != w->cluster_phase) return i + 1;
    return flow_park(w, i, mask, (struct group){.state = GROUP_CLUSTER});
}

#define MAPA_OP(id, T) \
    static HANDLER(id) \
    { \
        T *d = SLOT(w, i->r[0]); \
        const T *a = SLOT(w, i->r[1]); \
        const u32 *rank = SLOT(w, i->r[2]); \
        const uint32_t count = w->block->cluster ? w->block->cluster->count : 1; \
        for (uint32_t m = mask; m; m &= m - 1) { \
            const uint32_t l = (uint32_t)__builtin_ctz(m); \
            if (rank[l] >= count) \
                return fault_set(w, i, l, SIM_ASSERT, "block %u of a cluster of %u", rank[l], count); \
            d[l] = (a[l] & ~((T)0xff << RESIDENT_SHIFT)) | (T)(rank[l] + 1) << RESIDENT_SHIFT; \
        } \
        return i + 1; \
    }
MAPA_OP(mapa_32, u32)
MAPA_OP(mapa_64, u64)

#define RANK_OP(id, T) \
    static HANDLER(id) \
    { \
        u32 *d = SLOT(w, i->r[0]); \
        const T *a = SLOT(w, i->r[1]); \
        for (uint32_t m = mask; m; m &= m - 1) { \
            const uint32_t l = (uint32_t)__builtin_ctz(m), in = (uint32_t)(a[l] >> RESIDENT_SHIFT & 0xff); \
            d[l] = in ? in - 1 : w->block->rank; \
        } \
        return i + 1; \
    }
RANK_OP(rank_32, u32)
RANK_OP(rank_64, u64)

const struct op residents_ops[] = {{"cluster.arrive", NULL, arrive}, {"cluster.wait", NULL, wait_for_cluster},
    {"mapa.32", NULL, mapa_32}, {"mapa.64", NULL, mapa_64}, {"getctarank.32", NULL, rank_32},
    {"getctarank.64", NULL, rank_64}, {NULL, NULL, NULL}};
