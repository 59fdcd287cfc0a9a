// Measures the points of several kernels in turns, and says of each what it is beside the first: for `judge` and
// `compare --remeasure`.
// SPDX-License-Identifier: MIT
#ifndef CLI_JUDGING_H
#define CLI_JUDGING_H
#include "cli/options.h"
#include "plan/plan.h"

// A context's cost is that of many visits, and what it draws is in both kernels' times.
enum { JUDGING_CONTEXTS = 2, JUDGING_ROUNDS = 4 };

struct judging {
    double threshold;
    bool quiet;
    struct judged *items; // every point, as it was measured
    size_t count, room;
    const char *base; // the kernel that the others are held against
};

// Runs the plan, whose axis is `kernel`, and prints the verdicts. The exit status: 1 where a kernel is slower, or is
// not what it promises.
int judging_run(struct judging *, const struct options *, struct plan *, struct arena *, struct diags *);
void judging_release(struct judging *);
#endif
