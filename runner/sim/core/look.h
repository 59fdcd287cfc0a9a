// Looks at a launch while it is counted: which sectors it touches at all, where its lanes part, and for each memory
// instruction the addresses of the costliest access. Only launches that somebody wants explained pay for it; they run
// by one thread.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

struct sim_kernel;
enum { LOOK_FEW = 8 }; // blocks of a sample that is only a glance

// Of the instructions behind a head: those of one kind at one line.
struct head_work {
    const struct head_work *next;
    int line;
    enum sim_work kind;
    uint32_t turns;
};

// Its sites are the ones that are seen from now on.
void look_launch(struct sim_view *, const struct sim_kernel *, uint64_t blocks);
void look_access(struct warp *, const struct inst *, const uint64_t at[LANES], uint32_t mask, enum space,
    uint32_t bytes);
void look_constant(struct warp *, const struct inst *, const uint64_t at[LANES], uint32_t mask);
void look_work(struct warp *, int line, enum sim_work, uint64_t amount);
void look_weigh(struct sim_view *, double weight); // the block that ended stands for so many
void look_barrier(struct warp *);
void look_head(struct warp *, const struct inst *); // the active lanes go on behind this head
