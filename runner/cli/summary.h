// Sentences that several commands end with.
// SPDX-License-Identifier: MIT
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H
#include "measure/result.h"

#include <stddef.h>
#include <stdio.h>

void summary_statuses(const size_t status[STATUS_COUNT], FILE *); // "12 ok, 1 wrong"; "no rows"
#endif
