// What goes into `x.run.yaml`, gathered from the plan, the devices and the run.
// SPDX-License-Identifier: MIT
#pragma once
#include "store/runfile.h"
#include "run/lanes.h"

// The plan's fingerprint: names, every point's values, in order. Shards of one plan have one.
// A hash of the text of what it runs: an edited kernel has another.
void record_text(const struct experiment *, char hex[33]);
void record_plan(const struct plan *, char text[33]);
// Facts; where the report has rows, false when they were measured with something else (diags).
bool record_open(struct runfile *, const char *report, const struct plan *, const struct lanes *, const char *compiler,
    const struct run_options *, size_t shard_points, bool has_rows, struct diags *);
// A device has opened since then.
void record_devices(struct runfile *, const struct lanes *, const char *compiler);
// This run's entry: at its start (`over` false; of the summary only `kept` is known then) and when it is over.
bool record_run(struct runfile *, const struct lanes *, const struct run_options *, const struct run_summary *,
    bool over, struct diags *);
