// NVIDIA's rules, as the Toolkit's occupancy header has them: tests/unit/occupancy.c holds the two against each other.
// SPDX-License-Identifier: MIT
#include "compile/occupancy.h"

#include <limits.h>

double occupancy_share(int blocks, int threads_per_block, int warps_per_sm)
{
    const int warps = (threads_per_block + 31) / 32;
    return 100.0 * blocks * warps / warps_per_sm;
}

static size_t up_to(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

static int least(int a, int b) { return a < b ? a : b; }

// Registers are given to warps in pieces of 256, from four parts of an SM; shared memory in pieces of 128 bytes (256
// before compute capability 8.0), and some is the system's.
struct occupancy_blocks occupancy_blocks(const struct occupancy_device *d, int threads_per_block, int regs,
    size_t shared)
{
    const int warps = threads_per_block > 0 ? (threads_per_block + 31) / 32 : 1;
    const int regs_of_warp = (int)up_to((size_t)regs * 32, 256);
    const size_t each = up_to(shared + d->shared_reserved_per_block, d->major >= 8 ? 128 : 256);
    struct occupancy_blocks fit = {d->warps_per_sm > 0 ? d->warps_per_sm / warps : INT_MAX,
        d->blocks_per_sm > 0 ? d->blocks_per_sm : INT_MAX,
        regs_of_warp && d->regs_per_sm > 0 ? d->regs_per_sm / 4 / regs_of_warp * 4 / warps : INT_MAX,
        each ? (int)(d->shared_per_sm / each) : INT_MAX, 0};
    if (threads_per_block > d->threads_per_block) fit.threads = 0;
    if (d->regs_per_block > 0 && regs_of_warp * warps > d->regs_per_block) fit.regs = 0;
    if (shared > d->shared_per_block_optin) fit.shared = 0;
    fit.all = least(least(fit.threads, fit.blocks), least(fit.regs, fit.shared));
    return fit;
}

bool occupancy_percent(const struct occupancy_device *d, int threads_per_block, int regs, size_t shared,
    double *percent)
{
    if (regs < 0 || threads_per_block <= 0 || d->warps_per_sm <= 0 || d->regs_per_sm <= 0) return false;
    *percent =
        occupancy_share(occupancy_blocks(d, threads_per_block, regs, shared).all, threads_per_block, d->warps_per_sm);
    return true;
}
