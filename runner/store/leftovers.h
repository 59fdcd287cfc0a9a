// Temporary files that were to take a report's, its run file's or its lock's place and never will: a process that was
// killed left them, or one that lost the lock still thinks of renaming its own.
// SPDX-License-Identifier: MIT
#ifndef STORE_LEFTOVERS_H
#define STORE_LEFTOVERS_H

// Only for the holder, before it reads the report: whatever another has not renamed by now never gets the name.
void leftovers_remove(const char *report);
#endif
