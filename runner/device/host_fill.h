// Contents of buffers, made on the host: pure functions of what the job says, the same bits for every device
// (compile/text/fill.h has the formulas). `fill: code` is done by a kernel, not here.
// SPDX-License-Identifier: MIT
#pragma once
#include "compile/text/fill.h"
#include "plan/job.h"

enum fill_scalar host_fill_scalar(const struct job_buffer *); // what an element is made of
// From the buffer's name, so that two inputs do not hold the same, and the run's seed.
uint64_t host_fill_seed(const struct job_buffer *);
bool host_fill_varies(const struct job_buffer *); // another seed gives another content, made on the device
// Where its content begins, if it may begin anywhere: by the run's seed and another; 0: as described. The other one is
// for the code that fills, random ranges too.
uint64_t host_fill_shift(const struct job_buffer *, uint64_t seed);
uint64_t host_fill_by(const struct job_buffer *, uint64_t seed);

// Fills the whole buffer (random, index or cycle) with `threads` threads. Index: each lane of element i is i. Cycle:
// every `step`-th element holds the index of the next on one random cycle through all of them; the elements between
// hold their own index.
void host_fill_buffer(const struct job_buffer *, void *to, int threads);
void host_fill_poison(const struct job_buffer *, void *to, int threads);
// Each number becomes another: none where it is a real one, else half of it; `near`: one that is a little off.
void host_fill_spoil(const struct job_buffer *, void *to, int threads, bool near);

// A number for the content: equal for equal content, 0 where the content cannot be kept (filled by code, or not at
// all).
uint64_t host_fill_content(const struct job_buffer *);

// A buffer's content from a file: raw bytes (.bin), numbers in text (.csv), or an array (.npy).

// Fills all of `to`. False: the file is not what it was, has too few numbers, or ones that are none.
bool host_file_fill(const struct job_buffer *, void *to, struct diags *);
