// The cells beside memory and the clocks of the warps: made, moved on, forgotten.
// SPDX-License-Identifier: MIT
#include "sim/watch/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "sim/core/fault.h"
#include "sim/core/state.h"
#include "sim/watch/watch_inside.h"

// Copies to shared memory that go on by themselves: until they have been waited for, nobody may look at what they
// write. A thread's own copies are counted in groups; a bulk copy belongs to a phase of a barrier.

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

// Of shared memory
static struct watch_flight *watch_flight_new(uint32_t words)
{
    struct watch_flight *f = mem_alloc(sizeof *f);
    *f = (struct watch_flight){
        .words = mem_alloc((words + 1) * sizeof *f->words), .copied = mem_alloc(words + 1), .count = words};
    return f;
}

static void watch_flight_free(struct watch_flight *f)
{
    if (!f) return;
    free(f->words);
    free(f->copied);
    free(f->bulk);
    free(f);
}

static void watch_flight_start(struct watch_flight *f)
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

// What blocks know of each other. A store is visible to others from a fence on, or a release, and they may count on it
// once they have read, by an atomic or a volatile access, what its block wrote so after that fence. Who only looks has
// a fence behind it, before it reads by plain loads. (Who changes the word too, as the last of all blocks does, has
// none in NVIDIA's own examples.) Each block has for each other one how much of it that has made known; every word that
// such accesses meet at has the same.
//
// Where a read has no such order its thread may see what was there before: a launch may be run so (`stale`).

enum { MOST_PLACES = 1 << 12, SLOTS = 2 * MOST_PLACES, MOST_STALE = 1 << 16 };

struct watch_places { // words that blocks meet at
    struct {
        uint64_t word; // 0: none
        uint16_t *known;
    } slots[SLOTS];
    uint32_t count;
};

static void watch_known_free(struct watch *x)
{
    for (size_t k = 0; x->places && k < SLOTS; k++) free(x->places->slots[k].known);
    free(x->places);
    x->places = NULL;
}

static void watch_known_launch(struct watch *x, bool unsure)
{
    watch_known_free(x);
    x->unsure = unsure || x->blocks > WATCH_MOST_KNOWN;
}

bool watch_has_met(const struct watch_block *b, struct watch_mark m)
{
    return b->asked && m.block != b->number && b->watch->told[m.block] > m.told;
}

bool watch_knows(const struct watch_block *b, struct watch_mark m)
{
    if (b->watch->unsure) return watch_has_met(b, m);
    return b->known[m.block - b->watch->base] > m.told;
}

bool watch_hears(const struct watch_block *b, struct watch_mark m)
{
    return !b->watch->unsure && b->heard && b->heard[m.block - b->watch->base] > m.told;
}

static void known_end(struct watch_block *b)
{
    free(b->known);
    free(b->heard);
    b->known = b->heard = NULL;
    b->knows = false;
}

static void watch_known_start(struct watch_block *b)
{
    const struct watch *x = b->watch;
    known_end(b);
    b->known = x->unsure ? NULL : mem_alloc((size_t)x->blocks * sizeof *b->known);
}

void watch_publish(struct watch_block *b)
{
    struct watch *x = b->watch;
    watch_tell(b);
    if (x->unsure) return;
    b->known[b->number - x->base] = x->told[b->number];
    b->knows = true;
}

// The word's knowledge; NULL: it has none, and gets none.
static uint16_t *place_of(struct watch *x, uint64_t at, bool add)
{
    const uint64_t word = at / WORD;
    size_t k = (word * 0x9e3779b97f4a7c15u >> 40) % SLOTS;
    if (!x->places && !add) return NULL;
    if (!x->places) x->places = mem_alloc(sizeof *x->places);
    for (; x->places->slots[k].word; k = (k + 1) % SLOTS)
        if (x->places->slots[k].word == word) return x->places->slots[k].known;
    if (!add) return NULL;
    if (x->places->count++ == MOST_PLACES) { // too many to tell
        x->unsure = true;
        return NULL;
    }
    x->places->slots[k].word = word;
    return x->places->slots[k].known = mem_alloc((size_t)x->blocks * sizeof(uint16_t));
}

static void add_known(const struct watch *x, uint16_t *restrict to, const uint16_t *restrict from)
{
    const size_t n = x->next - x->base; // the others have not begun
    for (size_t k = 0; k < n; k++) to[k] = to[k] > from[k] ? to[k] : from[k];
}

void watch_heed(struct watch_block *b)
{
    if (b->watch->unsure || !b->heard) return;
    add_known(b->watch, b->known, b->heard);
    b->knows = true;
}

void watch_meet_at(struct watch_block *b, uint64_t at, bool reads, bool writes, bool looks)
{
    struct watch *x = b->watch;
    const uint16_t *there = x->unsure || !reads ? NULL : place_of(x, at, false);
    if (there && looks && !b->heard) b->heard = mem_alloc((size_t)x->blocks * sizeof *b->heard);
    if (there) add_known(x, looks ? b->heard : b->known, there);
    b->knows |= there && !looks;
    uint16_t *to = x->unsure || !writes || !b->knows ? NULL : place_of(x, at, true);
    if (to) add_known(x, to, b->known);
}

