// Temporary files that were to take the place of a report or of a file beside it, and never will. A process that was
// killed left them. Or a process lost the lock, and has not given up its own yet.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

// `held`: by the lock's holder, before it reads the report. Whatever another has not renamed by now never gets the
// name. Else only what nobody writes any more.
void leftovers_remove(const char *report, bool held);
