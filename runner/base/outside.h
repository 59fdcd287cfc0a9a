// Work for a library that may take all memory, never end, crash, or change the process that it is loaded into: one
// process loads it, and each question is answered by a process of its own, forked from that one, within limits. All of
// them end with the thread that called outside_new.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/child.h"
#include "base/str.h"

struct outside_work {
    void (*prepare)(void); // loads the library, once
    void (*answer)(const char *question, size_t size, struct str *answer);
    struct child_limits limits; // `memory` counts what it writes to, not what it maps
    bool late;                  // `prepare` waits for the first question
};

// The process; NULL, and errno says why. `prepare` goes on while the caller does. `work` has to stay.
struct outside *outside_new(const struct outside_work *work);
// From any thread, several at once. Anything but CHILD_WELL: there is no answer; where it was not started errno says
// why (ECHILD: the process was killed).
enum child_end outside_ask(struct outside *, const void *question, size_t size, struct str *answer);
void outside_free(struct outside *);

// Opens a shared library that need not be there, and tells a library that is missing from a system in trouble.

// NULL: it is not there, or (`*unsure` true, else untouched) the system failed, and `why` says how.
void *dynamic_open(const char *name, char why[256], bool *unsure);
