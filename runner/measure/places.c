// From place to place within a context.
// SPDX-License-Identifier: MIT
#include "measure/places.h"

#include <math.h>

#include "measure/contexts.h"
#include "measure/result.h"
#include "plan/asks.h"

// What leaves marks, and pages that move by themselves, are what they are only where they were put.
bool places_possible(const struct point *p)
{
    if (!p->id.places || !asks_is(p->job, SETTING_TIMED, "launch") || asks_leaves(p->job) != LEAVES_NOTHING)
        return false;
    for (size_t i = 0; i < p->job->buffer_count; i++)
        if (asks_memory_of(&p->job->buffers[i], "managed")) return false;
    return true;
}

void places_keep(struct point *p)
{
    const double width = 2 * 1.959963984540054; // of a 95 % interval, in standard errors
    p->time = stats_interval(p->times.sorted, p->times.count);
    struct portion here = {.time_us = p->time.median,
        .error_us = (p->time.high - p->time.low) / width,
        .samples = (double)p->times.count,
        .place_us = {p->time.median, NAN, NAN},
        .discarded = (double)p->discarded};
    for (size_t k = 0; k < RESULT_REPORTS; k++) {
        struct interval report = stats_interval(p->reports[k].sorted, p->reports[k].count);
        here.reports[k] = report.median;
        here.report_errors[k] = (report.high - report.low) / width;
    }
    if (p->times.count) contexts_join(&p->r->part, &here, ++p->placed);
    else p->r->part.discarded += here.discarded;
}

bool places_move(struct point *p)
{
    if (!p->ops->move(p->dev, &p->diags)) return measure_over(p, STATUS_FAILED);
    stats_clear(&p->times);
    for (size_t i = 0; i < RESULT_REPORTS; i++) stats_clear(&p->reports[i]);
    p->discarded = 0;
    return measure_warm_up(p);
}
