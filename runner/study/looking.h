// A closer look at the points of a report, for its page: they run on the simulator, from the texts that its run file
// keeps, at the sizes that its experiment has for the simulator.
// SPDX-License-Identifier: MIT
#pragma once
#include "page/insight.h"
#include "plan/load.h"
#include "reason/figure.h"
#include "study/explaining.h"

// NULL: there is nothing to show. In the arena; never more than some seconds. `request`: a struct request.
const struct insight *looking_at(const char *report, void *request, struct arena *);

// The pictures of one point: what each unit and each line costs, what a warp's accesses reach, which lanes wait, which
// warps fit; beside it what the mend of its first finding leaves. For a terminal, a file and a page.

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
