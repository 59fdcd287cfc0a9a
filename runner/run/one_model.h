// The shards of a sweep are measured on one model of GPU: a task of a cluster that was given another says so before it
// measures, and not the merge when the night is over.
// SPDX-License-Identifier: MIT
#ifndef RUN_ONE_MODEL_H
#define RUN_ONE_MODEL_H
#include "run/engine.h"

// The engine's own run file is written. False after diags: another shard is on another model. Of two that begin
// together the one with the lower number goes on.
bool one_model(struct engine *);
#endif
