// The workers of a run, one a device: which devices the plan asks for (one, a swept few, or `cuda:all`), started and
// named. What needs a look at the hardware (is there a GPU, how many) is asked by a child process, because a process
// that has touched a GPU can no longer fork workers that do.
// SPDX-License-Identifier: MIT
#ifndef RUN_LANES_H
#define RUN_LANES_H
#include "measure/worker.h"
#include "run/run.h"

struct task; // run.c: the point at hand

struct lane {
    char asked[DEVICE_SPEC], spec[DEVICE_SPEC]; // as the plan has it (cuda:all); which one it is (cuda:3)
    struct worker *worker;
    struct device_identity id;
    char name[96]; // for rows: "NVIDIA H200", with " (cuda:3)" where several GPUs share the run
    bool gone;     // it cannot be opened again
    struct task *task;
};

struct lanes {
    struct lane *items;
    size_t count;
    bool swept; // points choose their device: one at a time, so that none disturbs another's measurement
};

bool lanes_open(struct lanes *, const struct plan *, const struct run_options *, const struct run_observer *,
    struct diags *);
void lanes_close(struct lanes *);
// "NVIDIA H200", "4 x NVIDIA H200", "sim:h200 + sim:a100"
void lanes_print(const struct lanes *, struct str *);
#endif
