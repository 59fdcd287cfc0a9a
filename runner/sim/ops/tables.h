// The tables of handlers that are the same in every variant, and the forms in which instructions hold what is wide.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

// The operation of that name, in the variant's tables or those that are the same in all; NULL: there is none.
const struct op *variant_op(const struct exec *, const char *name);

// Applies the operation to what lies side by side: each of `value` to its own of `place`.
void atomics_apply(const struct memory_op *, void *place, const void *value, uint32_t bytes);
extern const struct op shuffle_ops[], atomics_ops[], print_ops[], texture_ops[], matrix_ops[];

// An atomic on several values side by side, or on 128 bits: slots.
struct atomic_wide {
    struct memory_op memory; // first: what the counters ask for
    uint8_t count;
    uint32_t to[4], from[4]; // of 128 bits: two halves of what is compared, then of what is stored
};

// An access by coordinates to a texture or surface: slots of the coordinates and of the data.
enum texture_kind { TEXTURE_SAMPLE, TEXTURE_GATHER, TEXTURE_LOAD, TEXTURE_STORE, TEXTURE_REDUCE, TEXTURE_QUERY };
struct texture_op {
    uint8_t kind, rank;
    bool layered, cube;
    bool texels;           // the coordinates are whole numbers of texels
    bool flat;             // two dimensions stand for one too: the texture knows
    uint8_t coords, data;  // how many
    uint8_t component;     // gather: which channel; query: enum texture_query
    uint8_t bits, outside; // surfaces: of an element; what a coordinate outside does
    uint8_t wide;          // the data are 64-bit lanes
    bool formatted;        // surfaces: by texels, whose type decides; else by bytes
    const struct memory_op *atomic;
    uint32_t at[5], value[4];
};
enum texture_outside { OUTSIDE_TRAPS, OUTSIDE_CLAMPS, OUTSIDE_IS_ZERO };
enum texture_query { QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH, QUERY_LAYERS, QUERY_ONE };
