// A command on every node of a cluster at once, where a plan's shards are no help: `gpuexp submit health --nodes N`.
// SPDX-License-Identifier: MIT
#ifndef CLUSTER_EVERYWHERE_H
#define CLUSTER_EVERYWHERE_H
#include <stdio.h>

#include "base/diag.h"

struct everywhere {
    const char *command; // of gpuexp; its reports are reports/COMMAND.*.csv
    unsigned nodes;
    const char *partition;  // or NULL
    const char *const *own; // the scheduler's own options; NULL-terminated, may be NULL
    bool dry_run;           // print the script, submit nothing
};
// Writes the script to the folder `reports` and submits it. 0, or as diags say.
int everywhere_submit(const struct everywhere *, FILE *out, struct diags *);
#endif
