// NVML by dlopen, with our own few prototypes: its header is not part of every Toolkit, its library is part of every
// driver.
//
// SPDX-License-Identifier: MIT
#include "device/cuda/cuda_nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// Bits of the clocks-event reasons. The others (idle, application clocks, sync boost, display) are settings, not
// trouble.
enum {
    REASON_POWER_CAP = 0x4,
    REASON_HW_SLOWDOWN = 0x8,
    REASON_SW_THERMAL = 0x20,
    REASON_HW_THERMAL = 0x40,
    REASON_HW_POWER_BRAKE = 0x80
};

static bool find(struct cuda_nvml *n, const char *name, void *function)
{
    void *symbol = dlsym(n->library, name);
    memcpy(function, &symbol, sizeof symbol); // ISO C has no cast from an object pointer to a function pointer
    return symbol;
}

bool cuda_nvml_open(struct cuda_nvml *n, const char *uuid, const char *bus_id)
{
    *n = (struct cuda_nvml){.library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)};
    if (!n->library) {
        snprintf(n->why, sizeof n->why,
            "libnvidia-ml.so.1 (part of the NVIDIA driver) cannot be loaded: clocks and peak are unknown");
        return false;
    }
    int (*init)(void), (*by_bus)(const char *, void **), (*by_uuid)(const char *, void **);
    bool found = find(n, "nvmlInit_v2", &init) && find(n, "nvmlDeviceGetHandleByPciBusId_v2", &by_bus) &&
        find(n, "nvmlDeviceGetHandleByUUID", &by_uuid) && find(n, "nvmlShutdown", &n->shutdown);
    find(n, "nvmlDeviceGetMaxClockInfo", &n->max_clock);
    find(n, "nvmlDeviceGetClockInfo", &n->clock);
    find(n, "nvmlDeviceGetMemoryBusWidth", &n->bus_width);
    find(n, "nvmlSystemGetDriverVersion", &n->driver);
    if (!find(n, "nvmlDeviceGetCurrentClocksEventReasons", &n->reasons))
        find(n, "nvmlDeviceGetCurrentClocksThrottleReasons", &n->reasons); // its name before driver 535
    int error = found ? init() : -1;
    if (error == 0) {
        error = by_uuid(uuid, &n->device);
        if (error) error = by_bus(bus_id, &n->device); // a slice of a GPU has a UUID of its own
        if (error == 0) return true;
        n->shutdown();
    }
    snprintf(n->why, sizeof n->why, "NVML gives no access to the GPU at %s (error %d): clocks and peak are unknown",
        bus_id, error);
    dlclose(n->library);
    n->library = NULL;
    return false;
}

void cuda_nvml_close(struct cuda_nvml *n)
{
    if (!n->library) return;
    n->shutdown();
    dlclose(n->library);
    n->library = NULL;
}

// Nothing is known of a quantity that NVML gives as 0.
static bool known(int error, unsigned value, double *out)
{
    if (error || !value) return false;
    *out = value;
    return true;
}

bool cuda_nvml_max_clock(const struct cuda_nvml *n, enum cuda_clock which, double *mhz)
{
    unsigned value = 0;
    const int error = n->library && n->max_clock ? n->max_clock(n->device, (int)which, &value) : -1;
    return known(error, value, mhz);
}

bool cuda_nvml_clock(const struct cuda_nvml *n, enum cuda_clock which, double *mhz)
{
    unsigned value = 0;
    const int error = n->library && n->clock ? n->clock(n->device, (int)which, &value) : -1;
    return known(error, value, mhz);
}

bool cuda_nvml_bus_bits(const struct cuda_nvml *n, double *bits)
{
    unsigned value = 0;
    const int error = n->library && n->bus_width ? n->bus_width(n->device, &value) : -1;
    return known(error, value, bits);
}

bool cuda_nvml_driver(const struct cuda_nvml *n, char *text, unsigned size)
{
    return n->library && n->driver && n->driver(text, size) == 0;
}

bool cuda_nvml_held_down(const struct cuda_nvml *n)
{
    unsigned long long reasons = 0;
    if (!n->library || !n->reasons || n->reasons(n->device, &reasons)) return false;
    return reasons &
        (REASON_POWER_CAP | REASON_HW_SLOWDOWN | REASON_SW_THERMAL | REASON_HW_THERMAL | REASON_HW_POWER_BRAKE);
}
