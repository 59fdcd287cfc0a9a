// A command on each of a cluster's nodes: `gpuexp submit health --nodes NODES`. Each node is a job of its own, so that
// a busy one holds up no other. A second job judges what all have found.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdio.h>

#include "base/diag.h"

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
