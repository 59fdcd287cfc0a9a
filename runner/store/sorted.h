// Puts a complete report into plan order: a new file is written and then renamed, so that there is always a whole one.
// SPDX-License-Identifier: MIT
#ifndef REPORT_ORDER_H
#define REPORT_ORDER_H
#include "store/keys.h"
#include "store/lock.h"

// `keys` has a row for each of the file's, and follows it. `changed`: false when the file was in order already and was
// left alone. `fd`: the report's, then the new file's.
bool sorted_rewrite(struct lock *, const char *path, struct keys *, bool *changed, int *fd, struct diags *);
#endif
