// What a closer look at a report's points found: pictures of what they do, and what limits them. study/looking.h fills
// it in; a page only shows it.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"
#include "reason/figure.h"
#include "reason/findings.h"

enum { INSIGHT_FIGURES = 8, INSIGHT_COSTS = 8, INSIGHT_FINDINGS = 6, INSIGHT_NAMED = 4 };
struct insight_figure {
    const char *points; // "stride=32": what it is of
    const char *quoted; // the line of the source; NULL: of no one line
    struct figure figure;
    size_t point; // of the plan
    bool access;  // what one instruction of a warp reaches
    bool limits;  // the time that each unit would need
};
struct insight_finding {  // what is the same of several points
    struct advice advice; // where it gains most
    const char *quoted;   // its line of the source; NULL: of no one line
    double least;         // of what is gained; NAN: not known
    const char *named;    // the first INSIGHT_NAMED of its points
    size_t count;
};
struct insight {
    struct insight_finding *findings; // the one that gains most first
    size_t finding_count, rows, looked;
    struct insight_figure *figures;
    size_t figure_count;
    struct insight_figure *costs; // of rows: what limits them, and what their first finding's mend leaves
    size_t cost_count;
};
void insight_findings(const struct insight *, const char *report, struct str *);
void insight_mechanism(const struct insight *, struct str *);
