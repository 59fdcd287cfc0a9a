// Occupancy of an A100 and others, by hand and as the Toolkit's own header has it, where there is one.
// SPDX-License-Identifier: MIT
#include "device/profiles.h"
#include "test.h"

#include <limits.h>

static double percent(const char *profile, int threads, int regs, size_t static_shared, size_t dynamic_shared)
{
    double p = NAN;
    const struct occupancy_device *d = &profile_find(profile)->limits;
    return occupancy_percent(d, threads, regs, static_shared + dynamic_shared, &p) ? p : -1;
}

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>

static double of_header(const struct occupancy_device *d, int threads, int regs, size_t shared)
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
        .partitionedGCConfig = PARTITIONED_GC_OFF,
        // A launch with more than the default limit must ask for it first, or it fails.
        .shmemLimitConfig = shared > d->shared_per_block ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT,
        .maxDynamicSharedSizeBytes = shared,
        .numBlockBarriers = 1, // 0 would mean a kernel without barriers; one is what the driver assumes
    };
    // In C nothing sets the carve-out, and 0 would mean that no shared memory is wanted: -1 leaves it to the driver.
    const struct cudaOccDeviceState state = {
        .cacheConfig = CACHE_PREFER_NONE, .carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    struct cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &function, &state, threads, shared) !=
        CUDA_OCC_SUCCESS)
        return -1;
    int blocks = result.activeBlocksPerMultiprocessor;
    // The header knows the most blocks of an SM from the architecture; a device that says less is right.
    if (d->blocks_per_sm > 0 && blocks > d->blocks_per_sm) blocks = d->blocks_per_sm;
    return occupancy_share(blocks, threads, d->warps_per_sm);
}

static void all_is_as_the_header_says(void)
{
    int different = 0;
    for (const struct profile *p = profiles; p->name; p++)
        for (int threads = 1; threads <= 1024; threads += threads < 40 ? 1 : 31)
            for (int regs = 0; regs <= 255; regs += 3)
                for (size_t shared = 0; shared <= 240 << 10; shared += shared < 4096 ? 500 : 7001) {
                    const double header = of_header(&p->limits, threads, regs, shared);
                    double own = -1;
                    occupancy_percent(&p->limits, threads, regs, shared, &own);
                    if (header != own && !different++)
                        printf("%s: %d threads, %d registers, %zu bytes: %g, %g\n", p->name, threads, regs, shared,
                            header, own);
                }
    CHECK_INT(different, 0);
}
#else
static void all_is_as_the_header_says(void) {}
#endif

// 0 is `not known`, and refuses nothing.
static void what_is_not_known_limits_nothing(void)
{
    struct occupancy_device d = profiles[0].limits;
    const struct occupancy_blocks known = occupancy_blocks(&d, 256, 32, 0);
    d.regs_per_block = 0;
    const struct occupancy_blocks fit = occupancy_blocks(&d, 256, 32, 0);
    CHECK(known.all > 0 && fit.regs == known.regs && fit.all == known.all);
    d.regs_per_sm = d.blocks_per_sm = d.warps_per_sm = 0;
    const struct occupancy_blocks free = occupancy_blocks(&d, 256, 32, 0);
    CHECK(free.regs > known.regs && free.blocks > known.blocks && free.threads > known.threads);
}

int main(void)
{
    what_is_not_known_limits_nothing();
    CHECK(profile_find("a100") && profile_find("h200") && profile_find("v100") && !profile_find("z9"));
    // A warp that is not full takes the place of a full one.
    CHECK(occupancy_share(32, 33, 64) == 100 && occupancy_share(32, 32, 64) == 50 && occupancy_share(32, 31, 64) == 50);
    CHECK(occupancy_share(2, 700, 64) == 100.0 * 44 / 64 && occupancy_share(1, 1, 48) == 100.0 / 48);
    all_is_as_the_header_says();
    const struct occupancy_blocks fit = occupancy_blocks(&profile_find("h200")->limits, 256, 0, 0);
    CHECK(fit.threads == 8 && fit.blocks == 32 && fit.regs == INT_MAX && fit.shared == 228 && fit.all == 8);
    CHECK(percent("a100", 256, -1, 0, 0) < 0);    // clang knows no registers
    CHECK_INT(percent("a100", 32, 16, 0, 0), 50); // 32 blocks an SM, one warp each
    for (int threads = 64; threads <= 1024; threads *= 2) CHECK_INT(percent("a100", threads, 16, 0, 0), 100);
    CHECK_INT(percent("a100", 768, 16, 0, 0), 75);
    for (int threads = 128; threads <= 1024; threads *= 2) CHECK_INT(percent("a100", threads, 64, 0, 0), 50);
    CHECK_INT(percent("a100", 33, 16, 0, 0), 100); // 32 blocks of 2 warps: all 64
    CHECK_INT(percent("a100", 31, 16, 0, 0), 50);
    CHECK_INT(percent("a100", 1000, 16, 0, 0), 100);
    CHECK_INT(percent("a100", 700, 16, 0, 0), 2 * 22 * 100 / 64);
    CHECK_INT(percent("a100", 512, 33, 0, 0), 75);
    CHECK_INT(percent("a100", 512, 31, 0, 0), 100);
    // Shared memory: 163 KiB a block at most, by opting in; 1 KiB of each block's is the driver's.
    CHECK_INT(percent("a100", 1024, 16, 0, 100 << 10), 50);
    CHECK_INT(percent("a100", 1024, 16, 0, 164 << 10), 0);
    CHECK_INT(percent("a100", 256, 16, 32 << 10, 0), 50); // 33 KiB a block of 164 KiB: 4 blocks
    CHECK_INT(percent("h200", 256, 16, 32 << 10, 0), 75); // of 228 KiB: 6
    CHECK_INT(percent("v100", 256, 32, 0, 0), 100);
    CHECK_INT(percent("v100", 256, 33, 0, 0), 75);
    return test_end();
}
