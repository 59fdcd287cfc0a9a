// Whether points can run and what memory they take, asked of many: what the kernel file's expressions gave is kept for
// the next point that has the same values where they look. The other values are only passed on to the kernel.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/job.h"

struct outcomes;
struct outcomes *outcomes_new(const struct plan *);
void outcomes_free(struct outcomes *);
// False: why job_make refuses the point.
bool outcomes_memory(struct outcomes *, const struct value *values, uint64_t *memory, struct diags *why);
