// How many warps of a kernel an SM can hold, by the limits of the device.
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
// How many blocks of an SM each limit allows (INT_MAX: it is none), and all of them together.
struct occupancy_blocks {
    int threads, blocks, regs, shared, all;
};
struct occupancy_blocks occupancy_blocks(const struct occupancy_device *, int threads_per_block, int regs,
    size_t shared);
// False when it is not known (regs < 0). `percent` 0 when not even one block fits.
bool occupancy_percent(const struct occupancy_device *, int threads_per_block, int regs, size_t shared,
    double *percent);
