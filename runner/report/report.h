// The report file: rows appended whole and synced as they are known, found again by key, put in plan order at the end. Only this
// folder includes csv.h.
// SPDX-License-Identifier: MIT
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H
#include "measure/result.h"
#include "plan/plan.h"

struct row { // what report_append writes, in the order of the header
    size_t point;       // 1-based number in the plan
    char key[17];
    const struct value *values;  // one a plan name
    const struct result *result;
    const struct value *derived; // one a derived column; VALUE_NONE: empty
};

struct report_head { // what decides the header
    const char *experiment, *kernel;
    const char *const *names;    // plan names
    size_t name_count;
    const char *const *reports;  // the kernel's own report columns
    size_t report_count;
    const char *const *derived;  // derived columns
    size_t derived_count;
    bool both;                   // counters: both — sim_ columns beside the hardware's
};

struct report;
// Opens or makes `path`, locks it (a second run on it is told who holds it: host, pid), reads the rows that are there, drops a
// torn last line, refuses a file whose header or experiment is another's, saying the difference. `fresh`: start over (the old
// file is kept as .bak). NULL after diags.
struct report *report_open(const char *path, const struct report_head *, bool fresh, struct diags *);
bool report_has(const struct report *, const char *key); // measured before: status ok, imprecise, wrong or skipped
bool report_append(struct report *, const struct row *, struct diags *); // whole, then fsync
// All rows known: swaps in the file in plan order, atomically. Rows that the plan no longer has are kept behind the others.
bool report_finish(struct report *, struct diags *);
void report_close(struct report *); // releases the lock
#endif
