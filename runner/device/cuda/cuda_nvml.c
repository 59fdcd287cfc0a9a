// NVML by dlopen, with our own few prototypes: its header is not part of every Toolkit, its library is part of every
// driver.
//
// SPDX-License-Identifier: MIT
#include "device/cuda/cuda_nvml.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

static bool find(const struct cuda_nvml *n, const char *name, void *function)
{
    void *symbol = dlsym(n->library, name);
    memcpy(function, &symbol, sizeof symbol); // ISO C has no cast from an object pointer to a function pointer
    return symbol;
}

// The library takes 14 ms to begin, once a process: it does while CUDA begins.
static pthread_t early;
static bool begun, joined;

static void *begin(void *unused)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    const struct cuda_nvml n = {.library = library};
    int (*init)(void);
    (void)unused;
    // Held until the process ends: every context would start it anew.
    if (library && find(&n, "nvmlInit_v2", &init)) init();
    return NULL;
}

void cuda_nvml_begin(void)
{
    if (!begun) begun = pthread_create(&early, NULL, begin, NULL) == 0;
}

static void whole_of(struct cuda_nvml *n)
{
    int (*is_slice)(void *, unsigned *), (*parent)(void *, void **);
    unsigned slice = 0;
    void *gpu = NULL;
    if (find(n, "nvmlDeviceIsMigDeviceHandle", &is_slice) && is_slice(n->device, &slice) == 0 && slice &&
        find(n, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", &parent) && parent(n->device, &gpu) == 0)
        n->device = gpu;
}

bool cuda_nvml_open(struct cuda_nvml *n, const char *uuid, const char *bus_id)
{
    if (begun && !joined) joined = pthread_join(early, NULL) == 0;
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
        if (error) error = by_bus(bus_id, &n->device);
        else whole_of(n); // a slice has a UUID of its own, and no clocks
        if (error == 0) return true;
        n->shutdown();
    }
    snprintf(n->why, sizeof n->why, "NVML gives no access to the GPU at %s (error %d): clocks and peak are unknown",
        bus_id, error);
    dlclose(n->library);
    n->library = NULL;
    return false;
}

int cuda_nvml_listed(const char *visible, unsigned count)
{
    uint64_t seen = 0;
    int n = 0;
    for (const char *p = visible;; p++) {
        const size_t digits = strspn(p, "0123456789");
        const unsigned long one = strtoul(p, NULL, 10);
        if (!digits || digits > 2 || one >= count || one > 63 || (seen & (uint64_t)1 << one)) return 0;
        seen |= (uint64_t)1 << one;
        n++;
        p += digits;
        if (!*p) return n;
        if (*p != ',') return 0;
    }
}

static bool any_sliced(const struct cuda_nvml *n, unsigned count)
{
    int (*by_index)(unsigned, void **), (*mode)(void *, unsigned *, unsigned *);
    if (!find(n, "nvmlDeviceGetHandleByIndex_v2", &by_index) || !find(n, "nvmlDeviceGetMigMode", &mode)) return true;
    for (unsigned i = 0; i < count; i++) {
        void *device;
        unsigned now = 0, next = 0;
        if (by_index(i, &device)) return true;
        if (mode(device, &now, &next) == 0 && now) return true; // an error: it cannot be sliced at all
    }
    return false;
}

int cuda_nvml_count(const char *visible)
{
    struct cuda_nvml n = {.library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)};
    int (*init)(void), (*how_many)(unsigned *), found = 0;
    unsigned count = 0;
    if (!n.library) return 0;
    if (find(&n, "nvmlInit_v2", &init) && find(&n, "nvmlDeviceGetCount_v2", &how_many) &&
        find(&n, "nvmlShutdown", &n.shutdown) && init() == 0) {
        if (how_many(&count) == 0 && !any_sliced(&n, count))
            found = visible ? cuda_nvml_listed(visible, count) : (int)count;
        n.shutdown();
    }
    dlclose(n.library);
    return found;
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

static double number(const struct cuda_nvml *n, const char *name)
{
    int (*ask)(void *, unsigned *);
    unsigned value = 0;
    return find(n, name, &ask) && ask(n->device, &value) == 0 ? (double)value : (double)NAN;
}

static double ecc_errors(const struct cuda_nvml *n, int kind)
{
    enum { SINCE_LOADED = 0 };
    int (*ask)(void *, int, int, unsigned long long *);
    unsigned long long count = 0;
    const bool told = find(n, "nvmlDeviceGetTotalEccErrors", &ask) && ask(n->device, kind, SINCE_LOADED, &count) == 0;
    return told ? (double)count : (double)NAN;
}

static double held_s(const struct cuda_nvml *n, int policy)
{
    struct {
        unsigned long long at_us, held_ns;
    } time = {0, 0};
    int (*ask)(void *, int, void *);
    const bool told = find(n, "nvmlDeviceGetViolationStatus", &ask) && ask(n->device, policy, &time) == 0;
    return told ? 1e-9 * (double)time.held_ns : (double)NAN;
}

// Asked without room for them, it tells how many there are. None at all, where this process is one: they are hidden.
static double processes(const struct cuda_nvml *n)
{
    enum { NO_ROOM = 7 };
    int (*ask)(void *, unsigned *, void *);
    unsigned count = 0;
    if (!find(n, "nvmlDeviceGetComputeRunningProcesses_v3", &ask) &&
        !find(n, "nvmlDeviceGetComputeRunningProcesses_v2", &ask))
        return NAN;
    return ask(n->device, &count, NULL) == NO_ROOM && count ? (double)count : (double)NAN;
}

static void remapped_rows(const struct cuda_nvml *n, struct cuda_condition *c)
{
    int (*ask)(void *, unsigned *, unsigned *, unsigned *, unsigned *);
    unsigned corrected, uncorrected, due, refused;
    if (!find(n, "nvmlDeviceGetRemappedRows", &ask) || ask(n->device, &corrected, &uncorrected, &due, &refused)) return;
    c->rows_corrected = corrected;
    c->rows_uncorrected = uncorrected;
    c->rows_due = due;
    c->rows_refused = refused;
}

void cuda_nvml_condition(const struct cuda_nvml *n, struct cuda_condition *c)
{
    const double none = NAN;
    *c = (struct cuda_condition){
        none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none};
    if (!n->library) return;
    enum { CORE = 0, CORRECTED = 0, UNCORRECTED = 1, BY_POWER = 0, BY_HEAT = 1 };
    int (*temperature)(void *, int, unsigned *);
    unsigned degrees = 0;
    if (find(n, "nvmlDeviceGetTemperature", &temperature) && temperature(n->device, CORE, &degrees) == 0)
        c->temperature_c = degrees;
    c->power_w = 1e-3 * number(n, "nvmlDeviceGetPowerUsage");
    c->power_limit_w = 1e-3 * number(n, "nvmlDeviceGetEnforcedPowerLimit");
    c->ecc_corrected = ecc_errors(n, CORRECTED);
    c->ecc_uncorrected = ecc_errors(n, UNCORRECTED);
    remapped_rows(n, c);
    c->pcie_gen = number(n, "nvmlDeviceGetCurrPcieLinkGeneration");
    c->pcie_gen_max = number(n, "nvmlDeviceGetMaxPcieLinkGeneration");
    c->pcie_lanes = number(n, "nvmlDeviceGetCurrPcieLinkWidth");
    c->pcie_lanes_max = number(n, "nvmlDeviceGetMaxPcieLinkWidth");
    c->processes = processes(n);
    c->held_by_power_s = held_s(n, BY_POWER);
    c->held_by_heat_s = held_s(n, BY_HEAT);
}
