// --threshold: the smallest change of a time that matters.
// SPDX-License-Identifier: MIT
#ifndef CLI_THRESHOLD_H
#define CLI_THRESHOLD_H
#include "cli/options.h"

double threshold_of(const struct options *, struct diags *); // 0.01 for "1%", which is the default; NAN after diags
#endif
