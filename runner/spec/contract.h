// Whether two kernels promise the same: parameters, buffers with what they are filled with, reports, useful bytes,
// flops, how many elements are checked. How a kernel does it (entries, threads, blocks, shared memory, a sequence) is
// its own.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/kernel.h"

// False after a complaint at the place in `other` that differs from `base`.
bool contract_same(const struct kernel *base, const struct kernel *other, struct diags *);
