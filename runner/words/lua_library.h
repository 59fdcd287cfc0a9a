// The Lua library for scripts: its modules and functions, described by the comments above them in the embedded files.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/embed.h"
#include "base/str.h"

struct library_function {
    const char *name, *arguments, *about; // "stats.median", "(list)", the comment
};
typedef void library_fn(void *context, const struct library_function *);

// "lua/lib/stats.lua" is module "stats": its name without folder and suffix, in `name`; NULL where the file is not one.
const char *library_module(const struct embedded *, char name[64]);
void library_opening(const char *text, struct str *); // the comment at the top, up to its licence, as one paragraph
void library_functions(const struct embedded *, library_fn *, void *context); // every `function M.name(...)` with `---`
