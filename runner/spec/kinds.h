// Which kinds of value a name has in an experiment, so that a comparison that is never true can be told.
// SPDX-License-Identifier: MIT
#ifndef SPEC_KINDS_H
#define SPEC_KINDS_H

// For `struct known`: `context` is the experiment. What the file gives the name, else its default's.
int kinds_here(const void *context, const char *name);
#endif
