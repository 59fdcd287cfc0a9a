// The order of a function's blocks decides where parted lanes meet: the earliest group runs first, so what all lanes
// come to must lie behind what some of them still do. Compilers lay blocks out for other reasons.
// SPDX-License-Identifier: MIT
#ifndef SIM_ORDER_H
#define SIM_ORDER_H
struct arena;
struct ptx_func;

// Puts the blocks in an order in which every block lies behind those that lead to it, but for loops, which stay in one
// piece, first what enters them. Where that leaves a choice, the compiler's order stands.
void order_blocks(struct ptx_func *, struct arena *);
#endif
