// What keeps calls and what makes them again share.
// SPDX-License-Identifier: MIT
#pragma once
#include "model/tape.h"

enum tape_call { TAPE_WORK, TAPE_ACCESS, TAPE_SHARED, TAPE_WAIT, TAPE_BARRIER, TAPE_PAUSE };

enum { TAPE_COUNT_AT = 37 }; // of work: turns that are alike

struct tape_block {
    uint64_t number;
    size_t from, to;
    double weight, length; // it stands for so many blocks; turns that it takes
};
struct tape_parts {
    struct model_work of[TAPE_PARTS];
};
struct tape_reached { // sectors that all kept accesses reach, as far as so many words tell; dense ones are left out
    size_t words;
    double read, written;
};
struct tape_launch {
    char *entry;
    struct model_launch launch;
    unsigned times; // launches like it
    bool chosen;    // by whoever runs them
    uint64_t each, group;
    uint64_t *words;
    size_t word_count, word_room;
    uint64_t *last_work; // the call before, where that was work
    double length;       // of the block that is kept now
    struct tape_block *blocks;
    size_t block_count, block_room;
    struct tape_parts *parts; // by stretch
    size_t part_count, part_room;
    struct tape_reached reached; // where nothing is dense
};
struct tape {
    struct tape_launch *launches;
    size_t count, room;
    unsigned all_launches;
    double kept_warps, all_warps;
    double read_bytes, written_bytes; // 0: not known
    struct tape_known *known;         // what was replayed already
};
enum { KNOWN_MOST = 64 };
struct tape_known { // the same replay is asked for by each that tells of a point
    size_t count;
    uint64_t keys[KNOWN_MOST][2];
    struct model_result results[KNOWN_MOST];
};
