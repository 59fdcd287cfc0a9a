// What a device can do for a measurement: one interface, with a folder for each backend (cuda, sim). A device knows
// jobs; it knows no experiment, no row and no statistics. All calls on one device come from one thread.
//
// The order of a point: unfit, prepare, verify; then for each sample renew, restore, flush, begin, submit (once for
// each run of the batch), end, wait, reports, with check behind those that are looked at; then count_accesses and
// finish. What a sample consists of may not allocate, compile or print.
// SPDX-License-Identifier: MIT
#pragma once
#include "compile/compile.h"
#include "compile/occupancy.h"
#include "device/found.h"

struct device; // a handle: behind it is the backend's own struct (cuda_device, sim_device)

enum { DEVICE_SPEC = 128 }; // the longest spec with its end; one may hold a path

struct device_fact { // one line of `gpuexp devices`
    const char *name, *unit, *about;
    struct value value;
};

struct device_identity {
    char name[96];      // "NVIDIA H200", "sim:h200": the row's `device`
    char spec[32];      // "cuda:0", "sim:h200": how it was asked for
    char identity[160]; // what decides the numbers: name, driver version, architecture; part of the key
    char arch[16];      // "sm_90"
    char note[256];     // why it was taken where `auto` was asked for (`instead`); empty: nothing to say
    bool timed;         // its times mean something
    bool draws;         // a new context draws anew what its times depend on: several must be asked
    bool places;        // and so does another place of the buffers, within one
    double peak_gbps;   // NAN: unknown
    uint64_t memory_total, memory_free; // 0: unknown
    char limits[160]; // "sms 132, warps_per_sm 64, ...", for those who explain its rows; empty: unknown
};

enum device_inputs { INPUTS_SAME, INPUTS_OTHER, INPUTS_UNREADY }; // UNREADY: this work cannot be verified while timed
// How closely a timed launch is looked at: at one of `part` elements (0 and 1: at all), which `pick` draws.
struct device_look {
    uint32_t part;
    uint64_t pick;
};
// What a device can run at most; 0: not known, or there is no limit.
struct device_limits {
    char of[96];           // whose they are: "sim:h200"
    const char *memory_of; // "this machine"
    char arch[16];         // what its code is compiled for; "" the compiler's default
    uint64_t threads_per_block, regs_per_block, shared_per_block, memory;
    const struct occupancy_device *occupancy; // what its SMs can hold at once; NULL: not known here
};

// The result of `verify`.
struct result_check {
    bool verified; // false: the kernel has no `check`, or `unverified` says why
    const char *unverified;
    bool unsupported; // where `verify` returns false: this device cannot do what the kernel does; the kernel is not
                      // wrong
    bool again;       // it is of a second launch: the first was right
    uint64_t wrong, checked, first; // first: the lowest index of a wrong element
    struct found_values found;      // what stood there
    const char *changed;            // a buffer of the job that is described as read, and that the kernel has changed
    uint64_t changed_at;            // the first element of it that is another; UINT64_MAX: not known
    const char *unlike; // a buffer with numbers that job->base does not make of these inputs: so many, the first
    uint64_t unlike_count, unlike_at;
    double coarse;    // where unlike_count is 0: all of them are coarser, by that share of their size
    bool allowed;     // and the description's tolerance takes that
    const char *left; // a buffer that job->base writes and this kernel does not; `check` does not take it
    bool compared;    // all that `check` takes by name was held against what job->base makes of it
    // Behind a right result `check` is asked once more (device/weak.h): with all numbers spoiled, all a little off, and
    // single ones spoiled. Of so many it took so many all the same; 0: it was not asked.
    struct weak_answer {
        unsigned long long asked, taken;
    } of_spoiled, of_near, of_spots;
    double weak_s;  // so long that took
    char racy[400]; // what the kernel leaves to the order of its threads; empty: nothing was seen
    bool counts;    // something is wrong with it, and what it does can be counted all the same
};

// The result of one sample.
struct sample {
    double us;        // for the whole batch, by the device's own clock
    double clock_mhz; // while it ran; NAN: unknown
    bool throttled;   // the clock was held down by heat or power while it ran
};

