// Managed memory: where a buffer's pages are, and the advice that the driver has. Both are put back before every
// sample, outside the timed part; else a sample would measure what the last one has left.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"

#include <string.h>

#if CUDART_VERSION >= 13000
static struct cudaMemLocation place(int device)
{
    return device < 0 ? (struct cudaMemLocation){.type = cudaMemLocationTypeHost, .id = 0}
                      : (struct cudaMemLocation){.type = cudaMemLocationTypeDevice, .id = device};
}
static cudaError_t prefetch(const void *p, size_t n, int device, cudaStream_t s)
{
    return cudaMemPrefetchAsync(p, n, place(device), 0, s);
}
static cudaError_t advise(const void *p, size_t n, enum cudaMemoryAdvise a, int device)
{
    return cudaMemAdvise(p, n, a, place(device));
}
#else
static cudaError_t prefetch(const void *p, size_t n, int device, cudaStream_t s)
{
    return cudaMemPrefetchAsync(p, n, device < 0 ? cudaCpuDeviceId : device, s);
}
static cudaError_t advise(const void *p, size_t n, enum cudaMemoryAdvise a, int device)
{
    return cudaMemAdvise(p, n, a, device < 0 ? cudaCpuDeviceId : device);
}
#endif

static bool advise_off(struct cuda_device *d, const struct cuda_buffer *b, struct diags *diags)
{
    return cuda_ok(d, advise(b->address, b->bytes, cudaMemAdviseUnsetReadMostly, d->ordinal), diags,
               "taking advice back") &&
        cuda_ok(d, advise(b->address, b->bytes, cudaMemAdviseUnsetPreferredLocation, d->ordinal), diags,
            "taking advice back") &&
        cuda_ok(d, advise(b->address, b->bytes, cudaMemAdviseUnsetAccessedBy, d->ordinal), diags, "taking advice back");
}

static bool advise_on(struct cuda_device *d, const struct cuda_buffer *b, struct diags *diags)
{
    static const struct {
        const char *flag;
        enum cudaMemoryAdvise advice;
    } list[] = {{"read_mostly", cudaMemAdviseSetReadMostly}, {"preferred_location", cudaMemAdviseSetPreferredLocation},
        {"accessed_by", cudaMemAdviseSetAccessedBy}};
    for (size_t i = 0; i < 3; i++)
        // Written pages get no `read_mostly`: the first write would undo the advice, page by page and slowly.
        if (asks_among(d->point.job, SETTING_ADVISE, list[i].flag) && (i > 0 || b->job->access == ACCESS_READ) &&
            !cuda_ok(d, advise(b->address, b->bytes, list[i].advice, d->ordinal), diags, "advising %s for `%s`",
                list[i].flag, b->job->name))
            return false;
    return true;
}

static bool touch_on_device(struct cuda_device *d, const struct cuda_buffer *b, bool by_page, struct diags *diags)
{
    void *address = b->address;
    unsigned long long words = b->bytes / 4;
    void *arguments[] = {&address, &words};
    return cuda_launch_helper(d, by_page ? d->helpers.touch_warp : d->helpers.touch,
        (unsigned)d->prop.multiProcessorCount * 8, 256, d->stream, arguments, diags);
}

// Reads and writes one word of each page: the page is the host's again, its content is what it was.
static void touch_on_host(const struct cuda_buffer *b)
{
    volatile char *p = b->address;
    for (size_t i = 0; i < b->bytes; i += 4096) p[i] = p[i];
}

bool cuda_managed_restore(struct cuda_device *d, struct diags *diags)
{
    const struct job *job = d->point.job;
    const bool host = !asks_is(job, SETTING_TOUCH, "device") && !asks_is(job, SETTING_TOUCH, "warp_per_page");
    const bool fetched = asks_true(job, SETTING_PREFETCH) || asks_is(job, SETTING_TIMED, "prefetch_host");
    // Everything starts at the host, without advice, so that each time the pages are the same. All buffers are on their
    // way before one is waited for.
    for (size_t i = 0; i < d->point.buffer_count; i++) {
        const struct cuda_buffer *b = &d->point.buffers[i];
        if (b->block->kind == CUDA_MANAGED &&
            (!advise_off(d, b, diags) ||
                !cuda_ok(d, prefetch(b->address, b->bytes, -1, d->stream), diags, "bringing `%s` back to the host",
                    b->job->name)))
            return false;
    }
    if (!cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "bringing managed pages back to the host")) return false;
    for (size_t i = 0; i < d->point.buffer_count; i++) {
        const struct cuda_buffer *b = &d->point.buffers[i];
        if (b->block->kind != CUDA_MANAGED) continue;
        touch_on_host(b);
        if (!advise_on(d, b, diags)) return false;
        if (!host && !touch_on_device(d, b, asks_is(job, SETTING_TOUCH, "warp_per_page"), diags)) return false;
        if (fetched &&
            !cuda_ok(d, prefetch(b->address, b->bytes, d->ordinal, d->stream), diags, "prefetching `%s`", b->job->name))
            return false;
    }
    return cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "placing managed pages");
}

bool cuda_managed_fetch(struct cuda_device *d, bool to_host, struct diags *diags)
{
    for (size_t i = 0; i < d->point.buffer_count; i++) {
        const struct cuda_buffer *b = &d->point.buffers[i];
        if (b->block->kind == CUDA_MANAGED &&
            !cuda_ok(d, prefetch(b->address, b->bytes, to_host ? -1 : d->ordinal, d->stream), diags,
                "prefetching `%s` to the %s", b->job->name, to_host ? "host" : "device"))
            return false;
    }
    return true;
}
#endif
