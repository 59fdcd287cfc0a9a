// From what a file says to a value of the right kind: for a parameter, by its own description; for a setting, by the
// table.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/units.h"
#include "spec/kernel.h"
#include "spec/node.h"
#include "spec/settings.h"

// Text as it stands: a number where it reads as one, true, false, else text; `unit` says what unit was written.
struct value scalar_read(const struct node *, enum unit *unit);
// A value of the parameter, its range and choices checked; `kernel` may be NULL.
bool scalar_param(const struct param *, const struct kernel *, const struct node *, struct value *, struct diags *);
// Only the checks, for a value that was computed (a range): complains at `at`.
bool scalar_check_param(const struct param *, const struct kernel *, struct value *, const struct node *at,
    struct diags *);
bool scalar_setting(enum setting, const char *name, const struct node *, struct arena *, struct value *,
    struct diags *);

// Does a value fit the parameter or the setting that it is for? One answer, in the same words, for what a file says,
// what a range gives and what a script makes.

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

// An expression, with the place where its text begins; none of NULL, or after a complaint that `key` takes `takes`.
struct source_expr scalar_expression(const struct node *, const char *key, const char *takes, struct diags *);