// What one instruction of the kernel did to memory in all launches of a point.
enum device_space { SPACE_OF_DEVICE, SPACE_OF_BLOCK, SPACE_OF_THREAD };
struct device_place {
    const char *entry, *op;  // "ld.global.f32"
    const struct ptx_op *is; // what that says, read once (ptx/ops.h)
    int line;                // of the source; 0: not known
    uint32_t bytes;          // that a lane moves at once
    uint32_t instructions;   // so many, alike in all of this
    const uint32_t *numbers; // by which the tape knows each of them
    uint64_t requests, sectors, wavefronts, conflicts, lanes;
    // Of a closer look: the first of the costliest accesses, where its lanes of `mask` reached, and what all reached.
    enum device_space space;
    const char *buffer; // NULL: none
    uint64_t at[32], lo, span;
    uint32_t mask, units;
};
enum device_work { // sim/sim.h says what each is
    WORK_DOUBLE,
    WORK_NARROW,
    WORK_DIVIDE,
    WORK_BARRIER,
    WORK_FENCE,
    WORK_CONSTANT,
    WORK_HEAP,
    WORK_WHOLE,
    WORK_KINDS
};
struct device_line { // what begins there: warps that did it, lanes that did, and lanes that waited meanwhile
    int line;
    uint64_t instructions, lanes, idle, work[WORK_KINDS];
};
struct tape;
struct model_constants;
struct device_places {
    const struct device_place *items;
    size_t count;
    // Of a closer look; 0 and NULL without one. Sectors are different ones, pairs are 64 bytes with a read in them.
    const struct device_line *lines;
    size_t line_count;
    uint64_t read_sectors, read_pairs, written_sectors, instructions, lanes, idle;
    uint64_t block_sectors, block_pairs;  // read, different ones of each block, summed over blocks
    uint64_t far_pairs;                   // read again long after
    uint64_t rounds;                      // stretches of code with loads of global memory in them, summed over warps
    uint64_t constant_bytes;              // of constant memory, from the first that is read to the last
    uint64_t blocks, block_most;          // that were looked at; the most instructions that one of them did
    bool by_data;                         // what it has read says where it goes, or which places it reaches
    uint64_t shared_reads, shared_passed; // words of shared memory, by lanes: read; of these what another wrote
    // What warps did, to be replayed with the device's constants; NULL, and `untaped` says why not.
    const struct tape *tape;
    const struct model_constants *constants;
    const char *untaped;
    const struct model_result *expected; // of all launches as they are; NULL: the model could not tell
    uint64_t content;                    // a hash of all that they wrote; 0: not known
};

struct device_ops {
    const char *kind; // "cuda": a spec begins with it
    // How its specs are written, for the complaint about one that is not ("cuda:0 (or another number), cuda:all");
    // NULL: not told. `form` says whether a spec of this kind is one; `rest` is what follows the colon, NULL without a
    // colon.
    const char *forms;
    bool (*form)(const char *rest);
    // The environment variable that says which of a machine's devices this process may use. NULL: it needs no hardware.
    // Only with hardware does KIND:all share a run among all devices.
    const char *visible;
    // What is said when `auto` takes it because those before it in the table are not there; NULL: nothing.
    const char *instead;
    // How many devices there are, and why none: the sentence goes to `why`. Below 0: the system did not let it be told.
    int (*count)(char why[256]);
    // How many there seem to be, told without starting a driver; 0: it cannot be told so. Who opens one that is not
    // there is told. NULL: never.
    int (*glance)(void);
    // The spec of device `i` < count: "cuda:0", "sim:h200". NULL where `count` is always 0.
    void (*spec)(int i, char spec[DEVICE_SPEC]);
    struct device *(*open)(const char *spec, struct diags *);
    void (*close)(struct device *);
    void (*identity)(struct device *, struct device_identity *);
    size_t (*facts)(struct device *, struct arena *, struct device_fact **);
    // "" when the job means something here, else why it does not ("`host: pinned` needs a CUDA device"): the point is
    // skipped.
    void (*unfit)(struct device *, const struct job *, char why[256]);

    // NULL: nothing is known of it.
    void (*limits)(struct device *, struct device_limits *);

