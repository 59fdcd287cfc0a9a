// Looks for what a program does not define: two threads that reach the same bytes with nothing between them that orders
// them, and reads of memory that nothing has written. Beside every 4 bytes stands a cell that says who wrote and read
// them last, and each warp has a clock that barriers and other meetings move on.
//
// A row is never called racy for less than a conflict that was seen. Between blocks that are all watched a fence and an
// atomic, or a volatile access, order what is before and behind them (watch.c). Elsewhere, and within a block,
// any of these may be somebody's lock and is taken to be one, so that some races stay unseen where a kernel has them.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

struct sim_kernel;
struct watch;       // of a simulator: the cells of its global memory
struct watch_block; // of a worker: the cells of its block's shared memory, the clocks of its warps

struct watch *watch_new(void);
void watch_free(struct watch *);
void watch_forget(struct watch *, uint64_t lo);                // an allocation is gone
void watch_erase(struct watch *, uint64_t lo, uint64_t hi);    // another thread's memory from now on
void watch_undefine(struct watch *, uint64_t lo, uint64_t hi); // nothing of it is written yet
// A launch of so many blocks begins, of which `most` are watched; UINT32_MAX: all, and all that they do. Clusters run
// `together`. Findings go to `races`. `stale`: a read that nothing orders behind a store sees what was there before.
void watch_launch(struct watch *, const struct sim_kernel *, uint64_t blocks, uint32_t most, bool together, bool stale,
    struct sim_races *races);
void watch_ends(struct watch *); // memory is as the launch left it

// Blocks of a launch of which is known what each has told the others: as a rule, and at most.
enum { WATCH_KNOWN = 1024, WATCH_MOST_KNOWN = 4096 };
struct watch_block *watch_block_new(struct watch *, uint32_t shared_bytes, uint32_t local_bytes, uint32_t warps);
void watch_block_free(struct watch_block *);
void watch_block_start(struct watch_block *, uint64_t spent); // instructions of the block before it; 0: there is none

// An access that is about to be made, at addresses of that space. False: it reads what nothing has written, a fault.
bool watch_access(struct warp *, const struct inst *, const uint64_t at[LANES], uint32_t mask, enum space,
    uint32_t bytes);
// An mbarrier's word: set up, which is a plain write, or used, which is atomic.
void watch_mbarrier(struct warp *, const struct inst *, uint32_t lane, uint64_t at, bool sets_up);
// What an asynchronous copy writes to shared memory.
void watch_copy(struct warp *, const struct inst *, const uint64_t at[LANES], uint32_t mask, uint32_t bytes);
// Copies that a thread makes and waits for in groups (cp.async), and those that a phase of a barrier ends.
#define WATCH_WAIT_ALL UINT32_MAX
void watch_commit(struct warp *, uint32_t mask);
void watch_wait(struct warp *, uint32_t mask, uint32_t left); // for all but the last `left` groups, or for all
void watch_follow(struct warp *, uint32_t mask);              // a barrier comes after what these lanes copy
void watch_bulk(struct warp *, uint32_t to, uint32_t bytes, uint64_t barrier, uint32_t phase);
void watch_bulk_from(struct warp *, const struct inst *, uint64_t global); // what the last of these reads
// Copies in bulk out of shared memory, which the thread waits for in groups: that they have read, or that they are
// done.
void watch_bulk_out(struct warp *, const struct inst *, uint32_t lane, uint32_t from, uint64_t to, uint32_t bytes);
void watch_bulk_commit(struct warp *, uint32_t mask);
void watch_bulk_wait(struct warp *, uint32_t mask, uint32_t left, bool read);
// What a unit beside the threads reads of shared memory: what a thread wrote there needs a fence between the proxies.
void watch_async(struct warp *, const struct inst *, const uint64_t at[LANES], uint32_t mask, uint32_t bytes);
void watch_proxy(struct warp *);                                   // that fence
void watch_phase(struct warp *, uint64_t barrier, uint32_t phase); // somebody has seen that it has ended
// A register that a product of a warp group (wgmma) at that line is still to write, or to read.
void watch_registers(struct warp *, const struct inst *, uint32_t lane, bool writes, bool sum, int line);
// Lanes wait at `i` for others of their warp: for those that a mask names, or for all, at a barrier of the block. The
// others may end. They may not go past it to where the lanes that wait go on: then watch_past_head is false, a fault.
void watch_past_waits(struct warp *, const struct inst *i, uint32_t lanes, bool at_barrier);
void watch_past_met(struct warp *, const struct inst *i, uint32_t lanes, const uint32_t *members);
void watch_past_end(struct warp *, const struct inst *from); // lanes end, last at `from` (or NULL)
// The barrier of the block has opened for these lanes; `warps` are all that it opened for.
void watch_past_open(struct warp *, const struct inst *i, uint32_t lanes, uint32_t warps);
bool watch_past_head(struct warp *, const struct inst *head);
void watch_fence(struct warp *, bool for_all);                // or for its own block
void watch_heed(struct watch_block *);                        // a fence of what it has read alone
void watch_cluster_met(struct block *);                       // a barrier of its cluster has opened
void watch_all_met(struct warp *);                            // all that the block did is before what comes now
void watch_meet(struct warp *);                               // lanes of a warp have met
void watch_arrive(struct warp *, uint32_t id);                // at a barrier, without waiting there
void watch_open(struct block *, uint32_t id, uint32_t warps); // the warps of that mask go on from a barrier
