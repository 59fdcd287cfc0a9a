// Copies to shared memory that go on by themselves: until they have been waited for, nobody may look at what they
// write. A thread's own copies are counted in groups; a bulk copy belongs to a phase of a barrier.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/watch/watch_inside.h"

#include <stdlib.h>

enum { MOST_GROUP = 0xfffd, SOURCE = 0xfffe, BULK = 0xffff, KEPT = 8 };

// A thread's groups of copies: how many have been closed, how many of these have ended, and when the last ones did.
struct flight_thread {
    uint16_t closed, ended;
    uint16_t followed; // a barrier counts these groups; 0: none
    uint32_t bulk;     // groups of copies in bulk that have been closed
    uint32_t time[KEPT];
};
struct flight_bulk {
    uint64_t barrier, global; // global: where the other side is; 0: not known
    uint32_t shared, bytes, phase;
    uint32_t thread, group; // out of shared memory: whose, and in which of its groups
    int line;
    bool out, read; // read: shared memory may be written again
};
struct watch_flight {
    // Of shared memory: the group that is to write it, and one; BULK; SOURCE: it is still read; 0: nothing is under way
    uint16_t *words;
    bool *copied; // it was last written by a copy
    uint32_t count;
    bool any_followed;
    struct flight_thread threads[MOST_THREAD + 1];
    struct flight_bulk *bulk;
    size_t bulk_count, bulk_room;
};

struct watch_flight *watch_flight_new(uint32_t words)
{
    struct watch_flight *f = mem_alloc(sizeof *f);
    *f = (struct watch_flight){
        .words = mem_alloc((words + 1) * sizeof *f->words), .copied = mem_alloc(words + 1), .count = words};
    return f;
}

void watch_flight_free(struct watch_flight *f)
{
    if (!f) return;
    free(f->words);
    free(f->copied);
    free(f->bulk);
    free(f);
}

void watch_flight_start(struct watch_flight *f)
{
    for (uint32_t n = 0; n < f->count; n++) f->words[n] = 0;
    for (uint32_t n = 0; n <= MOST_THREAD; n++) f->threads[n] = (struct flight_thread){0};
    f->bulk_count = 0;
    f->any_followed = false;
}

// Ends a thread's groups before `group`, now.
static void end_groups(struct warp *w, struct flight_thread *t, uint32_t group)
{
    for (; t->ended < group; t->ended++) t->time[t->ended % KEPT] = w->block->watch->time[w->index];
}

static struct flight_thread *thread_of(struct warp *w, uint32_t lane)
{
    return &w->block->watch->flight->threads[(w->index * LANES + lane) & MOST_THREAD];
}

void watch_commit(struct warp *w, uint32_t mask)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        struct flight_thread *t = thread_of(w, (uint32_t)__builtin_ctz(m));
        if (t->closed < MOST_GROUP - 1) t->closed++;
    }
}

void watch_wait(struct warp *w, uint32_t mask, uint32_t left)
{
    if (left == WATCH_WAIT_ALL) watch_commit(w, mask), left = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        struct flight_thread *t = thread_of(w, (uint32_t)__builtin_ctz(m));
        if (t->closed > left) end_groups(w, t, t->closed - left);
    }
}

void watch_follow(struct warp *w, uint32_t mask)
{
    watch_commit(w, mask);
    for (uint32_t m = mask; m; m &= m - 1) {
        struct flight_thread *t = thread_of(w, (uint32_t)__builtin_ctz(m));
        t->followed = t->closed;
    }
    w->block->watch->flight->any_followed = true;
}

void watch_bulk(struct warp *w, uint32_t to, uint32_t bytes, uint64_t barrier, uint32_t phase)
{
    struct watch_flight *f = w->block->watch->flight;
    for (uint32_t n = to / WORD; n < (to + bytes) / WORD && n < f->count; n++) f->words[n] = BULK;
    mem_grow(&f->bulk, &f->bulk_room, f->bulk_count + 1, sizeof *f->bulk);
    f->bulk[f->bulk_count++] = (struct flight_bulk){.barrier = barrier, .shared = to, .bytes = bytes, .phase = phase};
}

void watch_bulk_from(struct warp *w, const struct inst *i, uint64_t global)
{
    struct watch_flight *f = w->block->watch->flight;
    if (!f->bulk_count || f->bulk[f->bulk_count - 1].out) return;
    f->bulk[f->bulk_count - 1].global = global;
    f->bulk[f->bulk_count - 1].line = i->line;
}

