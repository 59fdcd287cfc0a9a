// What a launch does, seen from the side of one who must explain it.
// SPDX-License-Identifier: MIT
#include "sim/core/look.h"

#include "sim/core/recorder.h"

#include "base/arena.h"
#include "sim/core/state.h"

#include <stdlib.h>
#include <string.h>

enum { SECTOR_SHIFT = 5 };

// Blocks that run at about the same time: what one of them has read the next finds in L2.
enum { TOGETHER = 2048 };

struct seen { // the sectors of an allocation
    uint64_t lo, hi;
    uint32_t *read;         // which block read it last, counted from 1 over all launches
    unsigned char *written; // a bit for each
};

struct look_kernel {
    const struct sim_kernel *kernel;
    struct sim_view_site *sites;
};

struct sim_view {
    struct seen *seen;
    size_t seen_count, seen_room, last;
    struct look_kernel *kernels;
    size_t kernel_count, kernel_room;
    struct sim_view_site *sites; // of the kernel that runs
    struct sim_view_line *lines;
    size_t line_count, line_room, line_last;
    struct sim_view_totals totals;
    bool stored;             // since the last load that was counted
    bool fresh;              // no load since a turn of a loop, or a warp, began
    const struct inst *head; // where the last one came
    const struct head_pace *paces;
    uint32_t warp;
    uint64_t block, block_turns; // the one that runs, counted from 1 over all launches; what it did
    uint32_t *writer; // by word of its shared memory: who wrote it last, counted from 1; 0: nobody who was seen
    size_t words;
    uint64_t constant_lo, constant_hi;
    uint64_t before, after; // blocks of earlier launches; with this one's
    uint64_t most;          // instructions; 0: as many as there are
    volatile bool *stop;
};

struct sim_view *sim_view_new(uint64_t instructions, volatile bool *stop)
{
    struct sim_view *v = mem_alloc(sizeof *v);
    *v = (struct sim_view){.most = instructions, .stop = stop};
    return v;
}

void sim_view_free(struct sim_view *v)
{
    if (!v) return;
    for (size_t i = 0; i < v->seen_count; i++) {
        free(v->seen[i].read);
        free(v->seen[i].written);
    }
    for (size_t i = 0; i < v->kernel_count; i++) free(v->kernels[i].sites);
    free(v->seen);
    free(v->kernels);
    free(v->lines);
    free(v->writer);
    free(v);
}

void look_launch(struct sim_view *v, const struct sim_kernel *k, uint64_t blocks)
{
    size_t i = 0;
    v->before = v->after;
    v->after += blocks;
    while (i < v->kernel_count && v->kernels[i].kernel != k) i++;
    if (i == v->kernel_count) {
        mem_grow(&v->kernels, &v->kernel_room, v->kernel_count + 1, sizeof *v->kernels);
        v->kernels[v->kernel_count++] =
            (struct look_kernel){k, mem_alloc((k->site_count + 1) * sizeof(struct sim_view_site))};
    }
    v->sites = v->kernels[i].sites;
    v->paces = k->paces;
    v->head = NULL;
    v->fresh = true;
}

static struct seen *seen_at(struct sim_view *v, const struct block *b, uint64_t at)
{
    if (v->last < v->seen_count && at >= v->seen[v->last].lo && at < v->seen[v->last].hi) return &v->seen[v->last];
    for (size_t i = 0; i < v->seen_count; i++)
        if (at >= v->seen[i].lo && at < v->seen[i].hi) return &v->seen[v->last = i];
    const struct allocation *a = memory_find(&b->sim->memory, at);
    if (!a) return NULL;
    const size_t sectors = (size_t)((a->hi - a->lo) >> SECTOR_SHIFT) + 2;
    mem_grow(&v->seen, &v->seen_room, v->seen_count + 1, sizeof *v->seen);
    v->seen[v->seen_count] =
        (struct seen){a->lo, a->hi, mem_alloc(sectors * sizeof(uint32_t)), mem_alloc(sectors / 8 + 1)};
    return &v->seen[v->last = v->seen_count++];
}

