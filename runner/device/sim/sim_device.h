// The simulator as a device. `sim` counts and verifies; `sim:<profile>` knows a device's published limits besides
// (occupancy, what fits on it, the memory's published bandwidth as a bound). It has no times.
//
// Inside: what the files sim.c (the device), sim_point.c (making a point ready) and sim_run.c (running it) share.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/pack.h"
#include "device/profiles.h"
#include "device/weak.h"
#include "model/tape.h"
#include "ptx/ops.h"
#include "sim/sim.h"

// One allocation. It outlives its point while its content is one that the next point may want.
struct sim_block {
    uint64_t address, bytes;
    uint64_t content; // host_fill_content; 0: nothing worth keeping
    bool used;        // by the current point
    struct sim_block *next;
};

struct sim_buffer {
    struct sim_block *block, *before; // before: the content before the launch, where `check` asks for it
    uint64_t address;                 // what the kernel gets: the block's, but for what is not flat (sim_layout.c)
    uint64_t texture;                 // the handle to give back; 0: none
};

struct sim_prepared {                    // one launch, ready to go
    struct sim_kernel *kernel, *machine; // its PTX; its machine code, NULL where that is not known
    void *params;
    size_t param_bytes;
};

struct sim_expected { // what the model says of all launches
    struct model_result result;
    bool wanted, machine; // machine: its machine code was seen
    const char *why;      // it does not understand the point; NULL: it does
};

struct sim_point {
    const struct job *job;
    struct sim_buffer *buffers;
    uint64_t *reports; // addresses
    struct sim_kernel *check;
    struct sim_prepared *launches; // job_launches of them
    struct sim_counts counts;
    struct sim_expected expected;
    struct sim_races races;
    struct sim_counts within; // of each count, half of its interval; 0: exact
    uint64_t ran, blocks;     // blocks of all launches that ran, and that there are
    const char *whole;        // why all blocks of some launch ran though `sample` asked for fewer
    bool counted;
    bool unsupported; // the last launch met what the simulator cannot do
    bool flawed;      // something is wrong with it, but it runs where nobody watches
};

// The counters by place of the first run since the point was prepared (sim_places.c). It outlives the point.
struct sim_places {
    struct model_result expected; // no blocks: nothing is known
    struct sim_placed {
        struct device_place is;
        uint32_t number; // of the kernel's sites
    } * items;
    size_t count, room;
    struct device_place *told; // alike ones as one
    struct device_line *lines;
    struct arena *arena;
    struct ops_read read;  // their mnemonics
    struct sim_view *view; // NULL: nobody asked for a closer look
    volatile bool *stop;   // set when `most` instructions of warps are done (0: no end); may be NULL
    uint64_t most;
    struct tape *tape; // with the view
    struct model_constants constants;
    const char *untaped;
    bool by_data;
    uint64_t content;            // what the first run wrote, with the view; 0: not all of it
    double stand_for;            // where some blocks ran in place of all: so many each
    uint64_t readable, writable; // bytes of the point's buffers
    bool look, whole;
};

// Blocks of a launch that are watched unless the job asks for more: enough to have neighbours and borders among them,
// few enough to cost little.
enum { SIM_WATCHED = 64 };

struct sim_device {
    struct sim *sim;
    struct sim_places places;
    const struct profile *profile; // NULL: any device
    struct model *model;           // NULL: nobody has asked yet
    bool model_missing;            // nothing is known of the device
    char spec[32];
    int threads;
    struct sim_block *blocks;
    // The code last loaded: points that differ in arguments only share it.
    char *source;
    int maxregs;
    struct code *code;
    struct sim_module *module;
    struct arena *arena; // of the point
    struct sim_point point;
    bool watches_all;          // of each launch, whatever the job asks for
    bool machine;              // launches run machine code
    bool unwatched;            // what runs has been watched, or will be
    bool given;                // there is no other
    bool first_only;           // of each launch only the blocks that the model wants (struct sim_launch)
    uint32_t fill;             // what shared memory holds before it is written; 0: whatever was there
    bool stale;                // reads that nothing orders see what was there before
    enum sim_fault_kind fault; // of the last launch
    bool within;               // the same: struct sim_fault
    struct sim_races seen;     // by the run of the machine code, where it was not the one that tells
    bool waits, at_once;       // the last launch waited for a block that did not run; all of them run side by side
    struct weak_spots spots;
    struct sim_counts *each; // of a sequence, launch by launch, as it ran first
    size_t each_count, each_room;
};

