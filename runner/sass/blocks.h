// A kernel's machine code in stretches that are done from end to end by the same lanes: how much of each pipe a stretch
// asks for, how long a warp that is alone takes for it by the compiler's schedule, and where it waits for which load.
// SPDX-License-Identifier: MIT
#pragma once
#include "sass/sass.h"

struct arena;

// Between two points where a warp may have to wait for memory.
struct sass_step {
    uint32_t at;               // its first instruction
    uint8_t waits;             // scoreboards that must be clear before: of loads, or set in an earlier stretch
    uint8_t board, behind;     // it waits for all but the last so many that set this one; SASS_NO_BOARD: it does not
    uint8_t marks;             // this one is clear when all copies so far are there; SASS_NO_BOARD: none
    uint8_t fences;            // of memory, for others than the block
    uint32_t turns, cycles;    // of the issue slots; of a warp by itself, for all that is not memory
    uint32_t busy[SASS_PIPES]; // cycles of the pipes of a quarter; of the SM's memory unit
};

struct sass_block {
    uint32_t first, count; // instructions
    uint32_t pipe[SASS_PIPES];
    const struct sass_step *steps;
    uint32_t step_count;
    uint32_t left[SASS_BOARDS]; // cycles behind its end, until what an instruction of the SM gives is there
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
// How long a block takes a warp by itself, and what it takes of each pipe (steps.c).
void sass_steps(struct arena *, struct sass_block *, const struct sass_inst *);
