// What the files of the model share: caches, queues, the records of blocks that wait to be replayed, and the replay's
// state between two blocks.
// SPDX-License-Identifier: MIT
#pragma once
#include "model/model.h"

enum { QUARTERS = 4, SECTORS = 4, SECTOR = 32, LINE = 128 };

// A cache of lines. Which line gives way: the older one of three that chance names, which lies between the two usual
// rules as hardware does.
struct ways_line {
    double arrival;
    float late;                 // of the time until then: what it stood in queues
    uint8_t valid, dirty, part; // a bit a sector; part: written, but not wholly
};
struct ways {
    uint32_t sets, ways;
    uint32_t clock, chance;
    // Of `lines`, side by side: a set is looked through in them.
    uint64_t *tags; // line + 1; 0: nothing
    uint32_t *used; // the clock when it was; the lowest bit: it was written to
    uint8_t *found; // by set: where a line was found last
    struct ways_line *lines;
    uint8_t (*bytes)[SECTORS]; // that were written of each dirty sector
};
void ways_shape(struct ways *, uint64_t bytes);
void ways_free(struct ways *);
void ways_clear(struct ways *);
struct ways_line *ways_find(struct ways *, uint64_t line); // NULL: it is not there
// Room for it. If what was there was written to, it is in `*old`; its tag is in `*tag`. (A line is far from the
// processor: one that was only read is not looked at again.)
struct ways_line *ways_take(struct ways *, uint64_t line, struct ways_line *old, uint64_t *tag);
void ways_written(struct ways *, const struct ways_line *);
bool ways_soon(const struct ways *,
    uint64_t line); // it will be asked for: the processor begins to fetch it; it is there
uint64_t ways_fold(uint64_t line, unsigned bits);

struct fifo { // of lines that became dirty, or partly written
    uint64_t *tags;
    size_t head, count, room;
};

struct memory_side { // L2 and what lies behind it, in time
    struct ways half[2];
    double *slice[2];
    struct fifo dirty, part;
    uint64_t dirty_sectors, part_lines;
    double share, most_part; // of the launch that is replayed; lines that may wait with a part written: that share
    double *channel;
    uint64_t (*row)[16]; // that is open, by channel and bank
    uint64_t *last_line; // of an atomic, by slice
    double slice_busy, channel_busy;
    double *adds, *adds_free; // by unit of atomics: that it was busy; when it is free again
    double fetch_owed, write_owed;
    double late;                                              // how long the last access stood in queues
    uint64_t read_bytes, dirtied, dirty_before, taken, reads; // sectors written to, before this launch; lines taken
    uint64_t *seen, fresh; // pieces of 64 bytes that were read before, by chance taken for each other; new ones
};
struct traffic {
    double l1_sectors, l1_hits, l2_sectors;
};

struct merged {
    uint64_t key;
    double end, late;
    uint32_t count;
};

struct sm {
    double issue[QUARTERS], pipe[QUARTERS][MODEL_SHARED], l1, link_in, link_out, barrier;
    struct ways cache;
    int gpc, side;
    uint32_t held; // blocks
    double ended;  // when the last of them did
};

// A block's records. A warp's begin at from[warp].
struct block_records {
    struct block_records *next;
    uint64_t number;
    size_t words, bytes;
    bool cut; // of some warps there is the beginning alone
    uint64_t *word;
    uint32_t from[];
};

enum { LOADS_KEPT = 32, BARRIERS = 16 };
struct run_block {
    struct block_records *records;
    uint32_t sm, left;                             // warps
    uint32_t here[BARRIERS], first_here[BARRIERS]; // warps at a barrier, as a list; UINT32_MAX: none
    double last_here[BARRIERS], drained;           // drained: L2 has all of its stores
    bool adds;                                     // an atomic is the last of them
};
struct run_warp {
    const uint64_t *at, *last; // last: from here on it goes on where it was cut off; NULL: it was not
    double time;
    uint32_t loads, block, number, records, adds; // adds: which of the loads kept are atomics
    uint8_t step;
    double began, waits_since, stored, last_began;
    uint32_t before_last; // records
    double done[LOADS_KEPT];
    float late[LOADS_KEPT]; // how much sooner it would be there if nothing stood in a queue
};

// Sums that grow while a launch runs.
struct so_far {
    double time, l1_sectors, l1_hits, l2_sectors, read_bytes, dirtied_bytes, fresh_bytes;
};
struct so_far so_far_plus(struct so_far, struct so_far, double times);

