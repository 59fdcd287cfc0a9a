// The report file: rows appended whole as they are known and synced a few together, found again by key, put in plan
// order at the end. Only this folder includes csv.h. The file is RFC 4180 with LF line ends; a cell is empty where
// nothing is known, never nan or inf. A run that measures a point again (it had failed) appends: of several rows with
// one key the last one counts, and report_finish keeps only that one.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/plan.h"
#include "store/lock.h"

struct result;

struct row {      // what report_append writes, in the order of the header
    size_t point; // 1-based number in the plan
    char key[17];
    const struct value *values; // one for each plan name
    const struct result *result;
    const char *reason;          // the sentence that goes with it
    const struct value *derived; // one for each derived column; VALUE_NONE: empty
};

struct report_head { // what decides the header
    const char *experiment, *kernel;
    const char *const *names; // plan names; `device` and `kernel` are left out: every row has these columns
    size_t name_count;
    const char *const *reports; // the kernel's own report columns
    size_t report_count;
    const char *const *derived; // derived columns
    size_t derived_count;
    const char *text_hash; // of the kernels' text; NULL: nobody asks whether it was edited
    bool both;             // counters: both — sim_ columns beside the hardware's
    const char *host;      // of a report that was merged from several hosts: where a row is measured; NULL: no column
};

struct report;
// Opens or makes `path`, locks it (a second run on it is told who holds it: host, pid), reads the rows that are there,
// drops a torn last line, refuses a file with another header or experiment, and names the difference. `fresh`: start
// over (the old file is kept as .bak). NULL after diags. `wait` may be NULL.
struct report *report_open(const char *path, const struct report_head *, bool fresh, const struct lock_wait *wait,
    struct diags *);
// Refuses rows of a device that is not among those of this run.
bool report_devices(const struct report *, const char *const *devices, size_t count, struct diags *);
size_t report_rows(const struct report *);
struct lock *report_lock(struct report *); // for what is written beside it
bool report_shared(const struct report *); // kept_shared when it was opened
// Its rows were measured with another text of the kernel, as its run file says.
bool report_edited(const struct report *);
// Then, when every row that is still good has its place: the others are moved to NAME.old.csv. How many, and how many
// of the oldest there had to go.
bool report_put_aside(struct report *, size_t *moved, size_t *dropped, struct diags *);
bool report_has(const struct report *, const char *key); // measured before: status ok, imprecise, wrong or skipped
// The plan has `key` as its point `point`: true when report_has; report_finish puts its row there.
bool report_assign(struct report *, const char *key, size_t point);
// Before a point is measured: is the lock still held, and is there room on the disk for the row?
bool report_ready(struct report *, struct diags *);
// Whole, into the file: a process that is killed loses nothing of it. A row that was appended counts when report_sync
// has come back with true: then a power cut does not lose it, and no other holder has missed it.
bool report_append(struct report *, const struct row *, struct diags *);
bool report_sync(struct report *, struct diags *);
// A row as it stands in another report of the same header, measured.
bool report_adopt(struct report *, const char *row, size_t size, const char *key, const char *device, struct diags *);
// Called when all rows are known: replaces the file, atomically, by one in plan order. Rows that the plan no longer has
// come last, without a point number.
bool report_finish(struct report *, struct diags *);
// No row comes any more: before the run file says that this run has ended.
void report_settle(struct report *);
void report_close(struct report *);    // releases the lock
void report_withdraw(struct report *); // the run does not begin: removes a file that report_open has made
