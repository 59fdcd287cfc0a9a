// malloc and free, as a kernel calls them, and alloca. Each piece is an allocation of its own with a gap behind it, so
// that an access outside of it is found. A kernel that takes memory runs in one thread: what it gets is the same in
// every run, and the table of allocations changes under nobody's eyes.
// SPDX-License-Identifier: MIT
#include "sim/ops/heap.h"

#include "base/arena.h"
#include "sim/core/fault.h"
#include "sim/core/look.h"
#include "sim/core/recorder.h"
#include "sim/core/state.h"
#include "sim/watch/watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { UNIT = 16 };

struct piece {
    uint64_t at;
    size_t bytes; // with the gap
};
struct heap {
    void *map;
    size_t map_bytes;
    uint64_t lo, next;
    struct piece *spare; // given back
    size_t spare_count, spare_room;
};

static struct heap *heap_of(struct sim *s)
{
    if (s->heap) return s->heap;
    struct heap *h = mem_alloc(sizeof *h);
    *h = (struct heap){0};
    void *at = memory_map(HEAP_BYTES, &h->map, &h->map_bytes);
    h->lo = h->next = (uint64_t)(uintptr_t)at;
    if (at) s->memory.heap_lo = h->lo, s->memory.heap_hi = h->lo + HEAP_BYTES;
    s->heap = h;
    return h;
}

void heap_free(struct sim *s)
{
    struct heap *h = s->heap;
    if (!h) return;
    for (size_t i = s->memory.live_count; i-- > 0;) {
        const uint64_t lo = s->memory.live[i].lo;
        if (lo >= s->memory.heap_lo && lo < s->memory.heap_hi) memory_release(&s->memory, lo);
    }
    watch_forget(s->watch, s->memory.heap_lo);
    s->memory.heap_lo = s->memory.heap_hi = 0;
    if (h->map) munmap(h->map, h->map_bytes);
    free(h->spare);
    free(h);
    s->heap = NULL;
}

// 0: there is no room.
static uint64_t take(struct sim *s, uint64_t bytes)
{
    struct heap *h = heap_of(s);
    if (!bytes || bytes > HEAP_BYTES || !h->lo) return 0;
    const size_t whole = (size_t)(bytes + 2 * UNIT - 1) / UNIT * UNIT; // at least one byte between two pieces
    uint64_t at = 0;
    for (size_t i = h->spare_count; i-- > 0 && !at;)
        if (h->spare[i].bytes == whole) at = h->spare[i].at, h->spare[i] = h->spare[--h->spare_count];
    if (!at && whole <= h->lo + HEAP_BYTES - h->next) at = h->next, h->next += whole;
    for (size_t i = h->spare_count; i-- > 0 && !at;)
        if (h->spare[i].bytes > whole) {
            at = h->spare[i].at;
            h->spare[i].at += whole, h->spare[i].bytes -= whole;
        }
    if (!at) return 0;
    if (s->watch) watch_erase(s->watch, at, at + whole);
    memory_name(&s->memory, at, (size_t)bytes, "malloc");
    return at;
}

static bool give_back(struct sim *s, uint64_t at)
{
    struct heap *h = heap_of(s);
    const struct allocation *a = memory_find(&s->memory, at);
    if (!a || a->lo != at || at < s->memory.heap_lo || at >= s->memory.heap_hi) return false;
    mem_grow(&h->spare, &h->spare_room, h->spare_count + 1, sizeof *h->spare);
    h->spare[h->spare_count++] = (struct piece){at, (size_t)(a->hi - a->lo + 2 * UNIT - 1) / UNIT * UNIT};
    memory_release(&s->memory, at);
    return true;
}

static uint64_t *frame_at(const struct warp *w, uint32_t lane, uint32_t offset)
{
    return (uint64_t *)(void *)(w->frame + (size_t)w->block->frame_stride * lane + offset);
}

static HANDLER(allocate)
{
    const struct call *c = i->call;
    for (uint32_t m = mask; m && c->arg_count; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint64_t bytes;
        memcpy(&bytes, frame_at(w, lane, c->args[0].from), sizeof bytes);
        const uint64_t at = take(w->block->sim, bytes);
        if (c->result_count) memcpy(frame_at(w, lane, c->results[0].to), &at, sizeof at);
        w->block->heap_calls++;
    }
    if (w->block->recorder) recorder_heap(w, (uint32_t)__builtin_popcount(mask));
    if (w->block->view) look_work(w, i->line, SIM_WORK_HEAP, (uint64_t)__builtin_popcount(mask));
    return i + 1;
}

static HANDLER(release)
{
    for (uint32_t m = mask; m && i->call->arg_count; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint64_t at;
        memcpy(&at, frame_at(w, lane, i->call->args[0].from), sizeof at);
        w->block->heap_calls++;
        if (at && !give_back(w->block->sim, at))
            return fault_set(w, i, lane, SIM_ASSERT,
                "free of 0x%llx, which malloc did not give, or which has been given back", (unsigned long long)at);
    }
    // A piece that somebody else gets next is not the same one: its lines of last time must be looked up again.
    for (size_t n = 0; n < w->block->site_count; n++)
        w->sites[n].lo = w->sites[n].hi = 0, w->sites[n].quick = QUICK_NOT;
    return i + 1;
}

// alloca: r[0] the place in local memory, r[1] bytes, r[2] how much each lane has in use, `offset` the alignment.
static HANDLER(take_stack)
{
    u64 *d = SLOT(w, i->r[0]);
    const u64 *bytes = SLOT(w, i->r[1]);
    u32 *used = SLOT(w, i->r[2]);
    const uint64_t top = w->block->local_size, align = (uint64_t)i->offset; // a stack grows down
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint64_t wanted = bytes[lane] + used[lane], at = wanted > HEAP_STACK ? 0 : (top - wanted) / align * align;
        if (bytes[lane] > HEAP_STACK || at < top - HEAP_STACK)
            return fault_set(w, i, lane, SIM_ASSERT, "alloca of %llu bytes, where %u of %u are in use",
                (unsigned long long)bytes[lane], used[lane], HEAP_STACK);
        d[lane] = at;
        used[lane] = (uint32_t)(top - at);
    }
    return i + 1;
}

static HANDLER(save_stack)
{
    u64 *d = SLOT(w, i->r[0]);
    const u32 *used = SLOT(w, i->r[1]);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = used[l];
    return i + 1;
}

const struct op heap_ops[] = {{"malloc", NULL, allocate}, {"free", NULL, release}, {"alloca", NULL, take_stack},
    {"stacksave", NULL, save_stack}, {NULL, NULL, NULL}};
