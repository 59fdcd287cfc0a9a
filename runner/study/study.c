// A point as `measure_point` runs it, and the simulator's places of it.
// SPDX-License-Identifier: MIT
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/statuses.h"
#include "plan/asks.h"
#include "spec/columns.h"
#include "spec/traits.h"

struct study {
    const struct device_ops *ops;
    struct device *dev;
    struct arena *arena; // of the point
    struct job job;
    struct study_bounds bounds;
    unsigned counted;    // points
    uint64_t done;       // instructions in all of them
    uint64_t filled;     // bytes in all of them
    volatile bool spent; // what the point at hand may do
};

struct study *study_open(const char *spec, bool closely, const struct study_bounds *b, struct diags *d)
{
    const struct device_ops *ops = device_simulator();
    const bool own = spec && device_kind(spec) == ops;
    struct device *dev = ops->open(own ? spec : ops->kind, d);
    if (!dev) return NULL;
    struct study *s = mem_alloc(sizeof *s);
    *s = (struct study){.ops = ops, .dev = dev, .bounds = b ? *b : (struct study_bounds){0}};
    if (closely) ops->look(dev, s->bounds.instructions, &s->spent);
    return s;
}

void study_close(struct study *s)
{
    if (!s) return;
    s->ops->close(s->dev);
    if (s->arena) arena_free(s->arena);
    free(s);
}

static bool begin(struct study *s, const struct plan *p, const struct value *values, struct studied *out,
    struct diags *d)
{
    if (s->arena) arena_free(s->arena);
    s->arena = arena_new();
    *out = (struct studied){.job = &s->job};
    result_init(&out->result);
    if (!job_make(p, values, s->arena, &s->job, d)) return false;
    s->job.by_place = true;
    return true;
}

enum { MEMORY_MOST = 2 }; // GiB that a point's buffers may take here, where nobody asked for the simulator

// What stands in the way goes to the reason.
static bool fits(struct study *s, struct studied *out)
{
    char unfit[256] = "";
    if (job_memory(&s->job) >> 30 >= MEMORY_MOST)
        snprintf(unfit, sizeof unfit, "its buffers are too large to be looked at here");
    else s->ops->unfit(s->dev, &s->job, unfit);
    if (*unfit) why_note(&out->result.why, SAID, unfit);
    return !*unfit;
}

bool study_job(struct study *s, const struct plan *p, const struct value *values, struct studied *out, struct diags *d)
{
    if (!begin(s, p, values, out, d)) return false;
    fits(s, out);
    return true;
}

static void count(struct study *s, struct studied *out)
{
    struct diags why = {0};
    bool skip = false;
    char source[16];
    double columns[COLUMN_COUNT];
    for (int c = 0; c < COLUMN_COUNT; c++) columns[c] = NAN;
    s->spent = false;
    if (s->ops->prepare(s->dev, &s->job, columns, &skip, &why) &&
        s->ops->count_accesses(s->dev, columns, source, &why)) {
        out->result.status = STATUS_UNVERIFIED;
        s->ops->places(s->dev, &out->places);
        memcpy(out->result.columns, columns, sizeof columns);
    } else why_note(&out->result.why, SAID, diags_first(&why));
    s->ops->finish(s->dev);
    diags_clear(&why);
}

// A few blocks first: they tell how much more can be looked at.
static uint64_t done(const struct study *s, const struct studied *x)
{
    return status_has_numbers(x->result.status) ? x->places.block_most * x->places.blocks : s->bounds.instructions;
}

static void count_blocks(struct study *s, struct studied *out, uint64_t blocks)
{
    if (blocks) asks_sample(&s->job, blocks);
    result_init(&out->result);
    count(s, out);
    s->filled += job_memory(&s->job);
    s->done += done(s, out);
}

static uint64_t blocks_of(const struct job *j) { return (uint64_t)j->grid[0] * j->grid[1] * j->grid[2]; }

static void count_some(struct study *s, struct studied *out)
{
    const struct study_bounds *b = &s->bounds;
    s->counted++;
    if (b->few) {
        count_blocks(s, out, b->few);
        if (s->spent) count_blocks(s, out, 2); // long ones
        const uint64_t all = out->places.block_most * b->sample;
        if (!status_has_numbers(out->result.status) || all > b->instructions) return;
        const uint64_t each = out->places.instructions / blocks_of(&s->job), most = b->short_of / (each ? each : 1);
        if (most > b->sample) { // of short ones more: they come and go
            count_blocks(s, out, most < b->short_most ? most : b->short_most);
            return;
        }
    }
    count_blocks(s, out, b->sample);
}

bool study_counted(struct study *s, const struct plan *p, const struct value *values, struct studied *out,
    struct diags *d)
{
    if (!begin(s, p, values, out, d)) return false;
    if (!fits(s, out)) return true;
    if ((s->bounds.points && s->counted == s->bounds.points) || (s->bounds.all && s->done >= s->bounds.all) ||
        (s->bounds.bytes && s->filled >= s->bounds.bytes))
        return why_note(&out->result.why, LOOKED_ENOUGH), true;
    count_some(s, out);
    return true;
}

enum { BLOCKS_FEWEST = 64 }; // that stand for others: the first, the last, and some between

// So many of a large launch keep within the bounds: some are counted first. 0: all do.
static uint64_t blocks_within(struct study *s, const struct study_bounds *b, struct studied *out)
{
    const uint64_t all = blocks_of(&s->job);
    if (b->sample) return all > b->sample ? b->sample : 0;
    if (all <= 2 * BLOCKS_FEWEST) return 0;
    count_blocks(s, out, BLOCKS_FEWEST / 2);
    if (!status_has_numbers(out->result.status) || out->places.instructions <= b->instructions) return 0;
    const double share = (double)b->instructions / (double)out->places.instructions;
    const uint64_t some = (uint64_t)fmax(BLOCKS_FEWEST, (double)all * share);
    return 2 * some < all ? some : 0;
}

