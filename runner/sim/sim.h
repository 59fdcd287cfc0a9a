// The simulator: runs a kernel's PTX on the CPU, a warp of 32 lanes in lock step, and counts the memory transactions
// that the hardware would make. A library of its own: no files, no clock, no output. device/sim/sim_device.c puts the
// device interface on it.
//
// Ownership: a `struct sim` owns its allocations and modules; sim_free ends all of them. Not re-entrant: one launch at
// a time; a launch itself uses `threads` threads.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;
struct tape;
struct sim;
struct sim_module;
struct sim_kernel;

struct sim *sim_new(int threads); // 0: one for each core
void sim_free(struct sim *);

// Device memory. An address is never 0, is aligned to at least 256 bytes, and has a gap around it that belongs to
// no allocation, so that an access out of bounds is found. `name` ("in") is for messages; the memory is not cleared on
// reuse. 0: no memory. Freed memory stays mapped and is used again for a request of the same size, so that pages are
// touched once.
uint64_t sim_alloc(struct sim *, size_t bytes, const char *name);
void sim_release(struct sim *, uint64_t address);
// The address of those bytes on the host; NULL unless [address, address + bytes) is inside one allocation.
void *sim_host(struct sim *, uint64_t address, size_t bytes);

// Nothing has written these bytes: a watched block that reads them before a watched one has written them is at fault.
void sim_undefine(struct sim *, uint64_t address);
void sim_unwatch(struct sim *); // what was written and by whom is forgotten

// What launches did in that allocation since the last call of sim_untouch: SIM_LOADED, SIM_STORED, or both.
enum sim_touch { SIM_LOADED = 1, SIM_STORED = 2 };
unsigned sim_touched(struct sim *, uint64_t address);
void sim_untouch(struct sim *); // all of them

// From now on a kernel that writes there is at fault, if it is `locked`. Messages name the index of an element of so
// many bytes; with 0 or 1, the byte alone.
void sim_lock(struct sim *, uint64_t address, uint32_t element_bytes, bool locked);
// It has rows of so many bytes, so many apart; 0: none. What lies wholly between two of them belongs to no row.
void sim_rows(struct sim *, uint64_t address, uint64_t row, uint64_t pitch);

// A texture or surface object over texels in device memory: rows side by side, slices one after the other, then layers
// (a cube has six, in the order +x -x +y -y +z -z). The handle is what a kernel takes as cudaTextureObject_t or
// cudaSurfaceObject_t; it is never 0, and holds until it is released.
enum sim_channel { SIM_CHANNEL_FLOAT, SIM_CHANNEL_SIGNED, SIM_CHANNEL_UNSIGNED };
enum sim_wrap { SIM_CLAMP, SIM_BORDER, SIM_WRAP, SIM_MIRROR };
struct sim_texture {
    uint64_t address;
    uint32_t extent[3];     // width, height, depth; 1 where there is none
    uint32_t layers;        // 0 or 1: none
    uint8_t rank;           // of what it was made with
    uint8_t channels, bits; // 1, 2 or 4 of 8, 16 or 32
    enum sim_channel kind;
    enum sim_wrap wrap[3];   // what a coordinate outside means, in each direction
    bool linear, normalized; // filtered between texels; coordinates from 0 to 1
    bool as_float;           // integers of 8 and 16 bits are read as 0 to 1, or -1 to 1
};
uint64_t sim_texture(struct sim *, const struct sim_texture *); // copies it
void sim_texture_release(struct sim *, uint64_t handle);

// PTX text to code. NULL only when the text is not PTX at all, with the reason in `error`. A kernel with an instruction
// that the simulator does not know is refused by sim_kernel, not the module.
struct sim_module *sim_load(struct sim *, const char *ptx, char error[256]);
void sim_unload(struct sim *, struct sim_module *);
bool sim_unsupported(const struct sim_module *); // the last entry that was asked for is there, and cannot run here
// The entry of that name; NULL with `error` "unsupported: mma.sync" (the mnemonic) or "no entry `x`; there are: a, b".
struct sim_kernel *sim_kernel(struct sim_module *, const char *entry, char error[256]);
uint32_t sim_kernel_shared(const struct sim_kernel *); // bytes of shared memory that a block of it declares
// The address of a module-scope variable (`__device__` or `__constant__`) and its size; 0 when there is none.
uint64_t sim_symbol(struct sim_module *, const char *name, size_t *bytes);

