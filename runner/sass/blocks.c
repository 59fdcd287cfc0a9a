// SPDX-License-Identifier: MIT
//
// A stretch begins where something may jump to, and behind whatever may change which lanes are there.
#include "sass/blocks.h"

#include "base/arena.h"

static void mark(bool *begins, size_t count, uint32_t at)
{
    if (at / SASS_BYTES < count) begins[at / SASS_BYTES] = true;
}

static bool is_padding(const struct sass_inst *i)
{
    uint32_t to;
    return i->op == SASS_NOP || (i->op == SASS_BRA && sass_target(i, &to) && to == i->at);
}

struct sass_code sass_blocks(struct arena *a, const unsigned char *code, size_t bytes, int arch, const uint32_t *jumps,
    size_t jump_count)
{
    struct sass_code c = {.count = bytes / SASS_BYTES};
    c.insts = arena_alloc(a, (c.count + 1) * sizeof *c.insts);
    for (size_t n = 0; n < c.count; n++)
        c.insts[n] = sass_decode(code + n * SASS_BYTES, (uint32_t)(n * SASS_BYTES), arch);
    while (c.count && is_padding(&c.insts[c.count - 1])) c.count--; // nobody comes there
    bool *begins = arena_alloc(a, c.count + 1);
    for (size_t n = 0; n < c.count; n++) {
        uint32_t to;
        if (sass_ends(&c.insts[n])) begins[n + 1] = true;
        if (sass_target(&c.insts[n], &to)) mark(begins, c.count, to);
    }
    for (size_t n = 0; n < jump_count; n++) mark(begins, c.count, jumps[n]);
    c.blocks = arena_alloc(a, (c.count + 1) * sizeof *c.blocks);
    c.block_of = arena_alloc(a, (c.count + 1) * sizeof *c.block_of);
    for (size_t n = 0; n < c.count; n++) {
        if (!n || begins[n]) c.blocks[c.block_count++].first = (uint32_t)n;
        struct sass_block *b = &c.blocks[c.block_count - 1];
        c.block_of[n] = (uint32_t)(c.block_count - 1);
        b->count++;
        b->pipe[sass_counted(&c.insts[n])]++;
    }
    for (size_t n = 0; n < c.block_count; n++) sass_steps(a, &c.blocks[n], c.insts);
    return c;
}
