// Runs a program of the cluster's and gives back what it said.
// SPDX-License-Identifier: MIT
#ifndef CLUSTER_COMMAND_H
#define CLUSTER_COMMAND_H
#include "base/diag.h"
#include "base/str.h"

// `argv` NULL-terminated, found on PATH. `out` gets its standard output. False: it is not there or failed; diags gets
// its own words.
bool command_output(const char *const *argv, struct str *out, struct diags *);
#endif
