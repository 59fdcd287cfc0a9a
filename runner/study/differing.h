// What differs between one point's rows in two reports, as text, and of which kind that is.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/verdict.h"
#include "store/pairs.h"

// The worst first.
enum kind { SLOWER, CHANGED, MISSING, UNSURE, FASTER, NEW, SAME, KINDS };

struct pair { // one point's row in each report
    const struct pairs_side *a, *b;
    const struct cells *old, *new;
    double threshold;
    bool counts; // some count is another: the whole rows are here (differing_counts)
};
bool differing_counts(const struct pair *);
// Its times and the rest, as text (NULL: they are not wanted yet), the ratio of the times, and their kind.
enum kind differing(const struct pair *, struct ratio *, struct str *times, struct str *rest);
bool differing_exact(int column); // a count that is the same in every run
const char *differing_text(const struct pairs_side *, const struct cells *, int column); // "" where there is none
