// How long a stretch of PTX takes a warp by itself, what it takes of issue slots and pipes, and which loads' results it
// uses: as near as can be told without machine code.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/recorder.h"

struct arena;
struct ptx_func;

struct pace_value;
struct pace {
    const uint16_t *result;    // by register: the number of the result of a load that it holds; 0: none
    const bool *made;          // by register: it is made of such a result
    const uint16_t **needs;    // by instruction that touches memory: the results that it waits for
    uint16_t last;             // the highest number given out
    const char *beyond;        // what the model knows nothing of; NULL: nothing
    struct pace_value *values; // by register, of the stretch that is looked at
    size_t stretches;
};
void pace_find(struct pace *, const struct ptx_func *, uint16_t first, struct arena *);
// The instructions from `from` up to, but not with, `to`: no jump leads between them.
void pace_of(struct pace *, const struct ptx_func *, size_t from, size_t to, struct head_pace *, struct arena *);
