// What `gpuexp print` prints for other programs. False after diags: there is none of that name.
// SPDX-License-Identifier: MIT
#ifndef CLI_PRINTED_H
#define CLI_PRINTED_H
#include "base/diag.h"

bool printed_manual(const char *page, struct diags *);  // NULL: gpuexp
bool printed_schema(const char *files, struct diags *); // "experiment" (also for NULL) or "kernel"
// Of a shell. `words`: the line so far, of which the last is to be completed; NULL: what the shell reads once.
bool printed_completion(const char *shell, char **words, struct diags *);
#endif
