// Tables beside a report that have several lines for each of its rows, by the row's key: what each launch of a sequence
// counted, the samples of a point. Lines are added whole before their row; at the end they are put into the order of
// the report's rows. What is written again counts in place of what was there.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/beside.h"
#include "base/str.h"
#include "store/kept.h"

// A line begins with the key and `numbers` whole numbers, which rise over the lines of one key. A line that does not
// come after those that are there replaces each of them that is not before it.
struct row_lines_table {
    enum beside file;
    int numbers;
    void (*head)(struct str *); // the header, whole
};
bool row_lines_open(struct kept *, const struct row_lines_table *, struct lock *, const char *report, bool shared,
    struct diags *);

extern const struct row_lines_table *const row_lines_tables[]; // all of them; NULL-terminated

struct row_lines_from {         // where lines are taken from
    const char *const *reports; // of the files beside these, in this order; NULL-terminated
    // Are the lines that the file beside reports[i] has of this key wanted? NULL: all are.
    bool (*wanted)(void *context, const char *key, size_t i);
    void *context;
};
// Writes the table beside `report`, in the order of its rows: the lines that `from` has of their keys. Of a key that
// several files have, those of the last one. Nothing where there are none, or nothing to change.
bool row_lines_order(const struct row_lines_table *, struct lock *, const char *report, const struct row_lines_from *,
    struct diags *);
// Adds the lines of all wanted keys of one file to another that is open.
bool row_lines_copy(const struct row_lines_table *, const struct row_lines_from *, struct kept *to, struct diags *);
