// The CUDA backend's device: a part for each owner, which stands in that one's header with what it does for the others.
// Only runner/device/cuda includes these, and only when the CUDA Toolkit was there at build time (GPUEXP_HAVE_CUDA).
// The runtime is linked statically; the few driver functions that it has no equal of are asked for by name, so that the
// binary starts on a machine without a driver.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/cuda/cuda_nvml.h"
#include "device/cuda/cuda_point.h"
#include "device/cuda/cuda_sample.h"
#include "plan/asks.h"

struct cuda_counters; // cuda_cupti.c

struct cuda_device {
    int ordinal;
    char spec[32], bus[32], uuid[48]; // "cuda:0", "0000:65:00.0", "GPU-b90b8fc4-..."
    struct cudaDeviceProp prop;
    struct cuda_driver driver;
    struct cuda_nvml nvml;
    struct device_identity identity; // asked for once: NVML takes 3 ms for it
    cudaError_t broken;              // an error after which the context is lost
    cudaStream_t stream;
    struct cuda_draw draw;
    struct cuda_fan fan;
    struct cuda_timing timing;
    struct cuda_helpers helpers;
    struct cuda_blocks blocks;
    struct cuda_checked checked;
    void *scratch; // of at least twice L2, for the flush
    size_t scratch_bytes;
    struct cuda_loaded loaded, contract; // the point's own code; that of the kernel which says what is right
    struct cuda_point point;
    struct cuda_counters *counters;
    bool counting; // the profiler is ready, and has patched modules: none is unloaded
};

// cuda_facts.c
size_t cuda_facts(struct cuda_device *, struct arena *, struct device_fact **);
double cuda_peak_gbps(const struct cuda_device *);
void cuda_limits_text(const struct cuda_device *, char *text, size_t size); // of its identity
int cuda_attribute(const struct cuda_device *, enum cudaDeviceAttr);

// cuda_cupti.c — hardware counters, in passes of their own.
bool cuda_count(struct cuda_device *, double *columns, char source[16], struct diags *);
void cuda_counters_off(struct cuda_device *);
bool cuda_counters_spent(void); // this process can count nothing any more
// cuda_faults.c — page faults and migrated bytes of one launch.
struct cupti;
bool cuda_faults_count(struct cuda_device *, const struct cupti *, double *columns, struct diags *);
