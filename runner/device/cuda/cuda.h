// The CUDA backend's own header: its device, its point and what its files do for each other. Only runner/device/cuda*.c
// include it, and only when the CUDA Toolkit was there at build time (GPUEXP_HAVE_CUDA). The runtime is linked
// statically; the few driver functions that it has no equal of are asked for by name, so that the binary starts on a
// machine without a driver.
// SPDX-License-Identifier: MIT
#pragma once
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "device/clock_rule.h"
#include "device/cuda/cuda_nvml.h"
#include "device/device.h"
#include "device/pack.h"
#include "plan/asks.h"

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

enum cuda_kind { // where a block of memory lies
    CUDA_DEVICE,
    CUDA_MANAGED,
    CUDA_MAPPED,
    CUDA_POOL,
    CUDA_PEER,
    CUDA_PITCHED, // this and those up to the host's: not flat, or not allocated here (cuda_layout.c)
    CUDA_SYMBOL,
    CUDA_TEXTURE,
    CUDA_HOST_PAGEABLE,
    CUDA_HOST_PINNED,
    CUDA_HOST_WRITE_COMBINED,
    CUDA_HOST_REGISTERED,
    CUDA_HOST_PORTABLE
};

struct cuda_block { // memory that is kept from point to point, so that equal sizes are not allocated again
    void *address;  // on the device; NULL: a free slot. Host kinds have none
    void *host;     // on the host, where there is one
    size_t bytes;
    enum cuda_kind kind;
    bool used;
    uint64_t content; // what a read-only buffer was filled with; 0: anything
    uint64_t age;     // when it was last given back
};
enum {
    CUDA_BLOCKS = 96,
    CUDA_BUFFERS = 64,
    CUDA_LANES = 4,
    CUDA_ARGUMENTS = 64,
    CUDA_STREAMS = 16,
    CUDA_PARAMS = 4096,
    CUDA_PADS = 24
};

struct cuda_params { // a parameter block as cuLaunchKernel takes it
    unsigned char bytes[CUDA_PARAMS];
    size_t size;
    struct ptx_param list[CUDA_ARGUMENTS];
    int count;
};

struct cuda_buffer {
    const struct job_buffer *job;
    struct cuda_block *block;   // what the kernel works on; of shaped kinds the same content, flat
    struct cuda_block *before;  // its content before the launch, where it is read and written
    struct cuda_block *host;    // the host side of copies
    void *flat;                 // the block's address: where content is made and checked
    void *address;              // what the kernel gets: `flat` but for shaped kinds
    size_t bytes, pitch, slice; // of the content; of a row and a plane as the kernel sees them
    bool turned;                // a cycle: place i of the first is now at `by` - i, else at `by` + i
    uint64_t by;
    cudaArray_t array; // texture
    cudaTextureObject_t texture;
};

struct cuda_prepared { // one launch of a sequence behind the first, ready to go
    CUfunction kernel;
    struct cuda_params params;
    uint32_t grid[3], block[3], shared;
};

struct cuda_manner { // how the point's own kernels are launched beside their sizes
    bool cooperative;
    uint32_t cluster[3]; // 0: none
};

struct cuda_window { // the L2 access policy a point asks for, and what must be put back after it
    bool on, set_aside, fetch_changed;
    size_t buffer; // that the window lies over
    struct cudaAccessPolicyWindow policy;
    size_t persist, persist_before, fetch_before;
};

