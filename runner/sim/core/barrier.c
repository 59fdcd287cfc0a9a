// Runs a block: its warps take turns, each until all of its lanes wait or have ended; then barriers that are complete
// open.
// SPDX-License-Identifier: MIT
#include "sim/core/fault.h"
#include "sim/core/flow.h"
#include "sim/watch/watch.h"

#include <time.h>

enum { SLICE = 64 }; // instructions that a warp runs at most before another one, where the order is drawn

enum barrier_kind { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR };

uint32_t flow_draw(struct block *b, uint32_t below)
{
    b->random ^= b->random << 13;
    b->random ^= b->random >> 7;
    b->random ^= b->random << 17;
    return (uint32_t)(b->random >> 32) % below;
}

// No two lanes of a warp are promised to run together until something orders them.
static void split(struct warp *w, const struct inst *i)
{
    const uint32_t cut = ALL_LANES << flow_draw(w->block, LANES), any = flow_draw(w->block, UINT32_MAX) + 1,
                   rest = w->active & (flow_draw(w->block, 2) ? cut : any);
    if (!rest || rest == w->active || flow_draw(w->block, 2)) return;
    w->active &= ~rest;
    flow_add(w, i, rest);
}

// Until its lanes wait or have ended, or `most` instructions are done.
static void run_warp(struct warp *w, const struct inst *i, uint32_t most)
{
    for (; i && most; most--) {
        uint32_t mask = w->active;
        if (i->guard) {
            mask &= *(const u32 *)SLOT(w, i->guard & ~1u) ^ (0 - (i->guard & 1));
            if (!mask) {
                i++;
                continue;
            }
        }
        i = i->run(w, i, mask);
    }
    if (i) flow_interrupt(w, i);
}

// The lanes of a warp that wait at barrier `id`, and whether one of their groups gives a count.
static uint32_t waiting(const struct warp *w, uint32_t id, uint32_t *expected)
{
    uint32_t lanes = 0;
    for (int k = 0; k < w->group_count; k++)
        if (w->groups[k].state == GROUP_BARRIER && w->groups[k].barrier == id) {
            lanes |= w->groups[k].mask;
            if (w->groups[k].expected) *expected = w->groups[k].expected;
        }
    return lanes;
}

// Without a count every live thread of the block must come. With one, threads are counted, and a complete warp
// as 32.
static bool complete(const struct block *b, uint32_t id)
{
    uint32_t expected = b->barriers[id].expected, warps = b->barriers[id].arrived;
    bool here = false, all = true;
    for (uint32_t n = 0; n < b->warp_count; n++) {
        const struct warp *w = block_warp(b, n);
        const uint32_t lanes = waiting(w, id, &expected);
        here |= lanes != 0;
        all &= lanes == w->live;
        warps += lanes && lanes == w->live ? LANES : (uint32_t)__builtin_popcount(lanes);
    }
    return here && (expected ? warps >= expected : all);
}

static uint32_t votes(const struct block *b, uint32_t id, uint32_t *voters)
{
    uint32_t count = 0;
    *voters = 0;
    for (uint32_t n = 0; n < b->warp_count; n++) {
        const struct warp *w = block_warp(b, n);
        for (int k = 0; k < w->group_count; k++) {
            const struct group *g = &w->groups[k];
            if (g->state != GROUP_BARRIER || g->barrier != id || g->at->offset < BARRIER_POPC) continue;
            const uint32_t slot = g->at->r[2]; // the lowest bit: negated
            count += (uint32_t)__builtin_popcount((*(const u32 *)SLOT(w, slot & ~1u) ^ (0 - (slot & 1))) & g->mask);
            *voters += (uint32_t)__builtin_popcount(g->mask);
        }
    }
    return count;
}

static void give_result(struct warp *w, const struct group *g, uint32_t count, uint32_t voters)
{
    const uint32_t all = count == voters ? ALL_LANES : 0, any = count ? ALL_LANES : 0;
    u32 *d = SLOT(w, g->at->r[3]);
    if (g->at->offset == BARRIER_AND) *d = (*d & ~g->mask) | (all & g->mask);
    else if (g->at->offset == BARRIER_OR) *d = (*d & ~g->mask) | (any & g->mask);
    else
        for (int l = 0; l < LANES; l++)
            if (g->mask >> l & 1) d[l] = count;
}

// Where a barrier has no count of its own, it is one place in the code that all of them reach.
static bool one_place(const struct block *b, uint32_t id)
{
    const struct inst *at = NULL;
    uint32_t expected = 0;
    for (uint32_t n = 0; n < b->warp_count; n++) {
        struct warp *w = block_warp(b, n);
        if (waiting(w, id, &expected) && expected) return true;
        for (int k = 0; k < w->group_count; k++) {
            const struct group *g = &w->groups[k];
            if (g->state != GROUP_BARRIER || g->barrier != id) continue;
            if (at && g->at != at && g->at->line != at->line) {
                char other[FAULT_PLACE];
                fault_place(b->kernel, at, other);
                fault_set(w, g->at, (uint32_t)__builtin_ctz(g->mask), SIM_DIVERGED,
                    "some threads of the block wait at this barrier and others at the one%s: all must reach the same",
                    other);
                return false;
            }
            at = g->at;
        }
    }
    return true;
}

