// What a closer look at a report's points gave, for its page: pictures of what they do. Whoever can run points fills it
// in (cli/looking.h); a page only shows it.
// SPDX-License-Identifier: MIT
#ifndef PAGE_INSIGHT_H
#define PAGE_INSIGHT_H
#include "base/str.h"
#include "reason/figure.h"

enum { INSIGHT_FIGURES = 8 };
struct insight_figure {
    const char *points; // "stride=32": what it is of
    const char *quoted; // the line of the source; NULL: of no one line
    struct figure figure;
    size_t point; // of the plan
    bool access;  // what one instruction of a warp reaches
};
struct insight {
    struct insight_figure *figures;
    size_t figure_count;
};
void insight_mechanism(const struct insight *, struct str *);
#endif
