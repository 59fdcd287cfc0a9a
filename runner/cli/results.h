// Sentences that several commands end with.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdio.h>

#include "base/diag.h"
#include "measure/statuses.h"

void summary_statuses(const size_t status[STATUS_COUNT], FILE *); // "12 ok, 1 wrong"; "no rows"
// "; every expectation holds", or how many hold, are broken and were not checked; nothing where there is none.
void summary_claims(size_t holding, size_t broken, size_t unchecked);
void summary_claim(bool broken, struct where at, const char *line); // one that does not hold, on standard error
