// One writer for one report. Two guards, because a report may lie on a file system that several machines share:
// flock(2) on `<report>.lock`, and on the report's own file whatever name it is opened by, decides between processes of
// one machine (and of several, where the file system passes locks on), and the kernel drops it whatever way a process
// dies. Where flock does not reach another machine the holder's name inside decides: the holder touches the file every
// few seconds, and one that fell silent is taken over.
//
// One that was taken over may wake up between a check and its next system call. Nothing that it does then may matter:
//   - The name changes hands by rename, so that a holder's own lock file is never another's.
//   - Rows are appended to a file that the new holder no longer uses: unless the holder before it let go or is known to
//     be dead, the new holder goes on in a copy that it makes after it has the name (report_open).
//   - Whole files are put in place by rename of a temporary file that bears the token (swap.h). The new holder removes
//     those of others after it has the name, and a holder checks between making one and renaming it.
//   - A row counts as written when the name was still ours after it was synced.
// SPDX-License-Identifier: MIT
#pragma once
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
// `report_path` is no symbolic link (file_real). NULL after adding who holds it (host, process, since when): a system
// error, exit 3. Taking over from a process that ended without letting go is a warning in diags.
struct lock *lock_take(const char *report_path, const struct lock_wait *, struct diags *);
// Holds the report's file too, open as `fd`: false when another process has it under another name, or without a lock.
// From then on the report's name must mean that file.
bool lock_cover(struct lock *, int fd, struct diags *);
// Nobody can write any more who held it before: the last one is dead. False: let go, taken over, or not known.
bool lock_after_dead(const struct lock *);
bool lock_was_free(const struct lock *); // there was no lock file
// Before and after every write, and at least every LOCK_BEAT_S: false when somebody took it over, who is named in diags
// the first time. Once lost is lost for good.
bool lock_held(struct lock *, struct diags *);
// The name of a temporary file that is put in the place of `path`: for the caller to free. swap.h writes it.
char *lock_temporary(const struct lock *, const char *path);
// Removes `path` if it is the file that is open as `fd`, and no other that has come in its place.
void lock_remove(const struct lock *, const char *path, int fd);
void lock_release(struct lock *);

// Who holds it, for showing: false when nobody does. `silent` seconds since the last sign of life.
struct lock_view {
    char host[65], since[32];
    long pid;
    double silent;
};
bool lock_view(const char *report_path, struct lock_view *);
