// The answer on the screen: a small report as a table of what the experiment asks about.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/experiment.h"

#include <stdio.h>

// Prints the first `rows` rows of `report`: the axes, the columns that derive and expect name, time and bandwidth where
// they are known. Nothing where there are more than 40 rows, or the report cannot be read (then that is reported
// elsewhere).
void results_print(const struct experiment *, const char *report, size_t rows, FILE *);
