// `x.run.yaml` beside `x.csv`: what the numbers were measured with (facts), the exact text of the experiment, and every
// run that wrote into the report. Written whole and atomically each time. It is YAML for others; the program reads back
// only what it wrote itself, line by line (yaml.h belongs to spec/).
// SPDX-License-Identifier: MIT
#pragma once
#include "base/diag.h"
#include "base/lookup.h"
#include "base/str.h"
#include "store/lock.h"

struct runfile {
    char *path;
    struct lock *lock;              // of the report, which its holder alone writes beside; NULL: nobody else is there
    struct str facts;               // `name: "value"` lines, the text block, the device's facts
    size_t devices_at, devices_end; // where in `facts` those of the devices stand
    struct str before;              // earlier entries of `runs:`, unchanged
    struct str run;                 // this run's entry
    char started[32];               // when it began, as in the entry
};

// Building. Texts are quoted, so that any of them is one line; what a lone number format prints is a number; a run's
// entry is what runfile_run adds since runfile_begin.
void runfile_init(struct runfile *, const char *report_path);
void runfile_release(struct runfile *);
void runfile_fact(struct runfile *, const char *name, const char *value);
void runfile_factf(struct runfile *, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void runfile_block(struct runfile *, const char *name, const char *text);          // many lines
void runfile_facts_of(struct runfile *, const char *text, const char *const *but); // another run file's, some left out
void runfile_begin(struct runfile *);                                              // this run's entry starts (over)
void runfile_run(struct runfile *, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool runfile_write(const struct runfile *, struct diags *);

// Reading. NULL: no such file (not an error), or not a run file.
char *runfile_read(const char *report_path);
char *runfile_load(const char *report_path, struct diags *); // the same; one that cannot be read is an error
// Is there none, or one that gpuexp wrote? False after diags: another file of that name is not written over.
bool runfile_fits(const char *report_path, struct diags *);
// The value of a fact; `run` 0: of the file, else of the last (-1), the one before it (-2), ... run. NULL: not there.
// Caller frees.
char *runfile_get(const char *text, const char *name, int run);
// The text of runfile_block, exactly as it was. NULL: not there. Caller frees.
char *runfile_text(const char *text, const char *name);
size_t runfile_runs(const char *text);
// What each run says of `name`, one a call: NULL where it says nothing. `at` is NULL before the first. False: no more.
bool runfile_each(const char *text, const char *name, const char **at, char **value);
// Both have that fact, and it is another.
bool runfile_differs(const char *text, const char *other, const char *name);
// "n=64Ki, stride=2": the options (-s) that `text` was measured with and `other` was not, but for `device`. Either may
// be NULL: it has none. Caller frees.
char *runfile_options(const char *text, const char *other);
// When its rows were measured: after `first`, before `last`, in seconds; -INFINITY and INFINITY where it does not say.
// What was merged was measured before that.
void runfile_span(const char *text, double *first, double *last);
// Adds its runs to `to`, but for those that are there already (`seen`: by when and where they began).
void runfile_take_runs(const char *text, struct str *to, struct lookup *seen);
// Takes the earlier runs over. False after naming the first of `decides` (NULL-terminated names) whose value differs in
// the file: its rows are measurements of something else.
bool runfile_follow(struct runfile *, const char *text, const char *const *decides, struct diags *);
