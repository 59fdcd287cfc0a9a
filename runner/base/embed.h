// Files that are part of the binary (lua/*.lua, runner/compile/text/*), by their path in the repository.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

struct embedded {
    const char *name; // "lua/lib/stats.lua"; NULL ends the table
    const char *text; // a NUL follows the last byte
    size_t size;
};
extern const struct embedded embedded_files[];

const struct embedded *embed_find(const char *name);
