// A buffer's content from a file: raw bytes (.bin), numbers in text (.csv), or an array (.npy).
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/job.h"

// Fills all of `to`. False: the file is not what it was, has too few numbers, or ones that are none.
bool host_file_fill(const struct job_buffer *, void *to, struct diags *);
