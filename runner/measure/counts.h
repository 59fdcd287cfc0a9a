// Where a row's counts come from: the setting `counters`, and what the device can count.
// SPDX-License-Identifier: MIT
#ifndef MEASURE_COUNTS_H
#define MEASURE_COUNTS_H
#include "device/device.h"
#include "measure/result.h"

// Fills the counting columns of the result for the job that is prepared on the device. It is not a
// failure when something cannot be counted: `why` gets a warning, and the simulator counts instead of the hardware.
void counts_fill(const struct device_ops *, struct device *, bool timed, const struct job *, struct result *,
    double left_s, struct diags *why);
#endif
