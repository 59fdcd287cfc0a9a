// Where a row's counts come from: the setting `counters` against what the device at hand can count.
// SPDX-License-Identifier: MIT
#ifndef MEASURE_COUNTS_H
#define MEASURE_COUNTS_H
#include "device/device.h"
#include "measure/result.h"

// Fills the counting columns of the result for the job that is prepared on the device. What could not be counted is no
// failure: why not is added to `why` as a warning, and the simulator's counts stand in for hardware counters.
void counts_fill(const struct device_ops *, struct device *, bool timed, const struct job *, struct result *,
    struct diags *why);
#endif
