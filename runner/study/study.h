// Runs points on the simulator in this process, to look at what they do: the columns of a row, and the counters by
// place of the source. Nothing is timed or written.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/measure.h"
#include "measure/result.h"
#include "plan/job.h"
#include "plan/load.h"

struct study; // a simulator, open

struct study_bounds {              // 0: none
    uint64_t sample;               // blocks of a launch, which stand for all
    uint64_t all;                  // instructions of all points together
    uint64_t few;                  // so many where `sample` of them would take more than the instructions
    uint64_t short_of, short_most; // more than `sample` where they take no more instructions: at most so many
    uint64_t instructions;         // of warps, for each point
    uint64_t bytes;                // of buffers that are filled, for all points together
    unsigned points;               // that may be counted in all
};
// `spec`: one of the simulator's, else (a GPU, auto, NULL) the plain one. `closely`: with all that `places` can tell;
// then the bounds hold for study_counted (NULL: none). NULL after diags.
struct study *study_open(const char *spec, bool closely, const struct study_bounds *, struct diags *);
void study_close(struct study *);

struct studied { // of one point; holds until the next one, or until the study is closed
    const struct job *job;
    struct result result;
    struct device_places places; // none where the point has no numbers
    uint64_t of_blocks;          // not 0: some of so many ran
};
// False after diags: its job cannot be made. What went wrong on the simulator is in the result.
// The same of a job that a device has measured and verified: it is only counted; beyond the bounds it has no numbers.
bool study_counted(struct study *, const struct plan *, const struct value *values, struct studied *, struct diags *);
// Its job alone, without numbers; the reason says why it could not be counted, if that is known already.
bool study_job(struct study *, const struct plan *, const struct value *values, struct studied *, struct diags *);
// NULL: all blocks run. Else, where the point does not say itself how many: at most `sample` of them, and as many as
// take the `instructions`.
bool study_point(struct study *, const struct plan *, const struct value *values, const struct study_bounds *,
    struct studied *, struct diags *);

// Looks at points on the simulator: the files are read, each point is run in this process, and a function is called
// for it.

struct studying { // what the function is told of a point
    const struct plan *plan;
    const struct value *values;
    const struct studied *studied;
    const char *device; // "sim", "sim:a100"; a GPU that the command line names: it is counted on the plain simulator
    void *context;
};
typedef void studying_fn(const struct studying *, struct diags *);

// A file may be a kernel. The simulator is the device, as the profile that a point asks for. `bounds`: as for
// study_point; of more points than it has, the first alone. The exit status: 1 where a point has no numbers.
int studying_points(const struct request *, bool closely, const struct study_bounds *bounds, studying_fn *,
    void *context, struct diags *);
void studying_values(const struct studying *, struct str *); // " stride=8": what tells the point from others
const struct kernel *studying_kernel(const struct studying *);
// What a point's values say of its device; "auto" where they do not.
const char *studying_device(const struct plan *, const struct value *values);
