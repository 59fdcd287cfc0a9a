// How much memory this process may come to use: the machine's, or less where a control group (a container, a batch job)
// gives less.
// SPDX-License-Identifier: MIT
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H
#include <stdint.h>

uint64_t machine_memory(void);
// What of it may be data of experiments. The rest is for the program and its compilers; `submit` asks for it besides.
#define MACHINE_RESERVE ((uint64_t)2 << 30)
uint64_t machine_data_memory(void);
#endif
