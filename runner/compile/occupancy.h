// How many warps of a kernel an SM can hold: the Toolkit's own occupancy header does the arithmetic, or, built
// without the Toolkit, the limits of the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct occupancy_device {
    int major, minor, sms;
    int warps_per_sm, blocks_per_sm, threads_per_block, regs_per_sm, regs_per_block;
    size_t shared_per_sm, shared_per_block, shared_per_block_optin, shared_reserved_per_block;
};
// The share of an SM's warps that so many blocks have, in percent. A warp that is not full counts as one.
double occupancy_share(int blocks, int threads_per_block, int warps_per_sm);
// False when it is not known (regs < 0). `percent` 0 when not even one block fits.
bool occupancy_percent(const struct occupancy_device *, int threads_per_block, int regs, size_t static_shared,
    size_t dynamic_shared, double *percent);
// The same without the header.
bool occupancy_by_limits(const struct occupancy_device *, int threads_per_block, int regs, size_t shared,
    double *percent);
