// The experiment's expectations, checked against what the report says when the run is over. A claim that a row gives no
// value for is not checked, and that is said: it did not pass.
// SPDX-License-Identifier: MIT
#ifndef RUN_CLAIMS_H
#define RUN_CLAIMS_H
#include "store/table.h"
#include "run/run.h"

struct claims {
    size_t broken, unchecked; // expectations, not rows
};
// Tells each that is broken or was not checked to `observer->claim`. False after diags: an expression or the file is in
// error.
bool claims_check(const struct experiment *, struct table *, struct sandbox *, const struct run_observer *,
    struct claims *, struct diags *);
#endif
