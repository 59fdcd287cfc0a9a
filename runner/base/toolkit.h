// Where the parts of the CUDA Toolkit are. The places where people have it stand in one list, base/toolkit.txt.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/arena.h"
#include "base/hash.h"

#include <limits.h>
#include <stdbool.h>

// What may be the library ("nvrtc"), the likeliest first, NULL-terminated: files that are there, and bare names for the
// loader, which may know none of them.
const char *const *toolkit_libraries(const char *name, struct arena *);
// The first of them that can be opened. False: none.
bool toolkit_library(const char *name, char path[PATH_MAX]);
// Where a library that was opened lies, links followed. False: the system does not say.
bool toolkit_path(void *library, char path[PATH_MAX]);
// The folder of a header ("cuda_fp16.h", "cuda/std/cstdint") of the Toolkit that this library is part of: another
// one's may be of another version.
bool toolkit_header(const char *library, const char *header, char folder[PATH_MAX]);
// "nvcc": where it is. False: nowhere.
bool toolkit_program(const char *name, char path[PATH_MAX]);
// All that decides what is found as that library.
void toolkit_hash(const char *name, struct hash *);
