// What `gpuexp devices` prints of a GPU: what its programmer asks for first.
//
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"
#include "device/cuda/cuda_which.h"

#include <math.h>

int cuda_attribute(const struct cuda_device *d, enum cudaDeviceAttr which)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, d->ordinal) ? 0 : value;
}

// NVML's answer first: the runtime's own attributes disagree with the data sheets on recent memory, and CUDA 13 gives 0
// for clocks.
static double clock_max(const struct cuda_device *d, enum cuda_clock which, enum cudaDeviceAttr otherwise)
{
    double mhz;
    if (cuda_nvml_max_clock(&d->nvml, which, &mhz)) return mhz;
    const int khz = cuda_attribute(d, otherwise);
    return khz > 0 ? 1e-3 * khz : (double)NAN;
}

// A slice has a part of the GPU's memory, and nobody tells how much of the bus.
static double bus_bits(const struct cuda_device *d)
{
    double bits;
    if (cuda_which_slice_name(d->prop.name)) return NAN;
    if (cuda_nvml_bus_bits(&d->nvml, &bits)) return bits;
    const int width = cuda_attribute(d, cudaDevAttrGlobalMemoryBusWidth);
    return width > 0 ? (double)width : (double)NAN;
}

// Two transfers a clock.
double cuda_peak_gbps(const struct cuda_device *d)
{
    return 2 * clock_max(d, CUDA_CLOCK_MEMORY, cudaDevAttrMemoryClockRate) * 1e6 * bus_bits(d) / 8 / 1e9;
}

static void add(struct device_fact *list, size_t *n, const char *name, const char *unit, struct value value,
    const char *about)
{
    if (value.kind == VALUE_REAL && isnan(value.r)) value = (struct value){0}; // unknown, which is not nothing
    list[(*n)++] = (struct device_fact){.name = name, .unit = unit, .about = about, .value = value};
}

void cuda_limits_text(const struct cuda_device *d, char *text, size_t size)
{
    const struct cudaDeviceProp *p = &d->prop;
    snprintf(text, size,
        "sms %d, warps_per_sm %d, blocks_per_sm %d, regs_per_sm %d, shared_per_sm %zu, l2_bytes %d, sm_clock_max %.0f",
        p->multiProcessorCount, p->maxThreadsPerMultiProcessor / 32, p->maxBlocksPerMultiProcessor,
        p->regsPerMultiprocessor, p->sharedMemPerMultiprocessor, p->l2CacheSize,
        clock_max(d, CUDA_CLOCK_SM, cudaDevAttrClockRate));
}

