// `gpuexp FILE --format jsonl`: what happens in a run, an object a line, for who builds on top. A line is written when
// what it tells is so: a row's when the row is on the disk.
// SPDX-License-Identifier: MIT
#pragma once
#include "run/run.h"

struct run_observer events_observer(const struct plan **); // of the plan that is run when they happen

extern const char *const run_ends[]; // by enum run_end: "complete", "stopped", ...
