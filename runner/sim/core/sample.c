// A grid is cut along each direction into its first blocks, its last ones and those between; of each part its corners
// run, and blocks drawn one from each of as many equal stretches. Neighbours in that order tell how much blocks differ.
//
// Where that follows from no more than bounds on the block's number (struct depend) and the blocks of a part went the
// same way, those between them did the same. Else there may be a few that nobody drew: of n blocks that were drawn
// without one of these, ln(100) / n can be such at most, but once in a hundred times.
// SPDX-License-Identifier: MIT
#include "sim/core/sample.h"

#include "base/arena.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = offsetof(struct sim_counts, reads_clock) / sizeof(uint64_t) };
#define FIELD(name) (offsetof(struct sim_counts, name) / sizeof(uint64_t))
#define UNSEEN 4.605 // ln(100)
#define WIDTH 2.576  // of a normal distribution's 99 %, each way

struct range {
    uint32_t lo, count;
};

static uint64_t block_of(const uint32_t grid[3], const struct range box[3], uint64_t n)
{
    const uint64_t x = box[0].lo + n % box[0].count, y = box[1].lo + n / box[0].count % box[1].count,
                   z = box[2].lo + n / box[0].count / box[1].count;
    return x + grid[0] * (y + grid[1] * z);
}

static bool is_corner(const struct range box[3], uint64_t n)
{
    const uint64_t at[3] = {n % box[0].count, n / box[0].count % box[1].count, n / box[0].count / box[1].count};
    for (int k = 0; k < 3; k++)
        if (at[k] != 0 && at[k] + 1 != box[k].count) return false;
    return true;
}

static uint64_t draw(uint64_t n)
{
    n += 0x9e3779b97f4a7c15u;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
    n = (n ^ n >> 27) * 0x94d049bb133111ebu;
    return n ^ n >> 31;
}

static void add_part(struct sample_set *s, const uint32_t grid[3], const struct range box[3], uint64_t most)
{
    struct sample_part *p = &s->parts[s->part_count++];
    const uint64_t blocks = (uint64_t)box[0].count * box[1].count * box[2].count,
                   all = (uint64_t)grid[0] * grid[1] * grid[2];
    uint64_t drawn = (uint64_t)((double)most * (double)blocks / (double)all);
    if (drawn < 2) drawn = 2;
    *p = (struct sample_part){.blocks = blocks, .from = s->count};
    const bool whole = blocks <= drawn + 8; // a box has eight corners at most
    for (uint64_t n = 0; n < blocks && whole; n++)
        s->picks[s->count++] = (struct sample_pick){block_of(grid, box, n), 1};
    for (uint32_t corner = 0; corner < 8 && !whole; corner++) {
        uint64_t n = 0;
        bool again = false; // a box that is flat has that corner already
        for (int k = 3; k-- > 0;) {
            const bool end = corner >> k & 1;
            again |= end && box[k].count == 1;
            n = n * box[k].count + (end ? box[k].count - 1 : 0);
        }
        if (!again) s->picks[s->count++] = (struct sample_pick){block_of(grid, box, n), 1};
    }
    p->alone = s->count - p->from;
    for (uint64_t k = 0; k < drawn && !whole; k++) {
        const uint64_t lo = blocks / drawn * k + blocks % drawn * k / drawn,
                       hi = blocks / drawn * (k + 1) + blocks % drawn * (k + 1) / drawn;
        uint64_t n = lo + draw(s->count) % (hi - lo);
        while (is_corner(box, n)) n = (n + 1) % blocks;
        s->picks[s->count++] =
            (struct sample_pick){block_of(grid, box, n), (double)(blocks - p->alone) / (double)drawn};
    }
    p->to = s->count;
}

// The ranges of one direction: the first, the last, and what is between.
static int ranges_of(uint32_t blocks, struct range r[3])
{
    r[0] = (struct range){0, 1}, r[1] = (struct range){blocks - 1, 1}, r[2] = (struct range){1, blocks - 2};
    return blocks < 3 ? (int)blocks : 3;
}

bool sample_choose(struct sample_set *s, const uint32_t grid[3], uint64_t most, bool few)
{
    const uint64_t all = (uint64_t)grid[0] * grid[1] * grid[2];
    struct range r[3][3];
    int count[3];
    *s = (struct sample_set){0};
    if ((few ? all : all / 2) <= most) return false;
    s->picks = mem_alloc((size_t)(most + SAMPLE_PARTS * 16) * sizeof *s->picks);
    for (int k = 0; k < 3; k++) {
        count[k] = few ? 1 : ranges_of(grid[k], r[k]);
        if (few) r[k][0] = (struct range){0, grid[k]};
    }
    for (int z = 0; z < count[2]; z++)
        for (int y = 0; y < count[1]; y++)
            for (int x = 0; x < count[0]; x++)
                add_part(s, grid, (const struct range[3]){r[0][x], r[1][y], r[2][z]}, most);
    s->seen = mem_alloc(s->count * sizeof *s->seen);
    s->spent = mem_alloc(s->count * sizeof *s->spent);
    return true;
}

