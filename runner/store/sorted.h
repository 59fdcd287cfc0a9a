// Puts a complete report into plan order: a new file is written and then renamed, so that there is always a whole one.
// SPDX-License-Identifier: MIT
#ifndef REPORT_ORDER_H
#define REPORT_ORDER_H
#include "store/keys.h"

// `keys` has a row for each row of the file, and is sorted with it. `changed`: false when the file was in order and was
// not written.
bool sorted_rewrite(const char *path, struct keys *, bool *changed, struct diags *);
#endif
