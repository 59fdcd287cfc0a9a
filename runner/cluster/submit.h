// `gpuexp submit`: a batch script that a person can read and edit, sized from the plan, given to the cluster's
// scheduler as a job array whose tasks are shards, with a second job that merges them. Queueing is the scheduler's
// work; nothing of it is done here.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdio.h>

#include "base/diag.h"
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

enum submit_by { SUBMIT_BY_RUN, SUBMIT_BY_MODEL, SUBMIT_BY_FILE };
// What a task needs, estimated from the plan.
struct submit_size {
    size_t points, a_task;  // of all experiments; the most that one shard has
    double seconds_a_point; // measured by an earlier run where there is one, else as the model expects of a GPU, else
                            // from `measure:`
    enum submit_by by;      // what says so, of all experiments the weakest
    double seconds;         // of a task
    unsigned minutes, gib;  // what is asked for
    bool gpu, any_device;   // a point needs a GPU, or may: nothing says what measures it
};
void submit_measure(const struct submit_options *, struct submit_size *);
// The script's text; for the caller to free.
char *submit_script(const struct submit_options *, const struct submit_size *, const char *program);
// Of the second job, which merges what the tasks have measured.
char *submit_merge_script(const struct submit_options *, const char *program);
bool submit_own_fit(const char *const *own, struct diags *);
#define SUBMIT_BEGINS "#!/bin/bash\n# Written by `gpuexp submit" // every script
// Writes the scripts to the folder `reports` and submits it; prints job ids and how to watch. 0, or as diags say.
int submit_run(const struct submit_options *, FILE *out, struct diags *);

// A command on each of a cluster's nodes: `gpuexp submit health --nodes NODES`. Each node is a job of its own, so that
// a busy one holds up no other. A second job judges what all have found.

struct everywhere {
    const char *command;    // of gpuexp; its reports are reports/COMMAND.NODE.*.csv
    const char *nodes;      // as typed: how many, or all, or names, a feature, a state
    const char *partition;  // or NULL
    const char *const *own; // the scheduler's own options; NULL-terminated, may be NULL
    const char *device;     // what is tested of each, -d; NULL: every GPU of the task
    bool fresh;             // nodes that have a report are tested again
    bool dry_run;           // print the scripts, submit nothing
};
// Writes the scripts to the folder `reports` and submits them. 0, or as diags say.
int everywhere_submit(const struct everywhere *, FILE *out, struct diags *);

// A node that is not well, as the scheduler is told of it: printed, or told (`tell`). `reason` is cut to what it keeps.
bool everywhere_drain(const char *node, const char *reason, bool tell, FILE *out, struct diags *);
