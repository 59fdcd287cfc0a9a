// Timed launches that are verified.
// SPDX-License-Identifier: MIT
#include "measure/probe.h"

#include "base/chance.h"
#include "measure/belong.h"
#include "measure/stats.h"
#include "plan/asks.h"

#include <math.h>

enum { CONTROLS = 3, TRIES = 5 };
static const double small_bytes = 0x1p28; // filling so much anew costs less than a sample's surroundings

static bool known(const uint64_t digest[2]) { return digest[0] || digest[1]; }

bool probe_possible(const struct point *p)
{
    return p->ops->disturb && p->verified && asks_is(p->job, SETTING_TIMED, "launch");
}

bool probe_keep(struct point *p)
{
    p->r->digest[0] = p->r->digest[1] = 0;
    if (!p->ops->digest || !probe_possible(p)) return true;
    return p->ops->digest(p->dev, p->r->digest, &p->diags) || measure_over(p, STATUS_FAILED);
}

static bool looks(const struct point *p) { return p->job->look || p->r->check_s < MEASURE_QUICK_S; }

static uint64_t seed_of(struct point *p, bool other)
{
    double random = 0;
    for (size_t i = 0; i < p->job->buffer_count; i++)
        if (p->job->buffers[i].access != ACCESS_WRITE) random += (double)p->job->buffers[i].bytes;
    if (!other || (!looks(p) && random > small_bytes)) return 0;
    return 1 + (uint64_t)(0x1p52 * chance_draw(&p->chance));
}

// The same result as the one that was verified, or one that the check finds right.
static bool verified(struct point *p, enum device_inputs inputs)
{
    uint64_t digest[2] = {0};
    struct verdict v = {0};
    if (inputs == INPUTS_OTHER && !looks(p)) return true; // it was timed; another context checks one
    if (inputs == INPUTS_SAME && known(p->r->digest)) {
        if (!p->ops->digest(p->dev, digest, &p->diags)) return measure_over(p, STATUS_FAILED);
        if (digest[0] == p->r->digest[0] && digest[1] == p->r->digest[1]) return true;
    }
    if (!p->ops->check(p->dev, &v, &p->diags)) return measure_over(p, STATUS_FAILED);
    return measure_judge(p, &v, "on a timed launch: ");
}

// Of batched samples only the first run would meet the poison: such a launch is timed alone, beside others alone.
static bool controls(struct point *p, struct probed *to)
{
    struct stats s;
    bool ok = true;
    stats_init(&s, CONTROLS);
    for (int i = 0; i < CONTROLS && ok; i++) {
        struct sample one;
        ok = measure_sample(p, TAKEN_BESIDE, &one);
        if (ok && !one.throttled) stats_add(&s, one.us);
    }
    to->beside = stats_median(s.sorted, s.count);
    stats_release(&s);
    return ok;
}

static bool take(struct point *p, bool other, struct probed *to)
{
    struct sample s;
    enum device_inputs inputs = INPUTS_SAME;
    if (!p->ops->disturb(p->dev, seed_of(p, other), &inputs, &p->diags)) return measure_over(p, STATUS_FAILED);
    if (inputs == INPUTS_UNREADY) return true;
    if (!measure_sample(p, TAKEN_VERIFIED, &s) || !verified(p, inputs)) return false;
    if (!s.throttled) to->us = s.us;
    if (!other) return true;
    if (inputs == INPUTS_OTHER && !p->ops->disturb(p->dev, 0, &inputs, &p->diags))
        return measure_over(p, STATUS_FAILED);
    return p->cold || measure_sample(p, TAKEN_WARM_UP, &s); // not counted: it warms the cache again
}

bool probe_take(struct point *p, bool other)
{
    struct probed *to = other ? &p->other : &p->again;
    const size_t batch = p->batch;
    if (!probe_possible(p)) return true;
    p->batch = 1;
    bool ok = batch == 1 || controls(p, to);
    const double longest = 1 + belong_allowed(p->job, p->contexts);
    for (int i = 0; i < (other ? 1 : TRIES) && ok; i++) {
        ok = take(p, other, to);
        if (!(probe_ratio(to, p->time.median) > longest)) break;
    }
    p->batch = batch;
    return ok;
}

double probe_ratio(const struct probed *probed, double median)
{
    const double beside = isnan(probed->beside) ? median : probed->beside;
    return beside > 0 ? probed->us / beside : NAN;
}
