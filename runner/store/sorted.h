// A complete report put in plan order: rewritten beside and swapped in, so that there is never a moment without a whole
// file.
// SPDX-License-Identifier: MIT
#ifndef REPORT_ORDER_H
#define REPORT_ORDER_H
#include "store/keys.h"

// `keys` has a row for each of the file's, and follows it. `changed`: false when the file was in order already and was
// left alone.
bool sorted_rewrite(const char *path, struct keys *, bool *changed, struct diags *);
#endif
