// How many points of a report have each status. Of several rows with one key the last counts; rows that the plan no
// longer has do not.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/statuses.h"
#include "store/table.h"

struct tally {
    size_t status[STATUS_COUNT]; // by enum status
    size_t points;               // their sum
    size_t measured;             // of them, not to be measured again
};
bool tally_rows(struct table *, struct tally *, struct diags *);
