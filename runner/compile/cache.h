// Compiled code on disk: one file for each entry, named by the hash of all that decides it. An entry that is cut short,
// changed or of another layout is ignored. A folder that cannot be written is not an error: then there is no cache.
// Only what this user wrote and nobody else could have written is taken: it is code that will run.
// SPDX-License-Identifier: MIT
#pragma once
#include "compile/compile.h"

#include <stdint.h>

struct code *cache_load(const char key[33]);                               // NULL: not there (or not right)
bool cache_store(const char key[33], const struct code *, struct diags *); // false: why not, for a warning
// Keeps what a buffer is filled with, by its hash, in a .bin file whose path lives in the arena. NULL: why not.
const char *cache_keep(const void *bytes, size_t size, const char key[33], struct arena *, struct diags *);
// Removes the entries used longest ago until the others take at most `most` bytes together. cache_store does it.
void cache_trim(const char *folder, uint64_t most);
