// `x.samples.csv` beside a report: every sample of each point in the order of time, a line for each place of each
// visit, with those that were thrown away, and the clock. A line is lost where it never reached the disk; a number
// never is.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/arena.h"
#include "measure/taken.h"
#include "store/row_lines.h"

extern const struct row_lines_table samples_table;
// The lines of what one visit of a point took (struct taken), from 1; none where the bytes are no samples.
void samples_lines(struct str *, const char *key, size_t visit, const struct str *taken);
// Adds them to the file, before anything that rests on them.
bool samples_add(struct kept *, const char *key, size_t visit, const struct str *taken, struct diags *);

struct sample_kept {
    double us, clock_mhz; // of one run; NAN: the device did not tell
    unsigned visit, place;
    enum taken_kind kind;
};
struct samples_of { // a row of the report
    const struct sample_kept *items;
    size_t count;
};
// The samples of so many rows by their keys, in the arena; of a key that has none there are none. False: there is no
// such file, or it cannot be read.
bool samples_read(const char *report, const char *const *keys, size_t count, struct samples_of *, struct arena *);
