// Which columns a report's charts draw: what the experiment asks for first.
// SPDX-License-Identifier: MIT
#pragma once
#include "page/chart.h"

// It was measured or counted, or follows from what was; the others are given: an axis, or follow from the axes.
bool chart_columns_measured(const struct view *, const struct question *, int column);
// In the order in which they matter; how many.
size_t chart_columns_choose(const struct view *, const struct question *, int columns[CHART_FACETS]);
bool chart_columns_has_numbers(const struct view *, int column, bool varying); // in good rows
