// Kernels that are held against the first of a plan keep its promise: their inputs are filled, and their results are
// checked, by the first one's source. What they say of that themselves is not asked.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/job.h"

// Makes the job one that is checked so; the first kernel's own stays as it is. `values` are the point's.
bool by_base(const struct plan *, const struct value *values, struct arena *, struct job *, struct diags *);