// How many bits are new.
static unsigned mark(unsigned char *bits, uint64_t from, uint64_t to)
{
    unsigned fresh = 0;
    for (uint64_t n = from; n <= to; n++) {
        const unsigned char bit = (unsigned char)(1u << n % 8);
        fresh += !(bits[n / 8] & bit);
        bits[n / 8] |= bit;
    }
    return fresh;
}

static void mark_read(struct sim_view *v, struct seen *s, uint64_t n, uint32_t block)
{
    struct sim_view_totals *t = &v->totals;
    const uint32_t last = s->read[n], beside = s->read[n ^ 1];
    const bool far = last && block - last > TOGETHER, alone = beside != block;
    s->read[n] = block;
    if (last == block) return;
    t->block_sectors++;
    t->block_pairs += alone; // memory is fetched by pairs of sectors
    t->read_sectors += !last;
    t->read_pairs += !last && !beside;
    t->far_pairs += far && alone;
}

static void mark_sectors(struct sim_view *v, struct warp *w, const struct inst *i, const uint64_t at[LANES],
    uint32_t mask, uint32_t bytes)
{
    const bool reads = i->memory->kind == ACCESS_LOAD || i->memory->kind == ACCESS_ATOMIC;
    const uint32_t block = (uint32_t)(v->before + w->block->linear + 1);
    uint64_t last = UINT64_MAX;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint64_t address = at[__builtin_ctz(m)];
        if (address >> SECTOR_SHIFT == last) continue;
        last = address >> SECTOR_SHIFT;
        struct seen *s = seen_at(v, w->block, address);
        if (!s) continue;
        const uint64_t from = (address - s->lo) >> SECTOR_SHIFT, to = (address + bytes - 1 - s->lo) >> SECTOR_SHIFT;
        for (uint64_t n = from; reads && n <= to; n++) mark_read(v, s, n, block);
        if (i->memory->kind != ACCESS_LOAD) v->totals.written_sectors += mark(s->written, from, to);
    }
}

// A word that was written in a way that is not seen here comes from others.
static void pass_words(struct sim_view *v, struct warp *w, const struct inst *i, const uint64_t at[LANES],
    uint32_t mask, uint32_t bytes)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m), me = w->index * LANES + lane + 1;
        for (uint64_t n = at[lane] >> 2; n <= (at[lane] + bytes - 1) >> 2 && n < v->words; n++) {
            const bool reads = i->memory->kind != ACCESS_STORE;
            v->totals.shared_reads += reads;
            v->totals.shared_passed += reads && v->writer[n] != me;
            v->writer[n] = i->memory->kind == ACCESS_LOAD ? v->writer[n] : i->memory->kind == ACCESS_STORE ? me : 0;
        }
    }
}

static void begin_block(struct sim_view *v, struct warp *w)
{
    const uint64_t block = v->before + w->block->linear + 1;
    if (v->block == block) return;
    v->block = block;
    v->block_turns = 0;
    v->totals.blocks++;
    v->words = w->block->shared_size / 4 + 1;
    free(v->writer);
    v->writer = mem_alloc(v->words * sizeof *v->writer);
}

static void keep_worst(struct sim_view_site *s, struct warp *w, const struct inst *i, const uint64_t at[LANES],
    uint32_t mask, enum space space, uint32_t bytes)
{
    const struct site *cost = &w->sites[i->site];
    if (s->accesses++ && cost->units <= s->units) return;
    s->units = cost->units;
    s->mask = mask;
    s->bytes = bytes;
    s->space = space == SPACE_SHARED ? SIM_SPACE_SHARED : space == SPACE_LOCAL ? SIM_SPACE_LOCAL : SIM_SPACE_GLOBAL;
    memcpy(s->at, at, sizeof s->at);
    const struct allocation *a =
        space == SPACE_GLOBAL ? memory_find(&w->block->sim->memory, at[__builtin_ctz(mask)]) : NULL;
    const struct memory *all = &w->block->sim->memory;
    s->buffer = !a ? NULL : a->lo >= all->heap_lo && a->lo < all->heap_hi ? "malloc" : a->name; // those are given back
}

