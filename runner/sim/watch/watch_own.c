// What a thread does with what is its own: local memory that it reads without having written it, and the way that its
// warp's lanes take while others wait for them.
// SPDX-License-Identifier: MIT
#include "sim/core/fault.h"
#include "sim/watch/watch_inside.h"

// False: nothing has written it.
static bool mark(struct warp *w, uint32_t lane, uint64_t at, uint32_t bytes, bool writes)
{
    struct watch_block *b = w->block->watch;
    unsigned char *bits = b->local + (size_t)b->local_bytes / 8 * (w->index * LANES + lane);
    bool any = false;
    for (uint64_t k = at; k < at + bytes && k < b->local_bytes; k++) {
        any |= bits[k / 8] >> k % 8 & 1;
        if (writes) bits[k / 8] |= (unsigned char)(1u << k % 8);
    }
    return any;
}

void watch_local(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    const enum access_kind kind = (enum access_kind)i->memory->kind;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m);
        if (kind != ACCESS_STORE && !mark(w, l, at[l], bytes, false))
            watch_unwritten(w, i, l, at[l], SPACE_LOCAL, bytes);
        if (kind != ACCESS_LOAD) mark(w, l, at[l], bytes, true);
    }
}

static struct watch_past *past_of(const struct warp *w) { return &w->block->watch->past[w->index]; }

void watch_past_waits(struct warp *w, const struct inst *i, uint32_t lanes, bool at_barrier)
{
    if (w->heeds) return; // one at a time
    *past_of(w) = (struct watch_past){.at = i, .waiting = lanes, .at_barrier = at_barrier, .other = w->index};
    w->heeds = true;
}

// They go on. What was noted of lanes that are still there, or that nobody asked for, is no matter.
static void go_on(struct warp *w, const struct inst *i, uint32_t lanes, uint32_t named)
{
    struct watch_past *p = past_of(w);
    uint32_t kept = 0;
    if (i != p->at || p->left) return;
    for (uint32_t k = 0; k < p->count; k++) {
        p->lanes[kept] = p->lanes[k] & named & ~lanes & ~w->live;
        p->heads[kept] = p->heads[k];
        if (p->lanes[kept]) kept++;
    }
    p->count = kept;
    p->waiting = lanes;
    p->left = kept > 0;
    w->heeds = kept > 0;
}

void watch_past_met(struct warp *w, const struct inst *i, uint32_t lanes, const uint32_t *members)
{
    uint32_t named = 0;
    for (uint32_t m = lanes; m; m &= m - 1) named |= members[__builtin_ctz(m)];
    go_on(w, i, lanes, named);
}

void watch_past_end(struct warp *w, const struct inst *from) { past_of(w)->end = from; }

// Another warp has ended without the barrier, and behind a place that these lanes may still come to.
static void heed_other(struct warp *w, const struct inst *i, uint32_t lanes, uint32_t warps)
{
    struct watch_past *p = past_of(w);
    for (uint32_t n = 0; n < w->block->warp_count; n++) {
        const struct inst *end = w->block->watch->past[n].end;
        if ((warps >> n & 1) || !end) continue;
        *p = (struct watch_past){
            .at = i, .waiting = lanes, .at_barrier = true, .left = true, .other = n, .heads = {end}, .count = 1};
        w->heeds = true;
        return;
    }
}

void watch_past_open(struct warp *w, const struct inst *i, uint32_t lanes, uint32_t warps)
{
    if (w->heeds) go_on(w, i, lanes, ALL_LANES);
    if (!w->heeds) heed_other(w, i, lanes, warps);
}

bool watch_past_head(struct warp *w, const struct inst *head)
{
    struct watch_past *p = past_of(w);
    uint32_t k = 0;
    while (k < p->count && p->heads[k] != head) k++;
    if (!p->left) {
        if (k == sizeof p->heads / sizeof *p->heads) return true;
        if (k == p->count) p->heads[p->count++] = head;
        p->lanes[k] |= w->active & ~p->waiting;
        return true;
    }
    if (k == p->count || !(w->active & p->waiting)) return true;
    const uint32_t waits = (uint32_t)__builtin_ctz(p->waiting);
    const int line = (int)head[1].line;
    if (p->other != w->index)
        fault_set(w, p->at, waits, SIM_DIVERGED,
            "not all threads reach this barrier: warp %u went on to line %d without it", p->other, line);
    else
        fault_set(w, p->at, waits, SIM_DIVERGED,
            p->at_barrier
                ? "not all threads reach this barrier: a lane waits, and lane %d of the same warp went on to line %d"
                : "the mask names lane %d too, which went on to line %d without it",
            __builtin_ctz(p->lanes[k]), line);
    return false;
}
