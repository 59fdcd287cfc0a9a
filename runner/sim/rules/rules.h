// The counting rules: what one access of a warp costs the memory pipe. They need only the addresses, the active lanes
// and the width. Pure functions, found by measuring kernels on a GPU (tests/golden/README.md), each stated here.
// `at` holds 32 byte addresses; lanes outside `mask`, which is never empty, are ignored.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Global loads and stores: how many different 32-byte sectors the lanes touch. One request for any width.
uint32_t rules_sectors(const uint64_t at[32], uint32_t mask, uint32_t bytes);

// Shared memory: 32 banks of 4 bytes. A wavefront serves each bank once. Conflicts are the wavefronts beyond the passes
// that the width needs anyway.
struct rules_waves {
    uint32_t wavefronts, conflicts;
};
// Loads and stores. Up to 32 bits: the whole warp in one pass, a bank is busy once per different word. 64 bits: two
// half-warps, unless neighbouring lanes (l and l^1 everywhere, or l and l^2) read the same address: then one pass. 128
// bits: the same for each half-warp over its quarters.
struct rules_waves rules_shared(const uint64_t at[32], uint32_t mask, uint32_t bytes);
// The load of a loop for an atomic: lanes that are through still have their address.
struct rules_waves rules_shared_again(const uint64_t at[32], uint32_t mask, uint32_t bytes);
// Rows of matrices of 8 by 8 halves (ldmatrix): eight lanes give the rows of one, 16 bytes each, which go in one pass.
struct rules_waves rules_matrices(const uint64_t at[32], uint32_t mask);
// Atomics on shared memory. Lanes on one bank serialise even when the address is the same, except in these forms.
enum rules_form {
    RULES_EACH,      // every lane for itself
    RULES_INCREMENT, // all add 1 and the result is not used: one instruction counts equal addresses at once
    RULES_AGGREGATE, // the compiler makes one access for the whole warp, because the address is the same in all lanes
    RULES_SWAP,      // compare-and-swap: twice the passes, since it brings two values
    RULES_SWAP_ANYWHERE, // the same at an address of unknown space: conflicts count once
    RULES_SPIN           // machine code: the swap of a loop that the compiler makes
};
struct rules_waves rules_shared_atomic(const uint64_t at[32], uint32_t mask, uint32_t bytes, enum rules_form);

// Operations that shared memory cannot do by itself: the compiler makes a loop of them, load, compute, swap if nobody
// else has swapped since. In each turn one lane of each bank gets through: of the lanes that want to swap, those that
// may.
uint32_t rules_spin_through(const uint64_t at[32], uint32_t mask, uint32_t bytes);

// Global atomics: sectors are summed over rounds. Lines of 128 bytes belong to four parts, by bits of their addresses.
// In a round each part does one line, that of its first lane, and of each of 32 banks its first lane. A lane waits
// behind an earlier one of its part and bank, be that one of another line and waiting too: so a sector may take two
// rounds.
uint32_t rules_atomic_sectors(const uint64_t at[32], uint32_t mask, uint32_t bytes, enum rules_form);
// Whether that may be one or two off: where lanes that share a sector and others reach further than 8 KiB, in one of
// ten accesses it was.
bool rules_atomic_unsure(const uint64_t at[32], uint32_t mask, enum rules_form);

// Local memory: `at` are offsets in each lane's own memory, which the hardware interleaves word by word over the lanes.
// One request for each 32-bit word of the access.
struct rules_local {
    uint32_t requests, sectors;
};
struct rules_local rules_local(const uint64_t at[32], uint32_t mask, uint32_t bytes);

// ptxas joins shared accesses to neighbouring words into wide ones where the address is provably aligned: four 32-bit
// words (for loads, three are enough) to 128 bits, two to 64, two 64-bit ones to 128. `words` are the accesses of one
// basic block that may be joined with each other: same base register, same direction and size, no barrier or aliasing
// access between. On return `width` says how wide (`bytes`: alone), `from` is the lowest offset of the wide access and
// `first` says that this word is counted for all of it.
struct rules_word {
    int64_t offset;
    uint64_t base;  // the largest power of two known to divide the base; 0: all of them
    uint32_t bytes; // 4 or 8
    uint32_t width;
    int64_t from;
    bool first;
};
void rules_join(struct rules_word *words, size_t count, bool loads);
