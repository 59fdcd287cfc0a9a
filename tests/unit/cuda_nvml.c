// What NVML answers reaches the caller, and what it does not know stays unknown: against functions that answer like the
// library.
//
// SPDX-License-Identifier: MIT
#include "test.h"

#include "device/cuda/cuda_nvml.h"
#include "device/cuda/cuda_which.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int clock_of(void *device, int which, unsigned *mhz)
{
    if (device) return 999;
    *mhz = which == CUDA_CLOCK_MEMORY ? 3201 : 1980;
    return 0;
}
static int nothing(void *device, int which, unsigned *mhz)
{
    (void)device, (void)which;
    *mhz = 0;
    return 0;
}
static int width(void *device, unsigned *bits)
{
    if (device) return 999;
    *bits = 6144;
    return 0;
}

static unsigned long long said;
static int reasons_of(void *device, unsigned long long *reasons)
{
    *reasons = said;
    return device ? 999 : 0;
}

// Each reason that is trouble by itself, and none of those that somebody has set.
static void heat_and_power_hold_the_clock_down(void)
{
    static const unsigned long long trouble[] = {0x4 /* power cap */, 0x8 /* hardware slowdown */,
        0x20 /* software thermal */, 0x40 /* hardware thermal */, 0x80 /* power brake */};
    int there;
    struct cuda_nvml n = {.library = &there, .reasons = reasons_of};
    for (size_t i = 0; i < sizeof trouble / sizeof *trouble; i++) {
        said = trouble[i];
        CHECK(cuda_nvml_held_down(&n));
    }
    said = 0x1 | 0x2 | 0x10 | 0x100; // idle, application clocks, sync boost, display
    CHECK(!cuda_nvml_held_down(&n));
    said = 0x40;
    n.device = &there; // the library refuses
    CHECK(!cuda_nvml_held_down(&n));
}

// CUDA_VISIBLE_DEVICES: only a list of numbers says how many there are.
static void a_list_of_numbers_is_counted(void)
{
    CHECK_INT(cuda_nvml_listed("0", 8), 1);
    CHECK_INT(cuda_nvml_listed("7,0,3", 8), 3);
    CHECK_INT(cuda_nvml_listed("10,11", 16), 2);
    static const char *const others[] = {"", ",", "0,", "0,,1", "0,0", "8", "0,8", "-1", "0 ,1", "NoDevFiles", "none",
        "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", "MIG-GPU-8932f937/1/0", "1e1", "0x1", "100", "00000000001"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) CHECK_INT(cuda_nvml_listed(others[i], 8), 0);
}

static void slices_are_listed_by_uuid(void)
{
    char uuid[CUDA_UUID];
    static const char two[] = "MIG-3eb87630-93d5-b2b6-b8ff-9b359caf4ee2,MIG-GPU-b90b8fc4-0d3f/7/0";
    CHECK_INT(cuda_which_slices(two), 2);
    CHECK(cuda_which_slice(two, 1, uuid));
    CHECK_TEXT(uuid, "MIG-GPU-b90b8fc4-0d3f/7/0");
    CHECK(!cuda_which_slice(two, 2, uuid));
    static const char *const others[] = {"", "0", "0,1", "GPU-3eb87630-93d5", "none", "MIG-", "MIG-a b c d"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) CHECK_INT(cuda_which_slices(others[i]), 0);
    CHECK_INT(cuda_which_slices(NULL), 0);
    CHECK(cuda_which_may(NULL, "MIG-3eb87630") && cuda_which_may(two, "MIG-3eb87630"));
    CHECK(!cuda_which_may(two, "MIG-4eb87630") && !cuda_which_may("0,1", "MIG-3eb87630"));
    CHECK(cuda_which_uuid("GPU-3eb87630") && cuda_which_uuid("MIG-3eb87630-93d5"));
    CHECK(!cuda_which_uuid("GPU-3e") && !cuda_which_uuid("3eb87630-93d5") && !cuda_which_uuid("GPU-3eb8763;"));
    CHECK(cuda_which_slice_name("NVIDIA H200 MIG 1g.18gb") && !cuda_which_slice_name("NVIDIA H200"));
}

// Against a library that stands in for the driver's: the slice has no clock, and the GPU that it is a part of has one.
static void the_clock_of_a_slice_is_its_gpus(void)
{
    struct cuda_nvml n;
    double mhz = -1;
    CHECK(cuda_nvml_open(&n, "MIG-3eb87630-93d5-b2b6-b8ff-9b359caf4ee2", "0000:65:00.0"));
    CHECK(cuda_nvml_max_clock(&n, CUDA_CLOCK_SM, &mhz) && mhz == 1980);
    cuda_nvml_close(&n);
    CHECK_INT(cuda_nvml_count(NULL), 0); // how many slices there are, NVML alone does not tell
}

// Without the library nothing is known of how the GPU is, and none of it is 0.
static void without_nvml_no_condition_is_known(void)
{
    struct cuda_nvml none = {0};
    struct cuda_condition c;
    double values[sizeof c / sizeof(double)];
    cuda_nvml_condition(&none, &c);
    memcpy(values, &c, sizeof c);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) CHECK(isnan(values[i]));
}

int main(int argc, char **argv)
{
    if (argc == 1) { // once more, where the library is found
        setenv("LD_LIBRARY_PATH", NVML_DIR, 1);
        execl("/proc/self/exe", argv[0], "again", NULL);
    }
    slices_are_listed_by_uuid();
    the_clock_of_a_slice_is_its_gpus();
    a_list_of_numbers_is_counted();
    without_nvml_no_condition_is_known();
    heat_and_power_hold_the_clock_down();
    int there;
    double mhz = -1, bits = -1;
    struct cuda_nvml n = {.library = &there, .max_clock = clock_of, .clock = nothing, .bus_width = width};
    CHECK(cuda_nvml_max_clock(&n, CUDA_CLOCK_MEMORY, &mhz) && mhz == 3201);
    CHECK(cuda_nvml_max_clock(&n, CUDA_CLOCK_SM, &mhz) && mhz == 1980);
    CHECK(cuda_nvml_bus_bits(&n, &bits) && bits == 6144);
    CHECK(!cuda_nvml_clock(&n, CUDA_CLOCK_SM, &mhz) && mhz == 1980); // 0 is no clock

    n.device = &there; // the library refuses
    CHECK(!cuda_nvml_max_clock(&n, CUDA_CLOCK_SM, &mhz) && mhz == 1980);
    CHECK(!cuda_nvml_bus_bits(&n, &bits) && bits == 6144);
    n = (struct cuda_nvml){0}; // there is none
    CHECK(!cuda_nvml_max_clock(&n, CUDA_CLOCK_SM, &mhz) && !cuda_nvml_held_down(&n));
    return test_end();
}
