// A number with its unit, as a sentence or an axis tells it: 10410 us are 10.4 ms. No more digits than are known. Pure.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"

// The unit that fits a number of `unit` best, and what one of it is: ms and 1000 for 10410 us. Itself and 1 where no
// other is known.
const char *quantity_unit(double value, const char *unit, double *factor);
// At most `digits` digits, fewer where the number may be `off` by more: "5.8", "28.4 TB/s", "64 MiB".
void quantity_add(double value, double off, int digits, const char *unit, struct str *);
// A number as a table shows it: of more than eight digits six, where not all of them stand before the point.
const char *quantity_shown(const char *text, char room[32]);
