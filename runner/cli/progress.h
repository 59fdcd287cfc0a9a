// What a person sees while points are measured: on a terminal one status line that is redrawn, elsewhere plain lines.
// What went wrong stays on the screen in both cases.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"
#include "measure/statuses.h"
#include "run/run.h"

enum progress_how { PROGRESS_QUIET, PROGRESS_NORMAL, PROGRESS_VERBOSE };

struct progress {
    enum progress_how how; // set before it starts, and:
    const char *visit;     // what a context is called that a point is sampled in
    bool started, live, drawn;
    const char *name;
    size_t total, before, done; // all points; done in earlier runs; done now
    size_t counts[STATUS_COUNT];
    double said;              // when the last plain line was printed
    double left_s, known;     // seconds until all is done (NAN: not known), as it was known then
    size_t sampled, contexts; // of the point last sampled: in so many contexts of so many; 0: it has its row
    double ahead;             // points' worth of contexts of those without a row
    double share;             // of all that the bar has shown: it never goes back
    bool stopping;            // that it stops has been said
    struct str last;          // the last result, as the status line shows it
};

// All on standard error. These are of a run_observer, whose context is the progress; a note may come before the start.
void progress_start(void *, const struct run_start *);
void progress_note(void *, const char *line); // one line that stays
// A point was sampled in one more of several contexts; its row comes with the last.
void progress_visit(void *, size_t sampled, size_t contexts, double left_s);
void progress_tick(void *); // draws the status line anew: time goes on; says once that a signal is heeded
// A point is done: `what` names it ("stride=32"), `figures` are its numbers ("1210.30 GB/s"), `reason` may be "".
void progress_result(struct progress *, const char *what, enum status, const char *figures, const char *reason,
    double left_s);
void progress_stop(struct progress *); // clears the status line, if there is one
