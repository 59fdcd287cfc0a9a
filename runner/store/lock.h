// One writer for one report. Two guards, because a report may lie on a file system that several machines share:
// flock(2) on `<report>.lock` decides between processes of one machine (and of several, where the file system passes
// locks on), and the kernel drops it whatever way a process dies; the holder's name inside decides where flock does not
// reach another machine: the holder touches the file every few seconds, one that fell silent is taken over, and whoever
// finds another's name in it before writing a row stops (fencing: two copies of a shard can both live, never both
// write).
// SPDX-License-Identifier: MIT
#ifndef REPORT_LOCK_H
#define REPORT_LOCK_H
#include <stdbool.h>

#include "base/diag.h"

struct lock_wait { // what to do while another holds it; all zero: give up at once
    double seconds;
    bool (*give_up)(void *context); // asked several times a second; may be NULL
    void (*say)(void *context, const char *line);
    void *context;
};

enum { LOCK_BEAT_S = 10, LOCK_SILENT_S = 60 };

struct lock;
// NULL after adding who holds it (host, process, since when): a system error, exit 3. Taking over from a process that
// ended without letting go is a warning in diags.
struct lock *lock_take(const char *report_path, const struct lock_wait *, struct diags *);
// Before every write, and at least every LOCK_BEAT_S: false when somebody took it over, who is named in diags.
bool lock_held(struct lock *, struct diags *);
void lock_release(struct lock *);

// Who holds it, for showing: false when nobody does. `silent` seconds since the last sign of life.
struct lock_view {
    char host[65], since[32];
    long pid;
    double silent;
};
bool lock_view(const char *report_path, struct lock_view *);
#endif
