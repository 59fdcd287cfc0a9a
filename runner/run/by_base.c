// Makes the first kernel's job at the same point, and takes from it what says what is right.
// SPDX-License-Identifier: MIT
#include "run/lanes.h"

#include "compile/compile.h"

#include <stdlib.h>
#include <string.h>

// What fills a buffer, and with what.
static void take_fill(struct job_buffer *to, const struct job_buffer *from)
{
    to->fill = from->fill;
    to->made = from->made;
    to->made_line = from->made_line;
    to->low = from->low;
    to->high = from->high;
    to->file = from->file;
    to->file_hash = from->file_hash;
    to->step = from->step;
    to->seed = from->seed;
    to->shifts = from->shifts;
    to->shuffled = from->shuffled;
    to->skewed = from->skewed;
}

bool by_base(const struct plan *plan, const struct value *values, struct arena *a, struct job *job, struct diags *d)
{
    const struct experiment *e = plan_experiment(plan);
    const size_t names = plan_name_count(plan);
    struct job base, *kept;
    if (e->kernel_count < 2 || strcmp(job->kernel, e->kernels[0]->name) == 0) return true;
    struct value *same = arena_copy(a, values, names * sizeof *values);
    for (size_t i = 0; i < names; i++)
        if (strcmp(plan_name(plan, i), "kernel") == 0) same[i] = value_text(e->kernels[0]->name);
    if (!job_make(plan, same, a, &base, d)) return false;
    char *text = compile_source(&base, d);
    if (!text) return false;
    job->contract = arena_strdup(a, text);
    job->contract_path = base.path;
    kept = arena_copy(a, &base, sizeof base);
    kept->source = ""; // its text is in the contract
    job->base = kept;
    free(text);
    job->check = base.check;
    job->check_count = base.check_count;
    job->expects = base.expects;
    job->expect_count = base.expect_count;
    memcpy(job->tolerance, base.tolerance, sizeof job->tolerance);
    struct job_buffer *buffers = arena_copy(a, job->buffers, job->buffer_count * sizeof *buffers);
    for (size_t i = 0; i < job->buffer_count && i < base.buffer_count; i++) take_fill(&buffers[i], &base.buffers[i]);
    job->buffers = buffers;
    return true;
}
