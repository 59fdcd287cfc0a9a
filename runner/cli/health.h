// What a fleet's health looks like, in each form that `gpuexp health --format` takes.
// SPDX-License-Identifier: MIT
#pragma once
#include "cli/options.h"
#include "fleet/fleet.h"

extern const struct choice health_formats[];              // the usual one first
bool health_fits(const struct options *, struct diags *); // can --output take what --format asks for?
// Prints it, or writes what --output names.
bool health_show(const struct fleet *, const struct options *, struct diags *);