void watch_bulk_out(struct warp *w, const struct inst *i, uint32_t lane, uint32_t from, uint64_t to, uint32_t bytes)
{
    struct watch_flight *f = w->block->watch->flight;
    for (uint32_t n = from / WORD; n < (from + bytes) / WORD && n < f->count; n++) f->words[n] = SOURCE;
    mem_grow(&f->bulk, &f->bulk_room, f->bulk_count + 1, sizeof *f->bulk);
    f->bulk[f->bulk_count++] = (struct flight_bulk){.global = to,
        .shared = from,
        .bytes = bytes,
        .thread = (w->index * LANES + lane) & MOST_THREAD,
        .group = thread_of(w, lane)->bulk + 1,
        .line = i->line,
        .out = true};
}

void watch_bulk_commit(struct warp *w, uint32_t mask)
{
    for (uint32_t m = mask; m; m &= m - 1) thread_of(w, (uint32_t)__builtin_ctz(m))->bulk++;
}

// Shared memory was read until now, not when the copy was asked for.
static void end_reading(struct warp *w, struct flight_bulk *b)
{
    struct watch_block *block = w->block->watch;
    for (uint32_t n = b->shared / WORD; n < (b->shared + b->bytes) / WORD && n < block->flight->count; n++) {
        struct watch_mark *m = &block->shared[n].mark[SEEN_READ];
        if (block->flight->words[n] == SOURCE) block->flight->words[n] = 0;
        if (m->block == block->number && m->thread == b->thread) m->time = block->time[w->index] & MOST_TIME;
    }
    b->read = true;
}

void watch_bulk_wait(struct warp *w, uint32_t mask, uint32_t left, bool read)
{
    struct watch_flight *f = w->block->watch->flight;
    for (size_t k = f->bulk_count; k-- > 0;) {
        struct flight_bulk *b = &f->bulk[k];
        if (!b->out || b->thread / LANES != w->index || !(mask >> b->thread % LANES & 1)) continue;
        if (b->group + left > thread_of(w, b->thread % LANES)->bulk) continue;
        if (!b->read) end_reading(w, b);
        if (!read) f->bulk[k] = f->bulk[--f->bulk_count];
    }
}

int watch_bulk_meets(const struct warp *w, uint64_t at, uint32_t bytes, bool writes, bool *is_read)
{
    const struct watch_flight *f = w->block->watch->flight;
    for (size_t k = 0; k < f->bulk_count; k++) {
        const struct flight_bulk *b = &f->bulk[k];
        if (!b->global || at >= b->global + b->bytes || b->global >= at + bytes || (!b->out && !writes)) continue;
        *is_read = !b->out;
        return b->line;
    }
    return -1;
}

void watch_phase(struct warp *w, uint64_t barrier, uint32_t phase)
{
    struct watch_flight *f = w->block->watch->flight;
    for (size_t k = f->bulk_count; k-- > 0;) {
        const struct flight_bulk b = f->bulk[k];
        if (b.out || b.barrier != barrier || b.phase != phase) continue;
        for (uint32_t n = b.shared / WORD; n < (b.shared + b.bytes) / WORD && n < f->count; n++)
            if (f->words[n] == BULK) f->words[n] = 0;
        f->bulk[k] = f->bulk[--f->bulk_count];
    }
    for (uint32_t n = 0; f->any_followed && n <= MOST_THREAD; n++) {
        end_groups(w, &f->threads[n], f->threads[n].followed);
        f->threads[n].followed = 0;
    }
    f->any_followed = false;
}

void watch_flight_note(struct warp *w, uint32_t lane, uint32_t word)
{
    struct watch_flight *f = w->block->watch->flight;
    const uint32_t group = thread_of(w, lane)->closed;
    f->words[word] = group < MOST_GROUP - 1 ? (uint16_t)(group + 1) : 0;
    f->copied[word] = true;
}

enum flight watch_in_flight(struct warp *w, struct watch_cell *c, uint32_t word)
{
    struct watch_flight *f = w->block->watch->flight;
    const uint16_t group = f->words[word];
    if (!group) return FLIGHT_NONE;
    if (group == SOURCE) return FLIGHT_READS;
    if (group == BULK) return FLIGHT_WRITES;
    const struct flight_thread *t = &f->threads[c->mark[SEEN_WRITE].thread];
    if (group > t->ended) return FLIGHT_WRITES;
    // It has been written when its thread had waited for it, not when it was asked for.
    if (t->ended - group < KEPT) c->mark[SEEN_WRITE].time = t->time[(group - 1) % KEPT] & MOST_TIME;
    f->words[word] = 0;
    return FLIGHT_NONE;
}

bool watch_was_copied(const struct watch_block *b, uint32_t word) { return b->flight->copied[word]; }

void watch_landed(struct warp *w, uint32_t word)
{
    w->block->watch->flight->words[word] = 0;
    w->block->watch->flight->copied[word] = false;
}