static uint32_t *old_of(struct watch *x, struct watched *r, uint64_t at)
{
    const size_t words = (size_t)((r->hi - r->lo + WORD - 1) / WORD);
    if (!r->old) {
        void *p = mmap(NULL, words * sizeof *r->old, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) x->stale = false; // no memory for it: this run finds nothing
        else r->old = p;
    }
    return r->old ? r->old + (at - r->lo) / WORD : NULL;
}

// What stands there now is what others may still see, unless this block has stored there before and told nobody.
void watch_keep_old(struct watch_block *b, const struct watch_cell *c, uint64_t at)
{
    struct watch *x = b->watch;
    const struct watch_mark m = c->mark[SEEN_WRITE];
    struct watched *r = x->stale ? watch_range(x, x->memory, at) : NULL;
    if (!r || (m.block == b->number && !(c->site[SEEN_WRITE] & STRONG) && x->told[b->number] == m.told)) return;
    uint32_t *old = old_of(x, r, at);
    if (old) memcpy(old, (const void *)(uintptr_t)(at / WORD * WORD), WORD);
}

// These bytes of the word are as they were before, until watch_refresh. Who looks again and again sees it in the end.
void watch_see_old(struct watch *x, uint64_t at, uint32_t bytes, bool once)
{
    struct watched *r = watch_range(x, x->memory, at);
    uint32_t *old = r ? old_of(x, r, at) : NULL;
    const uint64_t word = at / WORD * WORD;
    uint32_t now;
    for (size_t k = 0; k < x->seen_count; k++)
        if (x->seen[k].word == word) return;
    if (!old || x->seen_count == sizeof x->seen / sizeof *x->seen || x->stales++ > MOST_STALE) return;
    memcpy(&now, (const void *)(uintptr_t)word, WORD);
    x->seen[x->seen_count++] = (struct watch_seen){word, now};
    for (uint32_t k = 0; k < WORD; k++)
        if (bytes >> k & 1) memcpy((unsigned char *)(uintptr_t)word + k, (const unsigned char *)old + k, 1);
    if (once) *old = now;
}

void watch_refresh(struct watch *x)
{
    for (; x->seen_count; x->seen_count--) {
        const struct watch_seen *s = &x->seen[x->seen_count - 1];
        memcpy((void *)(uintptr_t)s->word, &s->now, WORD);
    }
}

// What a thread does with what is its own: local memory that it reads without having written it, and the way that its
// warp's lanes take while others wait for them.

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

// Another warp has ended without the barrier, and behind a place that these lanes may still come to. Of machine code
// also lanes of the same warp: who leaves a loop may go on before the others wait.
static void heed_ended(struct warp *w, const struct inst *i, uint32_t lanes, uint32_t warps)
{
    struct watch_past *p = past_of(w);
    for (uint32_t n = 0; n < w->block->warp_count; n++) {
        const struct inst *end = w->block->watch->past[n].end;
        const uint32_t own = w->machine && n == w->index ? w->start & ~w->live : 0;
        if (((warps >> n & 1) && !own) || !end) continue;
        *p = (struct watch_past){.at = i,
            .waiting = lanes,
            .at_barrier = true,
            .left = true,
            .other = n,
            .heads = {end},
            .lanes = {own},
            .count = 1,
            .end = p->end};
        w->heeds = true;
        return;
    }
}

// No mistake on today's GPUs, but the rule for __syncthreads() is that all threads come.
static void tell_exits(const struct warp *w, const struct inst *i)
{
    struct sim_races *r = w->block->watch->watch->races;
    for (uint32_t n = 0; !r->exits && n < w->block->warp_count; n++) {
        const struct warp *other = block_warp(w->block, n);
        const uint32_t gone = other->start & ~other->live;
        if (!gone) continue;
        char place[FAULT_PLACE];
        fault_place(w->block->kernel, i, place);
        r->exits = 1;
        snprintf(r->exits_what, sizeof r->exits_what,
            "lane %d of warp %u in block (%u,%u,%u) has ended before the barrier%s, where others wait: a GPU opens it "
            "for those that are left, and the rule is that all threads come",
            __builtin_ctz(gone), n, w->block->id[0], w->block->id[1], w->block->id[2], place);
    }
}

void watch_past_open(struct warp *w, const struct inst *i, uint32_t lanes, uint32_t warps)
{
    tell_exits(w, i);
    if (w->heeds) go_on(w, i, lanes, ALL_LANES);
    if (!w->heeds) heed_ended(w, i, lanes, warps);
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
    known_end(b);
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
    if (!for_all) watch_tell(w->block->watch);
    else watch_heed(w->block->watch), watch_publish(w->block->watch);
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
