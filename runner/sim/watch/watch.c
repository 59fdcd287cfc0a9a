// The cells beside memory and the clocks of the warps: made, moved on, forgotten.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/core/state.h"
#include "sim/watch/watch_inside.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Accesses by lanes of a point, where not every one is to be watched: a tenth of a second or so at most. To watch one
// costs as much as two instructions of a warp, and all of it shall cost half of the rest at most: a quarter as many as
// there are instructions, but never so few that less would save nothing beside the start of the program.
#define MOST_WATCHED ((uint64_t)1 << 22)
#define LEAST_WATCHED ((uint64_t)3 << 19)
enum { WATCH_USUAL = 64 }; // of more blocks each is watched no less, until all is spent

struct watch *watch_new(void)
{
    struct watch *x = mem_alloc(sizeof *x);
    *x = (struct watch){.base = 1, .next = 1, .left = MOST_WATCHED};
    return x;
}

static size_t cell_bytes(const struct watched *r)
{
    return (size_t)((r->hi - r->lo + WORD - 1) / WORD * sizeof(struct watch_cell));
}

static void drop(struct watched *r)
{
    if (r->cells) munmap(r->cells, cell_bytes(r));
    if (r->old) munmap(r->old, (size_t)((r->hi - r->lo + WORD - 1) / WORD * sizeof *r->old));
}

void watch_free(struct watch *x)
{
    if (!x) return;
    for (size_t i = 0; i < x->count; i++) drop(&x->ranges[i]);
    watch_known_free(x);
    free(x->ranges);
    free(x->told);
    free(x);
}

void watch_forget(struct watch *x, uint64_t lo)
{
    for (size_t i = 0; x && i < x->count; i++)
        if (x->ranges[i].lo == lo) {
            drop(&x->ranges[i]);
            x->ranges[i] = x->ranges[--x->count];
            x->last = 0;
            return;
        }
}

