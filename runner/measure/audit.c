// Renews what a timed launch finds, and looks at what it leaves.
// SPDX-License-Identifier: MIT
#include "measure/audit.h"

#include "base/chance.h"
#include "base/clock.h"
#include "measure/result.h"
#include "plan/asks.h"

#include <math.h>

// Looks may take such a share of the time that the samples of a context take.
static const double share = 0.15;
// A look at so many bytes, or one that takes so long, costs about what a sample does beside what is timed.
static const double look_bytes = 0x1p25, look_s = 3e-4;

bool audit_renews(const struct point *p) { return p->ops->renew && asks_is(p->job, SETTING_TIMED, "launch"); }

bool audit_verifies(const struct point *p) { return audit_renews(p) && p->verified && p->inputs != INPUTS_UNREADY; }

static uint64_t drawn(struct point *p) { return 1 + (uint64_t)(0x1p52 * chance_draw(&p->chance)); }

// One of so many elements is looked at.
static uint32_t part(const struct point *p)
{
    double bytes = 0;
    for (size_t i = 0; i < p->job->buffer_count; i++) bytes += (double)p->job->buffers[i].bytes;
    const double parts = fmax(bytes / look_bytes, p->check_s / look_s);
    return parts > 1 ? (uint32_t)fmin(ceil(parts), 65536) : 1;
}

static bool renew(struct point *p, uint64_t seed)
{
    const struct device_look look = {.part = part(p), .pick = drawn(p)};
    enum device_inputs inputs = INPUTS_SAME;
    p->look = look;
    if (!p->ops->renew(p->dev, seed, &look, &inputs, &p->diags)) return measure_over(p, STATUS_FAILED);
    if (seed) p->inputs = inputs;
    return true;
}

bool audit_renew(struct point *p) { return !audit_renews(p) || renew(p, drawn(p)); }

bool audit_end(struct point *p) { return !audit_renews(p) || p->inputs != INPUTS_OTHER || renew(p, 0); }

static bool is_due(struct point *p)
{
    const bool mine = p->audits == p->audit_at && !p->audited;
    p->audits++;
    // One in each context at least, at a place that is drawn; and as many more as do not take long.
    if (mine) return p->look_s <= AUDIT_QUICK_S || p->job->look;
    return p->look_s > 0 && p->audited_s + p->look_s <= share * p->sampling_s;
}

bool audit_take(struct point *p)
{
    struct result_check v = {0};
    if (!audit_verifies(p) || !is_due(p)) return true;
    const double began = clock_seconds();
    if (!p->ops->check(p->dev, &p->look, &v, &p->diags)) return measure_over(p, STATUS_FAILED);
    const double took = clock_seconds() - began;
    p->audited = true;
    p->audited_s += took;
    if (!(p->look_s > 0) || took < p->look_s) p->look_s = took;
    p->r->look_s = p->look_s;
    return measure_judge(p, &v, "on a timed launch: ");
}

void audit_say(struct point *p)
{
    if (audit_verifies(p) && p->inputs == INPUTS_SAME) why_note(&p->r->why, UNVARIED);
}
