// Computes clocks from stamps, and decides which samples are thrown away.
// SPDX-License-Identifier: MIT
#include "device/clock_rule.h"

#include <math.h>

// In a shorter time the steps of the nanosecond counter are too coarse.
#define JUDGED_NS 5000
#define CLEARLY_BELOW 0.95
// How far above its ceiling a clock may be measured; more is an error, not a new best.
#define ABOVE 1.02

double clock_rule_mhz(const struct clock_stamp *before, const struct clock_stamp *after)
{
    if (before->sm != after->sm) return NAN; // the counters of two SMs cannot be compared
    if (after->nanoseconds <= before->nanoseconds || after->cycles <= before->cycles) return NAN;
    return 1e3 * (double)(after->cycles - before->cycles) / (double)(after->nanoseconds - before->nanoseconds);
}

bool clock_rule_throttled(struct clock_rule *r, const struct clock_stamp *before, const struct clock_stamp *after,
    bool (*held_down)(void *), void *context)
{
    const double mhz = clock_rule_mhz(before, after);
    if (isnan(mhz) || after->nanoseconds - before->nanoseconds < JUDGED_NS) return false;
    const double ceiling = isnan(r->max_mhz) ? mhz : r->max_mhz;
    if (mhz > r->best_mhz && mhz <= ceiling * ABOVE) r->best_mhz = mhz;
    return mhz < CLEARLY_BELOW * r->best_mhz || (mhz < CLEARLY_BELOW * ceiling && held_down(context));
}
