// The tables of handlers that are the same in every variant, and the form in which an instruction holds an atomic.
// SPDX-License-Identifier: MIT
#ifndef SIM_TABLES_H
#define SIM_TABLES_H
#include "sim/exec.h"

struct memory_op;
// Applies the operation to what lies side by side: each of `value` to its own of `place`.
void atomics_apply(const struct memory_op *, void *place, const void *value, uint32_t bytes);
extern const struct op calls_ops[];
extern const struct op flow_ops[], shuffle_ops[], atomics_ops[], print_ops[], texture_ops[], matrix_ops[];

// An atomic on several values side by side, or on 128 bits: slots.
struct atomic_wide {
    struct memory_op memory; // first: what the counters ask for
    uint8_t count;
    uint32_t to[4], from[4]; // of 128 bits: two halves of what is compared, then of what is stored
};

enum atomic_op {
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCH,
    ATOMIC_CAS,
    ATOMIC_INC,
    ATOMIC_DEC
};
enum atomic_type {
    ATOMIC_U32,
    ATOMIC_S32,
    ATOMIC_U64,
    ATOMIC_S64,
    ATOMIC_F32,
    ATOMIC_F64,
    ATOMIC_F16,
    ATOMIC_F16X2,
    ATOMIC_BF16,
    ATOMIC_BF16X2,
    ATOMIC_B16
};

// An access by coordinates to a texture or surface: slots of the coordinates and of the data.
enum texture_kind { TEXTURE_SAMPLE, TEXTURE_GATHER, TEXTURE_LOAD, TEXTURE_STORE, TEXTURE_REDUCE, TEXTURE_QUERY };
struct texture_op {
    uint8_t kind, rank;
    bool layered, cube;
    bool texels;           // the coordinates are whole numbers of texels
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
#endif
