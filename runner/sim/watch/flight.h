// The registers of a warp group's products (wgmma) while these go on by themselves: nobody may look at the sums, nor
// write them or the factors, before a wait that counts the product. Each such register has a word that says in which
// group of products it was last, and at which line. A decoder places the words and puts in the operations that ask.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

// Of a warp: how many groups of products have been closed, and how many of these have been waited for.
struct flight_groups {
    u32 closed, ended;
};
// Of a register: the group of the last product with it, 0: none; that product's line, and whether it is a sum of it.
struct flight_word {
    u32 group, line : 31, sum : 1;
};

struct flight_product { // what a product works on: slots of the words, the sums first
    const uint32_t *words;
    uint32_t count, sums;
};

extern const struct op flight_ops[];
