// Opens a shared library that need not be there, and tells a library that is missing from a system in trouble.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

// NULL: it is not there, or (`*unsure` true, else untouched) the system failed, and `why` says how.
void *dynamic_open(const char *name, char why[256], bool *unsure);
