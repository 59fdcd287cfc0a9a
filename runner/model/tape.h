// Keeps what warps of some blocks did, so that it can be replayed: as it was, and changed, as if a flaw were mended.
// The difference of two replays is what the flaw costs.
//
// Where a launch is large, or stands for larger ones, its blocks are replayed on a slice of the device: so many SMs as
// they keep busy, with as many of L2's slices and of the memory's channels as are theirs.
// SPDX-License-Identifier: MIT
#pragma once
#include "model/limits.h"
#include "model/model.h"

struct tape;
struct tape *tape_new(void);
void tape_free(struct tape *);
void tape_clear(struct tape *); // another point

// False: one like it is there already, and stands for this one too. `entry`: the kernel; its name is copied. `chosen`:
// only some of its blocks come, and all of those are kept.
bool tape_begin(struct tape *, const char *entry, const struct model_launch *, bool chosen);
bool tape_wants(const struct tape *, uint64_t block);
void tape_block(struct tape *, uint64_t block);
void tape_block_end(struct tape *, double weight); // it stands for so many blocks

// Work of a kind that has a mend of its own. What it takes is part of a stretch's work.
enum tape_part { TAPE_DIVIDE, TAPE_DOUBLE, TAPE_NARROW, TAPE_PARTS };
void tape_part(struct tape *, uint32_t stretch, enum tape_part, const struct model_work *);

struct tape_who {
    uint32_t warp, place; // place: the number of the instruction, or of the stretch
    uint32_t lanes, live; // that take part; that could
};
void tape_work(struct tape *, const struct tape_who *, const struct model_work *);
void tape_access(struct tape *, const struct tape_who *, const struct model_access *);
void tape_shared(struct tape *, const struct tape_who *, uint32_t wavefronts, uint32_t conflicts);
void tape_wait(struct tape *, uint32_t warp, uint8_t behind);
void tape_barrier(struct tape *, uint32_t warp, uint8_t id, uint32_t warps);
void tape_pause(struct tape *, const struct tape_who *, enum model_pause, uint32_t count);

// What is otherwise when it is replayed. All zero: nothing.
enum tape_mend {            // of the accesses that are picked
    TAPE_DENSE = 1,         // as few sectors and banks as their bytes need
    TAPE_GONE = 2,          // there are none
    TAPE_CALM = 4,          // no conflicts of banks
    TAPE_ONCE = 8,          // of atomics: one a block and line; lanes and warps add up before
    TAPE_NEAR = 16,         // what the block has read before comes from shared memory
    TAPE_KEPT = 32,         // what the warp has just read or written there stays in registers
    TAPE_CACHED = 64,       // L1 is asked
    TAPE_SHARED_TURN = 128, // they are of shared memory, without conflicts
};
enum { TAPE_NO_WAIT = INT32_MAX };
struct tape_pick {
    const char *entry;
    uint32_t place;
    unsigned mend; // enum tape_mend
    uint32_t left; // of atomics done once: different words of a warp
};
struct tape_change {
    const struct tape_pick *picks;
    size_t pick_count;
    double spared[TAPE_PARTS];          // share of such work that goes
    double spared_work;                 // share of all work that goes
    double spared_pauses[MODEL_PAUSES]; // of such pauses
    bool floats;                        // doubles are floats
    bool no_barriers;
    bool full_warps;     // lanes that wait for others would do the others' work
    bool even;           // what a block does beyond the others is shared out
    bool spread;         // blocks are divided until they fill the device
    bool no_tail;        // the last round is as full as the others
    bool part_warps;     // the same of lanes that a warp does not have
    double wider;        // a warp moves as much at once as so many do now; 0: as one
    uint32_t merge;      // so many blocks are one: what stands behind its first barrier is done once; 0: as they are
    double short_chain;  // so many steps of a warp side by side; 0: one
    uint32_t together;   // of so many waits for loads one stands; TAPE_NO_WAIT: none does
    uint32_t resident;   // blocks that an SM holds; 0: as many as now
    double block_starts; // share of them that goes
};

// Where only some blocks are kept: how many bytes all of them read, and write, at different places.
void tape_reach(struct tape *, double read_bytes, double written_bytes);
// The fewest sectors that could hold the bytes of each access of these instructions, on the average of those kept.
double tape_fewest(const struct tape *, const char *entry, const uint32_t *places, uint32_t count);
// False: nothing was kept. `whole`: the grid is what it is; else it stands for larger ones.
bool tape_play(const struct tape *, const struct model_constants *, const struct tape_change *, bool whole,
    struct model_result *);
// The same with what each unit would take by itself.
bool tape_limits(const struct tape *, const struct model_constants *, const struct tape_change *, bool whole,
    struct limits *);
