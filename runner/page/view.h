// A report as a page shows it: every cell in memory, what each column holds, and the rows that count (the last of each
// key, as long as the plan has it). Everything lives in its arena.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/arena.h"
#include "lua/sandbox.h"
#include "measure/statuses.h"
#include "page/question.h"
#include "store/table.h"

struct view_column {
    const char *name;
    const char *unit, *about; // "" where the column is not one of gpuexp's own
    bool empty;               // in every row
    bool same;                // one text in every row
    bool numeric;             // every cell that is not empty is a number
    bool value;               // one of the experiment's own: an axis or a fixed value
    bool added;               // by the kernel's `reports`, by `derive` or by a script
    int known;                // enum column, or -1
};

enum { VIEW_ROWS = 2000, VIEW_BAD = 100 }; // at most about so many are shown, and so many more that are not ok

struct view {
    struct arena *arena;
    const char *path;
    struct view_column *columns;
    size_t column_count;
    const char *const **rows; // rows[i][column], as text
    size_t row_count;
    size_t total, step;                 // rows there are; every step-th and the last are in `rows`, and some not ok
    int *status;                        // of each row, enum status; -1: another word
    size_t statuses[STATUS_COUNT], odd; // how many rows have each; how many have another word
    size_t left_out;                    // rows of the file that a later one replaces, or that the plan no longer has
    int device, status_column, reason;  // columns; reason may be -1
};
// False after diags: not there, not CSV, or not a report. Release in either case.
bool view_read(struct view *, const char *path, struct diags *);
bool view_is_report(const char *path); // it can be read, and has a report's columns
void view_release(struct view *);

// A column more, with a text for each row; which one it is.
int view_add(struct view *, const char *name, const char *about, const char *const *texts);
int view_column(const struct view *, const char *name);          // -1: none
double view_number(const struct view *, size_t row, int column); // NAN: not known, or no number; of column -1 too
// The ends of its interval: of a time, of a rate, whose ends are the time's the other way round, or those in columns of
// their own (NAME_lo, NAME_hi). NAN: it has none.
void view_interval(const struct view *, size_t row, int column, double *lo, double *hi);
bool view_good(const struct view *, size_t row); // ok or imprecise: its numbers mean something

// Which of a column's distinct texts each row has. Numbers first and rising, then texts as they first appear; an empty
// cell is one of them.
struct levels {
    size_t count;
    const char **texts;
    size_t *of_row;
};
void view_levels(const struct view *, int column, struct levels *);

// An expression at a row of a view, whose columns are its names.

bool row_holds(const struct view *, struct expr *, size_t row);
// Columns that the experiment derives today and the report does not have yet: from each row's other columns.
void row_value_derive(struct view *, const struct question *);
