// The point that is measured: its buffers and what is in them, what it launches, and whether that was right.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/cuda/cuda_code.h"
#include "device/cuda/cuda_memory.h"
#include "device/weak.h"

enum { CUDA_BUFFERS = 64, CUDA_LANES = 4 };
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
    struct weak_spots spots;
    uint64_t base_unsettled; // a bit for each buffer of which it makes something else of the same inputs each time,
    uint64_t base_any;       // also in another order
};

struct cuda_checked {  // words that checks leave; those of a look at the inputs stand behind them
    uint64_t *result;  // on the device: what `check` found
    uint64_t *digests; // behind it, two words a buffer: of inputs before a launch, and then of all behind it
    uint64_t *found;   // of both, on the host
};

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

// cuda_fill.c — contents.
bool cuda_fill(struct cuda_device *, struct cuda_buffer *, struct diags *);
// Of another seed, where its content varies with one; 0: of its own again.
bool cuda_refill(struct cuda_device *, struct cuda_buffer *, uint64_t seed, struct diags *);
bool cuda_fill_varies(const struct job_buffer *);
bool cuda_poison(struct cuda_device *, struct cuda_buffer *, struct diags *);
bool cuda_spoil(struct cuda_device *, struct cuda_buffer *, bool near, struct diags *); // each number becomes another
bool cuda_shape(struct cuda_device *, struct cuda_buffer *,
    struct diags *); // the flat content to where the kernel works on it
bool cuda_flatten(struct cuda_device *, struct cuda_buffer *, struct diags *); // and back

// cuda_tensor.c — tensor maps: the parameter block gets one of that buffer. False: the driver makes none such.
bool cuda_tensor_used(const struct job *);
bool cuda_tensor_make(const struct cuda_buffer *, const struct job_argument *, void *to); // its bytes alone
bool cuda_tensor_lay(struct cuda_device *, const struct cuda_buffer *, const struct job_argument *,
    struct cuda_params *, int i);

// cuda_arguments.c
// Lays the arguments of a launch of the point's own code; `made`: what C++ on the device made, or NULL.
bool cuda_arguments_lay(struct cuda_device *, int lane, const struct job_launch *, const unsigned char *made,
    struct cuda_params *, struct diags *);
// With what the point asks for, and so much shared memory.
bool cuda_dress(struct cuda_device *, CUfunction, uint32_t shared, struct diags *);

// cuda_check.c — whether a launch left alone what it should only read. What is noted stays on the device.
bool cuda_inputs_note(struct cuda_device *, const struct device_look *, struct diags *); // before it
bool cuda_inputs_compare(struct cuda_device *, struct result_check *, struct diags *);
// The same of `check`, which writes to nothing at all.
bool cuda_check_note(struct cuda_device *, struct diags *);
bool cuda_check_compare(struct cuda_device *, struct diags *);
// How much of a result does `check` see (device/weak.h)? Before the launch, and behind a right one, which is spoiled.
void cuda_weak_note(struct cuda_device *, struct diags *);
bool cuda_weak_ask(struct cuda_device *, struct result_check *, struct diags *);

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

// cuda_window.c — L2: set-aside, policy window, fetch granularity; all put back by cuda_window_off.
bool cuda_window_prepare(struct cuda_device *, struct diags *);
bool cuda_window_node(struct cuda_device *, cudaGraphNode_t, struct diags *);
void cuda_window_off(struct cuda_device *);
bool cuda_window_stale(struct cuda_device *, const struct job *);

// cuda_managed.c — pages: where they are before each sample.
bool cuda_managed_restore(struct cuda_device *, struct diags *);
bool cuda_managed_fetch(struct cuda_device *, bool to_host, struct diags *); // timed: prefetch_host, prefetch_device

// cuda_transfer.c — copies as timed work.
bool cuda_transfer_prepare(struct cuda_device *, struct diags *);
bool cuda_transfer_submit(struct cuda_device *, struct diags *);
bool cuda_transfer_verify(struct cuda_device *, struct result_check *, struct diags *);
void cuda_transfer_unfit(const struct job *, char why[256]);

// cuda_transfer.c — taking and giving back memory as timed work.
void cuda_allocate_unfit(const struct job *, char why[256]);

// cuda_unfit.c
void cuda_unfit(struct cuda_device *, const struct job *, char why[256]);
void cuda_limits(const struct cuda_device *, struct device_limits *);

// cuda_point.c
bool cuda_prepare(struct cuda_device *, const struct job *, double *columns, bool *skip, struct diags *);
bool cuda_verify(struct cuda_device *, struct result_check *, struct diags *);
void cuda_finish(struct cuda_device *);
bool cuda_move(struct cuda_device *, struct diags *);
