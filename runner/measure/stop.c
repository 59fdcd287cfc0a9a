// The stopping rule.
// SPDX-License-Identifier: MIT
#include "measure/stop.h"

#include <math.h>

static bool enough(const struct stop *s, const struct interval *i, size_t count)
{
    return s->enough_samples && count >= s->enough_samples && i->half_width * i->median <= s->enough_us;
}

// An interval narrows with the square root of the samples. Far beyond the ceiling by that measure (four times: the
// interval itself is a draw) is out of reach.
static bool hopeless(const struct stop *s, const struct interval *i, size_t tried, double seconds)
{
    double more = i->half_width / s->precision;
    if (tried < 30) return false;
    more *= more;
    return (double)tried * more > 4 * (double)s->max_samples || seconds * more > 4 * s->max_time;
}

struct stop_answer stop_ask(const struct stop *s, const struct stats *samples, size_t tried, double seconds)
{
    struct stop_answer a = {STOP_GO_ON, stats_interval(samples->sorted, samples->count), 0};
    bool narrow = samples->count >= s->min_samples && a.interval.half_width <= s->precision;
    bool last = tried >= s->max_samples || seconds >= s->max_time;
    // An interval means something only if all samples are of the same thing. When the later ones are slower or faster
    // than the earlier ones (still warming up, another user of the machine), it is narrow by accident: go on.
    double drift = narrow || last ? stats_drift(samples) : 0;
    if (fabs(drift) > s->precision) a.drift = drift;
    if ((narrow && a.drift == 0) || enough(s, &a.interval, samples->count)) a.state = STOP_MET;
    else if (s->soon && samples->count >= s->min_samples && hopeless(s, &a.interval, tried, seconds))
        a.state = STOP_MISSED;
    else if (last) a.state = STOP_MISSED;
    return a;
}
