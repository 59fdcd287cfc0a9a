// Looks at points on the simulator: the files are read, each point is run in this process, and a function is called
// for it.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/load.h"
#include "study/study.h"

struct studying { // what the function is told of a point
    const struct plan *plan;
    const struct value *values;
    const struct studied *studied;
    const char *device; // "sim", "sim:a100"; a GPU that the command line names: it is counted on the plain simulator
    void *context;
};
typedef void studying_fn(const struct studying *, struct diags *);

// A file may be a kernel. The simulator is the device, as the profile that a point asks for. `bounds`: as for
// study_point. The exit status: 1 where a point has no numbers.
int studying_points(const struct request *, bool closely, const struct study_bounds *bounds, studying_fn *,
    void *context, struct diags *);
void studying_values(const struct studying *, struct str *); // " stride=8": what tells the point from others
const struct kernel *studying_kernel(const struct studying *);
// What a point's values say of its device; "auto" where they do not.
const char *studying_device(const struct plan *, const struct value *values);
