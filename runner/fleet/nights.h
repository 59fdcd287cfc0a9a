// A GPU over the nights: of several reports of one GPU the newest is judged, and those before it are what it is held
// against; what another driver did to all of a model.
// SPDX-License-Identifier: MIT
#pragma once
#include "fleet/fleet.h"

// A report that came to its end gets its date into its name, with what stands beside it, so that the next night does
// not take its place: "health.n1.65-00-0.2026-11-22T20-15-31Z.csv". One that is not over stays. False after diags.
bool nights_keep(const char *report, struct diags *);

// After the last fleet_add: gathers the reports of each GPU.
void nights_gather(struct fleet *);
// Its quickest earlier night of that test with the same driver; NULL: none.
const struct gpu *nights_best(const struct gpu *, size_t test);

struct nights_driver { // what another driver did
    const char *model, *from, *to;
    size_t gpus;
    double *speeds; // of each test: 0.98 is 2 % slower with `to`, the median of the GPUs; NAN: none has it
};
size_t nights_drivers(const struct fleet *, struct nights_driver **); // in the fleet's arena
const char *nights_driver_of(const struct gpu *, struct arena *);     // "580.159.04"; "?" where it is not known
