// How far a report and its shards are, from the files alone: it needs no device, no plan and no scheduler, and disturbs
// nobody.
// SPDX-License-Identifier: MIT
#ifndef RUN_STATUS_H
#define RUN_STATUS_H
#include <stdio.h>

#include "base/diag.h"
#include "base/json.h"

// Prints one block for `report` ("reports/x.csv"; the report itself, its shards, or both). Returns 0: all points are
// there; 1: all are there, some failed; 75: points are left; 2 or 3 as diags say.
// To `json`, where it is not NULL, as objects of a list.
int run_status(const char *report, FILE *out, struct json *, struct diags *);
#endif
