// What follows from a point's launch and columns.
// SPDX-License-Identifier: MIT
#include "reason/evidence.h"
#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool evidence_timed(const struct evidence *e) { return e->columns[COLUMN_TIME_US] > 0; }

static uint64_t blocks_of(const struct job_launch *l) { return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2]; }

uint64_t evidence_blocks(const struct evidence *e)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < job_launches(e->job); i++) {
        const struct job_launch l = job_launch(e->job, i);
        sum += blocks_of(&l);
    }
    return sum;
}

double evidence_warps(const struct evidence *e)
{
    double sum = 0;
    for (size_t i = 0; i < job_launches(e->job); i++) {
        const struct job_launch l = job_launch(e->job, i);
        sum += (double)blocks_of(&l) * ((l.block[0] * l.block[1] * l.block[2] + 31) / 32);
    }
    return sum;
}

uint32_t evidence_threads(const struct evidence *e)
{
    const uint32_t *b = e->job->block;
    return b[0] * b[1] * b[2];
}

double evidence_resident(const struct evidence *e)
{
    double percent = e->columns[COLUMN_OCCUPANCY_PCT];
    const double regs = e->columns[COLUMN_REGS], shared = e->columns[COLUMN_SHARED_BYTES];
    const int threads = (int)evidence_threads(e);
    if (isnan(percent) &&
        !occupancy_percent(&e->device->limits, threads, isnan(regs) ? 32 : (int)regs,
            isnan(shared) ? 0 : (size_t)shared, 0, &percent))
        percent = occupancy_share(e->device->limits.warps_per_sm * 32 / (threads ? threads : 1), threads,
            e->device->limits.warps_per_sm);
    return percent > 0 ? percent / 100 * e->device->limits.warps_per_sm : e->device->limits.warps_per_sm;
}

enum evidence_known evidence_device(const char *name, const char *limits, struct profile *out)
{
    const struct profile *like = profile_find("h200"), *p;
    if (!name || strcmp(name, "sim") == 0) p = like;
    else p = strncmp(name, "sim:", 4) == 0 ? profile_find(name + 4) : profile_named(name);
    *out = p ? *p : *like;
    if (!profile_limits(limits, out) && !p) return KNOWN_NOTHING;
    return p == like ? KNOWN_WELL : KNOWN_LIMITS;
}
