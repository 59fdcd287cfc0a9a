// Machine code, which is what a GPU runs: it is counted and watched where it is known, and the model sees it. What the
// watch sees in the PTX alone is watched there, and counted as machine code afterwards.
// SPDX-License-Identifier: MIT
#include "device/sim/sim_device.h"

#include "base/arena.h"
#include "plan/asks.h"

#include <stdlib.h>
#include <string.h>

// Up to MANY warp-wide accesses a launch that ran whole as PTX runs again as machine code.
enum { MANY = 1 << 24 };

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
    const bool by_place = dev->places.view || job->by_place; // its PTX tells of places
    if ((by_place && !dev->places.whole) || asks_whole(job, SETTING_SCHEDULE, 0)) return false;
    for (size_t i = 0; i < job_launches(job); i++)
        if (!(p->launches[i].machine = sim_machine_entry(dev, job_launch(job, i).entry))) return false;
    return true;
}

static bool is_asked(const struct sim_device *dev)
{
    const struct sim_point *p = &dev->point;
    const struct sim_races *r = &p->races;
    if (dev->at_once || p->ran < p->blocks || r->shared || r->global || r->undefined) return false;
    return p->counts.accesses <= MANY && !p->counts.waits; // how often it looks only a GPU knows
}

// Whether all that is to be watched is in the machine code. `check: full` asks for what the source says.
static bool is_watched(const struct sim_device *dev)
{
    const struct sim_point *p = &dev->point;
    for (size_t i = 0; i < job_launches(p->job); i++)
        if (sim_tells_more(p->launches[i].kernel)) return false;
    return !asks_is(p->job, SETTING_CHECK, "full") && asks_whole(p->job, SETTING_SAMPLE, 0) <= 0;
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

struct left { // what the PTX of some blocks, or of all, has left, and what was there before
    unsigned char *some, *before;
    size_t bytes;
};

// Whether it waits for what others write: by its PTX it is seen at once that nobody does, by its machine code never.
static bool polls(const struct sim_device *dev)
{
    bool any = false;
    for (size_t i = 0; i < job_launches(dev->point.job); i++) any |= sim_polls(dev->point.launches[i].kernel);
    return any;
}

// Where no check says whether the machine code is right its PTX does: in the blocks that the model wants, of a sequence
// in all. So it does where a loop might never end.
static bool run_to_compare(struct sim_device *dev, struct left *left, struct diags *d)
{
    const bool decides = !dev->point.job->check && sim_model_wanted(dev), waits = polls(dev);
    if (!decides && !waits) return true;
    dev->unwatched = true, dev->first_only = !waits && job_launches(dev->point.job) == 1;
    const bool good = sim_run(dev, 0, d);
    dev->unwatched = dev->first_only = false;
    if (decides) left->some = written(dev, &left->bytes);
    if (!good || !sim_prepare_again(dev, false, d)) return false;
    if (decides) left->before = written(dev, &left->bytes);
    return true;
}

// What some blocks have changed a run of all blocks must have changed too, and in the same way. Without a check nobody
// else says that it is right.
static bool has_all_of(struct sim_device *dev, const struct left *left)
{
    size_t bytes = 0;
    LOCAL(mem_drop) unsigned char *now = left->some ? written(dev, &bytes) : NULL;
    for (size_t k = 0; k < bytes; k++)
        if (left->some[k] != left->before[k] && now[k] != left->some[k]) return false;
    return true;
}

bool sim_is_finding(enum sim_fault_kind kind)
{
    return kind != SIM_BUDGET && kind != SIM_DEADLOCK && kind != SIM_WAITS && kind != SIM_UNSUPPORTED;
}

// What is told of machine code alone. What it asks of memory its PTX asks too: where only the machine code leaves its
// buffers it was not understood here, and a compiler has not made it so.
static bool is_its_own(enum sim_fault_kind kind)
{
    return sim_is_finding(kind) && kind != SIM_OUT_OF_BOUNDS && kind != SIM_MISALIGNED && kind != SIM_UNALLOCATED &&
        kind != SIM_LOCKED;
}

bool sim_run_machine(struct sim_device *dev, bool *good, struct diags *d)
{
    struct sim_point *p = &dev->point;
    const struct sim_races *r = &p->races;
    struct left left = {0};
    struct diags why = {0};
    dev->seen = (struct sim_races){0};
    if (!is_known(dev) || !is_watched(dev)) return false;
    const bool compares = run_to_compare(dev, &left, &why);
    const bool tells = compares || sim_is_finding(dev->fault) || dev->fault == SIM_DEADLOCK;
    if (compares || (tells && sim_prepare_again(dev, true, &why))) {
        dev->machine = is_known(dev);
        *good = sim_run(dev, 0, d);
        dev->seen = *r;
        // A wide load may take in a neighbour that nobody uses: what is seen in shared memory its PTX must have too.
        dev->machine = !*good ? is_its_own(dev->fault) : compares && !r->shared && (r->lost || has_all_of(dev, &left));
    }
    dev->machine &= !p->counts.waits; // how often it looks is counted from PTX
    free(left.some), free(left.before);
    diags_clear(&why);
    if (dev->machine) return true;
    return sim_prepare_again(dev, true, d) && false;
}

// One block after the other and unwatched, so that the counts are the same in each run. How often a warp looks again
// is counted from PTX.
bool sim_count_flawed(struct sim_device *dev)
{
    struct diags why = {0};
    bool good = false;
    for (int by = 0; by < 2 && !good; by++) {
        dev->machine = by == 0 && is_known(dev);
        if (by == 0 && !dev->machine) continue;
        if (!sim_prepare_again(dev, true, &why)) break;
        dev->fill = 0x5a5a5a5a; // what nothing has written
        good = sim_run(dev, 0, &why) && !(dev->machine && dev->point.counts.waits);
        dev->fill = 0;
    }
    sim_distrust(dev);
    diags_clear(&why);
    return good;
}

// The same memory, or another that `check` finds right: last bits of sines and roots, and who came first.
static bool is_right(struct sim_device *dev, uint64_t content, struct diags *why)
{
    struct result_check v = {0};
    return sim_content(dev) == content || (dev->point.check && sim_check(dev, &v, why) && !v.wrong);
}

bool sim_count_machine(struct sim_device *dev)
{
    struct sim_point *p = &dev->point;
    const struct sim_counts counts = p->counts;
    const struct sim_races races = p->races;
    const struct sim_expected expected = p->expected; // by its PTX
    struct diags why = {0};
    if (!is_asked(dev) || !is_known(dev)) return false;
    const uint64_t content = sim_content(dev);
    const bool trusted = sim_trusts(dev);
    const size_t each_count = dev->each_count;
    LOCAL(mem_drop) struct sim_counts *each = mem_alloc((each_count + 1) * sizeof *each);
    if (each_count) memcpy(each, dev->each, each_count * sizeof *each);
    dev->machine = dev->unwatched = true, dev->each_count = 0;
    const bool good = sim_prepare_again(dev, false, &why) && sim_run(dev, 0, &why) && p->counts.instructions &&
        is_right(dev, content, &why);
    dev->machine = dev->unwatched = false;
    p->races = races;
    if (!good) {
        // As it was: others still look at what the launch left.
        if (sim_prepare_again(dev, true, &why)) sim_run(dev, 0, &why);
        p->counts = counts, p->races = races;
        dev->each_count = each_count;
        if (each_count) memcpy(dev->each, each, each_count * sizeof *each);
    }
    if (!trusted) sim_distrust(dev);
    if (!good || !sim_model_told(dev)) p->expected = expected;
    else dev->places.expected = p->expected.result;
    diags_clear(&why);
    return good;
}
