// What stands around a sample: what the context draws anew, the streams, the gate and the clocks.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/clock_rule.h"
#include "device/cuda/cuda_driver.h"
#include "device/device.h"

enum { CUDA_STREAMS = 16, CUDA_PADS = 24 };
struct cuda_draw { // where the context's buffers come to lie
    uint64_t chance;
    void *pads[CUDA_PADS];
    size_t pad_bytes[CUDA_PADS];
    int pad_count;
};
struct cuda_fan {
    bool spread;                        // a point has worked in several streams (cuda_window.c)
    cudaStream_t streams[CUDA_STREAMS]; // for chunks, made on first need
    cudaEvent_t fork, join[CUDA_STREAMS];
};
struct cuda_timing {
    volatile unsigned *flag;           // host memory that the gate watches
    void *flag_device;                 // as the device sees it
    unsigned ticket;                   // the value of `flag` that opens it
    unsigned submitted;                // launches behind the closed gate
    struct clock_stamp *stamps;        // host memory; before and after
    struct clock_stamp *stamps_device; // as the device sees it
    cudaEvent_t start, stop;
    struct clock_rule clock; // the SM clock's ceiling, and the highest that a sample of this process ran at
    bool held_down;          // NVML's last answer, and when it was asked
    double held_down_at;
};

struct cuda_device;
// cuda_context.c — what a context draws anew, and quiet before a sample.
void cuda_pad(struct cuda_device *);       // takes some memory, so that what comes next lies elsewhere
void cuda_pads_free(struct cuda_device *); // also where memory is short
void cuda_freed(size_t bytes);             // the GPU is busy with that for a while: no sample is taken meanwhile
bool cuda_rest(struct cuda_device *, double seconds, struct diags *);
bool cuda_stir(struct cuda_device *, double wait_us, unsigned launches, struct diags *);

// cuda_streams.c
bool cuda_streams_make(struct cuda_device *, int count, struct diags *); // more than one
bool cuda_fork(struct cuda_device *, int streams, struct diags *); // the streams start where the device's stream is
bool cuda_join(struct cuda_device *, int streams, struct diags *); // and it goes on when all of them have ended
bool cuda_submit_kernel(struct cuda_device *,
    struct diags *); // the launch alone: on the device's stream, or a lane a stream
bool cuda_submit_named(struct cuda_device *, struct diags *); // each launch waited for, so that one that fails is named
void cuda_queued(struct cuda_device *); // counts what stands behind the gate, which opens before the queue is full
void cuda_open_gate(struct cuda_device *);

// cuda_state.c — before a timed launch: it is like no other.
bool cuda_renew(struct cuda_device *, uint64_t seed, const struct device_look *, enum device_inputs *, struct diags *);

// cuda_state.c — before each run.
bool cuda_restore(struct cuda_device *, struct diags *);
bool cuda_flush(struct cuda_device *, struct diags *);

// cuda_sample.c — the measured part.
bool cuda_begin(struct cuda_device *, struct diags *);
bool cuda_submit(struct cuda_device *, struct diags *);
bool cuda_end(struct cuda_device *, struct diags *);
bool cuda_wait(struct cuda_device *, struct sample *, struct diags *);
bool cuda_reports(struct cuda_device *, double *values, struct diags *);
bool cuda_graph_prepare(struct cuda_device *, struct diags *);
