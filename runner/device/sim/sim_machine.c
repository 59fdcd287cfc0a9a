// Counts a point once more on the machine code that a GPU would run. The run that is verified and watched is the PTX's:
// there the source's variables, masks and order are still to be seen. The counts of the second run stand in the row
// where it leaves the same memory, or `check` finds right what it leaves.
// SPDX-License-Identifier: MIT
#include "device/sim/sim_device.h"

#include "base/arena.h"
#include "plan/asks.h"

#include <stdlib.h>
#include <string.h>

// Warp-wide accesses: up to FEW any launch is counted again; up to MANY where the counts are approximate otherwise.
enum { FEW = 1 << 18, MANY = 1 << 24 };

static bool is_asked(const struct sim_device *dev, bool approximate)
{
    const struct sim_point *p = &dev->point;
    const struct job *job = p->job;
    const struct sim_races *r = &p->races;
    if (!dev->code->cubin || strcmp(dev->code->arch, "sm_90") != 0) return false;
    if (dev->places.view || dev->at_once || p->ran < p->blocks || job->report_count || p->counts.reads_clock)
        return false;
    if (r->shared || r->global || r->undefined || asks_whole(job, SETTING_SCHEDULE, 0)) return false;
    for (size_t i = 0; i < job->buffer_count; i++)
        if (p->buffers[i].texture) return false;
    return p->counts.accesses <= (approximate ? MANY : FEW);
}

static bool is_known(const struct sim_device *dev)
{
    for (size_t i = 0; i < job_launches(dev->point.job); i++)
        if (sim_way(dev->point.launches[i].kernel)) return false;
    return true;
}

// The same memory, or another that `check` finds right: last bits of sines and roots, and who came first.
static bool is_right(struct sim_device *dev, uint64_t content, struct diags *why)
{
    struct result_check v = {0};
    return sim_content(dev) == content || (dev->point.check && sim_check(dev, &v, why) && !v.wrong);
}

bool sim_count_machine(struct sim_device *dev, bool approximate)
{
    struct sim_point *p = &dev->point;
    const struct sim_counts counts = p->counts;
    const struct sim_races races = p->races;
    const struct sim_expected expected = p->expected; // of the first run, by its PTX
    struct diags why = {0};
    if (!is_asked(dev, approximate)) return false;
    const uint64_t content = sim_content(dev);
    const size_t each_count = dev->each_count;
    struct sim_counts *each = mem_alloc((each_count + 1) * sizeof *each);
    if (each_count) memcpy(each, dev->each, each_count * sizeof *each);
    dev->machine = true, dev->each_count = 0;
    const bool good = sim_prepare_again(dev, &why) && is_known(dev) && sim_run(dev, 0, &why) &&
        p->counts.instructions && is_right(dev, content, &why);
    dev->machine = false;
    p->races = races;
    if (!good) {
        // As it was: others still look at what the launch left.
        if (sim_prepare_again(dev, &why)) sim_run(dev, 0, &why);
        p->counts = counts, p->races = races;
        dev->each_count = each_count;
        if (each_count) memcpy(dev->each, each, each_count * sizeof *each);
    }
    p->expected = expected;
    free(each);
    diags_clear(&why);
    return good;
}
