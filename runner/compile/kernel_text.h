// What the files that write around a kernel's source share. Inside runner/compile/ only.
// SPDX-License-Identifier: MIT
#pragma once
#include "compile/compile.h"

void kernel_text_line(struct str *, int line, const char *path);          // `#line`
void kernel_text_head(struct str *, const char *entry, const char *name); // of a generated entry, to its bracket
bool kernel_text_is_scalar(struct value);                                 // may it be an argument?
// What a generated entry calls the thing that `check` or a fill calls `name`. NULL: there is none.
const char *kernel_text_known(const struct job *, bool buffers, const char *name, char text[160]);
void kernel_text_scalar(struct str *, const struct job_argument *); // as a parameter of a generated entry
// check_text.c: the entry that holds each element to `check` or `expected`. False: that asks for what is not there.
bool check_text_add(struct str *, const struct job *, struct diags *);
// fill_text.c: the entry that fills a buffer. False: its function asks for what is not there.
bool fill_text_add(struct str *, const struct job *, const struct job_buffer *, struct diags *);

// The loop strides by the whole grid, so that any launch covers all elements.
#define KERNEL_TEXT_LOOP \
    "for (size_t gpuexp_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; gpuexp_i < gpuexp_n;\n" \
    "     gpuexp_i += (size_t)gridDim.x * blockDim.x)\n"
