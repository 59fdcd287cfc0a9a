// What a kernel's machine code asks of memory: the instructions of each kind in the cubin that NVRTC makes beside the
// PTX. It tells whether the compiler did what the simulator takes it to do.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/sim.h"

struct code;

// False: there is no machine code, it has no such entry (by the name that the code has), or it is of a processor whose
// instructions are not known here.
bool sass_listed(const struct code *, const char *entry, int32_t counts[SIM_LISTED]);
