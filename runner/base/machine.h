// How much memory this process may use: that of the machine, or less where a control group (a container, a batch job)
// has a limit.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>
#include <sys/types.h>

uint64_t machine_memory(void);
// The part of it for the data of experiments. The rest is for the program and its compilers; `submit` adds it.
#define MACHINE_RESERVE ((uint64_t)2 << 30)
uint64_t machine_data_memory(void);

// How long a process, its threads and all that it started have run, and how long they had to wait for a processor
// meanwhile: on a busy machine a second has less than a second's work in it.

struct turns {
    double ran, waited;           // seconds, since `turns_begin`
    double seen_ran, seen_waited; // of those that lived at the last look
};

void turns_begin(struct turns *, pid_t);
// To be called every second or so: what began and ended between two looks is not seen.
void turns_look(struct turns *, pid_t);
// Which part of the time in which they wanted a processor they had one; 1 where that is not known.
double turns_share(const struct turns *);
