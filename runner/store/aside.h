// Rows that were measured with an earlier text of the kernel: moved out of the report into NAME.old.csv beside it, all
// of them into that one file, with a column `kernel_hash` that says which text. A file that would be larger than a
// limit loses its oldest rows, and that is said.
// SPDX-License-Identifier: MIT
#pragma once
#include "store/keys.h"
#include "store/lock.h"

enum { ASIDE_MOST_BYTES = 64 << 20 };

struct aside {
    const char *path;         // of the report
    const char *text_hash;    // of the text that its rows were measured with
    const struct str *header; // of the report from now on; NULL: its own
    size_t most;              // bytes that NAME.old.csv may have
    size_t moved, dropped;    // rows, filled in
};
// Moves the rows whose key has no place in the plan. First they are in the other file, then no longer in this one: a
// crash between the two loses none, and the next run writes none twice. `keys` follow; `fd` is the report's.
bool aside_move(struct aside *, struct lock *, struct keys *, int *fd, struct diags *);
// Before rows go that were measured: the report and what stands beside it get a second name, the first that is free for
// all of .bak, .bak.2, ...: there is a whole report at every moment. When all are taken the oldest goes, with a
// warning.
enum { ASIDE_MOST_KEPT = 9 };
// `leave`: what stands beside it leaves its name, for the report that comes begins anew. `as`, where not NULL, gets the
// report's second name.
bool aside_keep(struct lock *, const char *report, bool leave, char as[4200], struct diags *);