// Pages of cells cost nothing until somebody touches them.
static struct watched *add_range(struct watch *x, uint64_t lo, uint64_t hi)
{
    mem_grow(&x->ranges, &x->room, x->count + 1, sizeof *x->ranges);
    struct watched *r = &x->ranges[x->count++];
    *r = (struct watched){.lo = lo, .hi = hi};
    void *p = mmap(NULL, cell_bytes(r), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    r->cells = p == MAP_FAILED ? NULL : p;
    return r;
}

void watch_erase(struct watch *x, uint64_t lo, uint64_t hi)
{
    for (size_t i = 0; i < x->count; i++) {
        const struct watched *r = &x->ranges[i];
        if (lo < r->lo || hi > r->hi || !r->cells) continue;
        memset(r->cells + (lo - r->lo) / WORD, 0, (size_t)(hi - lo) / WORD * sizeof *r->cells);
    }
}

void watch_undefine(struct watch *x, uint64_t lo, uint64_t hi)
{
    watch_forget(x, lo);
    add_range(x, lo, hi)->undefined = true;
}

struct watched *watch_range(struct watch *x, const struct memory *memory, uint64_t at)
{
    if (x->last < x->count && at - x->ranges[x->last].lo < x->ranges[x->last].hi - x->ranges[x->last].lo)
        return &x->ranges[x->last];
    for (x->last = 0; x->last < x->count; x->last++)
        if (at - x->ranges[x->last].lo < x->ranges[x->last].hi - x->ranges[x->last].lo) return &x->ranges[x->last];
    const struct allocation *a = memory_find(memory, at);
    if (a && at - memory->heap_lo < memory->heap_hi - memory->heap_lo) { // its pieces are too many for a range each
        struct watched *r = add_range(x, memory->heap_lo, memory->heap_hi);
        r->undefined = true;
        return r;
    }
    if (!a) return NULL; // not met, the access has been checked
    struct watched *r = add_range(x, a->lo, a->hi);
    r->locked = a->locked;
    return r;
}

void watch_launch(struct watch *x, const struct sim_kernel *k, uint64_t blocks, uint32_t most, bool together,
    bool stale, struct sim_races *races)
{
    const bool whole = blocks <= most;
    x->blocks = blocks;
    x->among = most > WATCH_USUAL && most != UINT32_MAX ? WATCH_USUAL : most;
    if (x->among > blocks) x->among = blocks;
    x->each = most == UINT32_MAX ? UINT32_MAX : (uint32_t)(LEAST_WATCHED / x->among);
    if (most == UINT32_MAX) x->left = UINT64_MAX;
    x->base = x->next;
    x->partial |= !whole;
    x->kernel = k;
    x->races = races;
    x->stale = stale;
    x->memory = &k->module->sim->memory;
    x->stales = 0;
    watch_known_launch(x, !whole || together);
    for (size_t i = 0; i < x->count; i++) {
        const struct allocation *a = memory_find(&k->module->sim->memory, x->ranges[i].lo);
        x->ranges[i].locked = a && a->locked;
    }
    if (x->base < MOST_BLOCKS / 2) return;
    // Half of the numbers are used up: begin anew. What was written is forgotten with the old marks.
    for (size_t i = 0; i < x->count; i++) drop(&x->ranges[i]);
    x->count = 0;
    x->partial = true;
    x->base = x->next = 1;
}

void watch_ends(struct watch *x) { watch_refresh(x); }

struct watch_block *watch_block_new(struct watch *x, uint32_t shared_bytes, uint32_t local_bytes, uint32_t warps)
{
    struct watch_block *b = mem_alloc(sizeof *b);
    *b = (struct watch_block){
        .watch = x, .shared_bytes = shared_bytes, .local_bytes = (local_bytes + 7) / 8 * 8, .warps = warps};
    b->local = mem_alloc((size_t)b->local_bytes / 8 * LANES * warps + 1);
    b->shared = mem_alloc((shared_bytes / WORD + 1) * sizeof *b->shared);
    b->flight = watch_flight_new(shared_bytes / WORD + 1);
    return b;
}

void watch_block_free(struct watch_block *b)
{
    if (!b) return;
    watch_flight_free(b->flight);
    free(b->shared);
    free(b->local);
    free(b->known);
    free(b);
}

void watch_block_start(struct watch_block *b, uint64_t spent)
{
    struct watch *x = b->watch;
    if (spent && x->each != UINT32_MAX) {
        const uint64_t all = spent / 4 < MOST_WATCHED / x->blocks ? spent * x->blocks / 4 : MOST_WATCHED;
        x->each = (uint32_t)((all > LEAST_WATCHED ? all : LEAST_WATCHED) / x->among);
    }
    b->number = x->next < MOST_BLOCKS ? x->next++ : MOST_BLOCKS;
    b->asked = false;
    watch_known_start(b);
    b->left = x->each;
    mem_grow(&x->told, &x->told_room, b->number + 1u, sizeof *x->told);
    x->told[b->number] = 0;
    memset(b->shared, 0, (b->shared_bytes / WORD + 1) * sizeof *b->shared);
    memset(b->local, 0, (size_t)b->local_bytes / 8 * LANES * b->warps);
    watch_flight_start(b->flight);
    memset(b->seen, 0, sizeof b->seen);
    memset(b->arrived, 0, sizeof b->arrived);
    memset(b->proxied, 0, sizeof b->proxied);
    memset(b->past, 0, sizeof b->past);
    for (uint32_t w = 0; w < LANES; w++) b->time[w] = 1;
}

static void tick(struct watch_block *b, uint32_t warp)
{
    if (b->time[warp] < MOST_TIME) b->time[warp]++;
}

void watch_meet(struct warp *w) { tick(w->block->watch, w->index); }

void watch_all_met(struct warp *w)
{
    struct watch_block *b = w->block->watch;
    for (uint32_t n = 0; n < b->warps; n++) {
        b->seen[w->index][n] = b->time[n];
        tick(b, n);
    }
}

void watch_tell(struct watch_block *b)
{
    if (b->watch->told[b->number] < MOST_TOLD) b->watch->told[b->number]++;
}

void watch_fence(struct warp *w, bool for_all)
{
    if (for_all) watch_publish(w->block->watch);
    else watch_tell(w->block->watch);
}

void watch_cluster_met(struct block *b)
{
    watch_publish(b->watch);
    b->watch->asked = true;
}

void watch_proxy(struct warp *w)
{
    struct watch_block *b = w->block->watch;
    memcpy(b->proxied[w->index], b->seen[w->index], sizeof b->seen[w->index]);
    b->proxied[w->index][w->index] = b->time[w->index];
    tick(b, w->index);
}

static void join(uint32_t *into, const struct watch_block *b, uint32_t warp)
{
    for (uint32_t n = 0; n < b->warps; n++)
        if (into[n] < b->seen[warp][n]) into[n] = b->seen[warp][n];
    if (into[warp] < b->time[warp]) into[warp] = b->time[warp];
}

void watch_arrive(struct warp *w, uint32_t id)
{
    join(w->block->watch->arrived[id], w->block->watch, w->index);
    tick(w->block->watch, w->index);
}

void watch_open(struct block *block, uint32_t id, uint32_t warps)
{
    struct watch_block *b = block->watch;
    for (uint32_t m = warps; m; m &= m - 1) join(b->arrived[id], b, (uint32_t)__builtin_ctz(m));
    for (uint32_t m = warps; m; m &= m - 1) {
        const uint32_t n = (uint32_t)__builtin_ctz(m);
        memcpy(b->seen[n], b->arrived[id], sizeof b->seen[n]);
        tick(b, n);
    }
    memset(b->arrived[id], 0, sizeof b->arrived[id]);
}
