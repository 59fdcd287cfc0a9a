// A chart as SVG: one picture for each panel, with the facets below each other (lines, cells) or side by side (bars).
// Colours are classes (s1 to s8) of chart.css, for light and dark. Each mark has a text that hovering, touching and
// the keyboard show at once, and that a screen reader reads.
// SPDX-License-Identifier: MIT
#pragma once
#include "page/chart.h"
#include "page/chart_axes.h"

void draw_chart(const struct view *, const struct chart *, struct str *); // as part of a page

// What both are made of.
const char *draw_heading(const struct view *, const struct chart *); // "gbps over n by T"
bool draw_is_wide(const struct chart *);
bool draw_has_legend(const struct chart *);
const char *draw_faded(const struct chart *, size_t colour); // a further class of it; "": none
const char *draw_kind(const struct chart *);
void draw_sign(const struct chart *, size_t colour, size_t dash, struct str *); // in a field of 26 by 14
void draw_key(const struct view *, const struct chart *, struct str *);         // the meaning of the signs: plain text
void draw_panel(const struct view *, const struct chart *, const struct panel *, bool wide, double *width,
    double *height, struct str *);

// Inside: what the files draw.c (the chart around the pictures), draw_frame.c (axes), draw_lines.c, draw_bars.c,
// draw_heat.c and draw_mark.c share.
struct area { // where the data goes, in pixels; y goes down
    double left, right, top, bottom;
};
struct picture {
    const struct view *view;
    const struct chart *chart;
    const struct panel *panel;
    const struct facet *facet; // the one that is being drawn
    double width, height;      // of the whole
    struct area area;          // of the facet
    struct scale x, y;
    struct ticks x_ticks, y_ticks;
    bool wide;
    struct str *out;
};
double draw_width(const struct picture *);         // of the whole, in pixels
double draw_text_width(const char *, size_t most); // about; of 12 px letters, at most so many
void draw_text(struct picture *, const char *class, const char *anchor, double x, double y, const char *text);
void draw_name(struct picture *, const char *class, const char *anchor, double x, double y, const char *, size_t most);
const char *draw_unit(const struct view *, const struct facet *); // "gbps, GB/s"
// Of a column whose numbers are told in a unit: "time, ms" of `time_us`, "footprint" of `footprint_kib`, "cycles".
const char *draw_named(const struct view *, int column, const char *unit);
// A point's shape (its own for each colour), filled or hollow.
void draw_marker(struct str *, size_t colour, double x, double y, double radius, bool hollow);
void draw_whisker(struct picture *, double lo, double hi, double at, bool lying);
// What hovering shows of a row, around a place (a rectangle) that can be touched.
void draw_tip(struct picture *, const struct series *, const struct mark *, double x, double y, double w, double h);
void draw_touch(struct picture *, const char *first, const char *second, double x, double y, double w, double h);
// The row has no number: a mark at that place.
void draw_missing(struct picture *, const struct mark *, double x, double y);

bool draw_from_nothing(const struct chart *, const struct facet *);                  // its axis begins at 0
void draw_range(const struct chart *, const struct facet *, double *lo, double *hi); // what its axis must hold
bool draw_peak_fits(const struct facet *);

// Each draws its panel whole and sets the picture's size.
void draw_lines(struct picture *);
void draw_bars(struct picture *);
void draw_heat(struct picture *);
bool draw_is_empty(const struct view *, const struct chart *, const struct series *);
void draw_samples(struct picture *);
void draw_sample(struct str *, enum taken_kind, double x, double y, double radius); // one, by its sign
void draw_samples_key(const struct chart *, struct str *);
void draw_series(struct picture *);                // draw_series.c: the lines of one facet, once the frame is there
double draw_labels_margin(const struct picture *); // what the labels take on the right

// draw_samples.c: what a look at a point's samples shows, in sentences: two modes, a drift, a step of the clock. Pure.
void samples_told(const struct samples_of *, struct str *); // adds nothing where there is nothing of the kind

// draw_series.c: moves labels apart that would overlap. Pure. Moves the `count` places as little as is needed (least
// squares) so that neighbours are at least `gap` apart and all lie within `lo` and `hi`; their order stays. Where there
// is no room for all, the gap is smaller.
void spread(double *at, size_t count, double gap, double lo, double hi);
