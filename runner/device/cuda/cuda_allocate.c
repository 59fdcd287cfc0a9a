// Taking memory and giving it back as timed work: the point's buffers once more, all of them taken, then all given
// back. The host does that, so its clock is read around the calls; what the GPU still does afterwards is not in it.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "base/clock.h"
#include "device/cuda/cuda.h"

#include <stdio.h>

void cuda_allocate_unfit(const struct job *job, char why[256])
{
    for (size_t i = 0; i < job->buffer_count; i++) {
        const enum cuda_kind kind = cuda_kind_of(&job->buffers[i]);
        if (kind == CUDA_SYMBOL || kind == CUDA_TEXTURE || kind == CUDA_PEER)
            snprintf(why, 256, "`timed: allocate`: it is not timed for `%s`, which is %s", job->buffers[i].name,
                job->buffers[i].memory);
    }
}

static cudaError_t get(struct cuda_device *d, const struct job_buffer *j, struct cuda_block *b)
{
    struct cudaPitchedPtr rows;
    *b = (struct cuda_block){.kind = cuda_kind_of(j), .bytes = j->bytes};
    if (b->kind != CUDA_PITCHED) return cuda_memory_get(d, b);
    const cudaError_t error =
        cudaMalloc3D(&rows, (struct cudaExtent){j->extent[0] * j->element_bytes, j->extent[1], j->extent[2]});
    *b = (struct cuda_block){.kind = CUDA_DEVICE, .address = error ? NULL : rows.ptr}; // given back as any other
    return error;
}

// A pool gives what is free back to the system at each synchronisation, unless it is told to keep it; then the next
// request is served from it. That is what a pool is for, so it is told.
static cudaError_t keep_in_pool(const struct cuda_device *d)
{
    cudaMemPool_t pool;
    uint64_t all = UINT64_MAX;
    const cudaError_t error = cudaDeviceGetDefaultMemPool(&pool, d->ordinal);
    return error ? error : cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
}

bool cuda_allocate_submit(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    struct cuda_block blocks[CUDA_BUFFERS];
    cudaError_t error = asks_memory(p->job, "pool") ? keep_in_pool(d) : cudaSuccess;
    size_t n = 0;
    const double began = clock_seconds();
    while (!error && n < p->buffer_count) {
        error = get(d, p->buffers[n].job, &blocks[n]);
        n += !error;
    }
    const size_t taken = n;
    while (n > 0) cuda_memory_put(d, &blocks[--n]);
    p->host_s += clock_seconds() - began;
    return cuda_ok(d, error, diags, "allocating `%s` once more",
        p->buffers[taken < p->buffer_count ? taken : 0].job->name);
}
#endif
