// Numbers around one that is expected, as a picture: a row for each thing, a mark with its interval for each number, a
// line where nothing differs and a band within which a difference does not count. For pages of comparisons.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>

enum { STRIP_ROWS = 60 }; // that are drawn
struct strip_mark {
    const char *name, *told; // what hovering says
    double value, low, high; // low, high: NAN for none; of a value of NAN nothing is drawn
    bool bad;
};
struct strip_row {
    const char *name;
    const struct strip_mark *marks;
    size_t count;
};
struct strip {
    const char *about, *axis, *even; // for those who do not see it; below the axis; the name of the line
    const char *axis_narrow;         // the axis in some 30 letters, for a telephone
    double centre, within;           // the line, and half of the band around it
    const struct strip_row *rows;
    size_t count;
};
// A <figure>, drawn for a wide window and for a narrow one; nothing where no row has a number. False: nothing was
// drawn.
bool strip_draw(const struct strip *, struct arena *, struct str *);