void sample_release(struct sample_set *s)
{
    free(s->picks);
    free(s->seen);
    free(s->spent);
    *s = (struct sample_set){0};
}

static double seen(const struct sample_set *s, size_t pick, size_t field)
{
    return (double)((const uint64_t *)&s->seen[pick])[field];
}

// Whether all picks of a part took the same way with as many lanes.
static bool one_way(const struct sample_set *s, const struct sample_part *p)
{
    for (size_t k = p->from; k < p->to; k++)
        if (s->spent[k] != s->spent[p->from] || s->seen[k].lanes != s->seen[p->from].lanes) return false;
    return true;
}

// What may be another count in some block though its way is the same: it hangs on addresses.
static bool by_place(const struct depend *d, size_t field)
{
    static const struct {
        size_t field;
        int kind;
    } of[] = {{FIELD(ld_sectors), ACCESS_LOAD}, {FIELD(st_sectors), ACCESS_STORE}, {FIELD(atom_sectors), ACCESS_ATOMIC},
        {FIELD(red_sectors), ACCESS_REDUCE}, {FIELD(local_ld_sectors), ACCESS_LOAD},
        {FIELD(local_st_sectors), ACCESS_STORE}, {FIELD(shared_ld_wavefronts), ACCESS_LOAD},
        {FIELD(shared_ld_conflicts), ACCESS_LOAD}, {FIELD(shared_st_wavefronts), ACCESS_STORE},
        {FIELD(shared_st_conflicts), ACCESS_STORE}, {FIELD(shared_atom_wavefronts), ACCESS_ATOMIC},
        {FIELD(shared_atom_conflicts), ACCESS_ATOMIC}, {FIELD(loop_wavefronts), ACCESS_ATOMIC}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        if (of[k].field == field) return d->places[of[k].kind];
    return false;
}

struct width {
    double variance, freedom, unseen;
};

static void add_width(const struct sample_set *s, const struct sample_part *p, size_t field, struct width *w)
{
    const size_t first = p->from + p->alone;
    const double n = (double)(p->to - first), rest = (double)(p->blocks - p->alone);
    double squares = 0;
    for (size_t k = first + 1; k < p->to; k++) {
        const double step = seen(s, k, field) - seen(s, k - 1, field);
        squares += step * step;
    }
    if (squares <= 0) return;
    w->variance += rest * rest * squares / (2 * (n - 1)) / n * (1 - n / rest);
    w->freedom += n - 1;
}

// Of blocks that nobody drew. Where those that were drawn are alike it is not known how much another one does.
static void add_unseen(const struct sample_set *s, const struct sample_part *p, size_t field, double could,
    struct width *w)
{
    const double n = (double)(p->to - p->from - p->alone), rest = (double)(p->blocks - p->alone);
    double least = INFINITY, most = -INFINITY;
    if (n < 1) return; // all ran
    for (size_t k = p->from; k < p->to; k++) {
        least = fmin(least, seen(s, k, field));
        most = fmax(most, seen(s, k, field));
    }
    w->unseen += (rest - n) * fmin(1, UNSEEN / n) * (most > least ? most - least : fmax(most, could));
}

void sample_conclude(const struct sample_set *s, const struct depend *d, const struct sim_counts *could,
    struct sim_counts *sum, struct sim_counts *within)
{
    for (size_t f = 0; f < FIELDS; f++) {
        struct width w = {0};
        double total = 0;
        for (size_t k = 0; k < s->count; k++) total += s->picks[k].weight * seen(s, k, f);
        for (size_t k = 0; k < s->part_count; k++) {
            const struct sample_part *p = &s->parts[k];
            add_width(s, p, f, &w);
            if (d->paths || by_place(d, f) || !one_way(s, p))
                add_unseen(s, p, f, (double)((const uint64_t *)could)[f], &w);
        }
        // Student's factor grows where few blocks tell the spread.
        const double few = w.freedom > 0 ? 1 / w.freedom : 0;
        ((uint64_t *)sum)[f] = (uint64_t)(total + 0.5);
        ((uint64_t *)within)[f] = (uint64_t)ceil(WIDTH * (1 + 1.3 * few + 5 * few * few) * sqrt(w.variance) + w.unseen);
    }
}
