// Errors by name and sentence, and the few driver functions that the runtime has no equal of. They are asked for by
// name: a binary that linked libcuda itself would not start on a machine without a driver.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"

#include <stdarg.h>
#include <string.h>

static cudaError_t entry_point(const char *name, void **function)
{
    enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    cudaError_t error = cudaGetDriverEntryPointByVersion(name, function, CUDA_VERSION, cudaEnableDefault, &found);
#elif CUDART_VERSION >= 12000
    cudaError_t error = cudaGetDriverEntryPoint(name, function, cudaEnableDefault, &found);
#else
    cudaError_t error = cudaGetDriverEntryPoint(name, function, cudaEnableDefault);
    if (!error) found = cudaDriverEntryPointSuccess;
#endif
    return !error && found != cudaDriverEntryPointSuccess ? cudaErrorSymbolNotFound : error;
}

bool cuda_driver_named(const char *name, void **function) { return !entry_point(name, function); }

bool cuda_driver_load(struct cuda_driver *driver, struct diags *diags)
{
    static const char *const names[] = {
#define X(name) #name,
        CUDA_DRIVER(X)
#undef X
    };
    void **functions = (void **)driver; // one pointer after another: the struct is made from the same list
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (entry_point(names[i], &functions[i]))
            return diag_system(diags, "install a newer NVIDIA driver", "the NVIDIA driver has no %s", names[i]);
    return true;
}

// After these the context is lost: nothing works in this process any more.
static bool is_fatal(cudaError_t error)
{
    switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorMpsConnectionFailed:
    case cudaErrorMpsRpcFailure:
    case cudaErrorUnknown: return true;
    default: return false;
    }
}

static const char *advice(cudaError_t error)
{
    switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress: return "`-d sim` names the source line, block, warp and lane of the access";
    case cudaErrorLaunchOutOfResources:
        return "fewer threads a block (`block`) or fewer registers a thread (`maxregs`)";
    case cudaErrorNotPermitted: return "MPS or the driver's settings may forbid it";
    case cudaErrorDevicesUnavailable:
        return "another process has it for itself (exclusive mode), or it may not be used: see nvidia-smi";
    case cudaErrorMemoryAllocation: return "fewer or smaller buffers";
    default: return NULL;
    }
}

static bool complain(struct cuda_device *d, cudaError_t error, struct diags *diags, const char *doing, va_list args)
{
    if (error == cudaSuccess) return true;
    cudaGetLastError(); // an error that did not cost the context must not turn up again at the next call
    if (is_fatal(error)) d->broken = error;
    LOCAL(str_release) struct str text = {0};
    str_vaddf(&text, doing, args);
    diag_system(diags, advice(error), "%s: %s (%s)", cudaGetErrorName(error), cudaGetErrorString(error), text.text);
    return false;
}

bool cuda_ok(struct cuda_device *d, cudaError_t error, struct diags *diags, const char *doing, ...)
{
    va_list args;
    va_start(args, doing);
    bool ok = complain(d, error, diags, doing, args);
    va_end(args);
    return ok;
}

// The runtime's error numbers are the driver's since CUDA 10.1, but for the few that are the runtime's alone.
bool cuda_ok_driver(struct cuda_device *d, CUresult error, struct diags *diags, const char *doing, ...)
{
    va_list args;
    va_start(args, doing);
    bool ok = complain(d, (cudaError_t)error, diags, doing, args);
    va_end(args);
    return ok;
}
#endif