struct cuda_point {
    const struct job *job; // NULL: no current point
    CUfunction kernel, check;
    struct cuda_buffer buffers[CUDA_BUFFERS];
    size_t buffer_count;
    struct cuda_block *reports; // one 8-byte slot a report value
    struct cuda_block *maps;    // tensor maps that the kernel gets by their address
    size_t map_count;
    int lanes; // launches at once, each on buffers of its own: lane l has those from l * job->buffer_count on
    struct cuda_params params[CUDA_LANES], check_params, chunk_params;
    uint32_t shared;
    struct cuda_manner manner;
    struct cuda_prepared *then; // the launches behind the first
    size_t then_count;
    bool filled;   // every buffer has its content
    bool refilled; // inputs are other ones than the point's own
    bool suspect;  // the kernel gave a wrong result: it may also have written to what it should only read
    bool is_copy;  // something is copied inside the timed part
    bool ungated;  // the host takes part (pageable copies): a closed gate would never open
    bool managed;  // some buffer is managed
    bool persists; // its code asks L2 to keep lines
    bool by_host;  // the host's clock times the work: `host_s` is what a sample has taken so far
    double host_s;
    struct cuda_window window;
    cudaGraphExec_t graph;
    int streams, chunks;
    struct cuda_prepared *base; // launches of the kernel that says what is right (cuda_base.c); NULL: none
    size_t base_count;
    bool base_unsettled; // it makes something else of the same inputs each time
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

struct cuda_counters; // cuda_cupti.c

struct cuda_device {
    int ordinal;
    char spec[32], bus[32], uuid[48]; // "cuda:0", "0000:65:00.0", "GPU-b90b8fc4-..."
    struct cudaDeviceProp prop;
    struct cuda_driver driver;
    struct cuda_nvml nvml;
    struct device_identity identity; // asked for once: NVML takes 3 ms for it
    struct clock_rule clock;         // the SM clock's ceiling, and the highest that a sample of this process ran at
    bool held_down;                  // NVML's last answer, and when it was asked
    double held_down_at;
    cudaError_t broken; // an error after which the context is lost
    bool spread;        // a point has worked in several streams (cuda_window.c)
    bool peered;        // some memory was on the next GPU: it has a context too
    uint64_t chance;    // of the context: where its buffers come to lie
    void *pads[CUDA_PADS];
    size_t pad_bytes[CUDA_PADS];
    int pad_count;
    cudaStream_t stream;
    bool moving;                        // what is given back is freed
    cudaStream_t streams[CUDA_STREAMS]; // for chunks, made on first need
    cudaEvent_t start, stop, fork, join[CUDA_STREAMS];

    CUmodule helpers; // cuda_kernels.cu, compiled on first need
    CUfunction gate, stamp, empty, flush, fill, touch, touch_warp, compare, digest, turn, warm, unlike;
    volatile unsigned *flag;           // host memory that the gate watches
    void *flag_device;                 // as the device sees it
    unsigned ticket;                   // the value of `flag` that opens it
    unsigned submitted;                // launches behind the closed gate
    struct clock_stamp *stamps;        // host memory; before and after
    struct clock_stamp *stamps_device; // as the device sees it
    void *scratch;                     // of at least twice L2, for the flush
    size_t scratch_bytes;
    uint64_t *result;  // on the device: what `check` found
    uint64_t *digests; // behind it, two words a buffer: of inputs before a launch, and then of all behind it
    uint64_t *found;   // of both, on the host

