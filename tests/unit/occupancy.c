// Occupancy of an A100 and others as the Toolkit's header has it, with the pitfalls of using it from C; and what a
// build without the Toolkit makes of the same limits.
// SPDX-License-Identifier: MIT
#include "device/profiles.h"
#include "test.h"

static double percent(const char *profile, int threads, int regs, size_t static_shared, size_t dynamic_shared)
{
    double p = NAN;
    return occupancy_percent(&profile_find(profile)->limits, threads, regs, static_shared, dynamic_shared, &p) ? p : -1;
}

int main(void)
{
    CHECK(profile_find("a100") && profile_find("h200") && profile_find("v100") && !profile_find("z9"));
    // A warp that is not full takes the place of a full one.
    CHECK(occupancy_share(32, 33, 64) == 100 && occupancy_share(32, 32, 64) == 50 && occupancy_share(32, 31, 64) == 50);
    CHECK(occupancy_share(2, 700, 64) == 100.0 * 44 / 64 && occupancy_share(1, 1, 48) == 100.0 / 48);
    int different = 0;
    for (const struct profile *p = profiles; p->name; p++)
        for (int threads = 1; threads <= 1024; threads += threads < 40 ? 1 : 31)
            for (int regs = 0; regs <= 255; regs += 3)
                for (size_t shared = 0; shared <= 240 << 10; shared += shared < 4096 ? 500 : 7001) {
                    double of_header = -1, own = -1;
                    occupancy_percent(&p->limits, threads, regs, 0, shared, &of_header);
                    occupancy_by_limits(&p->limits, threads, regs, shared, &own);
                    if (of_header != own && !different++)
                        printf("%s: %d threads, %d registers, %zu bytes: %g, %g\n", p->name, threads, regs, shared,
                            of_header, own);
                }
    CHECK_INT(different, 0);
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
