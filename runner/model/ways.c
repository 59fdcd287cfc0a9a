// A cache of lines of 128 bytes in sets. Lines that lie side by side go to different sets, whatever power of two they
// are apart.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "model/model_inside.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_WAYS = 12, MOST_SETS = 1 << 14, TRIES = 3, WRITTEN = 1, TICK = 2 };

void ways_free(struct ways *c)
{
    free(c->lines), free(c->tags), free(c->used), free(c->found), free(c->bytes);
    *c = (struct ways){0};
}

void ways_shape(struct ways *c, uint64_t bytes)
{
    const uint64_t lines = bytes / LINE;
    uint32_t sets = 1;
    while (sets < MOST_SETS && lines / (sets * 2) >= LEAST_WAYS) sets *= 2;
    const uint32_t ways = lines / sets ? (uint32_t)(lines / sets) : 1;
    if (c->sets != sets || c->ways != ways) {
        ways_free(c);
        *c = (struct ways){.sets = sets, .ways = ways};
        c->lines = mem_alloc((size_t)sets * ways * sizeof *c->lines);
        c->tags = mem_alloc((size_t)sets * ways * sizeof *c->tags);
        c->used = mem_alloc((size_t)sets * ways * sizeof *c->used);
        c->found = mem_alloc(sets);
        c->bytes = mem_alloc((size_t)sets * ways * sizeof *c->bytes);
    }
    c->chance = 1;
}

void ways_clear(struct ways *c)
{
    if (c->clock) memset(c->tags, 0, (size_t)c->sets * c->ways * sizeof *c->tags);
    c->clock = 0;
    c->chance = 1;
}

// Its pieces of so many bits on top of each other: most lines have eight of them at most.
uint64_t ways_fold(uint64_t line, unsigned bits)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    if (bits < 16 && !(line >> bits * 4 >> bits * 4)) {
        line ^= line >> bits * 4;
        line ^= line >> bits * 2;
        return (line ^ line >> bits) & mask;
    }
    uint64_t n = 0;
    for (; line; line >>= bits) n ^= line & mask;
    return n;
}

static size_t set_of(const struct ways *c, uint64_t line)
{
    return ways_fold(line, (unsigned)__builtin_ctz(c->sets) + (c->sets == 1)) & (c->sets - 1);
}

// Which of the set's lines it is; as many as there are: none of them.
static uint32_t place_in(const struct ways *c, size_t set, uint64_t line)
{
    const uint64_t *tags = &c->tags[set * c->ways];
    if (tags[c->found[set]] == line + 1) return c->found[set];
    uint32_t n = 0;
    while (n < c->ways && tags[n] != line + 1) n++;
    return n;
}

struct ways_line *ways_find(struct ways *c, uint64_t line)
{
    const size_t set = set_of(c, line);
    const uint32_t n = place_in(c, set, line);
    if (n == c->ways) return NULL;
    const size_t at = set * c->ways + n;
    c->found[set] = (uint8_t)n;
    c->used[at] = (c->clock += TICK) | (c->used[at] & WRITTEN);
    return &c->lines[at];
}

static uint32_t draw(struct ways *c)
{
    c->chance ^= c->chance << 13;
    c->chance ^= c->chance >> 17;
    c->chance ^= c->chance << 5;
    return c->chance % c->ways;
}

struct ways_line *ways_take(struct ways *c, uint64_t line, struct ways_line *old, uint64_t *tag)
{
    const size_t at = set_of(c, line), set = at * c->ways;
    struct ways_line *s = &c->lines[set];
    uint64_t *tags = &c->tags[set];
    uint32_t best = 0, *used = &c->used[set];
    while (best < c->ways && tags[best]) best++;
    const bool full = best == c->ways;
    for (int n = 0; full && n < TRIES; n++) {
        const uint32_t one = draw(c);
        if (best == c->ways || used[one] < used[best]) best = one;
    }
    *old = full && used[best] & WRITTEN ? s[best] : (struct ways_line){0};
    *tag = full ? tags[best] : 0;
    tags[best] = line + 1;
    c->found[at] = (uint8_t)best;
    used[best] = c->clock += TICK;
    s[best] = (struct ways_line){0};
    return &s[best];
}

void ways_written(struct ways *c, const struct ways_line *l) { c->used[l - c->lines] |= WRITTEN; }

bool ways_soon(const struct ways *c, uint64_t line)
{
    enum { FETCHED = 64 };
    const size_t at = set_of(c, line), set = at * c->ways;
    if (c->tags[set + c->found[at]] == line + 1) {
        __builtin_prefetch(&c->lines[set + c->found[at]]);
        return true;
    }
    for (size_t n = 0; n < c->ways; n += FETCHED / sizeof *c->tags) __builtin_prefetch(&c->tags[set + n]);
    __builtin_prefetch(&c->used[set]);
    for (size_t n = 0; n < c->ways; n += FETCHED / sizeof *c->lines) __builtin_prefetch(&c->lines[set + n], 1);
    return false;
}
