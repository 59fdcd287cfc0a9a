// Command lines of a cluster's own programs: puts one together, runs it, returns what it printed.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/diag.h"
#include "base/str.h"

struct command_words {  // a command line that is being put together; its owner frees `items`
    const char **items; // NULL-terminated once something is added
    size_t count, room;
};
void command_add(struct command_words *, const char *word); // the word itself is not copied

bool command_exists(const char *program); // on PATH
// `argv` is NULL-terminated, its first word found on PATH. `out` gets its standard output. False: it is not there or
// failed; diags gets its own words.
bool command_output(const char *const *argv, struct str *out, struct diags *);
