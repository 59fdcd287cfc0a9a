// Counts by the machine code that a GPU would run. What is watched is the PTX: there the source's variables, masks and
// order are still to be seen. A launch of few blocks runs on both; of many only the watched blocks run as PTX.
// SPDX-License-Identifier: MIT
#include "device/sim/sim_device.h"

#include "base/arena.h"
#include "plan/asks.h"

#include <string.h>

// Up to MANY warp-wide accesses a launch that ran whole as PTX runs again as machine code. Of PARTS blocks and more
// only the watched ones run as PTX.
enum { MANY = 1 << 24, PARTS = 2 * SIM_WATCHED };

struct sim_kernel *sim_machine_entry(struct sim_device *dev, const char *entry)
{
    char why[256] = "";
    const struct code_entry *e = code_entry_named(dev->code, entry);
    return sim_machine_kernel(dev->module, e ? e->name : entry, why);
}

// Whether the machine code of the point is known, and nothing is asked that only its PTX tells.
static bool is_known(struct sim_device *dev)
{
    struct sim_point *p = &dev->point;
    const struct job *job = p->job;
    if (!dev->code->cubin || dev->given) return false;
    if (dev->places.view || job->by_place || asks_whole(job, SETTING_SCHEDULE, 0)) return false;
    for (size_t i = 0; i < job->buffer_count; i++)
        if (p->buffers[i].texture) return false;
    for (size_t i = 0; i < job_launches(job); i++)
        if (!(p->launches[i].machine = sim_machine_entry(dev, job_launch(job, i).entry))) return false;
    return true;
}

static bool is_asked(const struct sim_device *dev)
{
    const struct sim_point *p = &dev->point;
    const struct sim_races *r = &p->races;
    if (dev->apart || dev->at_once || p->ran < p->blocks || r->shared || r->global || r->undefined) return false;
    return p->counts.accesses <= MANY && !p->counts.waits; // how often it looks only a GPU knows
}

static bool comes_in_parts(const struct job *job)
{
    uint32_t cluster[3];
    const struct job_launch it = job_launch(job, 0);
    const uint64_t blocks = (uint64_t)it.grid[0] * it.grid[1] * it.grid[2];
    return job_launches(job) == 1 && blocks >= PARTS && !asks_true(job, SETTING_COOPERATIVE) &&
        !asks_dimensions(job, SETTING_CLUSTER, cluster) && asks_whole(job, SETTING_SAMPLE, 0) <= 0 &&
        asks_is(job, SETTING_CHECK, "auto");
}

// What the watched blocks did leaves no doubt.
static bool is_plain(const struct sim_point *p)
{
    const struct sim_counts *c = &p->counts;
    const struct sim_races *r = &p->races;
    if (r->shared || r->global || r->undefined || c->reads_clock || c->loop_wavefronts || c->half_atomics ||
        c->undefined_shuffles || c->stacked_calls || c->waits)
        return false;
    return true;
}

// A copy of all that the kernel may write.
static unsigned char *written(struct sim_device *dev, size_t *bytes)
{
    const struct job *job = dev->point.job;
    unsigned char *copy = NULL;
    size_t room = 0;
    *bytes = 0;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        if (b->access == ACCESS_READ || !b->bytes) continue;
        mem_grow(&copy, &room, *bytes + b->bytes, 1);
        memcpy(copy + *bytes, sim_host(dev->sim, dev->point.buffers[i].block->address, b->bytes), b->bytes);
        *bytes += b->bytes;
    }
    return copy;
}

// What some blocks have changed a run of all blocks must have changed too, and in the same way.
static bool has_all_of(const unsigned char *now, const unsigned char *some, const unsigned char *before, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++)
        if (some[k] != before[k] && now[k] != some[k]) return false;
    return true;
}

bool sim_run_machine(struct sim_device *dev, struct diags *d)
{
    struct sim_point *p = &dev->point;
    struct diags why = {0};
    dev->apart = false;
    if (!comes_in_parts(p->job) || !is_known(dev)) return false;
    dev->first_only = true;
    bool good = sim_run(dev, 0, &why);
    dev->first_only = false;
    if (good && p->ran == p->blocks) return true; // all came in turn
    // Somebody must see that it is right: `check` will, or an earlier point has, or what the watched blocks left does.
    const bool seen = p->job->check || sim_kernel_agreed(p->launches[0].machine);
    good = good && is_plain(p) && (seen || !(p->counts.atom_requests || p->counts.red_requests));
    const struct sim_expected expected = p->expected;
    if (good) {
        size_t bytes = 0;
        LOCAL(mem_drop) unsigned char *some = seen ? NULL : written(dev, &bytes), *before = NULL, *now = NULL;
        dev->machine = true;
        good = sim_prepare_again(dev, false, &why);
        if (good && !seen) before = written(dev, &bytes);
        good = good && sim_run(dev, 0, &why);
        if (good && !seen) {
            now = written(dev, &bytes);
            const bool wrote = bytes && memcmp(some, before, bytes) != 0;
            dev->apart = wrote && !has_all_of(now, some, before, bytes);
            good = wrote && !dev->apart;
            if (good) sim_kernel_agrees(p->launches[0].machine);
        }
        p->expected = expected;
    }
    diags_clear(&why);
    if (good) return true;
    dev->machine = false;
    return sim_prepare_again(dev, true, d) && false;
}

// The same memory, or another that `check` finds right: last bits of sines and roots, and who came first.
static bool is_right(struct sim_device *dev, uint64_t content, struct diags *why)
{
    struct result_check v = {0};
    if (sim_content(dev) != content) return dev->point.check && sim_check(dev, &v, why) && !v.wrong;
    for (size_t i = 0; i < job_launches(dev->point.job); i++) sim_kernel_agrees(dev->point.launches[i].machine);
    return true;
}

bool sim_count_machine(struct sim_device *dev)
{
    struct sim_point *p = &dev->point;
    const struct sim_counts counts = p->counts;
    const struct sim_races races = p->races;
    const struct sim_expected expected = p->expected; // of the first run, by its PTX
    struct diags why = {0};
    if (!is_asked(dev) || !is_known(dev)) return false;
    const uint64_t content = sim_content(dev);
    const bool trusted = sim_trusts(dev);
    const size_t each_count = dev->each_count;
    LOCAL(mem_drop) struct sim_counts *each = mem_alloc((each_count + 1) * sizeof *each);
    if (each_count) memcpy(each, dev->each, each_count * sizeof *each);
    dev->machine = true, dev->each_count = 0;
    const bool good = sim_prepare_again(dev, false, &why) && sim_run(dev, 0, &why) && p->counts.instructions &&
        is_right(dev, content, &why);
    dev->machine = false;
    p->races = races;
    if (!good) {
        // As it was: others still look at what the launch left.
        if (sim_prepare_again(dev, true, &why)) sim_run(dev, 0, &why);
        p->counts = counts, p->races = races;
        dev->each_count = each_count;
        if (each_count) memcpy(dev->each, each, each_count * sizeof *each);
    }
    if (!trusted) sim_distrust(dev);
    p->expected = expected;
    diags_clear(&why);
    return good;
}
