// A chart as SVG text: lines of points over a numeric or named x axis. Pure: the same chart gives the same text.
// SPDX-License-Identifier: MIT
#ifndef CLI_CHART_H
#define CLI_CHART_H
#include "base/str.h"

#include <stdbool.h>

struct chart_point {
    double x, y, lo, hi; // lo and hi: the interval around y, NAN where there is none
};
struct chart_series {
    const char *name;
    const struct chart_point *points; // by ascending x
    size_t count;
};
struct chart {
    const char *title, *x_name, *y_name;
    const struct chart_series *series;
    size_t count;
    const char *const *x_labels; // x is an index into these; NULL: x is a number
    size_t x_label_count;
};

void chart_svg(const struct chart *, struct str *);
// Text with the characters that mean something in HTML and SVG made harmless.
void chart_escape(const char *text, struct str *);

// For an axis from `lo` to `hi`: is it better drawn by logarithm (far apart and above 0); values to mark, at most `most`.
bool chart_is_log(double lo, double hi);
size_t chart_ticks(double lo, double hi, bool log, double *ticks, size_t most);
#endif
