// The files that are merged: the columns and facts of each, and the place of every row. For merging only.
// SPDX-License-Identifier: MIT
#ifndef REPORT_SOURCES_H
#define REPORT_SOURCES_H
#include "store/table.h"

struct source {
    char *path, *facts; // facts: the run file's text, NULL where there is none
    char *host;         // of its runs
    char **columns;     // of its own, a last `host` left out
    size_t column_count;
    int *map;               // of an older one: where the merged report's columns stand in it (store/older.h)
    bool has_host;          // its rows end in a host already
    bool checked;           // and in a checksum
    unsigned shard, shards; // 0: not a shard
    int fd;
    char *window; // read ahead
    size_t window_at, window_size;
};

struct placed {             // one row
    uint32_t point, source; // point from 1
    size_t offset;
    uint32_t size;
    uint8_t status;
    char key[17];
};

struct sources {
    struct source *items;
    size_t count;
    char **columns; // of the merged report: those of the newest source
    size_t column_count;
    struct placed *rows;
    size_t row_count, row_room;
    size_t strangers; // rows that the plan no longer has: left out
};

bool sources_add(struct sources *, const char *path, struct diags *);
void sources_release(struct sources *);
void sources_last_first(struct sources *); // the one that was added last becomes the first, which is the last choice
// All of one plan, kernel, seed, version; of one device and compiler unless `mixed`. False: the first difference,
// named.
bool sources_agree(struct sources *, bool mixed, struct diags *);
// In plan order, the best row of each point: measured before failed, later files before earlier. False: a point
// was measured in two ways, and none is to be preferred.
bool sources_sort(struct sources *, bool mixed, struct diags *);
// The record of a row, its LF included; valid until the next call for the same source. NULL: cannot be read (errno).
const char *sources_text(struct sources *, const struct placed *);
#endif
