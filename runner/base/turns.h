// How long a process, its threads and all that it started have run, and how long they had to wait for a processor
// meanwhile: on a busy machine a second has less than a second's work in it.
// SPDX-License-Identifier: MIT
#pragma once
#include <sys/types.h>

struct turns {
    double ran, waited;           // seconds, since `turns_begin`
    double seen_ran, seen_waited; // of those that lived at the last look
};

void turns_begin(struct turns *, pid_t);
// To be called every second or so: what began and ended between two looks is not seen.
void turns_look(struct turns *, pid_t);
// Which part of the time in which they wanted a processor they had one; 1 where that is not known.
double turns_share(const struct turns *);
