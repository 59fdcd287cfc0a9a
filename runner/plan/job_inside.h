// The parts of job_make that have files of their own. Inside runner/plan/ only.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/job.h"
#include "plan/eval.h"

// passing.c: the entry's name with the values of parameters in an instance's brackets ("sum<T, 128>" is
// "sum<float, 128>"), and what each of its arguments gets.
const char *passing_entry(const struct expr_site *, const struct job *);
bool passing_set(const struct expr_site *, const struct kernel *, const struct function *entry, struct job *);
// "in", "in + 2 * n": a buffer, and from which element on. `is_one` false: it is something else.
bool passing_offset(const struct expr_site *, const struct kernel *, const struct job *, const struct source_expr *,
    struct job_argument *, bool *is_one);
// passing_tensor.c: what a tensor map says, which no GPU would refuse.
bool passing_tensor(const struct expr_site *, const struct kernel *, const struct job *, const struct passed *,
    struct job_argument *);
// launch_shape.c: block, grid and dynamic shared memory. `own`: what the kernel says counts before the experiment.
bool launch_shape_set(const struct expr_site *, const struct kernel *, bool own, struct job *);
// launches.c: every launch of a sequence, in turn. `entry` is the first one's.
bool launches_set(const struct expr_site *, const struct function *entry, struct job *);
