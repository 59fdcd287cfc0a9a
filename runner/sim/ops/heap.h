// The device's heap, which kernels take memory from with malloc, free, new and delete.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

#define HEAP_BYTES ((size_t)8 << 20) // as much as a device has unless its host asks for more
#define HEAP_STACK 16384u            // of a thread, for alloca

struct heap;
void heap_free(struct sim *); // all of it is gone

extern const struct op heap_ops[];
