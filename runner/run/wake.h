// Several GPUs share a run: when the others take part.
// SPDX-License-Identifier: MIT
#ifndef RUN_WAKE_H
#define RUN_WAKE_H
#include "run/engine.h"

// Begins to open a lane that sleeps where that is worth it, and lets it take part once it is open; waits for nothing.
// False: it does not open, and `why` says so; or the run cannot go on (e->diags).
bool wake(struct engine *, struct lane *, struct diags *why);
size_t wake_taking_part(const struct engine *); // lanes that do, or soon will
bool wake_expected(const struct engine *);      // one that opens is waited for: there is work for it
#endif