bool study_point(struct study *s, const struct plan *p, const struct value *values, const struct study_bounds *b,
    struct studied *out, struct diags *d)
{
    if (!begin(s, p, values, out, d)) return false;
    if (b && !asks_any(&s->job, SETTING_SAMPLE)) {
        const uint64_t some = blocks_within(s, b, out);
        if (!begin(s, p, values, out, d)) return false; // anew, without what was tried
        if (some) asks_sample(&s->job, some), out->of_blocks = blocks_of(&s->job);
    }
    measure_point(s->ops, s->dev, &s->job, &out->result, NULL);
    if (status_has_numbers(out->result.status)) s->ops->places(s->dev, &out->places);
    return true;
}

static void name_point(const struct experiment *e, const struct plan *p, const struct value *values, struct str *s)
{
    for (size_t i = 0; i < plan_name_count(p); i++) {
        if (!experiment_is_axis(e, plan_name(p, i)) && !e->script) continue;
        str_addf(s, " %s=", plan_name(p, i));
        value_print(values[i], s);
    }
}

void studying_values(const struct studying *s, struct str *out)
{
    name_point(plan_experiment(s->plan), s->plan, s->values, out);
}

const struct kernel *studying_kernel(const struct studying *s)
{
    const struct experiment *e = plan_experiment(s->plan);
    const struct kernel *k = experiment_kernel(e, s->studied->job->kernel);
    return k ? k : e->kernel;
}

const char *studying_device(const struct plan *p, const struct value *values)
{
    for (size_t i = 0; i < plan_name_count(p); i++)
        if (strcmp(plan_name(p, i), "device") == 0 && values[i].kind == VALUE_TEXT) return values[i].text;
    return "auto";
}

struct simulator { // one at a time: points of a device mostly come one after the other
    char spec[DEVICE_SPEC];
    struct study *study;
};

static struct study *study_of(struct simulator *s, const char *spec, bool closely, struct diags *d)
{
    if (s->study && strcmp(s->spec, spec) == 0) return s->study;
    study_close(s->study);
    snprintf(s->spec, sizeof s->spec, "%s", spec);
    return s->study = study_open(spec, closely, NULL, d);
}

static bool asked(const struct request *r, const char *key)
{
    const size_t n = strlen(key);
    for (size_t i = 0; i < r->override_count; i++)
        if (strncmp(r->overrides[i].text, key, n) == 0 && r->overrides[i].text[n] == '=') return true;
    return false;
}

// A kernel by itself runs in blocks of 256 threads in a row, which not each is written for.
static void doubt_block(const struct request *r, const struct plan *p, struct diags *d)
{
    const struct experiment *e = plan_experiment(p);
    const char *end = strrchr(e->file, '.');
    const bool whole = end && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0);
    if (whole || e->kernel->block[0].text || asked(r, "block")) return;
    diag_add(d, DIAG_WARNING, (struct where){.file = e->file},
        "one that is written for another takes -s 'block=[[32, 8]]', or an experiment's file in its place",
        "it names no block and was run in blocks of 256 threads along x");
}

static int each_point(const struct plan *p, struct simulator *s, bool closely, const struct study_bounds *bounds,
    studying_fn *fn, void *context, struct diags *d)
{
    struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    const bool many = bounds && bounds->points && plan_count(p) > bounds->points;
    int status = 0;
    for (size_t i = 0; i < (many ? 1 : plan_count(p)); i++) {
        struct studied studied;
        plan_values(p, i, values);
        const char *spec = studying_device(p, values);
        struct study *study = study_of(s, spec, closely, d);
        if (!study || !study_point(study, p, values, bounds, &studied, d)) continue;
        fn(&(struct studying){p, values, &studied, spec, context}, d);
        if (!status_has_numbers(studied.result.status)) status = 1;
    }
    free(values);
    return status;
}

// Do all points ask for a simulator, of whatever device?
static bool simulated(const struct loaded *all)
{
    const char *spec;
    bool is = all->count > 0;
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; (spec = traits_device(all->items[i], k)); k++) is &= device_kind(spec) == device_simulator();
    return is;
}

// What a file wants of a GPU is put on the plain simulator; what the command line wants stands.
static bool load_simulated(const struct request *r, struct override *overrides, struct loaded *all, struct diags *d)
{
    struct request on_sim = *r;
    const size_t before = d->count;
    if (!load_kernels(r, all, d)) return false;
    if (asked(r, "device") || simulated(all)) return true;
    load_release(all);
    diags_drop(d, before); // they come again
    for (size_t i = 0; i < r->override_count; i++) overrides[i] = r->overrides[i];
    overrides[on_sim.override_count++] = (struct override){"device=sim"};
    on_sim.overrides = overrides;
    return load_kernels(&on_sim, all, d);
}

int studying_points(const struct request *r, bool closely, const struct study_bounds *bounds, studying_fn *fn,
    void *context, struct diags *d)
{
    struct loaded all;
    struct simulator simulator = {0};
    struct override *overrides = mem_alloc((r->override_count + 1) * sizeof *overrides);
    int status = 0;
    const bool good = load_simulated(r, overrides, &all, d);
    for (size_t i = 0; good && i < all.count; i++) {
        struct plan *p = load_plan(&all, i, d);
        if (!p) continue;
        const int own = each_point(p, &simulator, closely, bounds, fn, context, d);
        if (own) doubt_block(r, p, d);
        status = own ? own : status;
        plan_free(p);
    }
    study_close(simulator.study);
    load_release(&all);
    free(overrides);
    return status;
}
