// A timed launch that is verified: what it finds (poisoned outputs, other inputs, the source's variables as they were
// loaded) and a number made of what it leaves.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"
#include "device/host_fill.h"

static bool refill(struct cuda_device *d, struct cuda_buffer *b, uint64_t seed, struct diags *diags)
{
    return cuda_refill(d, b, seed, diags) &&
        (!b->before ||
            cuda_ok(d, cudaMemcpyAsync(b->before->address, b->flat, b->bytes, cudaMemcpyDefault, d->stream), diags,
                "keeping the first content of `%s`", b->job->name)) &&
        cuda_shape(d, b, diags);
}

bool cuda_disturb(struct cuda_device *d, uint64_t seed, enum device_inputs *inputs, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    *inputs = INPUTS_UNREADY;
    if (p->is_copy) return true;
    *inputs = INPUTS_SAME;
    const bool again = seed || p->refilled;
    for (size_t i = 0; i < p->buffer_count; i++) {
        struct cuda_buffer *b = &p->buffers[i];
        if (b->job->access == ACCESS_WRITE) {
            if (!cuda_poison(d, b, diags)) return false;
        } else if (again && host_fill_random(b->job)) {
            p->refilled = true; // also when it fails half-way
            if (!refill(d, b, seed, diags)) return false;
            if (seed) *inputs = INPUTS_OTHER;
        }
    }
    if (!cuda_variables_reset(d, diags) || !cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "filling the buffers"))
        return false;
    if (!seed) p->refilled = false;
    return true;
}

// Adds a number of what lies in `flat` to the two in `result`.
bool cuda_digest_add(struct cuda_device *d, const struct cuda_buffer *b, size_t number, struct diags *diags)
{
    void *from = b->flat, *to = d->result;
    unsigned long long bytes = b->bytes, as = number;
    void *arguments[] = {&from, &bytes, &as, &to};
    return cuda_launch_helper(d, d->digest, (unsigned)d->prop.multiProcessorCount * 8, 256, d->stream, arguments,
        diags);
}

bool cuda_digest(struct cuda_device *d, uint64_t digest[2], struct diags *diags)
{
    struct cuda_point *p = &d->point;
    digest[0] = digest[1] = 0;
    if (p->is_copy) return true;
    if (!cuda_ok(d, cudaMemsetAsync(d->result, 0, 16, d->stream), diags, "clearing the digest")) return false;
    for (size_t i = 0; i < p->buffer_count; i++) {
        struct cuda_buffer *b = &p->buffers[i];
        if (b->job->access == ACCESS_READ) continue;
        if (!cuda_flatten(d, b, diags) || !cuda_digest_add(d, b, i + 1, diags)) return false;
    }
    return cuda_ok(d, cudaMemcpyAsync(digest, d->result, 16, cudaMemcpyDeviceToHost, d->stream), diags,
               "reading the digest") &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "making a digest of the result");
}
#endif
