// Looks for a value that does away with what was found, with the same useful bytes. It looks among those that the
// experiment itself knows: its axes, a parameter's choices and its default.
// SPDX-License-Identifier: MIT
#pragma once
#include "reason/findings.h"
#include "study/study.h"

// True: `f` has a test now, and the gain that the simulator's counts promise of it. `base`: the point's own; `study`
// another simulator than the one whose places it has.
bool knobs_try(struct study *, const struct plan *, const struct value *values, const struct evidence *base,
    struct advice *f, struct arena *);
// The same of a report's row: the fastest of its other rows that do the same work. `time` tells how long the row takes
// that differs in that value alone ("stride=1"); NAN: there is none.
typedef double knobs_time_fn(void *context, const char *test);
bool knobs_known(knobs_time_fn *, void *context, const struct plan *, const struct value *values,
    const struct evidence *, struct advice *, struct arena *);
