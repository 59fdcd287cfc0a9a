// Some blocks of a grid that stand for all of them. They are chosen from each part of it, with its corners, edges and
// ends. It is told how far from the truth their sums can be.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/state.h"

struct sample_pick {
    uint64_t block;
    double weight; // it stands for so many blocks
};

struct sample_part { // of the grid: a box of blocks
    uint64_t blocks; // in it
    size_t from, to; // its picks; those that stand only for themselves come first
    size_t alone;    // so many of them
};
enum { SAMPLE_PARTS = 27 };

struct sample_set {
    struct sample_pick *picks;
    struct sim_counts *seen; // by pick, what it did
    uint64_t *spent;         // by pick: instructions
    size_t count;
    struct sample_part parts[SAMPLE_PARTS];
    size_t part_count;
};

// About `most` blocks. False: that would be nearly all of them, and nothing is chosen. The same grid, the same choice.
// `few`: edges are not looked at apart, for who wants a rough look of few blocks.
bool sample_choose(struct sample_set *, const uint32_t grid[3], uint64_t most, bool few);
void sample_release(struct sample_set *);
// What the whole grid did, from what the picks did, and half the width of each count's 99 % interval; 0: it is exact.
// `could`: what one block does if each of its accesses happens once, at its worst.
void sample_conclude(const struct sample_set *, const struct depend *, const struct sim_counts *could,
    struct sim_counts *sum, struct sim_counts *within);
