// The registers of a warp group's products (wgmma) while these go on by themselves: nobody may look at the sums, nor
// write them or the factors, before a wait that counts the product. Each such register has a word that says in which
// group of products it was last, and at which line.
// SPDX-License-Identifier: MIT
#ifndef SIM_FLIGHT_H
#define SIM_FLIGHT_H
#include "sim/exec.h"

struct decode;

void flight_plan(struct decode *);  // finds these registers of all functions, and where their sums are moved to
void flight_begin(struct decode *); // the kernel begins: nothing goes on
void flight_product(struct decode *);
void flight_close(struct decode *); // commit_group
void flight_wait(struct decode *, int64_t left);
// A move between two of these registers is no look at them.
bool flight_is_move(const struct decode *);
void flight_move(struct decode *);
void flight_touch(struct decode *, int reg, bool writes); // the current instruction reads or writes it
extern const struct op flight_ops[];
#endif
