// The table of themes.
// SPDX-License-Identifier: MIT
#include "spec/themes.h"

#include <stddef.h>

const struct theme themes[] = {
    {"access",
        "The 32 addresses of a warp fall into sectors of 32 bytes: how many they touch is what memory has to move."},
    {"caches", "What was read before comes from L1 or L2: how much fits, how long a load takes, what each gives."},
    {"shared", "Shared memory is as fast as registers are near, as long as the lanes of a warp want different banks."},
    {"execution", "Warps hide the time that loads take, if there are enough of them and their lanes go one way."},
    {"arithmetic", "A kernel is limited by memory or by arithmetic: what it does with each byte decides which."},
    {"transfers",
        "Between host and device there is a bus: what crosses it, how fast, and what can run at the same time."},
    {"launch", "Starting work takes time by itself: a few microseconds that small kernels cannot hide."},
    {NULL, NULL},
};
