// Temporary files that were to take the place of a report or of what stands beside it, and never will: a process that
// was killed left them, or one that lost the lock still thinks of renaming its own.
// SPDX-License-Identifier: MIT
#ifndef STORE_LEFTOVERS_H
#define STORE_LEFTOVERS_H
#include <stdbool.h>

// `held`: by the lock's holder, before it reads the report. Whatever another has not renamed by now never gets the
// name. Else only what nobody writes any more.
void leftovers_remove(const char *report, bool held);
#endif
