// Several kernels as one experiment, whose axis they are: for `judge`.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/load.h"

// Before anything is made: each kernel can be read, and promises what the first one does. False after diags.
bool contest_fair(const struct request *, struct arena *, struct diags *);
// The request for that experiment, which stands in for a file.
struct request contest_request(const struct request *, struct arena *);
