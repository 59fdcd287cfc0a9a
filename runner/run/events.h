// `gpuexp FILE --format jsonl`: what happens in a run, an object a line, for who builds on top. A line is written when
// what it tells is so: a row's when the row is on the disk.
// SPDX-License-Identifier: MIT
#pragma once
#include "run/run.h"

void events_started(const struct run_start *);
void events_begun(const struct plan *, const struct run_point *);
void events_sampled(size_t sampled, size_t contexts, double left_s);
void events_row(const struct plan *, const struct run_point *);
void events_claim(bool broken, struct where at, const char *line);
void events_line(const char *kind, const char *line); // "note", or "script": a line of its summary
void events_finished(const struct plan *, const struct run_summary *);

extern const char *const run_ends[]; // by enum run_end: "complete", "stopped", ...
