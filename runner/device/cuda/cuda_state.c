// The state in which the work starts: the contents and pages that the point asks for, no persisting line of the run
// before, and a cold L2 if asked for.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"

// Makes the next launch one like no other: other inputs, poisoned outputs, the source's variables as they were loaded.

// What is read and written is put back from `before` ahead of each sample, so that it is made there.
static bool refill(struct cuda_device *d, struct cuda_buffer *b, uint64_t seed, struct diags *diags)
{
    struct cuda_buffer to = *b;
    if (b->before) to.flat = b->before->address;
    const bool ok = cuda_refill(d, &to, seed, diags);
    b->turned = to.turned, b->by = to.by;
    return ok && (b->before || cuda_shape(d, b, diags));
}

static bool renew_buffers(struct cuda_device *d, uint64_t seed, enum device_inputs *inputs, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const bool again = seed || p->refilled;
    for (size_t i = 0; i < p->buffer_count; i++) {
        struct cuda_buffer *b = &p->buffers[i];
        const uint64_t lane = i / p->job->buffer_count;
        if (b->job->access == ACCESS_WRITE) {
            if (!cuda_poison(d, b, diags)) return false;
        } else if (again && cuda_fill_varies(b->job)) {
            p->refilled = true; // also when it fails half-way
            if (!refill(d, b, seed ? seed + (lane << 54) : 0, diags)) return false;
            if (seed) *inputs = INPUTS_OTHER;
        }
    }
    if (!seed) p->refilled = false;
    return true;
}

// A warm launch finds in L2 what an earlier one on the same inputs would have left there.
static bool warm(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    void *never = d->checked.result;
    unsigned unlikely = 0x9e3779b9u;
    size_t bytes = 0;
    if (!asks_is(p->job, SETTING_CACHE, "warm")) return true;
    for (size_t i = 0; i < p->buffer_count; i++) bytes += p->buffers[i].bytes;
    if (bytes > d->scratch_bytes) return true; // nothing of it would be left
    for (size_t i = 0; i < p->buffer_count; i++) {
        const struct cuda_buffer *b = &p->buffers[i];
        void *from = b->flat;
        unsigned long long n = b->bytes;
        void *arguments[] = {&from, &n, &never, &unlikely};
        if (b->address == b->flat && b->block->kind == CUDA_DEVICE &&
            !cuda_launch_helper(d, d->helpers.warm, (unsigned)d->prop.multiProcessorCount * 4, 256, d->stream,
                arguments, diags))
            return false;
    }
    return true;
}

bool cuda_renew(struct cuda_device *d, uint64_t seed, const struct device_look *look, enum device_inputs *inputs,
    struct diags *diags)
{
    *inputs = INPUTS_UNREADY;
    if (d->point.is_copy) return true;
    *inputs = INPUTS_SAME;
    return renew_buffers(d, seed, inputs, diags) && cuda_variables_reset(d, diags) &&
        cuda_inputs_note(d, look, diags) && warm(d, diags);
}

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
    void *never = d->checked.result;
    void *arguments[] = {&d->scratch, &words, &never, &unlikely};
    return cuda_launch_helper(d, d->helpers.flush, (unsigned)d->prop.multiProcessorCount * 4, 512, d->stream, arguments,
        diags);
}

#endif
