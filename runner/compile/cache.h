// Compiled code on disk, one file an entry, named by the hash of all that went into it. An entry that is cut short,
// altered or of another layout is no entry; a folder that cannot be written is no cache and no error.
// SPDX-License-Identifier: MIT
#ifndef COMPILE_CACHE_H
#define COMPILE_CACHE_H
#include "compile/compile.h"

struct code *cache_load(const char key[33]);                               // NULL: not there (or not right)
bool cache_store(const char key[33], const struct code *, struct diags *); // false: why not, for a warning
#endif
