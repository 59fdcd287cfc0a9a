// The measurement of one point (DESIGN section 6), in one function, each step with its reason. Sees a device and a job; gives a result.
// SPDX-License-Identifier: MIT
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H
#include "device/device.h"
#include "measure/result.h"

void measure_point(const struct device_ops *, struct device *, const struct job *, struct result *);
#endif
