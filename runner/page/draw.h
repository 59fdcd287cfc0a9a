// A chart as SVG: one picture for each panel, with a legend where lines cannot be labelled directly. Colours are
// classes (s1 to s8) of html.css, for light and dark; the titles that hovering shows say everything in words too.
// SPDX-License-Identifier: MIT
#ifndef REPORT_DRAW_H
#define REPORT_DRAW_H
#include "page/chart.h"

void draw_chart(const struct view *, const struct chart *, struct str *);

// Inside: what the files draw.c (pictures and their axes), draw_lines.c, draw_bars.c and draw_list.c share.
struct area { // where the data goes, in pixels; y goes down
    double left, right, top, bottom, width, height;
};
struct picture {
    const struct view *view;
    const struct chart *chart;
    const struct panel *panel;
    struct area area;
    struct scale x, y;
    struct ticks x_ticks, y_ticks;
    bool wide;
    struct str *out;
};
double draw_text_width(const char *, size_t most); // about; of 12 px letters, at most so many
// A point's shape (its own for each colour), filled or hollow.
void draw_marker(struct str *, size_t colour, double x, double y, double radius, bool hollow);
void draw_title(struct picture *, const struct series *, const struct mark *); // the <title> of one row
void draw_text(struct picture *, const char *class, const char *anchor, double x, double y, const char *text);
void draw_range(struct picture *, double *lo, double *hi); // what the axis of the numbers must hold
void draw_whisker(struct picture *, const struct mark *, double x);
// The row has no number: a mark on the floor, above the `level` marks that are there already.
void draw_missing(struct picture *, const struct series *, const struct mark *, double x, size_t level);

void draw_list(struct picture *); // with its frame: the bars are horizontal
void draw_lines(struct picture *);
double draw_lines_margin(const struct picture *); // what the labels take on the right
void draw_bars(struct picture *);
double draw_bars_margin(const struct picture *); // what the names take below, more than one line of them
#endif
