// The pictures of one point: what each unit and each line costs, what a warp's accesses reach, which lanes wait, which
// warps fit; beside it what the mend of its first finding leaves. For a terminal, a file and a page.
// SPDX-License-Identifier: MIT
#pragma once
#include "reason/figure.h"
#include "study/explaining.h"

struct picturing {
    const struct explaining *of;
    int line;          // that one alone; 0: all of it
    bool costly;       // of its accesses only the one that wastes most
    bool limits_alone; // only what each unit costs: lines take long
    // `line`: that it is of; 0: of no one line.
    void (*draw)(void *context, const struct figure *, int line);
    void *context;
};
void picturing_point(const struct picturing *);
