// What to draw of a report: which column goes along x, which columns go up, each in a picture of its own above the same
// x, which rows make a line, a bar or a cell. No drawing here (page/draw.h).
// SPDX-License-Identifier: MIT
#pragma once
#include "page/question.h"
#include "page/ticks.h"
#include "page/view.h"
#include "store/samples.h"

enum { CHART_SERIES = 8 }; // as many as there are colours that can be told apart
enum { CHART_DASHES = 3, CHART_FACETS = 4, CHARTS_MOST = 3, CHART_CATEGORIES = 60, CHART_GUIDES = 8, CHART_POINTS = 6 };
enum chart_kind { CHART_LINES, CHART_BARS, CHART_HEAT, CHART_SAMPLES }; // as words_chart_kinds (spec/words.h)

struct facet { // one column up
    int column;
    enum scale_kind kind;
    double lo, hi;           // of what is drawn; NAN where nothing is
    double *y, *y_lo, *y_hi; // of each row of the view; NAN: not known
    bool whiskers, dots;     // some row has an interval; bars: lengths would say nothing on this axis
    bool exact;              // a count: that the time is not precise says nothing of it
    bool beside_one;         // a speedup: it is looked at beside 1
    const char *unit;        // in which it is labelled: ms for 10^4 us
    double one;              // what one of it is of the column's
    double peak;             // of the device's memory, where y is in its unit; NAN: none
};
struct mark { // one row
    size_t row;
    double x; // bars: which category; heat: which column
};
struct series {
    const char *name;    // "streaming, each 4"; "" for the only one
    size_t colour, dash; // 0 to CHART_SERIES - 1, the same in every panel; 0 to CHART_DASHES - 1
    struct mark *marks;  // by rising x
    size_t count;
    bool lone;        // one point beside the lines of others: a reference
    const char *same; // the series whose line it lies on, NULL: none
    const char *roof; // what its line ends at, of a roofline: "62.9 TFLOP/s"; NULL: no roofline
};
struct panel { // one picture for each value of some columns
    const char *name;
    struct series *series;
    size_t count;
    const struct samples_of *samples; // of its one row
    size_t row;
};
struct guide {              // a place that has a name: a knee, a limit, a law
    int facet;              // -1: in all
    double x, y;            // NAN: not this one; both NAN: the curve
    double at[2], slope[2]; // y = at[0] + slope[0] * x, of a curve
    const char *text;
    bool aside;         // its name stands below the picture, not in it
    const char *rising; // the name of a curve's first part, along it; NULL: it has none
};
struct chart {
    enum chart_kind kind;
    int x;              // column; -1: none
    const char *x_name; // of the axis, with its unit
    double x_unit;      // bytes of one of it, where the axis is one of bytes; 0: it is not
    enum scale_kind x_kind;
    double x_lo, x_hi;
    struct facet facets[CHART_FACETS];
    size_t facet_count;
    const char *const *categories; // bars: the names, in the order in which they are drawn; heat: along x
    size_t category_count, categories_left_out;
    const char *by, *panels_by; // "each, hint": the columns that tell series and panels apart
    size_t by_count;            // how many columns tell series apart
    struct panel *panels;
    size_t panel_count;
    const char *const *names, *const *dash_names; // by colour, by dash, for a legend
    size_t name_count, dash_count, series_left_out;
    unsigned faded; // a bit a colour: lines that lie between the best and the worst of many, grey
    struct guide guides[CHART_GUIDES];
    size_t guide_count;
    size_t imprecise, bad, skipped;
    unsigned kinds[TAKEN_KIND_COUNT]; // samples: what each of `names` is
    size_t points_left_out;           // samples: which the panels do not show
    size_t near;                      // heat: rows of which each cell shows one; 0: it has one
    size_t off_axis;                  // rows that a logarithmic axis has no place for
    bool narrow;                      // for a telephone: letters of the same size in a third of the width
    bool bare;                        // a small one in a list: nothing to touch
    bool ranked, still;               // still: for a file, where nothing is hovered over
    const char *usual;                // the values from which names of bars say what differs; NULL: they say all
    const char *log;                  // as it was asked for; NULL: what fits
};
struct charts {
    struct chart *items;
    size_t count, asked;        // asked: columns up that were named
    const char *why_none, *why; // why: this kind of chart and no other; NULL: it was asked for
};
// A panel for each of the points whose time is known least, with their samples. False: none has any.
bool chart_samples(const struct view *, size_t most, struct chart *);
// In the view's arena. The wish is the command line's; what it leaves open, `asked` says, and what that leaves open,
// what fits. False after diags: there is no such column or word.
bool charts_choose(struct view *, const struct question *, const struct chart_wish *, struct charts *, struct diags *);

// Which of several charts that were drawn up shows a report best, and why. Pure.

struct chart_traits { // of a chart that was drawn up
    enum chart_kind kind;
    bool roofline;
    size_t rows, drawn; // with a number; of these, in the picture
    size_t lines;       // colours of lines, rows of cells, bars
    size_t by;          // columns that tell these apart
    double filled;      // the share of its places (along, by line) that have a row
    bool even;          // the places along are even steps, or rise by a factor
    bool turns;         // lines go up and down
};
// The larger the better; `why` gets the reason that weighs most.
double chart_rank(const struct chart_traits *, const char **why);
