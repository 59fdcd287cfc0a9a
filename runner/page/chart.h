// What to draw of a report: which column goes along x, which up y, which rows make a line. No drawing here
// (page/draw.h).
// SPDX-License-Identifier: MIT
#ifndef REPORT_CHART_H
#define REPORT_CHART_H
#include "page/ticks.h"
#include "page/view.h"

enum { CHART_SERIES = 8 }; // as many as there are colours that can be told apart

struct mark { // one row
    size_t row;
    double x;         // bars: which category
    double y, lo, hi; // NAN: not known
};
struct series {
    const char *name;   // "streaming, each 4"; "" for the only one
    size_t colour;      // 0 to CHART_SERIES - 1, the same in every panel
    struct mark *marks; // by rising x
    size_t count;
};
struct panel { // one picture; several where there are too many series: one for each value of some column
    const char *name;
    struct series *series;
    size_t count;
};
struct chart {
    int x, y;   // columns
    bool first; // the one that matters
    bool wide;  // wants the whole width of the page
    bool bars;
    struct levels categories; // of bars, along x
    // Most combinations of the axes are missing (one thing is varied at a time): one bar for each row, named by its
    // special values. The only series has the rows in the plan's order and x counts them; `labels` has their names,
    // `common` the usual values that are not named.
    bool list;
    const char *const *labels, *common;
    enum scale_kind x_kind, y_kind;
    double x_lo, x_hi, y_lo, y_hi; // of what is drawn; of y, NAN where nothing is
    const char *by, *panels_by;    // "each, hint": the columns that tell series and panels apart
    struct panel *panels;
    size_t panel_count;
    const char *const *names; // of the series by colour, for a legend
    size_t name_count;
    size_t series_left_out;
    double peak; // of the device's memory, where y is in its unit; NAN: none
    size_t imprecise, bad, skipped;
    bool whiskers; // some row has an interval
};
struct charts {
    struct chart *items;
    size_t count;
    const char *why_none;
};
// In the view's arena. `x` and `y` name columns, NULL: what fits. False after diags: there is no such column.
bool charts_choose(struct view *, const char *x, const char *y, struct charts *, struct diags *);
#endif
