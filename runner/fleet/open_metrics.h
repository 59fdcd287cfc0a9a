// A fleet's health as OpenMetrics text, which Prometheus reads: a family a measure, a line a GPU and test.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"
#include "fleet/fleet.h"

#define OPEN_METRICS_BEGINS "# TYPE gpuexp_health_" // whatever is found
void open_metrics(const struct fleet *, struct str *);