size_t cuda_facts(struct cuda_device *d, struct arena *a, struct device_fact **facts)
{
    const struct cudaDeviceProp *p = &d->prop;
    struct device_fact *list = arena_alloc(a, 64 * sizeof *list);
    size_t n = 0, available = 0, total = 0, fetch = 0;
    cudaMemGetInfo(&available, &total);
    cudaDeviceGetLimit(&fetch, cudaLimitMaxL2FetchGranularity);
    char driver[80] = "";
    cuda_nvml_driver(&d->nvml, driver, sizeof driver);
    int version = 0;
    cudaDriverGetVersion(&version);
    double sm_now = NAN;
    cuda_nvml_clock(&d->nvml, CUDA_CLOCK_SM, &sm_now);
#define INT(name, unit, value, about) add(list, &n, name, unit, value_int((int64_t)(value)), about)
#define REAL(name, unit, value, about) add(list, &n, name, unit, value_real(value), about)
#define TEXT(name, value, about) add(list, &n, name, "", value_text(value), about)
#define YES(name, attribute, about) add(list, &n, name, "", value_bool(cuda_attribute(d, attribute)), about)
    TEXT("compute_capability", arena_printf(a, "%d.%d", p->major, p->minor),
        "what it can do, and what code is made for it");
    static const char *const modes[] = {"default", "exclusive", "prohibited", "exclusive"};
    const int mode = cuda_attribute(d, cudaDevAttrComputeMode);
    if (mode >= 0 && mode < 4) TEXT("compute_mode", modes[mode], "how many processes may use it at a time");
    TEXT("slice", cuda_which_slice_name(p->name) ? "yes" : "no", "it is a part of a GPU (MIG)");
    INT("sms", "", p->multiProcessorCount, "streaming multiprocessors");
    INT("warps_per_sm", "", p->maxThreadsPerMultiProcessor / 32, "warps resident on an SM at most");
    INT("blocks_per_sm", "", p->maxBlocksPerMultiProcessor, "blocks resident on an SM at most");
    INT("threads_per_block", "", p->maxThreadsPerBlock, "threads in a block at most");
    INT("regs_per_sm", "", p->regsPerMultiprocessor, "32-bit registers of an SM");
    INT("regs_per_block", "", p->regsPerBlock, "32-bit registers a block can have");
    INT("shared_per_sm", "B", p->sharedMemPerMultiprocessor, "shared memory of an SM");
    INT("shared_per_block", "B", p->sharedMemPerBlock, "shared memory a block has without asking");
    INT("shared_per_block_optin", "B", p->sharedMemPerBlockOptin, "shared memory a block can ask for");
    INT("l2_bytes", "B", p->l2CacheSize, "L2 cache");
    INT("l2_persisting_max", "B", p->persistingL2CacheMaxSize, "the most of L2 that can be set aside (`persist`)");
    INT("l2_window_max", "B", p->accessPolicyMaxWindowSize, "the largest access policy window");
    INT("l2_fetch_bytes", "B", fetch, "L2 fetch granularity now (`fetch`)");
    REAL("sm_clock_max", "MHz", clock_max(d, CUDA_CLOCK_SM, cudaDevAttrClockRate), "the SMs' clock at most");
    REAL("sm_clock_now", "MHz", sm_now, "the SMs' clock now");
    REAL("memory_clock_max", "MHz", clock_max(d, CUDA_CLOCK_MEMORY, cudaDevAttrMemoryClockRate),
        "the memory's clock at most");
    REAL("memory_bus", "bit", bus_bits(d), "width of the memory bus");
    REAL("peak_gbps", "GB/s", cuda_peak_gbps(d), "memory clock x bus width x 2");
    INT("memory_total", "B", total, "device memory");
    INT("memory_free", "B", available, "device memory free now");
    INT("copy_engines", "", p->asyncEngineCount, "copies that can run beside a kernel");
    YES("managed", cudaDevAttrManagedMemory, "managed memory");
    YES("concurrent_managed", cudaDevAttrConcurrentManagedAccess,
        "host and device may touch managed pages at the same time");
    YES("pageable_access", cudaDevAttrPageableMemoryAccess, "kernels may read ordinary host memory");
    YES("map_host", cudaDevAttrCanMapHostMemory, "host memory can be mapped (`memory: mapped`)");
    YES("memory_pools", cudaDevAttrMemoryPoolsSupported, "stream-ordered allocation (`memory: pool`)");
    YES("ecc", cudaDevAttrEccEnabled, "memory errors are corrected");
    TEXT("pci_bus", d->bus, "where it sits");
    TEXT("uuid", arena_strdup(a, d->uuid), "which one it is, wherever it sits");
    struct cuda_condition c;
    cuda_nvml_condition(&d->nvml, &c);
    REAL("temperature", "C", c.temperature_c, "of the GPU now");
    REAL("power", "W", c.power_w, "what it takes now");
    REAL("power_limit", "W", c.power_limit_w, "what it may take");
    REAL("held_by_power", "s", c.held_by_power_s, "so long power held its clock down since the driver was loaded");
    REAL("held_by_heat", "s", c.held_by_heat_s, "so long heat did");
    REAL("ecc_corrected", "", c.ecc_corrected, "memory errors that were corrected since the driver was loaded");
    REAL("ecc_uncorrected", "", c.ecc_uncorrected, "memory errors that could not be corrected");
    REAL("rows_remapped", "", c.rows_corrected, "rows of memory that were replaced for errors that were corrected");
    REAL("rows_remapped_bad", "", c.rows_uncorrected, "rows that were replaced for errors that could not be corrected");
    REAL("rows_due", "", c.rows_due, "rows wait for a reset to be replaced");
    REAL("rows_refused", "", c.rows_refused, "a row could not be replaced: no spare one was left");
    REAL("pcie_generation", "", c.pcie_gen, "of its link now; an idle link may go down");
    REAL("pcie_generation_max", "", c.pcie_gen_max, "that GPU and slot can have");
    REAL("pcie_lanes", "", c.pcie_lanes, "of its link now");
    REAL("pcie_lanes_max", "", c.pcie_lanes_max, "that GPU and slot can have");
    REAL("other_processes", "", cuda_which_slice_name(p->name) ? (double)NAN : c.processes - 1,
        "that compute on it beside this one");
    if (*driver) TEXT("driver", arena_strdup(a, driver), "NVIDIA driver");
    TEXT("cuda_driver", arena_printf(a, "%d.%d", version / 1000, version % 1000 / 10),
        "the newest CUDA that the driver runs");
    TEXT("cuda_runtime", arena_printf(a, "%d.%d", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10),
        "the CUDA runtime in this program");
    if (*d->nvml.why) TEXT("nvml", arena_strdup(a, d->nvml.why), "why clocks are unknown");
    *facts = list;
    return n;
}
#endif
