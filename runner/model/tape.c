// Keeps calls to the model, a few words each, in the order in which they came. A replay makes them again, to a model of
// the device or of a slice of it.
// SPDX-License-Identifier: MIT
#include "model/tape.h"

#include "base/arena.h"
#include "model/tape_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES_MOST = 8, GROUP = 64, BLOCKS_MOST = 1024, BLOCKS_LEAST = 16 };
#define MOST_WORDS ((size_t)3 << 19)

struct tape *tape_new(void)
{
    struct tape *t = mem_alloc(sizeof *t);
    tape_clear(t);
    return t;
}

void tape_clear(struct tape *t)
{
    for (size_t k = 0; k < t->count; k++) {
        struct tape_launch *l = &t->launches[k];
        free(l->entry), free(l->words), free(l->blocks), free(l->parts);
    }
    free(t->launches);
    free(t->known);
    *t = (struct tape){.known = mem_alloc(sizeof *t->known)};
}

void tape_free(struct tape *t)
{
    if (t) tape_clear(t), free(t->known);
    free(t);
}

bool tape_begin(struct tape *t, const char *entry, const struct model_launch *launch, bool chosen)
{
    const uint64_t warps = launch->blocks * launch->warps;
    t->all_warps += (double)warps;
    t->all_launches++;
    for (size_t k = 0; k < t->count; k++) {
        struct tape_launch *l = &t->launches[k];
        if (strcmp(l->entry, entry) != 0 || l->launch.blocks != launch->blocks || l->launch.warps != launch->warps)
            continue;
        l->times++;
        t->kept_warps += (double)warps;
        return false;
    }
    if (t->count == LAUNCHES_MOST) return false;
    mem_grow(&t->launches, &t->room, t->count + 1, sizeof *t->launches);
    struct tape_launch *l = &t->launches[t->count++];
    char *name = mem_alloc(strlen(entry) + 1);
    *l = (struct tape_launch){.entry = strcpy(name, entry), .launch = *launch, .times = 1, .chosen = chosen};
    l->each = 1;
    l->group = launch->blocks;
    t->kept_warps += (double)warps;
    return true;
}

static struct tape_launch *now(struct tape *t) { return &t->launches[t->count - 1]; }

// The first block tells how many there is room for: whole groups of neighbours, from all parts of the grid.
static void choose(struct tape *t, struct tape_launch *l)
{
    const uint64_t room = MOST_WORDS / (l->word_count + 1) / t->count;
    const uint64_t may = room < BLOCKS_LEAST ? BLOCKS_LEAST : room > BLOCKS_MOST ? BLOCKS_MOST : room;
    if (l->launch.blocks <= may || l->chosen) return;
    l->group = may < GROUP ? may : GROUP;
    const uint64_t groups = may / l->group;
    l->each = (l->launch.blocks + groups * l->group - 1) / (groups * l->group);
}

bool tape_wants(const struct tape *t, uint64_t n)
{
    const struct tape_launch *l = &t->launches[t->count - 1];
    return n / l->group % l->each == 0 && (l->word_count < 2 * MOST_WORDS || l->block_count < 2);
}

void tape_block(struct tape *t, uint64_t n)
{
    struct tape_launch *l = now(t);
    mem_grow(&l->blocks, &l->block_room, l->block_count + 1, sizeof *l->blocks);
    l->last_work = NULL;
    l->length = 0;
    l->blocks[l->block_count++] = (struct tape_block){.number = n, .from = l->word_count};
}

void tape_block_end(struct tape *t, double weight)
{
    struct tape_launch *l = now(t);
    struct tape_block *b = &l->blocks[l->block_count - 1];
    b->to = l->word_count, b->weight = weight, b->length = l->length;
    if (l->block_count == 1) choose(t, l);
}

void tape_part(struct tape *t, uint32_t stretch, enum tape_part part, const struct model_work *work)
{
    struct tape_launch *l = now(t);
    const size_t old = l->part_count;
    if (stretch >= l->part_count) {
        mem_grow(&l->parts, &l->part_room, stretch + 1, sizeof *l->parts);
        memset(l->parts + old, 0, (stretch + 1 - old) * sizeof *l->parts);
        l->part_count = stretch + 1;
    }
    l->parts[stretch].of[part] = *work;
}

