// A small plot for the terminal, of what a page would draw first: a bar for each point, or where there are many, a line
// of blocks for each series.
// SPDX-License-Identifier: MIT
#pragma once
#include "page/html.h"

void plot_add(const struct sheet *, int width, struct str *); // nothing where there is nothing to draw, or no room
void plot_print(const char *report, FILE *);                  // where it is a terminal
