// A calibration between its run and its file: which experiments it runs, and what they gave.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/calibration.h"
#include "fleet/condition.h"

// They are part of the program: run from a file beside the one that is written. NULL after diags.
const char *calibrating_experiments(const char *beside, struct arena *, struct diags *);
bool calibrating_read(double probes[PROBE_COUNT], struct diags *); // NAN: that row has no number
// "sms 132, warps_per_sm 64, ...", from what the device tells of itself.
void calibrating_limits(struct condition_told *);
