// The experiment's expectations, checked against what the report says when the run is over. A claim for
// which a row has no value is not checked; that is said, because it did not pass.
// SPDX-License-Identifier: MIT
#ifndef RUN_CLAIMS_H
#define RUN_CLAIMS_H
#include "store/table.h"
#include "run/run.h"

struct claims {
    size_t broken, unchecked; // expectations, not rows
};
// Tells `observer->claim` each one that is broken or was not checked. False, with diags: an expression or the file is
// in error.
bool claims_check(const struct experiment *, struct table *, struct sandbox *, const struct run_observer *,
    struct claims *, struct diags *);
#endif