// What is behind a handle that device_sim.open gave.
static inline struct sim_device *sim_device_of(struct device *handle) { return (struct sim_device *)handle; }

bool sim_prepare(struct sim_device *, const struct job *, double *columns, bool *skip, struct diags *);
bool sim_verify(struct sim_device *, struct result_check *, struct diags *);
// Everything as it was before the launch: buffers, and the variables of the source; `all`: what was only read, too.
bool sim_prepare_again(struct sim_device *, bool all, struct diags *);
void sim_distrust(struct sim_device *); // nothing that the point left in its buffers is kept for the next one
bool sim_trusts(const struct sim_device *);
uint64_t sim_content(struct sim_device *); // a hash of all that the kernel may have written
// Runs the point on machine code, watched; `good`: without a fault. False: its PTX is to be run and watched.
bool sim_run_machine(struct sim_device *, bool *good, struct diags *);
// Counts once more on machine code, after a run that was verified. False: the counts stay those of the PTX.
bool sim_count_machine(struct sim_device *);
bool sim_is_finding(enum sim_fault_kind);   // what a launch does wrong, and not what the simulator does not know of it
bool sim_count_flawed(struct sim_device *); // counts what was found to be wrong; false: it does not run
struct sim_kernel *sim_machine_entry(struct sim_device *, const char *entry); // NULL: it is not known
// Runs the kernel, in an order drawn from `schedule`; 0: in the usual one, watched.
bool sim_run(struct sim_device *, uint64_t schedule, struct diags *);
bool sim_count_accesses(struct sim_device *, double *columns, char source[16], struct diags *);
bool sim_count_launch(struct sim_device *, size_t i, double *columns);
bool sim_reports(struct sim_device *, double *values, struct diags *);
void sim_finish(struct sim_device *);
void sim_blocks_release(struct sim_device *, bool all); // those that no point uses; or all

// sim_model.c: the point's first run is the one that the model sees.
bool sim_model_wanted(struct sim_device *);
void sim_model_start(struct sim_device *);
void sim_model_begin(struct sim_device *, struct sim_launch *, const struct sim_kernel *, const struct job_launch *,
    const struct code_entry *);
void sim_model_end(struct sim_device *, const struct sim_launch *);
// With a closer look the launch is kept for later instead.
void sim_tape_begin(struct sim_device *, struct sim_launch *, const struct sim_kernel *, const struct job_launch *,
    const struct code_entry *);
const struct model_result *sim_model_told(const struct sim_device *); // NULL: nothing is known
void sim_model_columns(const struct sim_device *, double *columns, struct diags *);

bool sim_check(struct sim_device *, struct result_check *, struct diags *); // sim_verify.c

// Every buffer's content as before the launch, random ones from another seed.
bool sim_refill(struct sim_device *, uint64_t seed, struct diags *);

// Runs an entry that compile_source generated, over `n` elements, with the arguments given in its order.
bool sim_run_generated(struct sim_device *, struct sim_kernel *, const char *entry, uint64_t n,
    const struct pack_value *, size_t count, struct diags *);
// sim_layout.c: textures; pitched rows and variables of the source.
void sim_layout_unfit(const struct job *, const struct job_buffer *, char why[256]); // why it can be no texture
bool sim_layout_texture(const struct job_buffer *);
// The 128 bytes of a tensor map of that buffer, in the device's arena.
const void *sim_layout_tensor(struct sim_device *, const struct job_buffer *, const struct sim_buffer *,
    const struct job_argument *);
uint64_t sim_layout_object(struct sim_device *, const struct job *, const struct job_buffer *, uint64_t texels);
bool sim_layout_shaped(const struct job_buffer *); // rows at a pitch, or a variable
bool sim_layout_pitched(const struct job_buffer *);
uint64_t sim_layout_pitch(const struct job_buffer *);                                         // bytes from row to row
uint64_t sim_layout_bytes(const struct job_buffer *);                                         // of a pitched one
uint64_t sim_layout_variable(struct sim_device *, const struct job_buffer *, struct diags *); // 0: there is none
void sim_layout_copy(struct sim_device *, const struct job_buffer *, const struct sim_buffer *,
    bool in);                                                                           // from the flat block, or back
void sim_places_start(struct sim_device *);                                             // the point is another one
void sim_places_add(struct sim_device *, const char *entry, const struct sim_kernel *); // what its last launch did
void sim_places_end(struct sim_device *); // all of the point's launches are there
void sim_places_tell(struct sim_device *, struct device_places *);
void sim_places_release(struct sim_device *);
void sim_limits(const struct sim_device *, struct device_limits *);
