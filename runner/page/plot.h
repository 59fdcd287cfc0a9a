// A report where there are no pictures: for a terminal, and of a width.
// SPDX-License-Identifier: MIT
#pragma once
#include "page/html.h"
#include "spec/experiment.h"

// What a page would draw first: a bar for each point, or where there are many, a line of blocks for each series.
// Nothing where there is nothing to draw, or no room.
void plot_add(const struct sheet *, int width, struct str *);
// The rows: the axes, what `derive` and `expect` name, time and bandwidth where they are known. `head`: the names
// above. False: of so many rows, or of one, there is no table. `width` 0: as wide as it comes.
bool plot_rows(const struct sheet *, const struct experiment *, int width, struct str *head, struct str *rows);
