// Work on the device's stream, or spread over several that start and end with it; and the gate that stays closed until
// all of it is queued.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "base/doing.h"
#include "device/cuda/cuda.h"

// The driver's queue holds about a thousand launches and blocks the host when it is full: with the gate closed it would
// wait for ever. After this many the gate opens: the GPU then has enough work to stay busy.
enum { GATED_LAUNCHES = 256 };

void cuda_open_gate(struct cuda_device *d) { *d->timing.flag = d->timing.ticket; }

bool cuda_streams_make(struct cuda_device *d, int count, struct diags *diags)
{
    for (int i = 0; i < count && count > 1; i++)
        if (!d->fan.streams[i] &&
            (!cuda_ok(d, cudaStreamCreateWithFlags(&d->fan.streams[i], cudaStreamNonBlocking), diags,
                 "making a stream") ||
                !cuda_ok(d, cudaEventCreateWithFlags(&d->fan.join[i], cudaEventDisableTiming), diags,
                    "making an event")))
            return false;
    return true;
}

bool cuda_fork(struct cuda_device *d, int streams, struct diags *diags)
{
    d->fan.spread = true;
    bool ok = cuda_ok(d, cudaEventRecord(d->fan.fork, d->stream), diags, "recording an event");
    for (int s = 0; ok && s < streams; s++)
        ok = cuda_ok(d, cudaStreamWaitEvent(d->fan.streams[s], d->fan.fork, 0), diags, "ordering streams");
    return ok;
}

bool cuda_join(struct cuda_device *d, int streams, struct diags *diags)
{
    bool ok = true;
    for (int s = 0; ok && s < streams; s++)
        ok = cuda_ok(d, cudaEventRecord(d->fan.join[s], d->fan.streams[s]), diags, "recording an event") &&
            cuda_ok(d, cudaStreamWaitEvent(d->stream, d->fan.join[s], 0), diags, "ordering streams");
    return ok;
}

bool cuda_submit_kernel(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const struct job *job = p->job;
    if (p->lanes == 1) {
        bool good = cuda_launch_own(d, p->kernel, job->grid, job->block, p->shared, d->stream, &p->params[0], diags);
        for (size_t i = 0; good && i < p->then_count; i++) {
            struct cuda_prepared *l = &p->then[i];
            cuda_queued(d); // what it counts up to opens the gate: it must not stay closed behind a full queue
            good = cuda_launch_own(d, l->kernel, l->grid, l->block, l->shared, d->stream, &l->params, diags);
        }
        return good;
    }
    bool ok = cuda_fork(d, p->lanes, diags);
    for (int l = 0; ok && l < p->lanes; l++)
        ok = cuda_launch_own(d, p->kernel, job->grid, job->block, p->shared, d->fan.streams[l], &p->params[l], diags);
    return ok && cuda_join(d, p->lanes, diags);
}

bool cuda_submit_named(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const struct job *job = p->job;
    if (!p->then_count)
        return cuda_submit_kernel(d, diags) &&
            cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "running `%s`", job->entry);
    for (size_t i = 0; i <= p->then_count; i++) {
        doing(DOING_OTHER, "running launch %zu of %zu, `%s`", i + 1, p->then_count + 1, job_launch(job, i).entry);
        struct cuda_prepared *l = i ? &p->then[i - 1] : NULL;
        const bool queued = l
            ? cuda_launch_own(d, l->kernel, l->grid, l->block, l->shared, d->stream, &l->params, diags)
            : cuda_launch_own(d, p->kernel, job->grid, job->block, p->shared, d->stream, &p->params[0], diags);
        if (!queued ||
            !cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "running launch %zu of %zu, `%s`", i + 1,
                p->then_count + 1, job_launch(job, i).entry))
            return false;
    }
    return true;
}

void cuda_queued(struct cuda_device *d)
{
    if (++d->timing.submitted == GATED_LAUNCHES) cuda_open_gate(d);
}
#endif
