// What a person sees while points are measured: on a terminal one status line that is redrawn, elsewhere plain lines.
// What went wrong stays on the screen in both cases.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdio.h>

#include "base/str.h"
#include "measure/statuses.h"
#include "run/run.h"

enum progress_how { PROGRESS_QUIET, PROGRESS_NORMAL, PROGRESS_VERBOSE };

struct progress {
    FILE *out;
    enum progress_how how;
    bool live, drawn;
    const char *name;
    size_t total, before, done; // all points; done in earlier runs; done now
    size_t counts[STATUS_COUNT];
    double said;              // when the last plain line was printed
    double left_s, known;     // seconds until all is done (NAN: not known), as it was known then
    size_t sampled, contexts; // of the point last sampled: in so many contexts of so many; 0: it has its row
    const char *visit;        // what such a context is called
    double ahead;             // points' worth of contexts of those without a row
    double share;             // of all that the bar has shown: it never goes back
    bool stopping;            // that it stops has been said
    struct str last;          // the last result, as the status line shows it
};

void progress_start(struct progress *, FILE *out, enum progress_how, const char *name, size_t total, size_t before);
// A point is done: `what` names it ("stride=32"), `figures` are its numbers ("1210.30 GB/s"), `reason` may be "".
void progress_result(struct progress *, const char *what, enum status, const char *figures, const char *reason,
    double left_s);
// A point was sampled in one more of several contexts; its row comes with the last.
void progress_visit(struct progress *, size_t sampled, size_t contexts, double left_s);
void progress_tick(struct progress *);                   // draws the status line anew: time goes on
void progress_note(struct progress *, const char *line); // one line that stays
void progress_stopping(struct progress *);               // says once that a signal is heeded
void progress_stop(struct progress *);                   // clears the status line

// `gpuexp FILE --format jsonl`: what happens in a run, an object a line, for who builds on top. A line is written when
// what it tells is so: a row's when the row is on the disk.

void events_started(const struct run_start *);
void events_begun(const struct plan *, const struct run_point *);
void events_sampled(size_t sampled, size_t contexts, double left_s);
void events_row(const struct plan *, const struct run_point *);
void events_claim(bool broken, struct where at, const char *line);
void events_line(const char *kind, const char *line); // "note", or "script": a line of its summary
void events_finished(const struct plan *, const struct run_summary *);
