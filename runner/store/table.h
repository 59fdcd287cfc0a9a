// A CSV file: its columns by name and its rows by number. It is used for
// files that exist: to go on, sort, merge, check claims, print the status. A last line without its end is not a row;
// `whole` is where it begins. Where the last column is `checksum`, a row whose cells do not fit it is an error; those
// who read the rows never see that column.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/value.h"
#include "store/cells.h"
#include "store/pieces.h"

struct table {
    char *path;
    struct pieces pieces;
    size_t size, whole; // bytes of the file; of its whole records
    char **columns;     // NULL-terminated
    size_t column_count;
    size_t *ends; // where each row ends; the first starts at ends[-1], the end of the header
    size_t count;
    bool checked; // each row ends with its checksum
    struct cells *cells;
};

// False after diags: no such file, no header, not CSV, a row that was changed. Free with table_close in either case.
bool table_open(struct table *, const char *path, struct diags *);
void table_close(struct table *);
int table_column(const struct table *, const char *name); // -1: none
bool table_has_host(const struct table *);                // its last column is COLUMN_HOST
// Unchanged, with checksum and LF; valid until the next call of any of these. `row` SIZE_MAX: the header.
const char *table_text(struct table *, size_t row, size_t *size);
size_t table_offset(const struct table *, size_t row); // where it begins in the file
// The row's cells, valid until the next call. NULL after diags: it is not CSV, or has another number of cells than the
// header.
const struct cells *table_row(struct table *, size_t row, struct diags *);
// The same, where only the first `most` cells are asked for.
const struct cells *table_front(struct table *, size_t row, size_t most, struct diags *);
// The value of a cell: nothing, a whole number, a number, true or false, else the text itself (not copied).
struct value table_value(const char *cell);
