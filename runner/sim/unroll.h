// Loops that ptxas unrolls: four turns at once, then two, then the loop as it was. Lanes that leave at different turns
// run in other groups because of it, so that there are more requests than turns.
// SPDX-License-Identifier: MIT
#ifndef SIM_UNROLL_H
#define SIM_UNROLL_H
struct arena;
struct ptx_func;

// Writes such loops out. What decides how many turns are left is an instruction of its own, `turns`. Where it is not
// sure whether the compiler unrolls, the jump says so.
void unroll_loops(struct ptx_func *, struct arena *);

#endif
