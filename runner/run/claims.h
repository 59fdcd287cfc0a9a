// The experiment's expectations, checked against what the report says when the run is over. Each holds, is broken, or
// was not checked: where a value that it names is missing, or no point is meant, it did not pass.
// SPDX-License-Identifier: MIT
#pragma once
#include "store/table.h"
#include "run/run.h"

struct claims {
    size_t holding, broken, unchecked; // expectations, not rows
    char **lines;                      // of each, in order: what came of it; NULL-terminated
};
// Tells `observer->claim` each one that is broken or was not checked. `some`: the rows are a shard's; what they cannot
// tell is told where all are together. False, with diags: an expression or the file is in error.
bool claims_check(const struct experiment *, struct table *, bool some, struct sandbox *, const struct run_observer *,
    struct claims *, struct diags *);
void claims_release(struct claims *);

// claim_why.c: why a value that an expectation names is not in a row, and what would put it there.
//
// "`gbps` is empty: nothing is timed on sim; a GPU is (`gpuexp devices`)". `name` is one whose value is missing.
void claim_why_empty(const struct experiment *, const struct table *, const struct cells *row, const char *name,
    struct str *);
// "no point has `stride == 64`: stride is 1, 2, 4 here": which values the names of a `when` have.
void claim_why_none(const struct experiment *, const char *when, const char *const *names, struct str *);
