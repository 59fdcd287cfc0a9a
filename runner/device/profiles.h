// What is published of a few devices, so that the simulator can say what would fit on them. Facts from data sheets and
// the CUDA programming guide, none measured here; one row a device.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/value.h"
#include "compile/occupancy.h"
#include "device/device.h"
#include "model/constants.h"

struct profile {
    const char *name, *title, *arch; // "h200", "NVIDIA H200 SXM", "sm_90"
    struct occupancy_device limits;
    double peak_gbps; // the data sheet's memory bandwidth
    uint64_t memory_bytes, l2_bytes;
    int boost_mhz, bus_bits;
    uint64_t l1_bytes; // of an SM, together with its shared memory
    const char *text;  // its file, where it is not part of the program
    size_t text_size;
};
extern const struct profile profiles[]; // ends with a NULL name
// By its name, or by its file ("reports/NVIDIA-L4.yaml", as `gpuexp calibrate` writes it), which is read once.
const struct profile *profile_find(const char *name);
// What a device's name stands for ("sim:h200", "NVIDIA H200"); plain `sim`, and what is not known, is an H200.
const struct profile *profile_of(const char *device);
// Of a GPU as its driver names it; NULL: none of these.
const struct profile *profile_named(const char *name);
// What a run file says of a device ("sms 132, warps_per_sm 64, ...") in the place of what is published; false: nothing.
bool profile_limits(const char *limits, struct profile *);
// Lines for `gpuexp devices`, each said to be published.
size_t profile_facts(const struct profile *, struct arena *, struct device_fact **);
// What expressions may ask of a simulator that stands for no device: those of an H200, by whose counters its rules were
// found. `out` has room for TRAIT_COUNT.
size_t profile_stand_in(struct arena *, struct device_fact *out);

// What the model knows of a device, from its file under device/profiles.

// From text; `file` is for complaints. What stands in the profile (SMs, L1) is taken from there.
bool profile_model_read(const struct profile *, const char *file, const char *text, size_t size,
    struct model_constants *, struct diags *);
// From the file that is part of the program; false: there is none for it, or it is broken (then with a complaint).
bool profile_model(const struct profile *, struct model_constants *, struct diags *);
// A device whose file is not part of the program: its limits, and the same constants. NULL after diags.
const struct profile *profile_file(const char *path, struct diags *);
