// Ends a block with a sentence that says what went wrong and where.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

// " at line 12 (STG at 0x1a0)": the source's line, and of machine code the instruction and its offset in the kernel.
enum { FAULT_PLACE = 64 };
void fault_place(const struct sim_kernel *, const struct inst *, char text[FAULT_PLACE]);

// Always returns NULL, which is what a handler returns to stop its warp.
const struct inst *fault_set(struct warp *, const struct inst *, uint32_t lane, enum sim_fault_kind, const char *fmt,
    ...) __attribute__((format(printf, 5, 6)));
// A write to an allocation that is locked.
const struct inst *fault_locked(struct warp *, const struct inst *, uint32_t lane, const char *verb, uint64_t address,
    uint32_t bytes);
const struct inst *fault_access(struct warp *, const struct inst *, uint32_t lane, uint64_t address, uint32_t bytes,
    enum space);
// It ran into `trap`.
const struct inst *fault_trap(struct warp *, const struct inst *, uint32_t lanes);
// What the launch lacks for such a kernel, where that explains the fault.
void fault_add_cause(struct sim_fault *, const struct sim_kernel *, const struct sim_launch *);