// The machine code of the same module. The bytes must stay. False: it is none that is known here.
bool sim_machine(struct sim_module *, const void *cubin, size_t bytes, char error[256]);
// Machine code that has no PTX, of entries that the module only names.
bool sim_given(struct sim_module *, const void *cubin, size_t bytes, char error[256]);
int sim_not_held(const struct sim_module *); // of a processor whose counts nobody held against a GPU: 80; else 0
// The entry as machine code. NULL, with what is not known of it in `why`: there is only its PTX.
struct sim_kernel *sim_machine_kernel(struct sim_module *, const char *entry, char why[256]);

// What its PTX has that the watch looks at, and its machine code has not; NULL: nothing.
const char *sim_tells_more(const struct sim_kernel *);
bool sim_polls(const struct sim_kernel *);      // some warp may wait for another one by reading again and again
int sim_asks_active(const struct sim_kernel *); // the line of its PTX that asks which lanes run together; 0: none does
bool sim_masks_some(const struct sim_kernel
        *); // its PTX has masks that do not name all lanes: machine code may have none

void sim_reset(struct sim_module *); // its variables are as sim_load left them
// The address of the i-th variable, 0 behind the last.
uint64_t sim_variable(struct sim_module *, size_t i);

struct sim_launch {
    uint32_t grid[3], block[3];
    uint32_t cluster[3];     // blocks of a cluster in each direction; 0 or 1 in all: no clusters
    bool cooperative;        // all blocks are resident at once, so that they may wait for each other
    uint32_t dynamic_shared; // bytes
    const void *params;      // the parameter block, laid out as ptx_params (ptx/params.h) says
    size_t param_bytes;
    uint64_t budget;           // warp instructions that a block may execute; 0: the default (2^32)
    double seconds;            // of its thread's work that a block may take; 0: any
    const volatile bool *stop; // set from outside (Ctrl-C): the launch ends early as a fault; may be NULL
    // Beside counting, so many blocks are watched for accesses that nothing orders and for reads of what nothing has
    // written: some of each part of the grid, and its ends. UINT32_MAX: all, one after the other. `races`: NULL for 0.
    uint32_t watch;
    struct sim_races *races;
    bool in_registers; // the compiler keeps all local variables in registers: their accesses are none
    int spill_bytes;   // of stores and loads, as the compiler tells it; less than 0: it does not
    bool at_once;      // all blocks side by side
    uint32_t fill;     // not 0: shared memory holds this until it is written, in each block anew
    uint64_t schedule; // not 0: blocks and warps run in an order drawn from it
    bool stale; // of what is watched: a read that nothing orders behind a plain store sees what was there before it
    uint64_t sample; // not 0: only about so many blocks run, and stand for the others; the rest of memory stays as it
                     // was, and nothing is watched. A grid that is little larger, blocks that wait for others or go
                     // by what others did: all run
    bool first_only; // only the blocks run that the model wants
    struct sim_sampled *sampled; // what became of either; NULL: all run
    struct sim_view *view;       // not NULL: it is looked at more closely, by one thread
    struct model *model;         // not NULL: a launch was begun there, and gets the blocks that it wants
    struct tape *tape;           // not NULL: the same, and the model gets none; with a view
};

// What the watched blocks did without order, and the first of it in a sentence.
struct sim_races {
    uint64_t shared, global; // accesses
    uint64_t lost;           // of the global ones: writes over what another thread wrote
    uint64_t undefined;      // reads of shared memory that nothing had written
    uint64_t exits;          // barriers that opened for those that were left
    uint64_t loose;          // of one warp: both volatile, so that nothing orders them but that the warp runs in step
    char shared_what[320], global_what[320], undefined_what[320], exits_what[320], loose_what[320];
};