    // Compile, allocate, fill; fills in what the compiler and the launch know (regs, local, shared, occupancy, memory).
    // False: diags says why; `*skip` true when the device cannot do this at all (the point is skipped, not failed).
    bool (*prepare)(struct device *, const struct job *, double *columns, bool *skip, struct diags *);
    // Poisons outputs, runs the kernel once, runs `check`.
    bool (*verify)(struct device *, struct result_check *, struct diags *);
    // Before each timed launch, and not timed itself. It poisons outputs, loads the source's variables again, and fills
    // those inputs anew that may change, from `seed` (0: as the point has them). `*inputs`: what the launch will read.
    // NULL where nothing is timed.
    bool (*renew)(struct device *, uint64_t seed, const struct device_look *, enum device_inputs *inputs,
        struct diags *);
    // `check` over what that launch wrote, and whether it left alone what it should only read.
    bool (*check)(struct device *, const struct device_look *, struct result_check *, struct diags *);
    // Counters of one launch, into columns, with where they come from in `source`. False: why not, in diags; the row
    // stays good.
    bool (*count_accesses)(struct device *, double *columns, char source[16], struct diags *);

    // The counters of launch `i` (from 0) of the sequence that was just counted. False: there is no such launch. NULL:
    // the device counts sums alone.
    bool (*count_launch)(struct device *, size_t i, double *columns);
    // `places`: the counters of each place, valid until the next `prepare`; NULL: the device does not know places.
    // `look`: later points are looked at more closely, which takes longer, until `*stop` is true (NULL: never).
    void (*places)(struct device *, struct device_places *);
    void (*look)(struct device *, uint64_t instructions, volatile bool *stop);

    // The measured part: nothing here allocates, compiles or prints. NULL where `timed` is false.
    bool (*restore)(struct device *,
        struct diags *); // pages, persisting lines, in-place buffers: the state the point asks for
    bool (*flush)(struct device *, struct diags *); // evicts L2
    // Before each sample where the identity `draws`: waits so long, then makes so many empty launches.
    bool (*stir)(struct device *, double wait_us, unsigned launches, struct diags *);
    // Between samples of a point that is to be tried in several places: takes other memory for its buffers, with the
    // same content. NULL where nothing is timed.
    bool (*move)(struct device *, struct diags *);
    // After a throttled sample: rests so long, with nothing queued. NULL where nothing is timed.
    bool (*rest)(struct device *, double seconds, struct diags *);
    bool (*begin)(struct device *, struct diags *);                 // closes the gate, records the first event
    bool (*submit)(struct device *, struct diags *);                // enqueues the timed work once
    bool (*end)(struct device *, struct diags *);                   // records the second event, opens the gate
    bool (*wait)(struct device *, struct sample *, struct diags *); // waits for the second event; times and clocks
    bool (*reports)(struct device *, double *values,
        struct diags *); // the kernel's own report values after the last launch

    // Gives back everything that the point took, and puts back the device's state (window off, persisting lines reset);
    // called after a failure too.
    void (*finish)(struct device *);
    // Asked after a failed point: will nothing work in this process any more (an error that stays in the context)? The
    // worker then ends itself and a fresh one goes on. NULL: assumed after every failure.
    bool (*broken)(struct device *);
    // Asked before each job: has an earlier one left something in this process that `finish` cannot put back and that
    // changes this job's numbers? A fresh worker then takes it instead. NULL: never.
    bool (*stale)(struct device *, const struct job *);
};

extern const struct device_ops device_cuda, device_sim;           // cuda.c, sim_device.c
extern const struct device_ops device_fake __attribute__((weak)); // the tests' own: not there in the program
extern const struct device_ops *const device_table[];             // NULL-terminated, in the order of `auto`
// This process lives for one device, or for one question about them. It may ask the hardware itself. Another has to
// send a child, because a process that has used a GPU cannot fork.
void device_own_process(void);
bool device_in_own_process(void);
// The backend for a spec ("auto", "cuda:0", "sim:h200", "script:FILE"); NULL with diags. `auto`: the first of the table
// that has a device; `note` gets its `instead`.
const struct device_ops *device_find(const char *spec, char resolved[DEVICE_SPEC], char note[256], struct diags *);
// What `auto` means among these: the first that is there; `note` says why none before it is, where that matters.
const struct device_ops *device_auto(const struct device_ops *const *, char resolved[DEVICE_SPEC], char note[256],
    struct diags *);
const struct device_ops *device_kind(const char *spec); // its backend by its kind alone; NULL: none, or `auto`
const struct device_ops *device_all(const char *spec); // the backend that shares a run when asked for KIND:all, or NULL
const struct device_ops *device_simulator(void);       // what counts for a device that does not: needs no hardware
// The backend whose `visible` is set in the environment, and what it says ("0,1"); NULL: none. `variable` is getenv.
const struct device_ops *device_visible(const char *(*variable)(const char *name), const char **list);
