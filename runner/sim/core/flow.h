// Which lanes of a warp run next. Lanes that have separated wait as groups; the group that is earliest in the code
// runs, and every group that it meets joins it. Functions come before their callers in the code, so the deepest call
// runs first.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

#define FLOW_NOWHERE ((const struct inst *)UINTPTR_MAX)

void flow_start(struct warp *, const struct inst *at, uint32_t lanes);
// Takes the group that is to run next; NULL when all are waiting for other warps, or have ended.
const struct inst *flow_next(struct warp *);
// These lanes are to go on at `at`; flow_next chooses.
void flow_add(struct warp *, const struct inst *at, uint32_t mask);
// The active lanes go on at `i` later; other warps run first.
void flow_interrupt(struct warp *, const struct inst *i);
// The active lanes go on at `i` when no other lanes of the warp can go on, and other warps have run.
const struct inst *flow_later(struct warp *, const struct inst *i);
// Whether the lanes of `mask` found at `i` just what they found the last time; where that goes on they starve others,
// and go on at `i` when these have run.
bool flow_again(struct warp *, const struct inst *i, uint64_t value, uint32_t mask);
static inline bool flow_starves(const struct warp *w)
{
    enum { PATIENCE = 64 };
    return w->spins > PATIENCE;
}
const struct inst *flow_spin(struct warp *, const struct inst *i);
// The lanes of `mask` wait at `i`, in that state; the other active lanes go on after it.
const struct inst *flow_park(struct warp *, const struct inst *i, uint32_t mask, struct group);
// For `.sync` instructions: true when every live lane that the lanes of `mask` name is here; `members` holds a mask for
// each lane, and they may differ. Else the lanes wait and `*next` is what to do.
bool flow_together(struct warp *, const struct inst *i, uint32_t mask, const u32 *members, const struct inst **next);
void flow_met(struct warp *, const struct inst *i, uint32_t mask, const u32 *members); // where the block is watched
// Lanes that name each other name the same ones. False: a fault.
bool flow_masks_agree(struct warp *, const struct inst *, uint32_t mask, const u32 *members);
// Where the straight piece of code begins that ends here, of which the first instruction `is` that; NULL: nothing
// stands in it, or it is the whole kernel.
const struct inst *flow_straight_from(const struct warp *, const struct inst *i, HANDLER((*is)));
// Every warp runs until its lanes wait or have ended. STUCK: all wait for somebody outside the block.
enum flow_state { FLOW_ENDED, FLOW_MOVED, FLOW_STUCK, FLOW_FAILED };
enum flow_state flow_pass(struct block *);
uint32_t flow_draw(struct block *, uint32_t below); // where the order is drawn
void flow_deadlock(struct block *);                 // makes a fault of it
bool flow_idles(const struct block *);          // for long its warps have only looked in vain for what others are to do
void flow_in_vain(struct block *);              // makes a fault of it
void flow_arrived(struct block *, uint32_t id); // at a barrier, without waiting there
bool flow_run_block(struct block *);
extern const struct op flow_ops[], calls_ops[];
// The block has used up a slice of its turns: whether there is a reason to end, which is its fault then.
bool flow_must_end(struct warp *, const struct inst *);