enum { MODEL_BUCKETS = 8192, MODEL_BUCKET_CYCLES = 4 };
struct replay_state {
    struct sm *sms;
    struct run_block *blocks;
    struct run_warp *warps;
    uint32_t block_count, *free_blocks, free_count;
    uint32_t *bucket, *bucket_end; // first and last warp of each; UINT32_MAX: none
    uint32_t *next;                // by warp: who comes after it, in a bucket or at a barrier
    uint32_t *far;                 // warps whose time is beyond the buckets
    uint32_t far_count;
    uint64_t tick, pending;
    double start_free, end;
    bool wants; // a slot is free for the next block
    uint32_t wants_sm;
    double wants_at;
    uint64_t placed; // blocks
    struct merged *merged;
    double issue_busy, l1_busy, shared_busy; // shared memory is behind L1's door: the two take turns
    double wait[LIMITS_MOST], queued;        // warps' time: with what they wait for by themselves; in queues
    double *marks;                           // when each recorded block began
    size_t mark_room;
    double blocks_started; // when the last block began
    double longest;        // when the last warp would end that was cut off, at the pace that it had
    // What the last part of what is replayed did, in so many words: the second half of the blocks, or of warps that
    // were cut off. What is left out goes on like it. Time of all warps, and what it would be more.
    struct so_far last;
    double last_words, warps_time, more_time;
};

struct pending_warp { // what a warp did since its last record
    struct model_work work;
    uint8_t behind;
    uint64_t *words;
    size_t count, room;
    uint64_t left_out; // records, once there are as many words as are kept
};

struct model {
    struct model_constants c;
    struct model_launch launch;
    struct memory_side side;
    struct replay_state replay;
    struct traffic traffic;
    // Recording.
    struct pending_warp *warps;
    size_t warp_room;
    struct block_records *queue, *queue_end;
    struct block_records *done; // replayed, and kept for another time
    bool keep;
    uint64_t recorded, block;
    uint64_t words, words_left_out; // that were recorded; that were not, of blocks that were
    uint64_t turns;
    double pipe_cycles[MODEL_PIPES];
    size_t warp_words; // that a warp may have
    // Which blocks: `head` from the beginning, `tail` at the end, `middle` from `middle_from` on.
    uint64_t head, middle_from, middle, tail, glance;
    bool planned;
};

// Times of queues.
double side_read(struct model *, const struct sm *, uint64_t line, unsigned sectors, double now);
double side_write(struct model *, uint64_t line, const uint8_t bytes[SECTORS], double now);
double side_atomic(struct model *, uint64_t line, unsigned sectors, uint32_t units, bool floats, double now);
double side_atomics(const struct model *);                              // cycles of the unit that is busiest with them
void side_soon(const struct model *, const struct sm *, uint64_t line); // it will be asked for
void side_shape(struct model *);
void side_clear(struct model *);
void side_still(struct model *);                           // queues are empty, caches stay
double side_written(const struct model *, double dirtied); // bytes, of so many that became dirty
void side_release(struct model *);

void replay_begin(struct model *);
void replay_go(struct model *, bool last); // as far as the blocks that are there allow; last: no more come
void replay_release(struct model *);
void replay_again(struct model *);                // the kept blocks, with L2 as it is now
double replay_block_cycles(const struct model *); // from one block's start to the next
struct so_far replay_mark(const struct model *, double now);

void model_plan(struct model *); // a block more is there

// A record: three words and its lines. The end of a warp that was cut off has one: how many records were left out.
enum record_kind { RECORD_LOAD, RECORD_STORE, RECORD_REDUCE, RECORD_ATOMIC, RECORD_BARRIER, RECORD_WORK, RECORD_END };
enum {
    RECORD_WORDS = 3,
    RECORD_BEFORE_AT = 3, // waits before its work, and behind it
    RECORD_BEHIND_AT = 11,
    RECORD_BYPASS_AT = 19,
    RECORD_FLOATS_AT = 20,
    RECORD_COUNT_AT = 21,
    RECORD_BANKS_AT = 29,
    RECORD_UNITS_AT = 37,
    RECORD_LINE_AT = 24 // before it 6 bits for each sector
};
static inline enum record_kind record_kind(uint64_t head) { return (enum record_kind)(head & 7); }
static inline uint8_t record_before(uint64_t head) { return (uint8_t)(head >> RECORD_BEFORE_AT); }
static inline uint8_t record_behind(uint64_t head) { return (uint8_t)(head >> RECORD_BEHIND_AT); }
static inline bool record_bypass(uint64_t head) { return head >> RECORD_BYPASS_AT & 1; }
static inline bool record_floats(uint64_t head) { return head >> RECORD_FLOATS_AT & 1; }
static inline uint32_t record_count(uint64_t head) { return head >> RECORD_COUNT_AT & 0xff; }
static inline uint32_t record_banks(uint64_t head) { return head >> RECORD_BANKS_AT & 0xff; }
static inline uint32_t record_units(uint64_t head) { return head >> RECORD_UNITS_AT & 0xffff; }
static inline unsigned record_sectors(uint64_t line)
{
    return (unsigned)((line & 63) != 0) | (unsigned)((line >> 6 & 63) != 0) << 1 |
        (unsigned)((line >> 12 & 63) != 0) << 2 | (unsigned)((line >> 18 & 63) != 0) << 3;
}
void record_work(const uint64_t *, struct model_work *);
void record_line(uint64_t word, struct model_line *);
static const uint8_t sector_counts[1 << SECTORS] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
