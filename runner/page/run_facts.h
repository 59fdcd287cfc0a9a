// What the run file beside a report says about it, for the page: its question, and what it was measured with.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

#include "base/arena.h"

struct fact {
    const char *name, *text;
};
enum { FACTS_MOST = 16 };
enum { CLAIMS_MOST = 64 }; // expectations that a page tells

struct run_facts {
    struct fact items[FACTS_MOST];
    int count;
    unsigned long points;            // of the plan; 0: not known
    unsigned long broken, unchecked; // expectations, as the last run found them
    const char *claims[CLAIMS_MOST]; // what came of each
    int claim_count;
    const char *lines[CLAIMS_MOST]; // what the script said
    int line_count;
};
// Nothing where there is no run file: a report can be shown without it. Texts are in the arena.
void run_facts_read(struct run_facts *, const char *runfile, struct arena *); // its text, or NULL
