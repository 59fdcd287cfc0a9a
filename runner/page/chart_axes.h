// Which of an experiment's columns distinguish its rows: the one along x, and the factors that are left. A factor is a
// column, or several that vary together (one thing at a time, or in step).
// SPDX-License-Identifier: MIT
#pragma once
#include "page/view.h"

enum { AXES_MOST = 24 };
struct rows { // some of a view's
    size_t *items, count;
};
struct factor {
    int columns[AXES_MOST];
    size_t column_count;
    bool number;   // one column of numbers
    size_t count;  // levels
    size_t *level; // of each row of the view, 0 for those that are not meant
    size_t *row;   // one of each level, to take its name from
};
struct axes_choice {
    int x;                            // a column of numbers that lines can go along; -1: none
    struct rows on, off;              // rows that are on such a line, and those that are not
    struct factor factors[AXES_MOST]; // of all rows, without x; without x, of everything
    size_t factor_count;
};
// Columns asked for, -1: what fits. `no_lines`: x is not looked for.
struct axes_asked {
    int x, by, panels;
};
void chart_axes_choose(struct view *, const struct rows *, const struct axes_asked *, bool no_lines,
    struct axes_choice *);
// The factor of these columns over the rows; for none, one level.
void chart_axes_factor(struct view *, const struct rows *, const int *columns, size_t count, struct factor *);
// Two factors as one.
void chart_axes_join(struct view *, const struct rows *, struct factor *, const struct factor *other);
// "streaming, each 4": a word says what it is by itself, a number does not.
const char *chart_axes_name(const struct view *, const struct factor *, size_t level);
const char *chart_axes_columns(const struct view *, const struct factor *); // "each, hint"
double chart_axes_bytes(const struct view_column *);                        // of one of it; 0: it is no size in bytes
bool chart_axes_in_step(struct view *, const struct rows *, int a, int b);  // each value of one has one of the other
