// A kernel's machine code in stretches that are done from end to end by the same lanes: how much of each pipe a stretch
// asks for, how long a warp that is alone takes for it by the compiler's schedule, and where it waits for which load.
// SPDX-License-Identifier: MIT
#pragma once
#include "sass/sass.h"

struct arena;

struct sass_wait {
    uint32_t at;   // the instruction that waits
    uint32_t load; // for the result, or the operands, of this one; SASS_EARLIER: of one in another stretch
};
enum { SASS_EARLIER = UINT32_MAX };

struct sass_block {
    uint32_t first, count; // instructions
    uint32_t pipe[SASS_PIPES];
    uint32_t cycles;               // stalls that the compiler wrote: the pace of a warp that waits for no load
    const struct sass_wait *waits; // in order
    uint32_t wait_count;
};

struct sass_code {
    struct sass_inst *insts;
    size_t count;
    struct sass_block *blocks;
    size_t block_count;
    uint32_t *block_of; // by instruction
};

// `jumps`: offsets in the code that are jumped to by tables.
struct sass_code sass_blocks(struct arena *, const unsigned char *code, size_t bytes, int arch, const uint32_t *jumps,
    size_t jump_count);