static void open_barrier(struct block *b, uint32_t id)
{
    uint32_t voters, count = votes(b, id, &voters), warps = 0, ignored;
    for (uint32_t n = 0; n < b->warp_count; n++) warps |= (uint32_t)(waiting(block_warp(b, n), id, &ignored) != 0) << n;
    if (b->watch) watch_open(b, id, warps);
    for (uint32_t n = 0; n < b->warp_count; n++) {
        struct warp *w = block_warp(b, n);
        for (int k = 0; k < w->group_count; k++) {
            struct group *g = &w->groups[k];
            if (g->state != GROUP_BARRIER || g->barrier != id) continue;
            if (g->at->offset >= BARRIER_POPC) give_result(w, g, count, voters);
            // One that names a count is not for all: who arrives without waiting goes on too.
            if (b->watch && !g->expected) watch_past_open(w, g->at, g->mask, warps);
            g->state = GROUP_READY;
            g->at++;
        }
    }
    b->barriers[id] = (struct barrier){0, 0};
}

// It may be complete with those that do not wait: then it begins anew, and nobody has met.
void flow_arrived(struct block *b, uint32_t id)
{
    uint32_t ignored, lanes = 0;
    for (uint32_t n = 0; n < b->warp_count; n++) lanes |= waiting(block_warp(b, n), id, &ignored);
    if (lanes || !b->barriers[id].expected || b->barriers[id].arrived < b->barriers[id].expected) return;
    open_barrier(b, id);
}

// A bit for each barrier at which somebody waits: mostly there is one.
static uint32_t waited_for(const struct block *b)
{
    uint32_t ids = 0;
    for (uint32_t n = 0; n < b->warp_count; n++) {
        const struct warp *w = block_warp(b, n);
        for (int k = 0; k < w->group_count; k++)
            if (w->groups[k].state == GROUP_BARRIER) ids |= 1u << w->groups[k].barrier;
    }
    return ids;
}

static bool open_barriers(struct block *b)
{
    bool opened = false;
    const uint32_t ids = waited_for(b);
    for (uint32_t id = 0; id < ALL_BARRIERS; id++)
        if ((ids >> id & 1) && complete(b, id)) {
            if (b->watch && !one_place(b, id)) return false;
            open_barrier(b, id);
            opened = true;
        }
    return opened;
}

void flow_deadlock(struct block *b)
{
    uint32_t waits = 0, live = 0;
    struct warp *first = NULL;
    for (uint32_t n = 0; n < b->warp_count; n++) {
        struct warp *w = block_warp(b, n);
        live += (uint32_t)__builtin_popcount(w->live);
        if (w->group_count && !first) first = w;
    }
    if (!first) return;
    const struct group *g = &first->groups[0];
    for (uint32_t n = 0, ignored; n < b->warp_count; n++)
        waits += (uint32_t)__builtin_popcount(waiting(block_warp(b, n), g->barrier, &ignored));
    if (g->state == GROUP_CLUSTER)
        fault_set(first, g->at, (uint32_t)__builtin_ctz(g->mask), SIM_DEADLOCK,
            "waits at the cluster's barrier, which not all threads of the cluster reach");
    if (g->state == GROUP_BARRIER && g->barrier >= BARRIERS)
        fault_set(first, g->at, (uint32_t)__builtin_ctz(g->mask), SIM_DEADLOCK,
            "waits for products that not all warps of its group have begun");
    fault_set(first, g->at, (uint32_t)__builtin_ctz(g->mask), SIM_DEADLOCK,
        "%u of %u threads wait at barrier %u, which the others do not reach", waits, live, g->barrier);
}

enum { LONG = 2000, NAPS = 400 }; // passes, and then thousandths of a second

bool flow_idles(const struct block *b) { return b->idle > LONG; }

void flow_in_vain(struct block *b)
{
    for (uint32_t n = 0; n < b->warp_count; n++) {
        struct warp *w = block_warp(b, n);
        if (!w->spun || !w->poll || !w->poll_mask) continue;
        fault_set(w, w->poll, (uint32_t)__builtin_ctz(w->poll_mask), SIM_WAITS,
            "waits in a loop for what no thread that runs is to do");
        return;
    }
}

enum flow_state flow_pass(struct block *b)
{
    bool again = false, waits = false, moved = false;
    b->changed = false;
    const uint32_t first = b->random ? flow_draw(b, b->warp_count) : 0,
                   step = b->random && flow_draw(b, 2) ? b->warp_count - 1 : 1;
    for (uint32_t k = 0, n = first; k < b->warp_count; k++) {
        struct warp *w = block_warp(b, n);
        w->yielded = w->spun = false;
        const struct inst *i = w->group_count ? flow_next(w) : NULL;
        if (i && b->random && b->splits) split(w, i);
        run_warp(w, i, b->random ? 1 + flow_draw(b, SLICE) : UINT32_MAX);
        moved |= i && !w->spun && !flow_starves(w);
        if (b->fault.kind != SIM_OK) return FLOW_FAILED;
        again |= w->yielded;
        waits |= w->group_count != 0;
        n += step;
        if (n >= b->warp_count) n -= b->warp_count;
    }
    b->idle = moved || b->changed ? 0 : b->idle + 1;
    if (!waits) return FLOW_ENDED;
    if (open_barriers(b) || again) return FLOW_MOVED;
    return b->fault.kind == SIM_OK ? FLOW_STUCK : FLOW_FAILED;
}

bool flow_run_block(struct block *b)
{
    for (;;) switch (flow_pass(b)) {
        case FLOW_ENDED: return true;
        case FLOW_FAILED: return false;
        case FLOW_STUCK: flow_deadlock(b); return b->fault.kind == SIM_OK;
        case FLOW_MOVED:
            if (!flow_idles(b)) break;
            if (b->idle > LONG + NAPS) return flow_in_vain(b), b->fault.kind == SIM_OK;
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); // another thread's block may do it
            break;
        }
}
