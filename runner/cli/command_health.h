// What a fleet's health looks like, in each form that `gpuexp health --format` takes.
// SPDX-License-Identifier: MIT
#pragma once
#include "cli/options.h"
#include "fleet/fleet.h"

extern const struct choice health_formats[]; // the usual one first
