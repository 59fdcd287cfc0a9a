// Two times of one kernel: where its contexts, or the places of its buffers within them, fall into two groups, the mean
// of all is a time that nobody sees. Pure functions.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct modes {
    double quick, slow; // the mean of each group
    double slow_share;  // 0 to 1
};

// Of one value for each context or place. True: there are two groups, and both are more than one value. Values that
// only scatter are one, whatever gap chance leaves among them.
bool modes_find(const double *values, size_t count, struct modes *);
