// Which of an experiment's columns distinguish its rows, and to which line and picture each row belongs.
// SPDX-License-Identifier: MIT
#ifndef REPORT_AXES_H
#define REPORT_AXES_H
#include "page/view.h"

enum { AXES_MOST = 24 };
struct axes_choice {
    int x;     // column, -1: nothing varies
    bool bars; // x has words, or too few numbers for a line
    struct levels x_levels;
    int by[AXES_MOST]; // columns that distinguish series
    size_t by_count;
    int all[AXES_MOST]; // x and those: all that distinguish a row
    size_t all_count;
    int panels;     // column that distinguishes panels, -1: one panel
    size_t *series; // of each row; series with the same values (but the panel's) have the same number in every panel
    size_t *panel;  // of each row
    size_t series_count, panel_count;
    size_t *series_row, *panel_row; // a row of each, to take its name from
};
// `x`: the column asked for, -1: what fits. `most`: series a panel; where no split into panels helps, series_count is
// larger than that.
void chart_axes_choose(struct view *, int x, size_t most, struct axes_choice *);
#endif
