// Running a prepared point on the simulator: once, which both verifies and counts; then `check` over all elements.
// SPDX-License-Identifier: MIT
#include "base/doing.h"
#include "device/found.h"
#include "device/sim/sim_device.h"
#include "plan/asks.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool launch(struct sim_device *dev, struct sim_kernel *k, const struct sim_launch *l, struct sim_counts *counts,
    struct diags *d)
{
    struct sim_fault fault = {0};
    if (sim_launch(dev->sim, k, l, counts, &fault)) return true;
    dev->point.unsupported = fault.kind == SIM_UNSUPPORTED;
    dev->waits = fault.kind == SIM_WAITS;
    dev->fault = fault.kind;
    dev->within = fault.within;
    // The sentence names line, block, warp and lane.
    return diag_user(d, (struct where){0}, NULL, "%s%s%s", dev->point.unsupported ? "unsupported: " : "", fault.what,
        fault.kind == SIM_BUDGET      ? "; a longer `timeout` allows more"
            : fault.kind == SIM_WAITS ? "; where a block waits for one that begins later, `cooperative: true` has all "
                                        "of them run at once"
            : fault.kind == SIM_LOCKED && k == dev->point.check ? ", or of `check`, which writes to nothing"
            : fault.kind == SIM_LOCKED                          ? "; with `access: both` it may"
                                                                : "");
}

// Warp instructions that a block may execute: so many that a machine in good time is done with them well inside the
// `timeout` (some 60 million a second are usual), so that an endless loop ends with the line that it is in, not with a
// killed worker. One of slow instructions ends by the time that it took.
#define IN_TIME 0.75
static uint64_t budget(const struct job *job)
{
    const double least = 1 << 20, a_second = 1 << 23;
    const double n = asks_timeout(job) * a_second;
    return n < least ? (uint64_t)least : n < 0x1p62 ? (uint64_t)n : (uint64_t)1 << 62;
}

bool sim_run_generated(struct sim_device *dev, struct sim_kernel *k, const char *entry, uint64_t n,
    const struct pack_value *values, size_t count, struct diags *d)
{
    enum {
        BLOCK = 256,
        EACH = 16,
        MOST_BLOCKS = 1 << 16
    }; // a thread takes several elements, so that starting it costs little
    struct sim_counts unused;
    void *params;
    struct sim_launch l = {
        .block = {BLOCK, 1, 1}, .budget = budget(dev->point.job), .seconds = IN_TIME * asks_timeout(dev->point.job)};
    uint64_t blocks = (n + BLOCK * EACH - 1) / (BLOCK * EACH);
    l.grid[0] = blocks < 1 ? 1 : blocks > MOST_BLOCKS ? MOST_BLOCKS : (uint32_t)blocks;
    l.grid[1] = l.grid[2] = 1;
    if (!pack_params(dev->code->ptx, entry, values, count, dev->arena, &params, &l.param_bytes, d)) return false;
    l.params = params;
    return launch(dev, k, &l, &unused, d);
}

// Which launch of a sequence a fault was in.
static void name_launch(const struct job *job, size_t i, struct diags *d)
{
    if (job_launches(job) < 2 || !d->count) return;
    struct diag *last = &d->items[d->count - 1];
    struct str what = {0};
    str_addf(&what, "%s; in launch %zu of %zu, `%s`", last->what, i + 1, job_launches(job), job_launch(job, i).entry);
    free(last->what);
    last->what = str_take(&what);
}

// Every count of a sequence is the sum of its launches'.
static void add_counts(struct sim_counts *sum, const struct sim_counts *one)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)one;
    for (size_t i = 0; i < offsetof(struct sim_counts, reads_clock) / sizeof *to; i++) to[i] += from[i];
    sum->reads_clock |= one->reads_clock;
}

// In a drawn order only where blocks run side by side: there what one does before another may hang on it.
static uint32_t watched_blocks(const struct sim_device *dev, uint64_t schedule)
{
    const struct job *job = dev->point.job;
    if (dev->unwatched) return 0;
    if (dev->watches_all || dev->stale) return UINT32_MAX;
    if (schedule && !dev->at_once && !asks_true(job, SETTING_COOPERATIVE)) return 0;
    return asks_is(job, SETTING_CHECK, "full") ? UINT32_MAX : asks_is(job, SETTING_CHECK, "none") ? 0 : SIM_WATCHED;
}

// What is described as read is locked while the kernel runs. Of all it is known how long an element is.
static void lock_inputs(struct sim_device *dev, bool lock)
{
    const struct job *job = dev->point.job;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        const struct sim_buffer *s = &dev->point.buffers[i];
        const bool read = lock && b->access == ACCESS_READ;
        sim_lock(dev->sim, s->block->address, (uint32_t)b->element_bytes, read);
        if (sim_layout_pitched(b))
            sim_rows(dev->sim, s->address, b->extent[0] * b->element_bytes, lock ? sim_layout_pitch(b) : 0);
        if (!s->texture && s->address != s->block->address) // rows at a pitch have no index: bytes do
            sim_lock(dev->sim, s->address, sim_layout_pitched(b) ? 1 : (uint32_t)b->element_bytes, read);
    }
}

