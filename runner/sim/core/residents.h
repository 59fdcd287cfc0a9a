// Blocks that are on the machine at the same time: those of a cluster, which meet and reach each other's shared memory,
// and all of a cooperative grid.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

struct shared_work;
struct sim_worker;

enum { MOST_IN_CLUSTER = 16 };
// In an address of shared memory: the block that it is in, by its rank in the cluster and one more; 0: the own one.
#define RESIDENT_SHIFT 24
#define RESIDENT_OFFSET (((uint64_t)1 << RESIDENT_SHIFT) - 1)

struct block_cluster {
    struct block *blocks[MOST_IN_CLUSTER];
    uint32_t count, arrived, phase; // threads that have come to its barrier; how many times that has opened
};

// The block of the cluster that an address of shared memory is in; NULL: there is none.
struct block *resident_of(const struct block *, uint64_t address);
// Takes what the launch and the kernel ask for. False: the fault says why it cannot be.
bool residents_admit(struct shared_work *, struct sim_fault *);
// How many blocks run at once; 0: each by itself.
uint64_t residents_count(const struct shared_work *);
// Runs the whole grid with so many workers.
void residents_run(struct sim_worker *, uint64_t count);
extern const struct op residents_ops[];
