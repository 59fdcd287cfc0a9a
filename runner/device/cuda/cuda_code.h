// Code: modules, entries, parameter blocks and launches.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/cuda/cuda_driver.h"
#include "device/pack.h"
#include "plan/job.h"

enum { CUDA_ARGUMENTS = 64, CUDA_PARAMS = 4096 };
struct cuda_params { // a parameter block as cuLaunchKernel takes it
    unsigned char bytes[CUDA_PARAMS];
    size_t size;
    struct ptx_param list[CUDA_ARGUMENTS];
    int count;
};

struct cuda_loaded { // the last point's code: a sweep over arguments compiles and loads nothing again
    uint64_t hash[2];
    struct code *code;
    CUmodule module, given;          // given: machine code that the source includes
    struct cuda_variable *variables; // of the source, as they were loaded
    size_t variable_count;
    bool carved; // a point has set a carveout, which stays with the module
};

struct cuda_variable {
    void *address, *kept; // both on the device; NULL: it is zero
    size_t bytes;
};

struct cuda_helpers { // cuda_kernels.cu, compiled on first need
    CUmodule module;
    CUfunction gate, stamp, empty, flush, fill, touch, touch_warp, compare, digest, turn, warm, unlike;
};

struct cuda_device;
// cuda_code.c — modules: the helper kernels, a point's own code, and parameter blocks.
bool cuda_helpers_load(struct cuda_device *, struct diags *);
bool cuda_code_load(struct cuda_device *, const struct job *, struct diags *);
bool cuda_function(struct cuda_device *, CUmodule, const char *name, CUfunction *, struct diags *);
// Does the code of the kernel's entry have such an instruction (ptx/params.h)?
bool cuda_code_has(const struct cuda_device *, const char *entry, const char *const *words);
bool cuda_params_lay(struct cuda_device *, const char *entry, struct cuda_params *, struct diags *);
// An entry that was made for `check` or a fill, of the kernel which says what is right, with its parameters.
bool cuda_contract_entry(struct cuda_device *, const char *name, CUfunction *, struct cuda_params *, struct diags *);
bool cuda_params_pointer(struct cuda_params *, int i, const void *);
bool cuda_params_value(struct cuda_params *, int i, struct value);
bool cuda_params_typed(struct cuda_params *, int i, const char *type, struct value); // halves and vectors too
bool cuda_launch(struct cuda_device *, CUfunction, const uint32_t grid[3], const uint32_t block[3], uint32_t shared,
    cudaStream_t, struct cuda_params *, struct diags *);
// The same for a kernel of the point: as a cooperative launch or in clusters, if that is asked for.
bool cuda_launch_own(struct cuda_device *, CUfunction, const uint32_t grid[3], const uint32_t block[3], uint32_t shared,
    cudaStream_t, struct cuda_params *, struct diags *);
bool cuda_launch_helper(struct cuda_device *, CUfunction, unsigned blocks, unsigned threads, cudaStream_t,
    void **arguments, struct diags *);
// One that goes over so many of something: with so many threads, but no more than the GPU has at once.
bool cuda_launch_over(struct cuda_device *, CUfunction, uint64_t count, void **arguments, struct diags *);

// cuda_layout.c — variables of the source.
bool cuda_variables_keep(struct cuda_device *, struct cuda_loaded *, struct diags *); // of a module just loaded
bool cuda_variables_reset(struct cuda_device *, struct diags *);                      // all but those that are buffers
void cuda_variables_free(struct cuda_loaded *);