void look_access(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask, enum space space,
    uint32_t bytes)
{
    struct sim_view *v = w->block->view;
    struct sim_view_site *s = &v->sites[i->site];
    if (space > SPACE_LOCAL) return;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint64_t address = at[__builtin_ctz(m)];
        if (!s->accesses || address < s->lo) s->lo = address;
        if (!s->accesses || address + bytes > s->hi) s->hi = address + bytes;
    }
    keep_worst(s, w, i, at, mask, space, bytes);
    if (space == SPACE_SHARED) pass_words(v, w, i, at, mask, bytes);
    if (space != SPACE_GLOBAL) return;
    mark_sectors(v, w, i, at, mask, bytes);
    // A load that may read what was just stored waits for it, and the store for what it stores.
    const bool behind = (v->stored && !i->memory->cached) || i->memory->waits;
    if (i->memory->kind == ACCESS_LOAD && (v->fresh || behind)) v->totals.rounds++, v->fresh = v->stored = false;
    v->stored |= i->memory->kind == ACCESS_STORE && !v->fresh;
}

static struct sim_view_line *line_at(struct sim_view *v, int line)
{
    if (v->line_last < v->line_count && v->lines[v->line_last].line == line) return &v->lines[v->line_last];
    size_t i = 0;
    while (i < v->line_count && v->lines[i].line != line) i++;
    if (i == v->line_count) {
        mem_grow(&v->lines, &v->line_room, v->line_count + 1, sizeof *v->lines);
        v->lines[v->line_count++] = (struct sim_view_line){.line = line};
    }
    return &v->lines[v->line_last = i];
}

void look_work(struct warp *w, int line, enum sim_work kind, uint64_t amount)
{
    line_at(w->block->view, line)->work[kind] += amount;
}

void look_constant(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask)
{
    struct sim_view *v = w->block->view;
    uint64_t words[LANES];
    uint32_t count = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint64_t here = at[__builtin_ctz(m)], word = here >> 2;
        if (!v->constant_hi || here < v->constant_lo) v->constant_lo = here;
        if (here + 4 > v->constant_hi) v->constant_hi = here + 4;
        uint32_t k = 0;
        while (k < count && words[k] != word) k++;
        if (k == count) words[count++] = word;
    }
    v->totals.constant_bytes = v->constant_hi - v->constant_lo;
    look_work(w, i->line, SIM_WORK_CONSTANT, count - 1);
    if (w->block->recorder) recorder_constant(w, at, mask);
}

// What is loaded behind it is not asked for in front of it.
void look_barrier(struct warp *w) { w->block->view->fresh = true; }

void look_head(struct warp *w, const struct inst *i)
{
    struct sim_view *v = w->block->view;
    const uint64_t active = (uint64_t)__builtin_popcount(w->active), live = (uint64_t)__builtin_popcount(w->live);
    // Loads on the way forward need not wait for each other: conditions around them become predicates. Where what was
    // loaded decides about the way they do.
    const bool decided = v->head && v->paces[v->head->r[1]].decides;
    v->fresh = v->fresh || i <= v->head || w->index != v->warp || decided;
    v->stored &= !v->fresh;
    v->head = i;
    v->warp = w->index;
    begin_block(v, w);
    v->block_turns += i->r[0];
    if (v->block_turns > v->totals.block_most) v->totals.block_most = v->block_turns;
    for (const struct head_work *k = i->work; k; k = k->next) look_work(w, k->line, k->kind, k->turns);
    v->totals.instructions += i->r[0];
    v->totals.lanes += i->r[0] * active;
    v->totals.idle += i->r[0] * (live - active);
    struct sim_view_line *l = line_at(v, i->line);
    l->instructions += i->r[0];
    l->lanes += i->r[0] * active;
    l->idle += i->r[0] * (live - active);
    if (v->most && v->totals.instructions > v->most) *v->stop = true;
}

void look_weigh(struct sim_view *v, double weight) { v->totals.weighed += weight * (double)v->block_turns; }

const struct sim_view_totals *sim_view_totals(const struct sim_view *v) { return &v->totals; }

size_t sim_view_lines(const struct sim_view *v, const struct sim_view_line **lines)
{
    *lines = v->lines;
    return v->line_count;
}

const struct sim_view_site *sim_view_site(const struct sim_view *v, const struct sim_kernel *k, uint32_t number)
{
    for (size_t i = 0; i < v->kernel_count; i++)
        if (v->kernels[i].kernel == k && number < k->site_count) return &v->kernels[i].sites[number];
    return NULL;
}
