// The files that are merged: what their run files say, and the place of every row. Each is read once, from begin to
// end; of many files the rows go into one temporary file, so that none stays open. For merging only.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/lookup.h"
#include "store/spool.h"
#include "store/table.h"

struct source {
    char *path, *host;      // host: of its runs
    unsigned shard, shards; // 0: not a shard
    uint32_t shape;
    bool has_facts;
    double first, last;  // its rows were measured then: seconds, not before and not after
    size_t left, broken; // of its last run
    int fd;              // -1: its rows are in the spool
};

struct source_shape { // what a header decides
    char **columns;   // a last `host` left out
    size_t column_count;
    bool has_host; // its rows end in a host already
};

struct source_row {         // one row
    uint32_t point, source; // point from 1
    uint64_t offset, text;  // text: a hash of its cells, the host left out
    uint32_t size;
    uint8_t status;
    char key[17];
};

struct sources {
    struct source *items;
    size_t count;
    bool has_output; // the first is the merged report of before
    bool many;       // too many to keep them open
    struct source_shape *shapes;
    size_t shape_count;
    const struct source_shape *shape; // of the merged report
    struct source_row *rows;
    size_t row_count, row_room;
    struct lookup taken; // key and source of rows whose lines beside the report count
    struct spool spool;
    char *facts;      // the text of the first run file
    const char *from; // whose it is
    bool of_output;   // the merged report's
    struct str runs;  // the entries of all, each once
    struct lookup run_seen;
    char *runs_before; // those of the merged report
    size_t strangers;  // rows that the plan no longer has: left out
    size_t replaced;   // measured rows of the merged report that do not stay as they are
    size_t stay;       // of the others, those that a shard has with other values, not known to be later
};

// `count`: how many there will be. Begin with the merged report, where there is one.
bool sources_begin(struct sources *, size_t count, struct lock *, const char *output, struct diags *);
bool sources_add(struct sources *, const char *path, bool mixed, struct diags *);
void sources_release(struct sources *);
// All are added. False: their columns are of several plans, or rows cannot be written aside.
bool sources_end(struct sources *, const char *output, struct diags *);
// In plan order, the row that counts of each point. A measured one before a failed one. A row of the merged report
// stays unless another was measured after it for sure. Of shards the later file. False: a point was measured in two
// ways.
bool sources_sort(struct sources *, bool mixed, struct diags *);
// The rows are of several hosts: each is to say of which.
bool sources_hosts(const struct sources *);
bool sources_lines_count(const struct sources *, const char *key, size_t source);
// The record of a row, its LF included; valid until the next call. NULL: cannot be read (errno).
const char *sources_text(struct sources *, const struct source_row *);
