// Which of several charts that were drawn up shows a report best, and why. Pure.
// SPDX-License-Identifier: MIT
#pragma once
#include "page/chart.h"

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
struct chart_traits chart_traits_of(const struct view *, const struct charts *, bool roofline);
