// Axes without drawing: the places and labels of the ticks, and the place of a number on an axis. Pure.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"

#include <stdbool.h>

enum scale_kind { SCALE_LINEAR, SCALE_LOG2, SCALE_LOG10 };

// An axis from `lo` to `hi`, drawn from `from` to `to` (which may be the smaller one: a y axis goes up).
struct scale {
    enum scale_kind kind;
    double lo, hi, from, to;
};
double scale_at(const struct scale *, double x);
double scale_back(const struct scale *, double at);

enum { TICKS_MOST = 24 };
struct ticks {
    enum scale_kind kind;
    double at[TICKS_MOST];
    size_t count;
    double lo, hi; // the whole ticks around what was asked for: an axis that begins and ends on a tick
    double one;    // of the unit in which they are labelled; 0: 1
    double bytes;  // what one of it is, on an axis of bytes; 0: it is none
};
// At most `most` ticks (3, for a range around nothing, to TICKS_MOST - 2). Linear: steps of 1, 2 or 5 times a power of
// ten. Logarithmic: whole powers, every one or every k-th; of a base-10 axis of few powers also their 2 and 5. An empty
// range is widened.
void ticks_make(struct ticks *, enum scale_kind, double lo, double hi, size_t most);
// The same for sizes of `bytes` each: steps are powers of two, and labels KiB, MiB, GiB.
void ticks_make_bytes(struct ticks *, enum scale_kind, double lo, double hi, size_t most, double bytes);
// "2500", "20 k", "0.05", "4 Mi": the same digits and unit at each tick of a linear axis.
void ticks_label(const struct ticks *, size_t i, struct str *);

// A single number: "4123", "16.8 M", "0.0123".
void ticks_number(double, struct str *);

// Which axis fits these rising numbers better: a linear or a logarithmic one?
enum scale_kind scale_for(const double *sorted, size_t count);
