// What decides where a block goes and which addresses it asks for: its number alone, or values that it reads. It says
// whether some blocks can stand for the others.
// SPDX-License-Identifier: MIT
#ifndef SIM_DEPEND_H
#define SIM_DEPEND_H
#include "sim/core/state.h"

struct ptx_func;

// A function that the kernel calls counts as anything.
struct depend depend_find(const struct ptx_func *kernel);
#endif
