// What expressions may know of the device that a point is for: `sms`, `l2_bytes` and so on. One table; a kernel's own
// parameter of the same name comes first.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/experiment.h"

// X(enum suffix, name, as `gpuexp devices` has it too; unit, about)
#define TRAITS(X) \
    X(SMS, "sms", "", "streaming multiprocessors") \
    X(WARPS_PER_SM, "warps_per_sm", "", "warps that can be resident on an SM") \
    X(BLOCKS_PER_SM, "blocks_per_sm", "", "blocks that can be resident on an SM") \
    X(REGS_PER_SM, "regs_per_sm", "", "32-bit registers of an SM") \
    X(SHARED_PER_SM, "shared_per_sm", "B", "shared memory of an SM") \
    X(L2_BYTES, "l2_bytes", "B", "the L2 cache")

enum trait {
#define X(id, ...) TRAIT_##id,
    TRAITS(X)
#undef X
        TRAIT_COUNT
};
struct trait_facts {
    const char *name, *unit, *about;
};
extern const struct trait_facts trait_table[TRAIT_COUNT];
int trait_find(const char *name); // -1: none

// What "sms 132, warps_per_sm 64, ..." says of a name (NULL: nothing); false: nothing that is more than 0.
bool traits_read(const char *limits, const char *name, double *);

struct traits;
// What a device was like of which nobody asks here: "sms 132, warps_per_sm 64, ...", as a run file has it.
void traits_give(const struct experiment *, const char *spec, const char *limits);

struct traits {                 // plain data: it is asked for in a process of its own
    char spec[128], device[96]; // as asked ("auto", "cuda:all"); the first device's name
    double values[TRAIT_COUNT]; // NAN: not known, and `why` says why
    char why[256];
};
// Of what `spec` means here; of several devices, what they have in common. It stands in device/find.c, because only the
// backends know.
void traits_ask(const char *spec, struct traits *);
// The same, asked once an experiment.
const struct traits *traits_of(const struct experiment *, const char *spec);
// The devices that an experiment's points name: the `i`-th, NULL after the last. There is at least one.
const char *traits_device(const struct experiment *, size_t i);
// The value of a trait for a row whose cell `device` says that (NULL: the experiment's only device); VALUE_NONE: not
// known.
struct value traits_value(const struct experiment *, enum trait, const char *device);
// "sms 132, l2_bytes 52428800" of what was asked, NULL: nothing was.
const char *traits_print(const struct experiment *, struct arena *);
