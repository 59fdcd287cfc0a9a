// Stands in for the driver's NVML, on a machine with one GPU that is cut into slices: a slice has no clock of its own.
// SPDX-License-Identifier: MIT
#include <string.h>

static int gpu, slice;

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetCount_v2(unsigned *);
int nvmlDeviceGetHandleByIndex_v2(unsigned, void **);
int nvmlDeviceGetHandleByPciBusId_v2(const char *, void **);
int nvmlDeviceGetHandleByUUID(const char *, void **);
int nvmlDeviceGetMigMode(void *, unsigned *, unsigned *);
int nvmlDeviceIsMigDeviceHandle(void *, unsigned *);
int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void *, void **);
int nvmlDeviceGetMaxClockInfo(void *, int, unsigned *);

int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { return *count = 1, 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **device) { return i ? 2 : (*device = &gpu, 0); }
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) { return bus ? (*device = &gpu, 0) : 2; }

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    *device = strncmp(uuid, "MIG-", 4) == 0 ? &slice : &gpu;
    return 0;
}

int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *next)
{
    *now = *next = 1;
    return device == &gpu ? 0 : 3;
}

int nvmlDeviceIsMigDeviceHandle(void *device, unsigned *is) { return *is = device == &slice, 0; }

int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void *device, void **of)
{
    *of = &gpu;
    return device == &slice ? 0 : 2;
}

int nvmlDeviceGetMaxClockInfo(void *device, int which, unsigned *mhz)
{
    *mhz = which ? 1980 : 0;
    return device == &gpu ? 0 : 3; // not supported
}
