// The rows of two reports side by side: those of one point, by its experiment and values. Of each point only a hash is
// held in memory; the rows stay in their files and are read in the order of the old one.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/lookup.h"
#include "spec/columns.h"
#include "store/table.h"

struct pairs_side { // one report
    struct table t;
    size_t *names; // columns that identify a point: the experiment's own values in both files
    size_t name_count;
    int experiment, status, columns[COLUMN_COUNT]; // -1: no such column
    char *device;                                  // of its first row; NULL: none
    uint64_t *points;                              // of each row, the hash of its experiment and values
    bool *met;                                     // the other report has that point
    struct lookup by_point;                        // of the new one: without the aligned ones
};

enum { PAIRS_AXES = 4 };
struct pairs {
    struct pairs_side old, new;
    size_t aligned;          // so many first rows of the new one are of the same points as the old one's
    size_t next;             // row: of the old one, then of the new one
    size_t old_row, new_row; // of the point that pairs_next gave last; SIZE_MAX: none
    char **first;            // of each name, its value in the first row
    bool *varies;            // of each name: not every row of both has that value
    struct pairs_words {     // of an axis whose values are texts: which there are, as they came
        char **items;
        size_t count, room;
    } words[PAIRS_AXES];
};

// False after diags: one is no report, or has several rows of one point. Close in either case.
bool pairs_open(struct pairs *, const char *old, const char *new, struct diags *);
void pairs_close(struct pairs *);
// The next point: those of the old report, in its order, then those that the new one alone has. NULL: that report does
// not have it. The cells are valid until the next call. False: there are no more, or diags says why.
bool pairs_next(struct pairs *, const struct cells **old, const struct cells **new, struct diags *);
// "stride: stride=32 memory=device", of the values that vary.
void pairs_name(const struct pairs *, const struct pairs_side *, const struct cells *, struct str *);
// " block=256 n=1024", which all rows of both have; false: there is none.
bool pairs_constants(const struct pairs *, struct str *);
// The first few of the values that vary, as numbers to put points in order by: a text by when it first came.
void pairs_axes(struct pairs *, const struct pairs_side *, const struct cells *, double axes[PAIRS_AXES]);
