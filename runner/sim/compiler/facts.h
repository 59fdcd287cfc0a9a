// Facts about a function that the counting rules need and that are known before it runs: whether a register is read,
// which power of two divides it, and which shared accesses ptxas will join.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct arena;
struct ptx_func;
struct ptx_operand;
struct ptx_var;

struct facts_join {
    uint8_t width;  // bytes of the joined access; 0: it stays alone
    bool first;     // stands for the joined access
    int16_t offset; // from this access's address to the joined one's
};
struct facts {
    uint32_t *reads, *writes;      // by register: at how many places
    uint8_t *twos;                 // by register: 2^twos always divides its value
    const struct ptx_var **within; // by register: the variable of shared memory that its value points into; see below
    struct facts_join *join;       // by instruction
    uint8_t *uniform; // by instruction: an atomic whose address does not depend on the thread: 1; 2: in whole warps
};
// The variable of shared memory that an address is made from, and from no other; NULL: there is none.
const struct ptx_var *facts_within(const struct facts *, const struct ptx_operand *address);
// `place` gives the address of a shared or local variable within its space, ~0 for others.
void facts_find(struct facts *, struct arena *, const struct ptx_func *,
    uint64_t (*place)(void *, const struct ptx_var *), void *);
void facts_find_uniform(struct facts *, struct arena *, const struct ptx_func *); // after facts_find
