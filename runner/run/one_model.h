// The shards of a sweep are measured on one model of GPU: a task of a cluster that was given another says so before it
// measures, and not the merge when the night is over.
// SPDX-License-Identifier: MIT
#ifndef RUN_ONE_MODEL_H
#define RUN_ONE_MODEL_H
#include "run/engine.h"

// Writes the run file that says which device measures, unless another shard is on another model: then false after
// diags. Of two that begin together the one that comes first goes on.
bool one_model(struct engine *, const struct lock_wait *, const struct run_summary *at_start);
#endif