enum { SIM_PIPES = 11 };
// What the hardware would have counted. The names follow Nsight Compute's l1tex metrics.
struct sim_counts {
    uint64_t ld_requests, ld_sectors;     // global loads (generic ones under the space they hit)
    uint64_t st_requests, st_sectors;     // global stores
    uint64_t atom_requests, atom_sectors; // global atomics whose result is used
    uint64_t red_requests, red_sectors;   // global atomics whose result is not
    uint64_t local_ld_requests, local_ld_sectors, local_st_requests, local_st_sectors;
    uint64_t shared_ld_requests, shared_ld_wavefronts, shared_ld_conflicts;
    uint64_t shared_st_requests, shared_st_wavefronts, shared_st_conflicts;
    uint64_t shared_atom_requests, shared_atom_wavefronts, shared_atom_conflicts;
    uint64_t
        loop_wavefronts;     // of the shared ones above: of atomics that are loops on a GPU, each warp alone; PTX: once
    uint64_t half_atomics;   // PTX: of the global atomics: on 16 bits, which are loops on a GPU
    uint64_t unsure_atomics; // of the global atomics: requests whose sectors may be one or two off
    uint64_t accesses, lanes;    // memory instructions executed by a warp, and their active lanes in all
    uint64_t remote;             // accesses of lanes to the shared memory of another block of the cluster
    uint64_t stacked_calls;      // by warps, of which a GPU may do more: of functions that call themselves, by pointers
    uint64_t waits;              // loads of a warp that waits in a loop: they found what they had found before
    uint64_t heap_calls;         // of malloc and free, by lanes: a GPU makes accesses of its own for them
    uint64_t undefined_shuffles; // lanes that read from a lane that did not take part: their result is undefined
    // Of machine code: by warps, by lanes, for each pipe (sass/sass.h); branches whose lanes went two ways.
    uint64_t instructions, lane_instructions, issued[SIM_PIPES], parted;
    uint64_t spilled_sectors, spills_unknown; // of the local ones; launches of which it is not known
    bool reads_clock;                         // clock or globaltimer was read: results made from it mean nothing
};

struct sim_sampled {
    uint64_t blocks;          // that ran; 0: all
    const char *whole;        // then: why
    struct sim_counts within; // of each count, half the width of its 99 % interval; 0: it is exact
};

// Why a launch ended early. `what` is one sentence that names source line, block, warp and lane, e.g.
// "out-of-bounds load of 4 bytes past the end of `in`, at byte 1024 of 1024, at line 12 by block (3,0,0) warp 1 lane
// 31".
enum sim_fault_kind {
    SIM_OK,
    SIM_OUT_OF_BOUNDS,
    SIM_MISALIGNED,
    SIM_UNALLOCATED,
    SIM_ASSERT,      // a device-side assert or trap, or an operand that no device takes
    SIM_BUDGET,      // executed more than `budget` instructions, or took longer than `seconds`
    SIM_LOCKED,      // wrote to what it may only read
    SIM_UNDEFINED,   // read of memory that nothing has written
    SIM_DIVERGED,    // a barrier or an exchange of lanes that not all come to whom it names
    SIM_DEADLOCK,    // warps wait at a barrier that no other warp can reach
    SIM_WAITS,       // warps look again and again for what nobody that runs is to do
    SIM_UNSUPPORTED, // met at run time only (an indirect call, say)
    SIM_STOPPED,
    SIM_BAD_LAUNCH // more threads, shared memory or parameters than any device takes
};
struct sim_fault {
    enum sim_fault_kind kind;
    int line; // of the source, 0 when the PTX has no line table
    uint32_t block[3], warp, lane;
    bool trapped, of_shared; // it ran into `trap`; it is about shared memory
    bool within;             // it left one variable of shared memory for another
    char what[320];
};

