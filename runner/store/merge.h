// Shards of one plan joined into one report, in plan order. Rows are copied from the shards' files to a new one, which
// then replaces the report; only an index of points is kept in memory. Safe to repeat: rows of an earlier merge count
// where no shard has better ones.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/statuses.h"
#include "store/lock.h"

struct merge_options {
    const char *const
        *inputs; // shards' files; or one report's name: its shards are those beside it (x.csv: x.1-of-8.csv, ...)
    size_t input_count;
    const char *output; // NULL: the report that the shards are named for
    bool mixed;         // shards of other devices, drivers and compilers are joined, with a column `host` in any case
    struct lock_wait wait;
};

struct merge_summary {
    size_t shards, points, rows, missing; // shards found; of the plan, merged, not there
    size_t status[STATUS_COUNT];          // by enum status
    size_t broken;                        // expectations that the shards found broken
    char output[4096];
};

// Returns the exit status: 0; 1 a point failed or a claim broke; 75 points are missing; 2, 3 as diags say. `say` gets a
// line for each thing to know (what is missing, from which shard); may be NULL.
int report_merge(const struct merge_options *, struct merge_summary *, void (*say)(void *context, const char *line),
    void *context, struct diags *);

// The shards' files beside a report ("NAME.csv"), sorted by number; NULL-terminated. NULL after diags: the folder could
// not be read, which is not the same as that there are none.
char **merge_shards(const char *report, struct diags *);
void merge_shards_free(char **);
// "reports/x.3-of-8.csv": 3, 8 and "reports/x.csv". False: not a shard's name.
bool merge_shard_name(const char *path, unsigned *shard, unsigned *shards, char report[4096]);
