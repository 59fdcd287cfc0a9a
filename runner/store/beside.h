// Tables beside a report that have several lines for each of its rows, by the row's key: what each launch of a sequence
// counted, the samples of a point. Lines are added whole before their row; at the end they are put into the order of
// the report's rows. What is written again counts in place of what was there. Guarded by the report's lock.
// SPDX-License-Identifier: MIT
#ifndef STORE_BESIDE_H
#define STORE_BESIDE_H
#include "store/lock.h"
#include "base/str.h"

enum { BESIDE_TABLES = 2 };
extern const char *const beside_suffixes[BESIDE_TABLES + 1]; // ".launches.csv", ...; NULL-terminated
bool beside_named(const char *path);                         // ends in one of them

// A line begins with the key and `numbers` whole numbers, which rise over the lines of one key: a line that does not
// continue those that are there takes the place of all that it is not behind.
struct beside {
    const char *suffix; // one of beside_suffixes
    int numbers;
    void (*head)(struct str *); // the header, whole
    bool synced; // a line outlives a power cut, and one that was edited is an error; else such a line is lost
};
char *beside_path(const struct beside *, const char *report); // for the caller to free
bool beside_add(const struct beside *, struct lock *, const char *report, const struct str *lines, struct diags *);
// Puts it into the order of the report's rows, from the files beside `reports` (NULL-terminated; the last one that has
// a key's lines). Only lines of rows that the report has stay. Nothing where there are none.
bool beside_order(const struct beside *, struct lock *, const char *report, const char *const *reports, struct diags *);
#endif