// How many blocks are to stand for a launch's; 0: all run. A later launch of a sequence would read what those that did
// not run have not written, so none of its kernels may go by what it reads.
static uint64_t sample_of(struct sim_device *dev)
{
    const struct job *job = dev->point.job;
    const int64_t wanted = asks_whole(job, SETTING_SAMPLE, 0);
    for (size_t i = 0; wanted > 0 && job_launches(job) > 1 && i < job_launches(job); i++)
        if (!sim_oblivious(dev->point.launches[i].kernel)) {
            dev->point.whole = "a launch of the sequence goes by what it reads";
            return 0;
        }
    return wanted > 0 ? (uint64_t)wanted : 0;
}

// In an order drawn from `schedule`, or where that is 0 in the usual one, watched.
bool sim_run(struct sim_device *dev, uint64_t schedule, struct diags *d)
{
    struct sim_point *p = &dev->point;
    const struct job *job = p->job;
    p->counts = (struct sim_counts){0};
    p->races = (struct sim_races){0};
    p->within = (struct sim_counts){0};
    p->ran = p->blocks = 0;
    p->whole = NULL;
    p->counted = true;
    bool part = false; // some blocks of a launch did not run
    const bool first = !schedule && !dev->fill && !dev->stale && !dev->given &&
        (!p->expected.wanted || (dev->machine && !p->expected.machine));
    if (first) sim_model_start(dev);
    lock_inputs(dev, true);
    for (size_t i = 0; p->counted && i < job_launches(job); i++) {
        const struct job_launch it = job_launch(job, i);
        if (job_launches(job) > 1)
            doing(DOING_OTHER, "running launch %zu of %zu, `%s`", i + 1, job_launches(job), it.entry);
        struct sim_counts counts = {0};
        struct sim_sampled sampled = {0};
        const struct code_entry *e = code_entry_named(dev->code, it.entry);
        struct sim_kernel *k = dev->machine ? p->launches[i].machine : p->launches[i].kernel;
        struct sim_launch l = {
            .cooperative = asks_true(job, SETTING_COOPERATIVE),
            .at_once = dev->at_once,
            .fill = dev->fill,
            .grid = {it.grid[0], it.grid[1], it.grid[2]},
            .block = {it.block[0], it.block[1], it.block[2]},
            .dynamic_shared = it.shared,
            .params = p->launches[i].params,
            .param_bytes = p->launches[i].param_bytes,
            .budget = budget(job),
            .seconds = IN_TIME * asks_timeout(job),
            .watch = dev->fill ? 0 : watched_blocks(dev, schedule),
            .stale = dev->stale,
            .races = &p->races,
            .schedule = schedule,
            .spill_bytes = e ? e->spill_bytes : -1,
            .in_registers = e && e->regs >= 0 && !e->local_bytes,
            .sample = sample_of(dev),
            .sampled = &sampled,
            .first_only = dev->first_only,
            .stop = dev->places.stop,
            .view = dev->places.whole ? NULL : dev->places.view,
        };
        if (!asks_dimensions(job, SETTING_CLUSTER, l.cluster)) memset(l.cluster, 0, sizeof l.cluster);
        if (l.view) sim_tape_begin(dev, &l, k, &it, e);
        if (first) sim_model_begin(dev, &l, p->launches[i].kernel, &it, e);
        p->counted = launch(dev, k, &l, &counts, d);
        if (first) sim_model_end(dev, &l);
        if (!p->counted) name_launch(job, i, d);
        part |= dev->first_only && sampled.blocks;
        add_counts(&p->counts, &counts);
        if (!dev->places.whole && !part) sim_places_add(dev, it.entry, k);
        dev->places.by_data |= !sim_oblivious(p->launches[i].kernel);
        add_counts(&p->within, &sampled.within);
        if (sampled.whole) p->whole = sampled.whole;
        const uint64_t blocks = (uint64_t)l.grid[0] * l.grid[1] * l.grid[2];
        p->blocks += blocks, p->ran += sampled.blocks ? sampled.blocks : blocks;
        if (job_launches(job) < 2 || sampled.blocks || dev->each_count != i)
            continue; // the first run is the one that counts
        mem_grow(&dev->each, &dev->each_room, i + 1, sizeof *dev->each);
        dev->each[dev->each_count++] = counts;
    }
    if (!dev->places.whole && !part) sim_places_end(dev);
    dev->places.whole |= !part;
    lock_inputs(dev, false);
    for (size_t i = 0; i < job->buffer_count; i++)
        if (sim_layout_shaped(&job->buffers[i])) sim_layout_copy(dev, &job->buffers[i], &p->buffers[i], false);
    return p->counted;
}

bool sim_reports(struct sim_device *dev, double *values, struct diags *d)
{
    const struct sim_point *p = &dev->point;
    (void)d;
    for (size_t i = 0; i < p->job->report_count; i++) // cycles have no meaning here, nor what some blocks say
        values[i] = p->counts.reads_clock || p->ran < p->blocks
            ? NAN
            : reported_number(p->job->reports[i].type, sim_host(dev->sim, p->reports[i], 16));
    return true;
}