static uint64_t *more(struct tape *t, size_t words)
{
    struct tape_launch *l = now(t);
    mem_grow(&l->words, &l->word_room, l->word_count + words, sizeof *l->words);
    l->last_work = NULL;
    l->word_count += words;
    l->length += (double)words;
    return l->words + l->word_count - words;
}

static uint64_t head_of(enum tape_call call, const struct tape_who *w)
{
    return (uint64_t)call | (uint64_t)w->warp << 3 | (uint64_t)(w->place & 0xffff) << 9 | (uint64_t)w->lanes << 25 |
        (uint64_t)w->live << 31;
}

void tape_reach(struct tape *t, double read_bytes, double written_bytes)
{
    t->read_bytes = read_bytes, t->written_bytes = written_bytes;
}

// A loop's turns are one call, as long as they take no longer than a wait.
static bool again(struct tape_launch *l, const struct tape_who *w, const struct model_work *k)
{
    enum { LONG = 512, MANY = 1 << 16 };
    uint64_t *last = l->last_work;
    if (!last || l->words + l->word_count != last + 3 || k->cycles > LONG / 2) return false;
    const uint64_t count = last[0] >> TAPE_COUNT_AT;
    if ((last[0] & (((uint64_t)1 << TAPE_COUNT_AT) - 1)) != head_of(TAPE_WORK, w) || count * k->cycles > LONG)
        return false;
    if (count + 1 >= MANY || count * k->turns > LONG) return false;
    last[0] += (uint64_t)1 << TAPE_COUNT_AT;
    return true;
}

// Of one turn; how many there are stands with it.
void tape_work(struct tape *t, const struct tape_who *w, const struct model_work *k)
{
    now(t)->length += k->turns;
    if (again(now(t), w, k)) return;
    uint64_t *to = more(t, 3);
    now(t)->last_work = to;
    to[0] = head_of(TAPE_WORK, w) | (uint64_t)1 << TAPE_COUNT_AT;
    to[1] = (k->turns & 0xffffffu) | (uint64_t)(k->cycles & 0xffffffu) << 24;
    to[2] = (k->pipes[MODEL_ALU] & 0xffffu) | (uint64_t)(k->pipes[MODEL_FMA] & 0xffffu) << 16 |
        (uint64_t)(k->pipes[MODEL_FP64] & 0xffffu) << 32 | (uint64_t)k->pipes[MODEL_XU] << 48;
    to[1] |= (uint64_t)(k->pipes[MODEL_SHARED] & 0xffffu) << 48;
}

void tape_access(struct tape *t, const struct tape_who *w, const struct model_access *a)
{
    uint64_t *to = more(t, 2 + a->count);
    to[0] = head_of(TAPE_ACCESS, w) | (uint64_t)a->kind << 37 | (uint64_t)a->bypass << 39 | (uint64_t)a->floats << 40 |
        (uint64_t)a->behind << 41 | (uint64_t)a->banks << 49 | (uint64_t)a->follows << 57;
    to[1] = a->count | (uint64_t)a->units << 16;
    for (uint32_t k = 0; k < a->count; k++) {
        uint64_t word = a->lines[k].line << 24;
        for (unsigned s = 0; s < 4; s++) word |= (uint64_t)(a->lines[k].bytes[s] & 63) << 6 * s;
        to[2 + k] = word;
    }
}

void tape_shared(struct tape *t, const struct tape_who *w, uint32_t wavefronts, uint32_t conflicts)
{
    uint64_t *to = more(t, 2);
    to[0] = head_of(TAPE_SHARED, w);
    to[1] = wavefronts | (uint64_t)conflicts << 32;
}

static void plain(struct tape *t, enum tape_call call, const struct tape_who *w, uint32_t a, uint32_t b)
{
    uint64_t *to = more(t, 2);
    to[0] = head_of(call, w);
    to[1] = a | (uint64_t)b << 32;
}

void tape_wait(struct tape *t, uint32_t warp, uint8_t behind)
{
    plain(t, TAPE_WAIT, &(struct tape_who){.warp = warp}, behind, 0);
}

void tape_barrier(struct tape *t, uint32_t warp, uint8_t id, uint32_t warps)
{
    plain(t, TAPE_BARRIER, &(struct tape_who){.warp = warp}, id, warps);
}

void tape_pause(struct tape *t, const struct tape_who *w, enum model_pause kind, uint32_t count)
{
    plain(t, TAPE_PAUSE, w, kind, count);
}
