// What the experiment behind a report asks, as its text in the run file says it: claims, derived columns, what its
// script looks at, and how it wants to be drawn. The page chooses its charts by it. Everything is in the arena.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "spec/experiment.h"

struct question_derived {
    const char *name, *expression;
};
struct question_word {
    const char *name, *unit, *about; // NULL: none is told
};
struct question {
    bool known; // there is a text
    const char *question, *theme;
    struct found_before found; // as the experiment's file says today, as are `wish`, units and answers
    bool has_wish;             // there is a `chart`
    struct chart_wish wish;
    const char *x, *y;         // of the script; NULL: it says nothing of them
    const char *const *claims; // what must be true
    const char *const *whens;  // of which rows; NULL: of all
    size_t claim_count;
    const struct question_derived *derived;
    size_t derived_count;
    const struct question_word *words; // derived columns, what the kernel reports and its parameters
    size_t word_count;
    const struct reply *answers;
    size_t answer_count;
};
// `runfile`: the run file's text; NULL: there is none, and nothing is known.
void question_read(struct question *, const char *runfile, const char *experiment, struct arena *);
// What a script left beside the report: a law of time over bytes, a comparison with a baseline.
void question_tables(struct question *, bool fit, bool speedup);
const char *question_unit(const struct question *, const char *column);       // NULL: none is told
const char *question_about(const struct question *, const char *column);      // the same
const char *question_derivation(const struct question *, const char *column); // NULL: it is not derived
bool question_claims(const struct question *, const char *column);            // is it in a claim?
void question_lay(struct chart_wish *over, const struct chart_wish *under);   // fills what `over` leaves open
