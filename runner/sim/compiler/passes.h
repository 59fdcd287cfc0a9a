// What is found out about PTX before it runs: the order of its blocks, its loops, what decides its way, and its work.
// Facts about single instructions are in facts.h.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/look.h"
#include "sim/core/state.h"

struct arena;
struct ptx_func;
struct ptx_op;

// The order of a function's blocks decides where separated lanes meet: the earliest group runs first, so code that all
// lanes reach must come after code that only some of them run. Compilers order blocks for other reasons. This puts them
// into an order in which every block comes after those that lead to it. A loop stays in one piece, its entry first.
// Where there is a choice, the compiler's order is kept.
void order_blocks(struct ptx_func *, struct arena *);

// Loops that ptxas unrolls: four turns at once, then two, then the loop as it was. Lanes that leave at different turns
// run in other groups because of it, so that there are more requests than turns. What decides how many turns are left
// is an instruction of its own, `turns`. What `explain` says of loads on their way hangs on it.
void unroll_loops(struct ptx_func *, struct arena *);

// A function that the kernel calls counts as anything.
struct depend depend_find(const struct ptx_func *kernel);

// The list of the kinds of work that an explanation names, with that instruction in it if it is of one.
const struct head_work *work_add(const struct head_work *, const struct ptx_op *, int line, struct arena *);
// By instruction: a load whose address is made from what another one gave, with no jump between them.
bool *work_waits(const struct ptx_func *, struct arena *);
