// The experiment files that a command was given, read and planned.
// SPDX-License-Identifier: MIT
#ifndef CLI_LOAD_H
#define CLI_LOAD_H
#include "cli/options.h"
#include "lua/script.h"
#include "plan/plan.h"

struct loaded {
    struct experiment **items; // of all files, in order
    size_t count;
    struct experiments *files; // one for each operand
    size_t file_count;
    struct sandbox *sandbox; // one for all
    struct script **scripts; // each item's, NULL where it has none or it did not load
};

// Reads every operand (a file, or the bare name of an experiment that `list` shows); all complaints of all files are
// added. False when there are any; what could be read is there even then.
bool load_files(const struct options *, struct loaded *, struct diags *);
// The same, where an operand may be a kernel too (a `.cu` file, or the bare name of one that `list` shows): it is taken
// as an experiment that says no more than `kernel: NAME`.
bool load_kernels(const struct options *, struct loaded *, struct diags *);
// The plan of item `i`, with the points of its script where it has one. NULL after errors; must be freed before
// load_release.
struct plan *load_plan(const struct loaded *, size_t i, struct diags *);
void load_release(struct loaded *);
// Which points of the plan are the shard's that was asked for; NULL: all are. To be freed.
bool *load_shard(const struct options *, const struct plan *);
#endif
