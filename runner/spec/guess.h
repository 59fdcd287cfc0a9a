// A description for a kernel that has none: what its arguments and its first lines look like. It is a guess, and
// whoever uses it says so.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/arena.h"

// YAML for the first `__global__` of the text whose arguments are all pointers and numbers; NULL: there is none, and
// `why` says what is in the way.
const char *guess_description(const char *text, const char **why, struct arena *);
