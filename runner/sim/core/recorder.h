// Hands what a block does to the model (model/model.h): its stretches of code, its accesses, and for which loads a warp
// waits where. Only blocks that the model wants pay for it; they run by one thread.
// SPDX-License-Identifier: MIT
#pragma once
#include "model/tape.h"
#include "sim/core/exec.h"

struct recorder;
struct sim_kernel;

// What the reader of the code knows of the instructions behind a head (inst.r[1] is its number among the kernel's, 0:
// nothing is known).
struct head_pace {
    struct model_work work;
    const uint16_t *uses; // results of loads that these instructions use, ended by 0
    bool decides;         // where it goes on hangs on them
    uint32_t fences;
    struct model_work parts[TAPE_PARTS]; // of the work
};
// Beside the numbers of results, from 1 on: something made of such a result earlier.
#define PACE_EARLIER 0xffffu
#define PACE_BACK 0x8000u // or-ed to a number: the last load but so many

// To the model, or where that is NULL to the tape.
struct recorder *recorder_new(struct model *, struct tape *, const struct sim_kernel *, uint32_t warps,
    bool in_registers);
bool recorder_wants(const struct recorder *, uint64_t block); // blocks come in order
void recorder_free(struct recorder *);
void recorder_block(struct recorder *, uint64_t linear);
void recorder_block_end(struct recorder *, const struct block *, double weight); // it stands for so many blocks
void recorder_head(struct warp *, const struct inst *);
void recorder_stretch(struct warp *, const struct inst *); // the same of machine code
void recorder_access(struct warp *, const struct inst *, const uint64_t at[LANES], uint32_t mask, enum space,
    uint32_t bytes);
void recorder_barrier(struct warp *, uint32_t id, uint32_t threads); // 0: all of the block
void recorder_constant(struct warp *, const uint64_t at[LANES], uint32_t mask);
void recorder_heap(struct warp *, uint32_t calls);
void recorder_commit(struct warp *);                  // copies since the last one are a group
void recorder_copies(struct warp *, uint32_t groups); // waits for all but so many groups of copies
