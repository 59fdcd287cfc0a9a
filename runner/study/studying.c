// Runs the points of files on the simulator, for commands that look at them.
// SPDX-License-Identifier: MIT
#include "study/studying.h"

#include "measure/statuses.h"
#include "spec/traits.h"

#include <stdlib.h>
#include <string.h>

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
    int status = 0;
    for (size_t i = 0; i < plan_count(p); i++) {
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
