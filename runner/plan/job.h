// One point, ready to measure: everything that a worker needs, as plain data, without the experiment, Lua or any file.
// job_make evaluates the kernel file's expressions; a worker only compiles, allocates, launches and measures.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/plan.h"

#define FILL_APART 2654435761ULL // a prime: no count of elements has it as a factor
enum fill { FILL_NONE, FILL_RANDOM, FILL_INDEX, FILL_CYCLE, FILL_CODE, FILL_FILE };

struct job_buffer {
    const char *name, *type, *scalar; // element type ("float4"), what it is made of ("float")
    const char *as;                   // what the entry, and perhaps `check`, calls it
    int lanes;                        // of the scalar in an element
    uint64_t count, element_bytes, bytes, step;
    uint64_t extent[3]; // elements of a row, rows of a plane, planes; 1 where there is one only
    int rank;           // of `count` as written: 1 to 3
    int swapped;        // how many places on the buffer stands that has this name after the sequence: 0, itself
    enum access access;
    enum fill fill;
    const char *made, *low, *high; // C++ that fills it, or a random range; NULL: fill_<name> of the source
    int made_line;                 // where in the kernel's file that stands
    const char *file, *file_hash;  // FILL_FILE
    uint64_t seed;                 // of a random fill; 0: the usual one
    bool shifts;                   // in timed launches its content begins at another place
    bool shuffled;                 // and neighbours are others: FILL_APART places further on
    bool skewed;                   // of random numbers most are small
    bool declared;                 // its type is a structure of the source, of element_bytes
    const char *memory;            // "device", "managed", ...
};

enum job_part {
    PART_ADDRESS,
    PART_PITCH,
    PART_SLICE,
    PART_TENSOR
}; // what of a buffer: where it is, bytes from row to row, from plane to plane, a tensor map of it

struct job_tensor {               // numbers alone; an element is what the buffer's vectors consist of
    uint64_t size[TENSOR_RANK];   // elements, x first
    uint64_t stride[TENSOR_RANK]; // bytes from one to the next; [0] is `bytes`
    uint32_t rank, bytes;         // directions; bytes of an element
    uint32_t box[TENSOR_RANK], step[TENSOR_RANK], swizzle, promote;
    uint32_t nan;    // what is outside is no number
    uint32_t own;    // the strides are those of the buffer, whose rows may lie apart
    uint32_t images; // im2col: the box is channels and pixels, between these corners
    int32_t lower[TENSOR_RANK - 2], upper[TENSOR_RANK - 2];
};

struct job_constant {     // stands in front of the source
    enum param_kind kind; // PARAM_CONSTANT or PARAM_TYPE
    const char *name;
    struct value value;
    const struct value_list *one_of; // names: become an enum <name>_<value>
};

struct job_argument {   // of the kernel's entry, in the order of its signature
    int buffer;         // >= 0: that buffer's address, or another part of it
    int report;         // >= 0: address of that report value
    struct value value; // else a number, or a list: the elements of a vector
    const char *name, *type;
    const char *as;     // of a scalar: what the source calls it
    enum job_part part; // of the buffer
    uint64_t offset;    // bytes from the buffer's start
    const char *code;   // C++ that makes it on the device (`gpuexp_arguments`); NULL: none does
    int code_line;      // where in the kernel's file that stands
    size_t made;        // which of the job's values of this kind, from 0
    const char *words;  // of the host's code: 8 bytes each, "1f", a place in a buffer "p0+10", a map "m0"; NULL: none
    const struct job_tensor *tensor; // PART_TENSOR: what the map says
};

// One launch of a point. One that a sequence repeats is here once for each time, with its own arguments and sizes.
struct job_launch {
    const char *entry;
    int entry_line; // where in the kernel's file it is named; 0: nowhere
    const struct job_argument *arguments;
    size_t argument_count;
    uint32_t grid[3], block[3], shared;
};

// What a visit of a point is for.
enum job_does { DOES_ALL, DOES_TIMES, DOES_COUNTS };

struct job {
    const char *experiment, *kernel, *path, *source, *entry;
    int entry_line;
    const char *host; // the description's C++ of the host, which has launched; NULL: there is none
    int host_line;
    // What is compiled for `check` and the fills, where another kernel says what is right; NULL: its own source does.
    const char *contract, *contract_path;
    const struct job *base; // and how that kernel is launched, to make of the same inputs what this one must; or NULL
    const struct job_constant *constants;
    size_t constant_count;
    const struct job_buffer *buffers;
    size_t buffer_count;
    const struct job_argument *arguments;
    size_t argument_count;
    const struct job_argument *maps; // tensor maps that no kernel takes: C++ that makes arguments does, by their names
    size_t map_count;
    const struct report_value *reports;
    size_t report_count;
    const struct function *check; // signature of `check`; NULL: results are not verified
    uint64_t check_count;
    const struct expects *expects; // of which buffers `check` and others return what an element must be
    size_t expect_count;           // 0: it says yes or no
    double tolerance[2];           // how far it may be from that: by so much, and by a share of it besides
    const struct job_argument
        *scalars; // every argument parameter by name and value: what `check` and fill_<name> may ask for
    size_t scalar_count;
    uint32_t grid[3], block[3], shared; // of the first launch, as `entry` and `arguments`
    double beyond;                      // of its threads this share was not asked for: the grid is whole blocks
    const struct job_launch *launches;  // all of them in order; NULL: the first alone
    size_t launch_count;
    double useful_bytes, flops; // NAN: not stated
    int counts;                 // what the experiment asks of what is counted, for `counters: auto`
    struct value settings[SETTING_COUNT];
    struct goals goals;
    unsigned context, contexts; // which of the device's contexts it is for, of how many; 0: it is measured once
    double check_s, look_s;     // what verifying took in an earlier context, and a look; 0: there was none
    double looked_us;           // what the quickest launch took that was looked at there
    bool stepwise;              // a sequence that went wrong among samples: each launch is waited for, to find which
    bool by_place;              // the counters by place are asked for, with the source's lines
    bool unfit;                 // it was not made, since the kernel's `needs` does not hold; such a job is not sent
    enum job_does does;         // of its times and its counts
};

// Fills `job` from point `i`; everything it points to lives in `a` (or in the experiment). False: what is wrong with
// this point (a size that is not a number, more threads a block than any device, an unknown type), which makes the
// point `failed`, or `skipped` where it is `unfit`.
bool job_make(const struct plan *, const struct value *values, struct arena *a, struct job *, struct diags *);
// The same of the shape of its launch alone, where all else is known to be good. What is wrong job_make tells better.
bool job_shape(const struct plan *, const struct value *values, struct arena *a, struct diags *);
// Runs `host` of a job whose buffers and scalars are known, and fills in its launches. It is compile/host.c: no stage
// knows a later one. Facts of the device that are not known are 0.
struct job_device {
    uint64_t sms, l2_bytes, shared_per_sm, regs_per_sm;
    uint32_t cluster[3]; // what the launch asked for; 0: nothing
    bool cooperative;
};
extern bool (*job_host)(struct job *, struct job_device *, struct arena *, struct diags *);
// The row's key: what decides the number. Everything in the job, the device's identity, the compiler's and gpuexp's
// version.
void job_key(const struct job *, const char *device_identity, const char *version, char text[17]);
size_t job_launches(const struct job *);             // at least 1
bool job_reports(const struct job *, size_t report); // an entry that is launched takes its address
struct job_launch job_launch(const struct job *, size_t i);
size_t job_made(const struct job *); // how many values C++ on the device makes
// Bytes of all buffers, with the copies that verification needs.
uint64_t job_memory(const struct job *);
