// Loops that ptxas unrolls: four turns at once, then two, then the loop as it was. Lanes that leave at different turns
// run in other groups because of it, so that there are more requests than turns.
// SPDX-License-Identifier: MIT
#ifndef SIM_UNROLL_H
#define SIM_UNROLL_H
#include <stdbool.h>
#include <stddef.h>

struct arena;
struct ptx_func;

// Writes such loops out. What decides how many turns are left is an instruction of its own, `turns`. Where it is not
// sure whether the compiler unrolls, the jump says so.
void unroll_loops(struct ptx_func *, struct arena *);

// Whether that piece of a loop, up to the branch that closes it, has no branches but over parts of its own which write
// none of the registers in `kept` (-1 ends them).
bool unroll_straight(const struct ptx_func *, size_t from, size_t to, const int *kept);
#endif
