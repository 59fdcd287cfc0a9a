// Numbers with units, both ways, from the same tables: "64Mi", "256MiB", "1.5GB", "50ms", "0.5%", "2^26".
// SPDX-License-Identifier: MIT
#pragma once
#include "base/value.h"

#define UNITS_KNOWN "k, M, G, T, Ki, Mi, Gi, Ti, each with or without B; ns, us, ms, s, min, h; %"
enum unit { UNIT_NONE, UNIT_BYTES, UNIT_SECONDS, UNIT_PERCENT };

// Reads the whole of `text`. An int where the number is whole and has no time or percent unit, else a real; seconds for
// times, a fraction for percents (0.5% is 0.005). `unit` gets what was written (Mi alone is UNIT_NONE). False: `why`
// says what is wrong
// ("`64Mx`: unknown unit `Mx`; known: Ki, Mi, Gi, ...", "is larger than an integer can be").
bool units_parse(const char *text, struct value *, enum unit *unit, char why[160]);
// For people: "64 Mi", "1.5 ms", "256 MiB", "3 h 12 min". Appends.
void units_print_bytes(double bytes, struct str *);
void units_print_seconds(double seconds, struct str *);
void units_print_count(double count, struct str *);
void units_print_figure(double, struct str *); // four significant digits, a whole number whole: 3051, 12.35, 0.001234
