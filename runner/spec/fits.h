// Does a value fit the parameter or the setting that it is for? One answer, in the same words, for what a file says,
// what a range gives and what a script makes.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/units.h"
#include "spec/kernel.h"
#include "spec/settings.h"

struct fits_why {
    char what[400];  // "`n` = 0 is out of range: at least 1"
    char takes[200]; // of a value of the wrong kind: what it takes instead ("a whole number"), else ""
    char hint[100];  // "did you mean `warm`?", or ""
};
// Both convert the value: 2.0 becomes a whole number where one is wanted. `kernel` NULL: how wide the parameter is, is
// not known.
bool fits_param(const struct param *, const struct kernel *, struct value *, struct fits_why *);
// Notes of each parameter what the kernel's own arguments hold of it.
void fits_widths(struct kernel *);
// `name` as it was written ("memory.in"). Numbers of a list are changed in place.
bool fits_setting(enum setting, const char *name, struct value *, enum unit, struct fits_why *);
// What a word that is no choice of the setting may have meant: "did you mean `warm`?", or "".
void fits_hint(enum setting, const char *word, char hint[100]);
