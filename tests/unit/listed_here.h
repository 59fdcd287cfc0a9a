// Reads tests/golden/sass.csv: how many accesses of each kind and width the machine code of a golden kernel has.
//
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

// One of `ld_global.4=5`: five loads of four bytes.
static inline void listed_add(const char *word, int32_t has[SIM_LISTED])
{
    static const char *const names[SIM_LISTED_KINDS] = {"ld_global", "st_global", "atomic_global", "ld_shared",
        "st_shared", "atomic_shared", "ld_local", "st_local", "ld_generic", "st_generic", "atomic_generic"};
    char name[16];
    unsigned bytes = 0;
    int count;
    if (sscanf(word, "%15[a-z_].%u=%d", name, &bytes, &count) != 3 && sscanf(word, "%15[a-z_]=%d", name, &count) != 2)
        return;
    for (int kind = 0; kind < SIM_LISTED_KINDS; kind++)
        if (strcmp(names[kind], name) == 0) has[sim_listed_at((enum sim_listed_kind)kind, bytes)] = count;
}

// From one row of the file: `set,kernel,words`.
static inline void listed_read(const char *row, int32_t has[SIM_LISTED])
{
    const char *p = strchr(strchr(row, ',') + 1, ',');
    memset(has, 0, SIM_LISTED * sizeof *has);
    for (; *p == ',' || *p == ' '; p += strcspn(p, " \n")) listed_add(++p, has);
}

static inline bool listed_find(const char *csv, const char *set, const char *kernel, int32_t has[SIM_LISTED])
{
    char row[64];
    const int n = snprintf(row, sizeof row, "\n%s,%s,", set, kernel);
    const char *at = n > 0 ? strstr(csv, row) : NULL;
    if (at) listed_read(at + 1, has);
    return at != NULL;
}
