// The experiment's expectations, checked against what the report says when the run is over. Each holds, is broken, or
// was not checked: where a value that it names is missing, or no point is meant, it did not pass.
// SPDX-License-Identifier: MIT
#pragma once
#include "run/run.h"
#include "store/table.h"

struct claims {
    size_t holding, broken, unchecked; // expectations, not rows
    char **lines;                      // of each, in order: what came of it; NULL-terminated
};
// Tells `observer->claim` each one that is broken or was not checked. `some`: the rows are a shard's; what they cannot
// tell is told where all are together. False, with diags: an expression or the file is in error.
bool claims_check(const struct experiment *, struct table *, bool some, struct sandbox *, const struct run_observer *,
    struct claims *, struct diags *);
void claims_release(struct claims *);
