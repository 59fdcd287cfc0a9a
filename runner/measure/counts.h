// Where a row's counts come from: the setting `counters`, and what the device can count.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/device.h"

struct result;

// Fills the counting columns of the result for the job that is prepared on the device. It is not a
// failure when something cannot be counted: `why` gets a warning, and the simulator counts instead of the hardware.
void counts_fill(const struct device_ops *, struct device *, const struct device_identity *, const struct job *,
    struct result *, double left_s, struct diags *why);

// Does the device itself count this job, beside timing it? Then it does so in a visit of its own, behind the times of
// other points. A GPU that was made ready to count does short work more slowly, as long as the context lives.
bool counts_apart(const struct job *, const struct device_identity *);
bool counts_asked(const struct job *); // of a device that times
// Joins what such a visit gave to the times.
void counts_join(struct result *to, const struct result *counted);
void counts_beside(struct result *); // a time that is not what the model expects is told
