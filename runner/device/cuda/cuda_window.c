// The L2 cache's settings of a point: the set-aside for persisting lines, the access policy window, the fetch
// granularity. Limits are queried and named; everything is put back when the point ends, after a failure too.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"

#include <string.h>

static bool cuda_window_on(struct cuda_device *, int lane, cudaStream_t, struct diags *);

static enum cudaAccessProperty property(const struct job *job, enum setting s)
{
    return asks_is(job, s, "persisting") ? cudaAccessPropertyPersisting
        : asks_is(job, s, "streaming")   ? cudaAccessPropertyStreaming
                                         : cudaAccessPropertyNormal;
}

static bool set_aside(struct cuda_device *d, struct diags *diags)
{
    struct cuda_window *w = &d->point.window;
    const size_t most = (size_t)d->prop.persistingL2CacheMaxSize;
    const size_t bytes = asks_bytes(d->point.job, SETTING_PERSIST, most, SIZE_MAX); // the most: not set
    if (bytes == SIZE_MAX) return true;
    w->persist = bytes;
    if (w->persist > most)
        return diag_user(diags, (struct where){0}, NULL, "`persist`: %zu bytes: this GPU sets aside at most %zu",
            w->persist, most);
    if (!cuda_ok(d, cudaDeviceGetLimit(&w->persist_before, cudaLimitPersistingL2CacheSize), diags,
            "reading the L2 set-aside"))
        return false;
    w->set_aside = true;
    if (!cuda_ok(d, cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, w->persist), diags,
            "setting %zu bytes of L2 aside", w->persist))
        return false;
    size_t now = 0;
    cudaDeviceGetLimit(&now, cudaLimitPersistingL2CacheSize);
    return now >= w->persist ||
        diag_user(diags, (struct where){0}, NULL,
            "`persist`: %zu bytes asked for, %zu granted (MIG and MPS do not allow a set-aside)", w->persist, now);
}

static bool fetch(struct cuda_device *d, struct diags *diags)
{
    struct cuda_window *w = &d->point.window;
    const int64_t bytes = asks_whole(d->point.job, SETTING_FETCH, 0);
    if (!bytes) return true;
    if (bytes != 32 && bytes != 64 && bytes != 128)
        return diag_user(diags, (struct where){0}, NULL, "`fetch: %lld`: 32, 64 or 128 bytes", (long long)bytes);
    if (!cuda_ok(d, cudaDeviceGetLimit(&w->fetch_before, cudaLimitMaxL2FetchGranularity), diags,
            "reading the fetch granularity"))
        return false;
    w->fetch_changed = true;
    return cuda_ok(d, cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, (size_t)bytes), diags,
        "setting the fetch granularity to %lld", (long long)bytes);
}

static bool window_lay(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const struct where nowhere = {0};
    const char *name = asks_text(p->job, SETTING_WINDOW_BUFFER);
    if (!asks_any(p->job, SETTING_WINDOW_BUFFER)) return true;
    size_t i = 0;
    while (i < p->job->buffer_count && strcmp(p->job->buffers[i].name, name) != 0) i++;
    const struct cuda_buffer *b = i < p->job->buffer_count ? &p->buffers[i] : NULL;
    p->window.buffer = i;
    if (!b) return diag_user(diags, nowhere, NULL, "`window.buffer: %s`: the kernel has no such buffer", name);
    const size_t most = (size_t)d->prop.accessPolicyMaxWindowSize;
    const size_t bytes = asks_bytes(p->job, SETTING_WINDOW_BYTES, b->bytes, b->bytes);
    if (bytes > b->bytes)
        return diag_user(diags, nowhere, NULL, "`window.bytes: %zu`: `%s` has %zu bytes", bytes, name, b->bytes);
    if (bytes > most)
        return diag_user(diags, nowhere, "set `window.bytes` to at most that",
            "a window of %zu bytes: this GPU's L2 window takes at most %zu", bytes, most);
    p->window.policy = (struct cudaAccessPolicyWindow){.base_ptr = b->address,
        .num_bytes = bytes,
        .hitRatio = (float)asks_number(p->job, SETTING_WINDOW_RATIO, 1),
        .hitProp = property(p->job, SETTING_WINDOW_HITS),
        .missProp = property(p->job, SETTING_WINDOW_MISSES)};
    p->window.on = true;
    return true;
}

bool cuda_window_prepare(struct cuda_device *d, struct diags *diags)
{
    if (!set_aside(d, diags) || !fetch(d, diags) || !window_lay(d, diags)) return false;
    // A graph carries the window in its kernel node instead (cuda_window_node).
    if (!d->point.window.on || asks_is(d->point.job, SETTING_VIA, "graph")) return true;
    bool ok = true;
    for (int l = 0; ok && l < d->point.lanes; l++)
        ok = cuda_window_on(d, l, d->point.lanes > 1 ? d->fan.streams[l] : d->stream, diags);
    return ok;
}

static bool cuda_window_on(struct cuda_device *d, int lane, cudaStream_t stream, struct diags *diags)
{
    const struct cuda_point *p = &d->point;
    cudaStreamAttrValue value = {.accessPolicyWindow = p->window.policy};
    value.accessPolicyWindow.base_ptr = p->buffers[(size_t)lane * p->job->buffer_count + p->window.buffer].address;
    return cuda_ok(d, cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value), diags,
        "setting the L2 window");
}

bool cuda_window_node(struct cuda_device *d, cudaGraphNode_t node, struct diags *diags)
{
    const cudaKernelNodeAttrValue value = {.accessPolicyWindow = d->point.window.policy};
    return cuda_ok(d, cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &value), diags,
        "setting the L2 window of a graph's node");
}

// The window is off, the lines are reset and the set-aside is as it was. Launches still take longer than in a context
// that never had a persisting line. On an H200 it is about 0.17 us each, 1 % of a kernel of 15 us, as long as the
// process lives. A new stream does not help.
static bool marked; // a point of this process has used persisting L2 lines

// Work in further streams does the same, 0.10 to 0.18 us a launch on an H100, to the context that it was in.
bool cuda_window_stale(struct cuda_device *d, const struct job *job)
{
    return (marked && !asks_any(job, SETTING_WINDOW_BUFFER) && !asks_any(job, SETTING_PERSIST)) ||
        (d->fan.spread && asks_whole(job, SETTING_STREAMS, 1) <= 1);
}

void cuda_window_off(struct cuda_device *d)
{
    struct cuda_window *w = &d->point.window;
    if (w->on || (w->set_aside && w->persist)) marked = true;
    if (w->on) {
        const cudaStreamAttrValue none = {.accessPolicyWindow = {.num_bytes = 0}};
        cudaStreamSetAttribute(d->stream, cudaStreamAttributeAccessPolicyWindow, &none);
        for (int i = 0; i < CUDA_STREAMS && d->fan.streams[i]; i++)
            cudaStreamSetAttribute(d->fan.streams[i], cudaStreamAttributeAccessPolicyWindow, &none);
    }
    if (w->on || w->set_aside) cudaCtxResetPersistingL2Cache();
    if (w->set_aside) cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, w->persist_before);
    if (w->fetch_changed) cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, w->fetch_before);
    *w = (struct cuda_window){0};
}
#endif