    struct cuda_block blocks[CUDA_BLOCKS];
    uint64_t age;
    struct cuda_loaded loaded, contract; // the point's own code; that of the kernel which says what is right
    struct cuda_point point;
    struct cuda_counters *counters;
    bool counting; // the profiler is ready, and has patched modules: none is unloaded
};

// cuda_driver.c — errors by name and sentence; driver functions. Each adds to diags and returns false.
bool cuda_driver_load(struct cuda_driver *, struct diags *);
bool cuda_driver_named(const char *name, void **function); // one that not every driver has
bool cuda_ok(struct cuda_device *, cudaError_t, struct diags *, const char *doing, ...)
    __attribute__((format(printf, 4, 5)));
bool cuda_ok_driver(struct cuda_device *, CUresult, struct diags *, const char *doing, ...)
    __attribute__((format(printf, 4, 5)));

// cuda_facts.c
size_t cuda_facts(struct cuda_device *, struct arena *, struct device_fact **);
double cuda_peak_gbps(const struct cuda_device *);
void cuda_limits_text(const struct cuda_device *, char *text, size_t size); // of its identity
int cuda_attribute(const struct cuda_device *, enum cudaDeviceAttr);

// cuda_layout.c — memory that is not a flat block: pitched rows, variables of the source, textures.
enum cuda_kind cuda_kind_of(const struct job_buffer *);
bool cuda_kind_shaped(enum cuda_kind);
void cuda_layout_unfit(struct cuda_device *, const struct job *, char why[256]);
bool cuda_layout_prepare(struct cuda_device *, struct cuda_buffer *,
    struct diags *); // what the kernel gets, once `flat` is there
void cuda_layout_finish(struct cuda_buffer *);
// Between what the kernel gets and `dense`, an address on host or device; `in`: towards the kernel's.
bool cuda_layout_copy(struct cuda_device *, const struct cuda_buffer *, void *dense, bool in, cudaStream_t,
    struct diags *);

// cuda_context.c — what a context draws anew, and quiet before a sample.
void cuda_pad(struct cuda_device *);       // takes some memory, so that what comes next lies elsewhere
void cuda_pads_free(struct cuda_device *); // also where memory is short
void cuda_freed(size_t bytes);             // the GPU is busy with that for a while: no sample is taken meanwhile
bool cuda_rest(struct cuda_device *, double seconds, struct diags *);
bool cuda_stir(struct cuda_device *, double wait_us, unsigned launches, struct diags *);

// cuda_memory.c — blocks, kept and given back.
cudaError_t cuda_memory_get(struct cuda_device *, struct cuda_block *); // of its kind and bytes; not kept
void cuda_memory_put(struct cuda_device *, struct cuda_block *);
int cuda_memory_peer(const struct cuda_device *); // the next GPU; -1: there is none that this one can reach
struct cuda_block *cuda_block_take(struct cuda_device *, enum cuda_kind, size_t bytes, uint64_t content,
    const char *name, bool may_fail, struct diags *);
void cuda_block_give(struct cuda_device *, struct cuda_block *, uint64_t content); // NULL is fine
void cuda_blocks_free(struct cuda_device *, bool used_too);
size_t cuda_memory_free(struct cuda_device *);

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

// cuda_tensor.c — tensor maps: the parameter block gets one of that buffer. False: the driver makes none such.
bool cuda_tensor_used(const struct job *);
bool cuda_tensor_lay(struct cuda_device *, const struct cuda_buffer *, const struct job_argument *,
    struct cuda_params *, int i);

// cuda_fill.c — contents.
bool cuda_fill(struct cuda_device *, struct cuda_buffer *, struct diags *);
// Of another seed, where its content varies with one; 0: of its own again.
bool cuda_refill(struct cuda_device *, struct cuda_buffer *, uint64_t seed, struct diags *);
bool cuda_fill_varies(const struct job_buffer *);
bool cuda_poison(struct cuda_device *, struct cuda_buffer *, struct diags *);
bool cuda_spoil(struct cuda_device *, struct cuda_buffer *, struct diags *); // each number becomes another
bool cuda_shape(struct cuda_device *, struct cuda_buffer *,
    struct diags *); // the flat content to where the kernel works on it
bool cuda_flatten(struct cuda_device *, struct cuda_buffer *, struct diags *); // and back

// cuda_layout.c — variables of the source.
bool cuda_variables_keep(struct cuda_device *, struct cuda_loaded *, struct diags *); // of a module just loaded
bool cuda_variables_reset(struct cuda_device *, struct diags *);                      // all but those that are buffers
void cuda_variables_free(struct cuda_loaded *);

// cuda_state.c — before a timed launch: it is like no other.
bool cuda_renew(struct cuda_device *, uint64_t seed, const struct device_look *, enum device_inputs *, struct diags *);

// cuda_check.c — whether a launch left alone what it should only read. What is noted stays on the device.
bool cuda_inputs_note(struct cuda_device *, const struct device_look *, struct diags *); // before it
bool cuda_inputs_compare(struct cuda_device *, struct result_check *, struct diags *);
// The same of `check`, which writes to nothing at all.
bool cuda_check_note(struct cuda_device *, struct diags *);
bool cuda_check_compare(struct cuda_device *, struct diags *);
// Behind a right result, which is spoiled then: how much of it does `check` take?
bool cuda_check_spoiled(struct cuda_device *, struct result_check *, struct diags *);

// cuda_check.c
bool cuda_check_lay(struct cuda_device *, int lane, struct diags *); // the arguments of `check`
// Of what the last launch wrote.
bool cuda_check(struct cuda_device *, const struct device_look *, struct result_check *, struct diags *);
// And of its inputs, if they were noted.
bool cuda_look(struct cuda_device *, const struct device_look *, struct result_check *, struct diags *);

// cuda_base.c — what the kernel which says what is right makes of the same inputs.
bool cuda_base_prepare(struct cuda_device *, struct diags *);
void cuda_base_finish(struct cuda_device *);
bool cuda_base_compare(struct cuda_device *, const struct device_look *, struct result_check *, struct diags *);

// cuda_arguments.c
// Lays the arguments of a launch of the point's own code; `made`: what C++ on the device made, or NULL.
bool cuda_arguments_lay(struct cuda_device *, int lane, const struct job_launch *, const unsigned char *made,
    struct cuda_params *, struct diags *);
// With what the point asks for, and so much shared memory.
bool cuda_dress(struct cuda_device *, CUfunction, uint32_t shared, struct diags *);
// cuda_point.c
bool cuda_prepare(struct cuda_device *, const struct job *, double *columns, bool *skip, struct diags *);
bool cuda_verify(struct cuda_device *, struct result_check *, struct diags *);
void cuda_finish(struct cuda_device *);
bool cuda_move(struct cuda_device *, struct diags *);
// cuda_unfit.c
void cuda_unfit(struct cuda_device *, const struct job *, char why[256]);
void cuda_limits(const struct cuda_device *, struct device_limits *);

// cuda_state.c — before each run.
bool cuda_restore(struct cuda_device *, struct diags *);
bool cuda_flush(struct cuda_device *, struct diags *);

// cuda_streams.c
bool cuda_streams_make(struct cuda_device *, int count, struct diags *); // more than one
bool cuda_fork(struct cuda_device *, int streams, struct diags *); // the streams start where the device's stream is
bool cuda_join(struct cuda_device *, int streams, struct diags *); // and it goes on when all of them have ended
bool cuda_submit_kernel(struct cuda_device *,
    struct diags *); // the launch alone: on the device's stream, or a lane a stream
bool cuda_submit_named(struct cuda_device *, struct diags *); // each launch waited for, so that one that fails is named
void cuda_queued(struct cuda_device *); // counts what stands behind the gate, which opens before the queue is full
void cuda_open_gate(struct cuda_device *);

// cuda_sample.c — the measured part.
bool cuda_begin(struct cuda_device *, struct diags *);
bool cuda_submit(struct cuda_device *, struct diags *);
bool cuda_end(struct cuda_device *, struct diags *);
bool cuda_wait(struct cuda_device *, struct sample *, struct diags *);
bool cuda_reports(struct cuda_device *, double *values, struct diags *);
bool cuda_graph_prepare(struct cuda_device *, struct diags *);

// cuda_transfer.c — copies as timed work.
bool cuda_transfer_prepare(struct cuda_device *, struct diags *);
bool cuda_transfer_submit(struct cuda_device *, struct diags *);
bool cuda_transfer_verify(struct cuda_device *, struct result_check *, struct diags *);
void cuda_transfer_unfit(const struct job *, char why[256]);

// cuda_transfer.c — taking and giving back memory as timed work.
void cuda_allocate_unfit(const struct job *, char why[256]);

// cuda_managed.c — pages: where they are before each sample.
bool cuda_managed_restore(struct cuda_device *, struct diags *);
bool cuda_managed_fetch(struct cuda_device *, bool to_host, struct diags *); // timed: prefetch_host, prefetch_device

// cuda_window.c — L2: set-aside, policy window, fetch granularity; all put back by cuda_window_off.
bool cuda_window_prepare(struct cuda_device *, struct diags *);
bool cuda_window_node(struct cuda_device *, cudaGraphNode_t, struct diags *);
void cuda_window_off(struct cuda_device *);
bool cuda_window_stale(struct cuda_device *, const struct job *);

// cuda_cupti.c — hardware counters, in passes of their own.
bool cuda_count(struct cuda_device *, double *columns, char source[16], struct diags *);
void cuda_counters_off(struct cuda_device *);
bool cuda_counters_spent(void); // this process can count nothing any more
// cuda_faults.c — page faults and migrated bytes of one launch.
struct cupti;
bool cuda_faults_count(struct cuda_device *, const struct cupti *, double *columns, struct diags *);
