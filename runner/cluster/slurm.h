// The part of slurm.c that a test looks at by itself; everything else goes through scheduler.h.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

bool slurm_parse_time(const char *text, double *seconds); // "1-02:03:04", "03:04", "UNLIMITED"
