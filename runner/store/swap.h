// A whole file put in the place of another by the report's holder, or not at all: written beside it, synced, swapped in
// by rename while the lock is still held. See lock.h for why nobody else's can be.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "store/lock.h"

struct swap {
    FILE *file; // to write to
    struct lock *lock;
    char *path, *temporary;
};

bool swap_begin(struct swap *, struct lock *, const char *path, struct diags *);
// Ends it either way. `wrote` false: it is dropped, and false comes back without a word. `report_fd`, where not NULL,
// was open on the report's file that is replaced (-1: there was none) and is now on the new one, which the lock covers.
bool swap_end(struct swap *, bool wrote, int *report_fd, struct diags *);
// Both at once.
bool swap_text(struct lock *, const char *path, const void *text, size_t size, int *report_fd, struct diags *);

// Temporary files that were to take the place of a report or of a file beside it, and never will. A process that was
// killed left them. Or a process lost the lock, and has not given up its own yet.

// `held`: by the lock's holder, before it reads the report. Whatever another has not renamed by now never gets the
// name. Else only what nobody writes any more.
void leftovers_remove(const char *report, bool held);
