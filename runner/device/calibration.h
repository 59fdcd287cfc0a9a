// From what a few short kernels take on a GPU to the constants that the model has of it. Each constant is the H200's
// times what the same kernel took here and there; what no kernel tells is the H200's own, and the file says so.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"
#include "device/device.h"
#include "model/constants.h"

// X(name, unit, experiment of profiles/calibrate.yaml, row, column, the probe that is taken off it or NONE, about)
#define PROBES(X) \
    X(launch, "us", "calibrate_launch", 0, "time_us", NONE, "an empty kernel") \
    X(blocks, "us", "calibrate_launch", 1, "time_us", launch, "66,000 empty blocks, beyond that") \
    X(l1, "cycles", "calibrate_latency", 0, "cycles", NONE, "a load from L1") \
    X(l2, "cycles", "calibrate_latency", 1, "cycles", NONE, "a load from L2") \
    X(memory, "cycles", "calibrate_latency", 2, "cycles", NONE, "a load from memory") \
    X(l1_reads, "GB/s", "calibrate_caches", 0, "gbps", NONE, "reads from L1") \
    X(l2_reads, "GB/s", "calibrate_caches", 1, "gbps", NONE, "reads from L2") \
    X(copy, "GB/s", "calibrate_memory", 0, "gbps", NONE, "a copy in memory") \
    X(rows, "us", "calibrate_rows", 0, "time_us", launch, "reads of which each opens a row") \
    X(adds, "us", "calibrate_atomics", 0, "time_us", launch, "integer atomics at one place") \
    X(float_adds, "us", "calibrate_atomics", 1, "time_us", launch, "float atomics at one place") \
    X(barrier, "cycles", "calibrate_barriers", 0, "cycles", NONE, "a barrier of 8 warps") \
    X(barrier_warps, "cycles", "calibrate_barriers", 1, "cycles", barrier, "24 warps more at it") \
    X(bus, "GB/s", "calibrate_bus", 0, "gbps", NONE, "a copy to the GPU") \
    X(clock, "MHz", "calibrate_memory", 0, "clock_mhz", NONE, "the SMs' clock under load")

enum probe {
#define X(name, ...) PROBE_##name,
    PROBES(X)
#undef X
        PROBE_COUNT,
    PROBE_NONE = -1
};
struct probe_facts {
    const char *name, *unit, *experiment, *column, *about;
    int row;
    enum probe minus;
};
extern const struct probe_facts probe_table[PROBE_COUNT];
extern const char calibration_experiments[]; // the file that measures them, part of the program

// The file: `told` is the GPU, `when` how it was measured (driver and day). False after diags: a probe that a constant
// rests on has no value.
bool calibration_write(const struct device_identity *told, const double probes[PROBE_COUNT], const char *when,
    struct str *, struct diags *);
