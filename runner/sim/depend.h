// What decides where a block goes and which addresses it asks for: its number alone, or values that it reads. It says
// whether some blocks can stand for the others.
// SPDX-License-Identifier: MIT
#ifndef SIM_DEPEND_H
#define SIM_DEPEND_H
#include "sim/exec.h"

struct ptx_func;

struct depend {
    bool others;               // on what other blocks do: blocks cannot be run alone
    bool data;                 // something below is because of values that are read
    bool paths;                // which instructions run follows from more than bounds on the block's number
    bool places[ACCESS_KINDS]; // addresses are no sum of multiples of the block's number
};

// A function that the kernel calls counts as anything.
struct depend depend_find(const struct ptx_func *kernel);
#endif
