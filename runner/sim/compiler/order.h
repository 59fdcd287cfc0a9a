// The order of a function's blocks decides where separated lanes meet: the earliest group runs first, so code that all
// lanes reach must come after code that only some of them run. Compilers order blocks for other reasons.
// SPDX-License-Identifier: MIT
#ifndef SIM_ORDER_H
#define SIM_ORDER_H
struct arena;
struct ptx_func;

// Puts the blocks into an order in which every block comes after those that lead to it. A loop stays in one piece, its
// entry first. Where there is a choice, the compiler's order is kept.
void order_blocks(struct ptx_func *, struct arena *);
#endif
