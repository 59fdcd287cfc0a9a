// Foresees what a launch costs on a GPU: traffic, time and what limits it. Records of what each warp does go in, block
// by block, as either engine of the simulator makes them; a replay with time sends them through the queues of a device.
// A library of its own: it knows neither PTX nor machine code, reads no file and no clock, and gives the same answer
// for the same records.
//
// Memory is that of the blocks that are resident together. Large launches are sampled by whole waves: model_wants says
// which blocks are to be recorded.
// SPDX-License-Identifier: MIT
#pragma once
#include "model/constants.h"
#include "model/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;

struct model_launch {
    uint64_t blocks;
    uint32_t warps;        // of a block
    uint32_t resident;     // blocks that an SM holds at once
    uint32_t shared_bytes; // of a block
    bool warm;             // a launch like it has just run
    bool ptx;              // what runs is the PTX: the pace of warps is a guess
    double fetched;        // share of what L2 misses that no other block brings as well; 0: all
    double written;        // the same of what is written back
    uint64_t most_words;   // of records, 8 bytes each, that are kept and replayed; 0: the default
};

// What a stretch of code takes of a warp beside memory.
enum model_pipe { MODEL_ALU, MODEL_FMA, MODEL_FP64, MODEL_XU, MODEL_SHARED, MODEL_PIPES };
struct model_work {
    uint32_t turns;              // of the issue slots
    uint32_t cycles;             // that a warp by itself takes for it
    uint32_t pipes[MODEL_PIPES]; // cycles: of a quarter's pipes; of the SM's shared memory
};

// What stops a warp beside memory and barriers.
enum model_pause { MODEL_FENCE, MODEL_CONSTANT, MODEL_CONSTANT_NEAR, MODEL_HEAP, MODEL_SWAPS, MODEL_PAUSES };

enum model_kind { MODEL_LOAD, MODEL_STORE, MODEL_REDUCE, MODEL_ATOMIC };
enum { MODEL_NO_WAIT = 255, MODEL_LINES = 64 };
struct model_line {
    uint64_t line;    // address / 128
    uint8_t bytes[4]; // of each sector: how many are touched
};
struct model_access {
    enum model_kind kind;
    bool bypass;    // L1 is not asked
    bool floats;    // an atomic that adds floats
    bool follows;   // what one load gave says where the next one is, and so on: they cannot be made together
    uint8_t behind; // it waits for all loads of its warp but the last so many; MODEL_NO_WAIT: for none
    uint8_t banks;  // cycles of L1 for its words
    uint16_t units; // of atomics: operations that are done one after the other
    uint32_t count;
    struct model_line lines[MODEL_LINES];
};

// What came out of one launch, or of several (they add up).
struct model_result {
    double l1_hit_sectors, l1_load_sectors, l2_read_sectors, dram_read_bytes, dram_write_bytes;
    double us, lo_us, hi_us; // as events would measure it
    double event_us;         // of it: the events themselves, once for all launches
    double bound_us;         // no device with these limits can be faster
    enum limit_unit limit;   // the tallest of unit_us
    double sampled;          // share of the launch's records that were replayed
    double edge;             // share of L2's reads that lie where L2 may or may not keep them
    uint64_t blocks, warps;
    // What each unit would take by itself, or warps would wait if nothing stood in a queue.
    double unit_us[LIMITS_MOST];
};

struct model *model_new(const struct model_constants *);
void model_free(struct model *);
// Caches are as empty as after a flush.
void model_forget(struct model *);

void model_begin(struct model *, const struct model_launch *);
// Whether block `n` is to be recorded. Blocks come in order, and are asked for in order.
bool model_wants(const struct model *, uint64_t n);
void model_block(struct model *, uint64_t n); // what follows is its
void model_work(struct model *, uint32_t warp, const struct model_work *);
void model_access(struct model *, uint32_t warp, const struct model_access *);
void model_wait(struct model *, uint32_t warp, uint8_t behind);                // for loads, without an access
void model_barrier(struct model *, uint32_t warp, uint8_t id, uint32_t warps); // 0: all of the block
void model_pause(struct model *, uint32_t warp, enum model_pause, uint32_t count);
void model_block_end(struct model *);
// Of what was recorded since model_begin.
void model_end(struct model *, struct model_result *);
// The sum of launches that run one after the other.
void model_add(struct model_result *sum, const struct model_result *one);
