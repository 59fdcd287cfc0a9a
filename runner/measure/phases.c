// From eighth to eighth of a period.
// SPDX-License-Identifier: MIT
#include "measure/phases.h"

#include <math.h>

double phases_wait(unsigned *seen, double now_us, double chance)
{
    enum { PARTS = 8, ALL = (1 << PARTS) - 1 };
    static const double period_us = 100.15; // of an H100 and an H200
    const double now = fmod(now_us, period_us) / period_us * PARTS;
    const unsigned at = (unsigned)now;
    unsigned ahead = 1;
    if (*seen == ALL) *seen = 0;
    while (*seen >> (at + ahead) % PARTS & 1) ahead++;
    *seen |= 1u << (at + ahead) % PARTS;
    return (at + ahead + chance - now) * period_us / PARTS;
}
