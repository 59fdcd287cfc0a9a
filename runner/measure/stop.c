// The stopping rule.
// SPDX-License-Identifier: MIT
#include "measure/stop.h"

#include <math.h>

struct stop_answer stop_ask(const struct stop *s, const struct stats *samples, size_t tried, double seconds)
{
    struct stop_answer a = {STOP_GO_ON, stats_interval(samples->sorted, samples->count), 0};
    bool narrow = samples->count >= s->min_samples && a.interval.half_width <= s->precision;
    bool last = tried >= s->max_samples || seconds >= s->max_time;
    // An interval means something only if all samples are of the same thing. When the later ones are slower or faster
    // than the earlier ones (still warming up, another user of the machine), it is narrow by accident: go on.
    double drift = narrow || last ? stats_drift(samples) : 0;
    if (fabs(drift) > s->precision) a.drift = drift;
    if (narrow && a.drift == 0) a.state = STOP_MET;
    else if (last) a.state = STOP_MISSED;
    return a;
}
