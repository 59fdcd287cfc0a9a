// A report that was written before some of gpuexp's own columns existed, or with them in another order. It is still a
// report of the same thing: its rows are read by the columns' names, and a cell is empty where there was no column. The
// rows of one from before there were checksums get them when it is written again.
// SPDX-License-Identifier: MIT
#ifndef STORE_OLDER_H
#define STORE_OLDER_H
#include "base/str.h"
#include "store/lock.h"
#include "store/table.h"

// True when only columns of gpuexp's own are missing in `old`, or in another place.
bool older_fits(char *const *old, size_t old_count, char *const *now, size_t now_count);
// The place of each column of `now` in `old`, -1: none. For the caller to free.
int *older_map(char *const *old, size_t old_count, char *const *now, size_t now_count);
// Adds the cells of one row, `count` of them, without the line's end.
void older_row(const struct cells *row, const int *map, size_t count, struct str *out);
// Puts a file with the same rows and all columns of now in the place of `path`, atomically. `fd`: the report's, then
// the new file's.
bool older_renew(struct lock *, const char *path, char *const *now, size_t now_count, int *fd, struct diags *);
// The columns that `old` does not have, in one sentence for the user; nothing when they have only moved.
void older_say(const char *path, char *const *old, size_t old_count, char *const *now, size_t now_count,
    struct diags *d);
#endif
