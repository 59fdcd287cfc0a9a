// Why a value that an expectation names is not in a row, and what would put it there.
// SPDX-License-Identifier: MIT
#ifndef RUN_CLAIM_WHY_H
#define RUN_CLAIM_WHY_H
#include "spec/experiment.h"
#include "store/table.h"

// "`gbps` is empty: nothing is timed on sim; a GPU is (`gpuexp devices`)". `name` is one whose value is missing.
void claim_why_empty(const struct experiment *, const struct table *, const struct cells *row, const char *name,
    struct str *);
// "no point has `stride == 64`: stride is 1, 2, 4 here": which values the names of a `when` have.
void claim_why_none(const struct experiment *, const char *when, const char *const *names, struct str *);
#endif
