// Fills a chart with rows: which series, panel or category each belongs to, and what its axes must hold.
// SPDX-License-Identifier: MIT
#pragma once
#include "page/chart.h"
#include "page/chart_axes.h"

struct layout { // of factors; NULL: none
    struct factor *colour, *dash, *panel, *category;
};
void chart_fill_facets(struct view *, struct chart *, const int *columns, size_t count);
void chart_fill_lines(struct view *, struct chart *, const struct axes_choice *, const struct layout *);
void chart_fill_bars(struct view *, struct chart *, const struct rows *, const struct layout *);
void chart_fill_heat(struct view *, struct chart *, const struct rows *, const struct layout *);
// Arithmetic over bytes (page/chart_guides.c), where that ratio spans a decade: its x and columns, and its ceilings.
bool chart_roofline(struct view *, int *x, int *columns, size_t *count);
void chart_roofline_ceilings(struct view *, struct chart *);
// Knees, limits and laws (page/chart_guides.c).
void chart_guides(struct view *, struct chart *, const struct rows *, int along); // the axis that x stands for
// page/chart_columns.c: columns `speedup`, `speedup_lo`, `speedup_hi`. False: no row is one to be held against.
bool chart_against(struct view *, const char *expression);
bool chart_guides_speedup(struct view *); // what `speedup` says of each point, as columns; false: there is none
bool chart_guides_table(const struct view *, const char *name); // a script left such a table beside the report

// page/chart_columns.c: which columns are drawn: what the experiment asks for first.
// It was measured or counted, or follows from what was; the others are given: an axis, or follow from the axes.
bool chart_columns_measured(const struct view *, const struct question *, int column);
// In the order in which they matter; how many.
size_t chart_columns_choose(const struct view *, const struct question *, int columns[CHART_FACETS]);
bool chart_columns_has_numbers(const struct view *, int column, bool varying); // in good rows
