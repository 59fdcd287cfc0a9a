// The state in which the work starts: the contents and pages that the point asks for, no persisting line of the run
// before, and a cold L2 if asked for.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"

bool cuda_restore(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    for (size_t i = 0; i < p->buffer_count; i++) {
        struct cuda_buffer *b = &p->buffers[i];
        if (b->before && !cuda_layout_copy(d, b, b->before->address, true, d->stream, diags)) return false;
        // A round trip copies the changed content to the host, from where the next one would start.
        if (b->before && b->host &&
            !cuda_ok(d, cudaMemcpyAsync(b->host->host, b->before->address, b->bytes, cudaMemcpyDefault, d->stream),
                diags, "restoring the host's `%s`", b->job->name))
            return false;
    }
    if (p->managed && !cuda_managed_restore(d, diags)) return false;
    // Lines that the last sample made persisting would be hits for this one.
    if (p->window.on || p->persists)
        return cuda_ok(d, cudaCtxResetPersistingL2Cache(), diags, "resetting persisting L2 lines");
    return true;
}

bool cuda_flush(struct cuda_device *d, struct diags *diags)
{
    unsigned long long words = d->scratch_bytes / 16;
    unsigned unlikely = 0x9e3779b9u;
    void *never = d->result;
    void *arguments[] = {&d->scratch, &words, &never, &unlikely};
    return cuda_launch_helper(d, d->flush, (unsigned)d->prop.multiProcessorCount * 4, 512, d->stream, arguments, diags);
}
#endif
