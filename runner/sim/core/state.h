// The opaque types of sim/sim.h.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/special.h"
#include "sim/core/exec.h"
#include "sim/core/memory.h"

struct arena;
struct cubin;
struct sass_code;
struct machine_tally;
struct ptx_module;
struct watch;
struct heap;

struct spare;
struct sim {
    int threads;
    const struct exec *exec;
    size_t printed; // bytes by the kernel, since the launch
    struct memory memory;
    struct watch *watch;          // NULL: nothing was watched yet
    struct sim_texture *textures; // a handle is an index, tagged
    size_t texture_count, texture_room;
    struct sim_module *modules;
    struct heap *heap;    // NULL: no kernel has asked for memory yet
    struct spare *spares; // memory of earlier launches (sim/core/place.h)
    size_t spare_bytes;
};

struct symbol { // a module's variable in memory
    const char *name;
    uint64_t address;
    size_t size;
};

struct sim_module {
    struct sim *sim;
    struct arena *arena;
    const struct ptx_module *ptx;
    struct symbol *symbols;
    size_t symbol_count;
    void *map;
    size_t map_bytes;
    const struct cubin *cubin; // its machine code; NULL: there is none
    const struct cubin *given; // machine code of other entries, which have no PTX
    struct sim_kernel *kernels;
    bool unsupported; // the last entry that was asked for
    struct sim_module *next;
};

// What a slot holds before the first instruction: enum special, and which of them, or what is added.
struct preset {
    uint32_t slot;
    uint8_t special, size; // size: 4, 8; 0: a mask
    uint64_t bits;
};

// What decides where a block goes and which addresses it asks for: its number alone, or values that it reads. It says
// whether some blocks can stand for the others.
struct depend {
    bool others;               // on what other blocks do: blocks cannot be run alone
    bool data;                 // something below is because of values that are read
    bool paths;                // which instructions run follows from more than bounds on the block's number
    bool places[ACCESS_KINDS]; // addresses are no sum of multiples of the block's number
};

struct param_piece { // of what a launch gives: where machine code has it
    uint32_t to, from, bytes;
};

struct sim_kernel {
    struct sim_module *module;
    const char *name;
    struct arena *arena;
    const struct inst *code;
    size_t code_count, start;
    const struct inst *once; // runs for every warp of a worker before its first block
    size_t once_count;
    struct preset *presets;
    size_t preset_count;
    uint32_t warp_bytes; // struct warp and its slots
    uint32_t shared_bytes, local_bytes, frame_bytes, param_bytes;
    uint32_t dynamic_align, reserved_bytes;
    uint32_t cluster[3]; // blocks of a cluster that it asks for; 0: none
    struct depend depend;
    bool takes_dynamic;   // it has `extern __shared__`
    bool meets_grid;      // it asks where all blocks meet
    bool meets;           // it has barriers of a cluster
    bool calls;           // functions
    bool recurs;          // some function comes back to itself
    uint32_t depth_slot;  // of the lanes' depth in local memory; 0: none
    uint32_t alloca_slot; // how much each lane has of what `alloca` takes; 0: nothing
    bool takes_memory;    // from the heap
    bool changes_maps;    // tensor maps, of which the bits are the hardware's own
    bool polls;           // some warp waits for another one by reading again and again
    // Machine code: its stretches, and how often each was done in the last launch. NULL: it is PTX.
    const struct sass_code *machine;
    const struct inst *const *places; // of each of its instructions, the first that it became
    struct machine_tally *stretches;
    const struct param_piece *params; // parameters in bank 0, of which so many bytes are there
    uint32_t param_count, bank_bytes;
    const char *tells;             // PTX: what it has that is watched, and machine code has not; NULL: nothing
    bool masks;                    // PTX: masks that do not name all lanes
    bool joint;                    // PTX: instructions that a warp does as one, as `mma`
    int asks_active;               // PTX: the line that asks which lanes run together; 0: none does
    uint32_t below;                // shared memory that the system keeps below the kernel's
    const struct head_pace *paces; // by inst.r[1] of a head; the first is nothing
    size_t pace_count;
    size_t result_count;      // of loads
    const char *beyond_model; // what it does that is not recorded; NULL: nothing
    size_t site_count;
    const struct inst **site_insts;
    struct sim_tally (*tallies)[3]; // of the last launch, for each site
    struct sim_kernel *next;
};
