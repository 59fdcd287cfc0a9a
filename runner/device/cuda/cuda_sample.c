// The measured part: gate, stamp, event, work, event, stamp; cuda_state.c restores and flushes before it. Nothing here
// allocates, compiles, prints or enters Lua.
//
// The stream of one sample:  [restore] [flush] [gate] [stamp] [event] work ... [event] [stamp]
// The host queues all of it while the gate is closed and opens it last: no launch latency falls between the events.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"
#include "base/clock.h"
#include "device/found.h"

#include <math.h>
#include <string.h>

enum { GATE_MOST_NS = 1000000000 }; // a gate opens by itself after a second

static bool stamp(struct cuda_device *d, int which, struct diags *diags)
{
    void *at = &d->timing.stamps_device[which];
    void *arguments[] = {&at};
    return cuda_launch_helper(d, d->helpers.stamp, 1, 1, d->stream, arguments, diags);
}

bool cuda_begin(struct cuda_device *d, struct diags *diags)
{
    void *flag = d->timing.flag_device;
    unsigned long long most = GATE_MOST_NS;
    d->timing.ticket++;
    d->timing.submitted = 0;
    d->point.host_s = 0;
    void *arguments[] = {&flag, &d->timing.ticket, &most};
    if (!d->point.ungated && !d->point.job->stepwise &&
        !cuda_launch_helper(d, d->helpers.gate, 1, 1, d->stream, arguments, diags))
        return false;
    return stamp(d, 0, diags) && cuda_ok(d, cudaEventRecord(d->timing.start, d->stream), diags, "recording an event");
}

bool cuda_submit(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    if (p->is_copy) return cuda_transfer_submit(d, diags);
    if (p->job->stepwise) return cuda_submit_named(d, diags);
    cuda_queued(d);
    if (p->graph) return cuda_ok(d, cudaGraphLaunch(p->graph, d->stream), diags, "launching the graph");
    return cuda_submit_kernel(d, diags);
}

bool cuda_end(struct cuda_device *d, struct diags *diags)
{
    const bool ok =
        cuda_ok(d, cudaEventRecord(d->timing.stop, d->stream), diags, "recording an event") && stamp(d, 1, diags);
    cuda_open_gate(d); // also after a failure: nothing may stay behind a closed gate
    return ok;
}

// NVML is asked at most every 20 ms: it is a system call, and its answer is about the recent past anyway.
static bool held_down(void *context)
{
    struct cuda_device *d = context;
    const double now = clock_seconds();
    if (now - d->timing.held_down_at > 0.02) {
        d->timing.held_down = cuda_nvml_held_down(&d->nvml);
        d->timing.held_down_at = now;
    }
    return d->timing.held_down;
}

bool cuda_wait(struct cuda_device *d, struct sample *sample, struct diags *diags)
{
    float ms = 0;
    if (!cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "taking samples of `%s`", d->point.job->entry) ||
        !cuda_ok(d, cudaEventElapsedTime(&ms, d->timing.start, d->timing.stop), diags, "reading the events"))
        return false;
    sample->us = d->point.by_host ? 1e6 * d->point.host_s : 1e3 * (double)ms;
    // The stream is done: what the GPU has written there stays.
    const struct clock_stamp before = d->timing.stamps[0], after = d->timing.stamps[1];
    sample->clock_mhz = clock_rule_mhz(&before, &after);
    sample->throttled = clock_rule_throttled(&d->timing.clock, &before, &after, held_down, d);
    return true;
}

bool cuda_reports(struct cuda_device *d, double *values, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    uint64_t bits[64];
    const size_t n = p->job->report_count < 64 ? p->job->report_count : 64;
    if (!n) return true;
    if (!cuda_ok(d, cudaMemcpyAsync(bits, p->reports->address, 8 * n, cudaMemcpyDeviceToHost, d->stream), diags,
            "reading the reports") ||
        !cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "reading the reports"))
        return false;
    for (size_t i = 0; i < n; i++) values[i] = reported_number(p->job->reports[i].type, &bits[i]);
    return true;
}

bool cuda_graph_prepare(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    if (!asks_is(p->job, SETTING_VIA, "graph") || p->is_copy) return true;
    cudaGraph_t graph = NULL;
    cudaGraphNode_t nodes[4];
    size_t count = 4;
    if (!cuda_ok(d, cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal), diags, "capturing the launch"))
        return false;
    bool ok = cuda_submit_kernel(d, diags);
    ok = cuda_ok(d, cudaStreamEndCapture(d->stream, &graph), diags, "capturing the launch") && ok;
    ok = ok && cuda_ok(d, cudaGraphGetNodes(graph, nodes, &count), diags, "reading the graph");
    ok = ok && (!p->window.on || (count == 1 && cuda_window_node(d, nodes[0], diags)));
    ok = ok && cuda_ok(d, cudaGraphInstantiate(&p->graph, graph, 0), diags, "instantiating the graph") &&
        cuda_ok(d, cudaGraphUpload(p->graph, d->stream), diags, "uploading the graph");
    if (graph) cudaGraphDestroy(graph);
    return ok;
}
#endif
