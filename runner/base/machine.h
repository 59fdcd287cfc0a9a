// How much memory this process may use: that of the machine, or less where a control group (a container, a batch job)
// has a limit.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

uint64_t machine_memory(void);
// The part of it for the data of experiments. The rest is for the program and its compilers; `submit` adds it.
#define MACHINE_RESERVE ((uint64_t)2 << 30)
uint64_t machine_data_memory(void);
