// Measures the points of several kernels in turns, and says of each what it is beside the first: for `judge` and
// `compare --remeasure`.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/statuses.h"
#include "measure/verdict.h"
#include "measure/why.h"
#include "plan/load.h"
#include "run/run.h"

// A context's cost is that of many visits, and what it draws is in both kernels' times.
enum { JUDGING_CONTEXTS = 2, JUDGING_ROUNDS = 4 };

// What was measured of one kernel at one point, and what is said of it beside the first.
struct judged {
    size_t place; // in the plan
    char *point, *kernel;
    enum status status;
    struct why why;
    struct timing timing;
    double us[CONTEXTS_MOST], errors[CONTEXTS_MOST]; // what each visit gave
    unsigned in_context[CONTEXTS_MOST];
    size_t count;
};
enum judged_as {
    JUDGED,
    JUDGED_ALONE,   // what it is held against has no time
    JUDGED_TIMELESS // it has none itself
};
struct judging_verdict {
    const struct judged *base, *x; // base NULL: it is the first itself, or that has no row
    enum judged_as as;
    enum verdict_kind kind; // of what is judged
    struct ratio ratio;     // NAN: none
    bool bad;
};

struct judging {
    double threshold;
    const char *report; // where the rows go; NULL: reports/NAME.csv
    // What tells points apart, NULL-terminated, and those of them that are measured; NULL: the axes, all.
    const char *const *names, *const *points;
    struct judged *items; // every point, as it was measured
    size_t count, room;
    const char *base; // the kernel that the others are held against
    char written[4096];
};

// Measures the plan, whose axis is `kernel`; the observer hears of all but points. The exit status: 0, 75, or that of
// diags.
int judging_measure(struct judging *, const struct request *, struct plan *, const struct run_observer *,
    struct arena *, struct diags *);
bool judging_has_time(const struct judged *);
const struct judged *judging_base_of(const struct judging *, const struct judged *); // NULL: it stopped in between
struct judging_verdict judging_verdict(const struct judging *, const struct judged *);
// "n=1024 block=256": of these names, those that are there.
void judging_key(const char *const *names, const char *const *of, const struct value *values, size_t count,
    struct str *);
void judging_release(struct judging *);

// Several kernels as one experiment, whose axis they are: for `judge`.

// Before anything is made: each kernel can be read, and promises what the first one does. False after diags.
bool contest_fair(const struct request *, struct arena *, struct diags *);
// The request for that experiment, which stands in for a file.
struct request contest_request(const struct request *, struct arena *);
