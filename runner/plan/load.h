// Experiment files, read and planned: those that a command line names, or what stands in for them.
// SPDX-License-Identifier: MIT
#pragma once
#include "lua/script.h"
#include "plan/plan.h"
#include "spec/experiment.h"

// Which experiments are meant, at which values, and which part of their points. Texts are another's.
struct request {
    const char **files; // a file, or the bare name of an experiment that `list` shows
    size_t count;
    struct override *overrides;
    size_t override_count, override_room;
    const char *only;             // the one experiment of its file that is meant; NULL: all
    uint64_t seed, shard, shards; // shards 0: no part, but all
};
struct loaded {
    struct experiment **items; // of all files, in order
    size_t count;
    struct experiments *files; // one for each of the request's
    size_t file_count;
    struct sandbox *sandbox; // one for all
    struct script **scripts; // each item's, NULL where it has none or it did not load
    bool looked_at;          // on the simulator, by load_kernels: what needs a GPU is drawn, and not told as idle
};

// Reads every file; all complaints of all of them are added. False when there are any; what could be read is there even
// then. A kernel's file is taken as an experiment that says no more than `kernel: ./FILE`.
bool load_files(const struct request *, struct loaded *, struct diags *);
// The same, where the bare name of a kernel that `list` shows is one too.
bool load_kernels(const struct request *, struct loaded *, struct diags *);
// The plan of item `i`, with the points of its script where it has one. NULL after errors; must be freed before
// load_release.
struct plan *load_plan(const struct loaded *, size_t i, struct diags *);
void load_release(struct loaded *);
// Which points of the plan are the shard's; NULL: all are. To be freed.
bool *load_shard(const struct request *, const struct plan *);
