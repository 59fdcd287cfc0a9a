// The answer on the screen: a small report as a table of what the experiment asks about.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdio.h>

#include "base/diag.h"
#include "measure/statuses.h"
#include "page/html.h"
#include "spec/experiment.h"

// Prints the first `rows` rows of `report`: the axes, the columns that derive and expect name, time and bandwidth where
// they are known. Nothing where there are more than 40 rows, or the report cannot be read (then that is reported
// elsewhere).
void results_print(const struct experiment *, const char *report, size_t rows, FILE *);

// A small plot for the terminal, of what a page would draw first: a bar for each point, or where there are many, a line
// of blocks for each series.

void plot_add(const struct sheet *, int width, struct str *); // nothing where there is nothing to draw, or no room
void plot_print(const char *report, FILE *);                  // where it is a terminal

// Sentences that several commands end with.

void summary_statuses(const size_t status[STATUS_COUNT], FILE *); // "12 ok, 1 wrong"; "no rows"
// "; every expectation holds", or how many hold, are broken and were not checked; nothing where there is none.
void summary_claims(size_t holding, size_t broken, size_t unchecked);
void summary_claim(bool broken, struct where at, const char *line); // one that does not hold, on standard error
