// The driver: functions that the runtime has no equal of, asked for by name, and errors by name and sentence.
// SPDX-License-Identifier: MIT
#pragma once
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "base/diag.h"

// Functions of the driver (cuda_driver.c).
// clang-format off: one line a function
#define CUDA_DRIVER(X) \
    X(cuModuleLoadDataEx) \
    X(cuModuleUnload) \
    X(cuModuleGetFunction) \
    X(cuModuleGetGlobal) \
    X(cuLaunchKernel) \
    X(cuLaunchKernelEx) \
    X(cuFuncGetAttribute) \
    X(cuFuncSetAttribute) \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
    X(cuCtxGetCurrent)
// clang-format on
struct cuda_driver {
#define X(name) __typeof__(&name) name;
    CUDA_DRIVER(X)
#undef X
};

struct cuda_device;
// cuda_driver.c — errors by name and sentence; driver functions. Each adds to diags and returns false.
bool cuda_driver_load(struct cuda_driver *, struct diags *);
bool cuda_driver_named(const char *name, void **function); // one that not every driver has
bool cuda_ok(struct cuda_device *, cudaError_t, struct diags *, const char *doing, ...)
    __attribute__((format(printf, 4, 5)));
bool cuda_ok_driver(struct cuda_device *, CUresult, struct diags *, const char *doing, ...)
    __attribute__((format(printf, 4, 5)));
