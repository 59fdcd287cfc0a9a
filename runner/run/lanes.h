// The workers of a run, one for each device that the plan asks for (one, several that are swept, or `cuda:all`). A
// child process counts the GPUs, because a process that has used one cannot fork workers that use it.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/worker.h"
#include "run/block.h"
#include "run/run.h"

struct lane {
    char asked[DEVICE_SPEC], spec[DEVICE_SPEC]; // as the plan has it (cuda:all); which one it is (cuda:3)
    struct worker *worker;
    struct device_identity id;
    char name[96]; // "NVIDIA H200", with " (cuda:3)" where several GPUs share the run
    double number; // 3; NAN where there is one alone
    bool gone;     // it cannot be opened again
    // It shares the run with others, and its device is not open yet: a short plan is done sooner without it. `id` is
    // that of the first. Once it is worth it, it opens, while the others go on (run/run.c).
    bool asleep, opening;
    struct task *task; // visited right now; one of the block's
    struct task *next; // the one to visit as soon as the host's bus is free
    struct visits block;
    size_t visits;   // of each point: one in each context, or several
    size_t together; // how many lanes one spec asked for (cuda:all), this one among them
};

struct lanes {
    struct lane *items;
    size_t count;
    bool swept; // points choose their device: one at a time, so that none disturbs another's measurement
};

// Starts the workers; their devices open while the run goes on with something else, until lanes_open waits for them.
// `late`: of those that share the run, only the first begins.
bool lanes_begin(struct lanes *, const struct plan *, const struct run_options *, bool late, struct diags *);
bool lanes_open(struct lanes *, const struct plan *, unsigned rounds, const struct run_observer *, struct diags *);
void lanes_close(struct lanes *);
void lanes_leave(const struct lanes *); // nothing is measured any more: devices close while the report is put in order
// What follows from what its worker found: its name, and how often it visits a point.
void lanes_know(const struct lanes *, struct lane *, const struct plan *, unsigned rounds);
// "NVIDIA H200", "4 x NVIDIA H200", "sim:h200 + sim:a100": those that are open
void lanes_print(const struct lanes *, struct str *);
