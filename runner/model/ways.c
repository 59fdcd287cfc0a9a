// A cache of lines of 128 bytes in sets. Lines that lie side by side go to different sets, whatever power of two they
// are apart.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "model/model_inside.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_WAYS = 12, MOST_SETS = 1 << 14, TRIES = 3 };

void ways_shape(struct ways *c, uint64_t bytes)
{
    const uint64_t lines = bytes / LINE;
    uint32_t sets = 1;
    while (sets < MOST_SETS && lines / (sets * 2) >= LEAST_WAYS) sets *= 2;
    const uint32_t ways = lines / sets ? (uint32_t)(lines / sets) : 1;
    if (c->sets != sets || c->ways != ways) {
        free(c->lines);
        *c = (struct ways){.sets = sets, .ways = ways};
        c->lines = mem_alloc((size_t)sets * ways * sizeof *c->lines);
    }
    c->chance = 1;
}

void ways_clear(struct ways *c)
{
    if (c->clock) memset(c->lines, 0, (size_t)c->sets * c->ways * sizeof *c->lines);
    c->clock = 0;
    c->chance = 1;
}

uint64_t ways_fold(uint64_t line, unsigned bits)
{
    uint64_t n = 0;
    for (; line; line >>= bits) n ^= line & (((uint64_t)1 << bits) - 1);
    return n;
}

static struct ways_line *set_of(const struct ways *c, uint64_t line)
{
    return &c->lines[ways_fold(line, (unsigned)__builtin_ctz(c->sets) + (c->sets == 1)) % c->sets * c->ways];
}

struct ways_line *ways_find(struct ways *c, uint64_t line)
{
    struct ways_line *s = set_of(c, line);
    for (uint32_t n = 0; n < c->ways; n++)
        if (s[n].tag == line + 1) {
            s[n].used = ++c->clock;
            return &s[n];
        }
    return NULL;
}

static uint32_t draw(struct ways *c)
{
    c->chance ^= c->chance << 13;
    c->chance ^= c->chance >> 17;
    c->chance ^= c->chance << 5;
    return c->chance % c->ways;
}

struct ways_line *ways_take(struct ways *c, uint64_t line, struct ways_line *old)
{
    struct ways_line *s = set_of(c, line), *best = NULL;
    for (uint32_t n = 0; n < c->ways && !best; n++)
        if (!s[n].tag) best = &s[n];
    for (int n = 0; !best || (best->tag && n < TRIES); n++) {
        struct ways_line *one = &s[draw(c)];
        if (!best || one->used < best->used) best = one;
    }
    *old = *best;
    *best = (struct ways_line){.tag = line + 1, .used = ++c->clock};
    return best;
}
