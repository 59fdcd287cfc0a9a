// Where blocks run: what all threads of a launch share, and what each has for its blocks.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

#include <pthread.h>

struct watch_block;
struct sample_set;

struct shared_work {
    struct sim *sim;
    const struct sim_kernel *kernel;
    const struct sim_launch *launch;
    uint64_t blocks, next, chunk;
    uint64_t count;            // of them that run
    uint32_t watched;          // of them that are watched, at most
    struct sample_set *sample; // which; NULL: all
    volatile uint64_t ends_at;
    uint32_t static_shared, shared_size; // with the dynamic part
    uint32_t reserved_start, all_shared; // with the system's part
    uint64_t factor, start;              // of a drawn order: the n-th block to run is (start + n * factor) % blocks
    bool in_registers;                   // there is no local memory
    bool watched_first;                  // they have run when the others begin
    bool recorded_first;                 // those that the model wants have run then
    uint32_t cluster[3];                 // blocks of a cluster
    bool clusters;                       // the launch, or the kernel, asks for them
    bool together;                       // the blocks of each run side by side
    uint64_t workspace;                  // where the blocks of a cooperative grid meet; 0: it is none
};

struct sim_worker {
    struct shared_work *work;
    struct block block;
    struct site *sites;
    double (*scaled)[3]
                    [5]; // by site, what its blocks did and those that they stand for; NULL: they stand for themselves
    bool shares_sites;   // with another worker of the same thread
    unsigned char *params, *local, *frames;
    struct machine_tally *tallies; // of machine code, by stretch; then of what was issued again
    struct watch_block *watch;     // NULL: it runs no watched block
    struct recorder *recorder;     // NULL: the model gets none of its blocks
    uint64_t ran;                  // blocks
    pthread_t thread;
};

size_t place_round_up(size_t n, size_t unit);
// Cleared, and begins with a cache line. What is given back serves later launches: fresh pages cost more than many a
// launch.
void *place_memory(struct sim *, size_t bytes);
void place_give_back(struct sim *, void *);
void place_forget(struct sim *);                                                  // frees what was given back
void place_begin(struct sim_worker *, struct shared_work *, struct site *shared); // NULL: sites of its own
bool place_is_watched(const struct shared_work *, uint64_t linear);
void place_end(struct sim_worker *);
void place_block(struct sim_worker *, uint64_t linear); // the block is ready to run
