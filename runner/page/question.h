// What the experiment behind a report asks, as its text in the run file says it: claims, derived columns, what its
// script looks at, and how it wants to be drawn. The page chooses its charts by it. Everything is in the arena.
// SPDX-License-Identifier: MIT
#ifndef REPORT_QUESTION_H
#define REPORT_QUESTION_H
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "spec/experiment.h"

// How a chart is wanted: `chart:` of an experiment, or options of the command line. NULL: what fits. `y` may name
// several columns, separated by commas.
struct chart_wish {
    const char *x, *y, *by, *panels, *log, *kind;
};
struct question_derived {
    const char *name, *expression;
};
struct question {
    bool known; // there is a text
    const char *question, *theme;
    struct found_before found; // as the experiment's file says today: what was seen later is no part of a run
    bool has_wish;             // its text has a `chart`
    struct chart_wish wish;
    const char *x, *y;         // of the script; NULL: it says nothing of them
    const char *const *claims; // what must be true
    const char *const *whens;  // of which rows; NULL: of all
    size_t claim_count;
    const struct question_derived *derived;
    size_t derived_count;
};
// `runfile`: the run file's text; NULL: there is none, and nothing is known.
void question_read(struct question *, const char *runfile, const char *experiment, struct arena *);
// What a script left beside the report: a law of time over bytes, a comparison with a baseline.
void question_tables(struct question *, bool fit, bool speedup);
const char *question_derivation(const struct question *, const char *column); // NULL: it is not derived
bool question_claims(const struct question *, const char *column);            // is it in a claim?
void question_lay(struct chart_wish *over, const struct chart_wish *under);   // fills what `over` leaves open
#endif
