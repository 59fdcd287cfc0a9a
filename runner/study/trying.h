// What stands in the way of a plan's points, before anything runs: for `check` and `plan`. Every cause is told once,
// with its place, the first point that it concerns, and how many more.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/trial.h"
#include "plan/plan.h"

// A larger plan is listed whole, but only so many of its points are tried on their device.
enum { TRYING_MOST = 10000 };

struct trying; // the devices that the plan's points ask for are opened on first need

struct trying *trying_new(const struct plan *);
// Whether point `i` with these values can run. `memory`: bytes of its buffers, where they are known. `why` gets the
// sentence for what is not TRIAL_RUNS.
enum trial_answer trying_point(struct trying *, size_t i, const struct value *values, uint64_t *memory,
    struct str *why);
// The same for one of a list that may be long: behind the first points only what the sizes say, as long as they are
// good.
enum trial_answer trying_listed(struct trying *, size_t i, const struct value *values, uint64_t *memory,
    struct str *why);
// Tells what was found: what cannot run is an error, what is skipped a warning. The exit status: 0, or 1 where nothing
// would be measured. Then it frees.
int trying_end(struct trying *, struct diags *);

// Where no point is left: which clauses removed how many. Always 1, the exit status.
int trying_none(const struct plan *, struct diags *);
