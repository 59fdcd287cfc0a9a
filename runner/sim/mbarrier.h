// Barriers that lie in shared memory and count arrivals and bytes, and the copies that a unit of its own makes, which
// such a barrier waits for.
// SPDX-License-Identifier: MIT
#ifndef SIM_MBARRIER_H
#define SIM_MBARRIER_H
#include "sim/exec.h"

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
    MBARRIER_PREDICATE = 8
};

// An instruction's slots: r[0] the result, r[1] the number, state or parity; r[4] and `offset` the address; `elem` the
// kind, `vector` the bits.
struct bulk_op {
    struct memory_op memory;
    uint32_t to, from, bytes, barrier, ranks; // slots; `ranks` not 0: to these blocks of the cluster
    uint8_t to_space, from_space;
    uint8_t item; // stores: so many bytes of each value; 0: a copy of `bytes`
    uint8_t items;
    uint32_t values[4];
};

extern const struct op mbarrier_ops[];
#endif
