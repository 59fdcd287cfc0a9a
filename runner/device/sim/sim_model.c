// What the model expects of a point on the device that the simulator stands for: each launch's blocks go to it while
// they are counted.
// SPDX-License-Identifier: MIT
#include "device/profiles.h"
#include "device/sim/sim_device.h"
#include "plan/asks.h"
#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>

// Without a profile it is an H200, from whose counters the simulator has its rules.
static const struct profile *stands_for(const struct sim_device *dev)
{
    return dev->profile ? dev->profile : profile_find("h200");
}

static bool is_there(struct sim_device *dev)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    if (!dev->model && !dev->model_missing) {
        struct model_constants c;
        dev->model_missing = !profile_model(stands_for(dev), &c, &ignored);
        if (!dev->model_missing) dev->model = model_new(&c);
    }
    return dev->model != NULL;
}

// Blocks that an SM holds.
static uint32_t resident(const struct sim_device *dev, const struct code_entry *e, const struct job_launch *it)
{
    const struct occupancy_device *l = &stands_for(dev)->limits;
    const int threads = (int)(it->block[0] * it->block[1] * it->block[2]);
    const size_t shared = (e && e->shared_bytes > 0 ? (size_t)e->shared_bytes : 0) + it->shared;
    const int blocks = occupancy_blocks(l, threads, e && e->regs >= 0 ? e->regs : 0, shared).all;
    return blocks > 0 ? (uint32_t)blocks : 1;
}

bool sim_model_wanted(struct sim_device *dev)
{
    const struct job *job = dev->point.job;
    return !asks_is(job, SETTING_MODEL, "none") && is_there(dev) && asks_is(job, SETTING_TIMED, "launch");
}

void sim_model_start(struct sim_device *dev)
{
    struct sim_expected *x = &dev->point.expected;
    *x = (struct sim_expected){.wanted = sim_model_wanted(dev), .machine = dev->machine};
    if (!x->wanted) return;
    model_forget(dev->model);
}

// How long a block waits for another one hangs on who comes when.
static const char *meets(const struct sim_launch *l, const struct sim_kernel *k)
{
    const bool side_by_side = l->cooperative || l->at_once || l->cluster[0] * l->cluster[1] * l->cluster[2] > 1;
    return side_by_side ? "its blocks wait for each other" : sim_beyond_model(k);
}

// From what is not flat, from copies that work by themselves, from another block's memory the model has no records.
static const char *beyond(const struct sim_device *dev, const struct sim_launch *l, const struct sim_kernel *k)
{
    const struct job *job = dev->point.job;
    for (size_t i = 0; i < job->buffer_count; i++)
        if (job->buffers[i].memory && *job->buffers[i].memory && !asks_memory_of(&job->buffers[i], "device"))
            return ""; // as hardly anything of such memory is known here
    if (l->sample) return "`sample` leaves blocks out";
    return meets(l, k);
}

static struct model_launch launch_of(const struct sim_device *dev, const struct sim_launch *l,
    const struct job_launch *it, const struct code_entry *e)
{
    return (struct model_launch){
        .blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2],
        .warps = (l->block[0] * l->block[1] * l->block[2] + 31) / 32,
        .resident = resident(dev, e, it),
        .shared_bytes = (e && e->shared_bytes > 0 ? (uint32_t)e->shared_bytes : 0) + it->shared,
        .warm = asks_is(dev->point.job, SETTING_CACHE, "warm"),
        .ptx = !dev->machine,
    };
}

void sim_tape_begin(struct sim_device *dev, struct sim_launch *l, const struct sim_kernel *k,
    const struct job_launch *it, const struct code_entry *e)
{
    struct sim_places *p = &dev->places;
    struct diags ignored = {0};
    if (!p->untaped && !profile_model(stands_for(dev), &p->constants, &ignored))
        p->untaped = "nothing is known of the device's units";
    diags_clear(&ignored);
    if (!p->untaped) p->untaped = l->sample ? meets(l, k) : beyond(dev, l, k);
    if (p->untaped) return;
    const struct model_launch launch = launch_of(dev, l, it, e);
    if (tape_begin(p->tape, it->entry, &launch, l->sample > 0)) l->tape = p->tape;
}

void sim_model_begin(struct sim_device *dev, struct sim_launch *l, const struct sim_kernel *k,
    const struct job_launch *it, const struct code_entry *e)
{
    struct sim_expected *x = &dev->point.expected;
    if (!x->wanted || x->why) return;
    x->why = beyond(dev, l, k);
    if (!x->why && !dev->machine && e && e->spill_bytes > 0)
        x->why = "the compiler spills registers, and the PTX does not say where to";
    if (x->why) return;
    const struct model_launch launch = launch_of(dev, l, it, e);
    model_begin(dev->model, &launch);
    l->model = dev->model;
}

void sim_model_end(struct sim_device *dev, const struct sim_launch *l)
{
    struct sim_expected *x = &dev->point.expected;
    struct model_result one;
    if (!l->model) return;
    model_end(dev->model, &one);
    if (!(one.sampled > 0)) x->why = "its blocks do not run one by one here";
    else model_add(&x->result, &one);
}

const struct model_result *sim_model_told(const struct sim_device *dev)
{
    const struct sim_expected *x = &dev->point.expected;
    return x->wanted && !x->why && x->result.blocks ? &x->result : NULL;
}

void sim_model_columns(const struct sim_device *dev, double *columns, struct diags *d)
{
    const struct sim_expected *x = &dev->point.expected;
    const struct model_result *r = sim_model_told(dev);
    if (x->wanted && x->why && *x->why)
        diag_add(d, DIAG_WARNING, (struct where){0}, NULL, "the model_ columns are empty: %s", x->why);
    if (!r) return;
    columns[COLUMN_MODEL_L1_HIT_SECTORS] = r->l1_hit_sectors;
    columns[COLUMN_MODEL_L2_READ_SECTORS] = r->l2_read_sectors;
    columns[COLUMN_MODEL_DRAM_READ_BYTES] = r->dram_read_bytes;
    columns[COLUMN_MODEL_DRAM_WRITE_BYTES] = r->dram_write_bytes;
    columns[COLUMN_BOUND_US] = r->bound_us;
    if (asks_is(dev->point.job, SETTING_MODEL, "traffic")) return;
    columns[COLUMN_MODEL_US] = r->us;
    columns[COLUMN_MODEL_LO_US] = r->lo_us;
    columns[COLUMN_MODEL_HI_US] = r->hi_us;
    columns[COLUMN_MODEL_LIMIT] = (double)r->limit;
}
