// `gpuexp submit`: a batch script that a person can read and edit, sized from the plan, given to the cluster's
// scheduler as a job array whose tasks are shards, with a second job that merges them. Queueing is the scheduler's
// work; nothing of it is done here.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdio.h>

#include "plan/plan.h"

struct submit_options {
    const char *file;                // as typed: it stands in the script
    const struct plan *const *plans; // one for each experiment of the file
    size_t plan_count;
    const char *const *arguments; // more of gpuexp's own: "-s", "n=1Mi", "-d", "sim"; NULL-terminated, may be NULL
    const char *const *own;       // the scheduler's own options, after `--`; NULL-terminated, may be NULL
    const char *partition;        // or NULL
    unsigned shards;
    uint64_t seed;
    bool dry_run; // print the script, submit nothing
};

// Seconds for a point when this experiment last ran here, on that device (NULL: on any); NAN: it did not.
double submit_pace(const struct plan *, unsigned shards, const char *device);
const char *submit_name(const struct submit_options *); // of the first experiment: files and jobs are named after it

enum { SUBMIT_WARNING_SECONDS = 120 }; // how long before its time limit a task is told to come to its end

// What a task needs, estimated from the plan.
struct submit_size {
    size_t points, a_task;  // of all experiments; the most that one shard has
    double seconds_a_point; // measured by an earlier run where there is one, else from `measure:`
    bool measured;
    double seconds;        // of a task
    unsigned minutes, gib; // what is asked for
    bool gpu, any_device;  // a point needs a GPU, or may: nothing says what measures it
};
void submit_measure(const struct submit_options *, struct submit_size *);
// The script's text; for the caller to free.
char *submit_script(const struct submit_options *, const struct submit_size *, const char *program);
// Of the second job, which merges what the tasks have measured.
char *submit_merge_script(const struct submit_options *, const char *program);
// In the script it stands in a line that the scheduler reads as it is. NULL fits.
bool submit_partition_fits(const char *name, struct diags *);
bool submit_own_fit(const char *const *own, struct diags *);
#define SUBMIT_BEGINS "#!/bin/bash\n# Written by `gpuexp submit" // every script
// Writes the scripts to the folder `reports` and submits it; prints job ids and how to watch. 0, or as diags say.
int submit_run(const struct submit_options *, FILE *out, struct diags *);
