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
