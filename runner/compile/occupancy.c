// Occupancy by the Toolkit's own occupancy header, so that granularities of registers and shared memory are NVIDIA's,
// not ours. Built without the Toolkit, by the limits of the device; a test holds the two against each other.
// SPDX-License-Identifier: MIT
#include "compile/occupancy.h"

double occupancy_share(int blocks, int threads_per_block, int warps_per_sm)
{
    const int warps = (threads_per_block + 31) / 32;
    return 100.0 * blocks * warps / warps_per_sm;
}

static size_t up_to(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

// Registers are given to warps in pieces of 256, from four parts of an SM; shared memory in pieces of 128 bytes (256
// before compute capability 8.0), and some is the system's.
bool occupancy_by_limits(const struct occupancy_device *d, int threads_per_block, int regs, size_t shared,
    double *percent)
{
    if (regs < 0 || threads_per_block <= 0 || d->warps_per_sm <= 0 || d->regs_per_sm <= 0) return false;
    const int warps = (threads_per_block + 31) / 32;
    const int regs_of_warp = (int)up_to((size_t)regs * 32, 256);
    int blocks = d->warps_per_sm / warps;
    if (d->blocks_per_sm > 0 && blocks > d->blocks_per_sm) blocks = d->blocks_per_sm;
    if (regs_of_warp) {
        const int by_regs = d->regs_per_sm / 4 / regs_of_warp * 4 / warps;
        if (blocks > by_regs) blocks = by_regs;
        if (d->regs_per_block > 0 && regs_of_warp * warps > d->regs_per_block) blocks = 0;
    }
    const size_t each = up_to(shared + d->shared_reserved_per_block, d->major >= 8 ? 128 : 256);
    if (each && (size_t)blocks > d->shared_per_sm / each) blocks = (int)(d->shared_per_sm / each);
    if (shared > d->shared_per_block_optin || threads_per_block > d->threads_per_block) blocks = 0;
    *percent = occupancy_share(blocks, threads_per_block, d->warps_per_sm);
    return true;
}

#ifdef GPUEXP_HAVE_CUDA
#include <cuda_occupancy.h>

bool occupancy_percent(const struct occupancy_device *d, int threads_per_block, int regs, size_t static_shared,
    size_t dynamic_shared, double *percent)
{
    const struct cudaOccDeviceProp properties = {
        .computeMajor = d->major,
        .computeMinor = d->minor,
        .maxThreadsPerBlock = d->threads_per_block,
        .maxThreadsPerMultiprocessor = d->warps_per_sm * 32,
        .regsPerBlock = d->regs_per_block,
        .regsPerMultiprocessor = d->regs_per_sm,
        .warpSize = 32,
        .sharedMemPerBlock = d->shared_per_block,
        .sharedMemPerMultiprocessor = d->shared_per_sm,
        .numSms = d->sms,
        .sharedMemPerBlockOptin = d->shared_per_block_optin,
        .reservedSharedMemPerBlock = d->shared_reserved_per_block,
    };
    const struct cudaOccFuncAttributes function = {
        .maxThreadsPerBlock = d->threads_per_block,
        .numRegs = regs,
        .sharedSizeBytes = static_shared,
        .partitionedGCConfig = PARTITIONED_GC_OFF,
        // A launch with more than the default limit must ask for it first, or it fails.
        .shmemLimitConfig =
            static_shared + dynamic_shared > d->shared_per_block ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT,
        .maxDynamicSharedSizeBytes = dynamic_shared,
        .numBlockBarriers = 1, // 0 would mean a kernel without barriers; one is what the driver assumes
    };
    // In C nothing sets the carve-out, and 0 would mean that no shared memory is wanted: -1 leaves it to the driver.
    const struct cudaOccDeviceState state = {
        .cacheConfig = CACHE_PREFER_NONE, .carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    struct cudaOccResult result;
    if (regs < 0 || threads_per_block <= 0 || d->warps_per_sm <= 0) return false;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &function, &state, threads_per_block,
            dynamic_shared) != CUDA_OCC_SUCCESS)
        return false;
    int blocks = result.activeBlocksPerMultiprocessor;
    // The header knows the most blocks of an SM from the architecture; a device that says less is right.
    if (d->blocks_per_sm > 0 && blocks > d->blocks_per_sm) blocks = d->blocks_per_sm;
    *percent = occupancy_share(blocks, threads_per_block, d->warps_per_sm);
    return true;
}
#else
bool occupancy_percent(const struct occupancy_device *d, int threads_per_block, int regs, size_t static_shared,
    size_t dynamic_shared, double *percent)
{
    return occupancy_by_limits(d, threads_per_block, regs, static_shared + dynamic_shared, percent);
}
#endif
