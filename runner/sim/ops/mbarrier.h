// Barriers that lie in shared memory and count arrivals and bytes, and the copies that a unit of its own makes, which
// such a barrier waits for.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

enum mbarrier_kind {
    MBARRIER_INIT,
    MBARRIER_INVAL,
    MBARRIER_EXPECT, // so many bytes more
    MBARRIER_COMPLETE,
    MBARRIER_ARRIVE,
    MBARRIER_TEST,
    MBARRIER_PENDING
};
enum mbarrier_bits {
    MBARRIER_DROPS = 1,  // an arrival that does not come again
    MBARRIER_BYTES = 2,  // its number is of bytes to expect, and it counts as one
    MBARRIER_PARITY = 4, // a test by parity
    MBARRIER_WAITS = 16, // a test that is done again until it finds the barrier open, and issued once
    MBARRIER_MACHINE = 8 // as a GPU keeps it: a state's upper half for a test, a count that is negated
};

// An instruction's slots: r[0] the result, r[1] the number, state or parity; r[4] and `offset` the address; `elem` the
// kind, `vector` the bits. Of a copy `vector` says that the warp makes it once, not each lane.
struct bulk_op {
    struct memory_op memory;
    uint32_t to, from, bytes, barrier, ranks; // slots; `ranks` not 0: to these blocks of the cluster
    uint8_t to_space, from_space;
    uint8_t item; // stores: so many bytes of each value; 0: a copy of `bytes`
    uint8_t items;
    uint32_t values[4];
    uint32_t map, at[5]; // copies by a tensor map: its address, and where the box begins
    uint32_t shift[5];   // 0, or how far from there a filter reads
    uint8_t rank;
    bool images; // im2col
};

// For copies of another form (tensor.c). Bytes of shared memory, this block's or another one's of the cluster; NULL
// after a fault. `in`: whose, or NULL.
unsigned char *mbarrier_reach(struct warp *, const struct inst *, uint32_t lane, uint64_t address, uint32_t bytes,
    uint32_t align, struct block **in);
// So many bytes have come to a barrier; a copy that it counts is under way. False after a fault.
bool mbarrier_complete(struct warp *, const struct inst *, uint32_t lane, uint64_t barrier, uint32_t bytes);
bool mbarrier_note(struct warp *, const struct inst *, uint32_t lane, uint64_t to, uint32_t bytes, uint64_t barrier);
uint64_t mbarrier_in_block(uint64_t address, uint32_t rank); // the same place in that block of the cluster
uint64_t mbarrier_own(uint64_t address);                     // without the generic window

extern const struct op mbarrier_ops[];
