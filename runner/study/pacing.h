// How long a run takes on a GPU that is not asked: the model expects of a few points what a launch takes.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/plan.h"

// Seconds for all points in one process, on that device: "sim:a100", "NVIDIA A100"; one that is not known is taken for
// an H200. NAN: the model cannot tell.
double pacing_expect(const struct plan *, const char *device);
