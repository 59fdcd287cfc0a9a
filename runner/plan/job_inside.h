// The parts of job_make that have files of their own. Inside runner/plan/ only.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/job.h"
#include "plan/eval.h"

// passing.c: the entry's name with the values of parameters in an instance's brackets ("sum<T, 128>" is
// "sum<float, 128>"), and what each of its arguments gets.
const char *passing_entry(const struct expr_site *, const struct job *);
bool passing_maps(const struct expr_site *, const struct kernel *, struct job *);
bool passing_set(const struct expr_site *, const struct kernel *, const struct function *entry, struct job *);
