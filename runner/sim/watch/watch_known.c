// What blocks know of each other. A store is visible to others from a fence on, or a release, and they may count on it
// once they have read, by an atomic or a volatile access, what its block wrote so after that fence. Each block has for
// each other one how much of it that has made known; every word that such accesses meet at has the same.
//
// Where a read has no such order its thread may see what was there before: a launch may be run so (`stale`).
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/core/state.h"
#include "sim/watch/watch_inside.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_PLACES = 1 << 12, SLOTS = 2 * MOST_PLACES, MOST_STALE = 1 << 16 };

struct watch_places { // words that blocks meet at
    struct {
        uint64_t word; // 0: none
        uint16_t *known;
    } slots[SLOTS];
    uint32_t count;
};

void watch_known_free(struct watch *x)
{
    for (size_t k = 0; x->places && k < SLOTS; k++) free(x->places->slots[k].known);
    free(x->places);
    x->places = NULL;
}

void watch_known_launch(struct watch *x, bool unsure)
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

void watch_known_start(struct watch_block *b)
{
    const struct watch *x = b->watch;
    b->knows = false;
    free(b->known);
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

void watch_meet_at(struct watch_block *b, uint64_t at, bool reads, bool writes)
{
    struct watch *x = b->watch;
    const uint16_t *there = x->unsure || !reads ? NULL : place_of(x, at, false);
    if (there) {
        add_known(x, b->known, there);
        b->knows = true;
    }
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