// Whether nothing that the kernel reads decides where it goes and what it asks for: then its counts are the same
// whatever its buffers hold.
bool sim_oblivious(const struct sim_kernel *);

// What the kernel does that the model has no records of ("it copies in bulk"); NULL: nothing.
const char *sim_beyond_model(const struct sim_kernel *);

// Runs the grid. True: `counts` is overwritten with what the whole grid did. False: `fault` says why; memory may be
// partly written. printf of the kernel goes to `stderr` line by line.
bool sim_launch(struct sim *, const struct sim_kernel *, const struct sim_launch *, struct sim_counts *,
    struct sim_fault *);

// The counters by place: one entry for each memory instruction that the last launch of that kernel executed, in source
// order. Returns how many there are; fills at most `most`.
struct sim_site {
    int line;
    uint32_t number; // among the kernel's, the same in every launch
    const char *op;  // "ld.global.f32"
    uint32_t bytes;  // that a lane moves
    uint64_t requests, sectors, wavefronts, conflicts, lanes;
};
size_t sim_sites(const struct sim_kernel *, struct sim_site *, size_t most);

// What a closer look finds, over all launches since sim_view_new. Names and kernels are of the module.
// Its launches end (SIM_STOPPED) when their warps have done so many instructions, by setting `stop`; 0: there is no
// end.
struct sim_view *sim_view_new(uint64_t instructions, volatile bool *stop);
void sim_view_free(struct sim_view *);
struct sim_view_totals {
    uint64_t read_sectors, written_sectors; // of global memory: different ones
    uint64_t read_pairs;                    // of 64 bytes, with something that is read
    uint64_t block_sectors, block_pairs;    // read, different ones of each block, summed over blocks
    uint64_t far_pairs;                     // read again so many blocks later that L2 may have lost them
    uint64_t instructions;                  // by warps: turns of the issue slots, as near as PTX tells
    double weighed;                         // the same of all blocks, by those that a sample drew for them
    uint64_t lanes, idle;                   // that did them; that waited meanwhile for others of their warp
    uint64_t rounds;                        // stretches of code with loads of global memory in them, by warps
    uint64_t constant_bytes;                // of constant memory, from the first that is read to the last
    uint64_t blocks, block_most;            // blocks that ran; the most instructions that one of them did
    uint64_t shared_reads, shared_passed;   // words of shared memory, by lanes: read; of these what another wrote
};
const struct sim_view_totals *sim_view_totals(const struct sim_view *);
// What a line does that costs more than it looks like, by warps.
enum sim_work {
    SIM_WORK_DOUBLE,   // arithmetic on doubles: turns of the issue slots
    SIM_WORK_NARROW,   // doubles made floats again
    SIM_WORK_DIVIDE,   // divisions of whole numbers: turns
    SIM_WORK_BARRIER,  // of a block
    SIM_WORK_FENCE,    // of memory
    SIM_WORK_CONSTANT, // turns of reads of constant memory beyond one: lanes at different words
    SIM_WORK_HEAP,     // calls of malloc and free, by lanes
    SIM_WORK_WHOLE,    // floats rounded to whole ones: powf does one
    SIM_WORK_KINDS
};
struct sim_view_line { // of the source: the stretches of code that begin there, and the work at that line itself
    int line;
    uint64_t instructions, lanes, idle, work[SIM_WORK_KINDS];
};
size_t sim_view_lines(const struct sim_view *, const struct sim_view_line **);
enum sim_space { SIM_SPACE_GLOBAL, SIM_SPACE_SHARED, SIM_SPACE_LOCAL };
struct sim_view_site { // of a memory instruction
    uint64_t accesses;
    uint64_t lo, hi; // all that it reached
    uint64_t at[32]; // the first of its costliest accesses: where its lanes of `mask` reached
    uint32_t mask, bytes, units;
    enum sim_space space;
    const char *buffer; // the allocation; NULL: not in global memory
};
const struct sim_view_site *sim_view_site(const struct sim_view *, const struct sim_kernel *, uint32_t number);
