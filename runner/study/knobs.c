// Tries one value at a time, on the simulator.
// SPDX-License-Identifier: MIT
#include "study/knobs.h"
#include "measure/statuses.h"
#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIED_MOST = 12, KNOWN_MOST = 128 };

struct knob {
    size_t slot; // of the plan's names
    struct value value;
};
struct knobs {
    struct knob items[KNOWN_MOST];
    size_t count;
};

static void add(struct knobs *k, size_t slot, struct value v, struct value now)
{
    double is, was;
    if (v.kind == VALUE_NONE || value_equal(v, now) || k->count == KNOWN_MOST) return;
    // None of what there are several of is other work: a stride of 0 reads one word only.
    if (value_number(v, &is) && value_number(now, &was) && !(is != 0) && was > 1) return;
    for (size_t i = 0; i < k->count; i++)
        if (k->items[i].slot == slot && value_equal(k->items[i].value, v)) return;
    k->items[k->count++] = (struct knob){slot, v};
}

static bool within(const struct param *p, int64_t v)
{
    double least, most;
    if (p->has_min && value_number(p->min, &least) && (double)v < least) return false;
    return !(p->has_max && value_number(p->max, &most) && (double)v > most);
}

static void add_param(struct knobs *k, const struct experiment *e, const struct param *p, size_t slot, struct value now)
{
    bool swept = false;
    for (size_t a = 0; a < e->sweep_count; a++)
        for (size_t i = 0; i < e->sweep[a].count; i++)
            for (size_t v = 0; strcmp(e->sweep[a].items[i].name, p->name) == 0 && v < e->sweep[a].items[i].count; v++)
                add(k, slot, e->sweep[a].items[i].values[v], now), swept = e->sweep[a].items[i].count > 1;
    if (swept) return; // its values are those that the experiment is about
    for (size_t i = 0; p->one_of && i < p->one_of->count; i++) add(k, slot, p->one_of->items[i], now);
    add(k, slot, p->fallback, now);
    for (int64_t v = 0; !p->is_text && !p->is_real && !p->one_of && v < 2; v++)
        if (within(p, v)) add(k, slot, value_int(v), now);
}

static bool still_there(const struct evidence *e, const struct advice *f, struct arena *a)
{
    struct advice found[FINDINGS_TOLD];
    const size_t count = findings_of(e, found, a);
    for (size_t i = 0; i < count; i++)
        if (strcmp(found[i].rule, f->rule) == 0 && (found[i].untold || found[i].gain > 1.1)) return true;
    return false;
}

// Where a kernel does not say how much of what it moves is useful, all of its buffers are.
static bool same_bytes(const struct job *a, const struct job *b)
{
    bool same = a->buffer_count == b->buffer_count;
    for (size_t i = 0; same && i < a->buffer_count; i++) same = a->buffers[i].bytes == b->buffers[i].bytes;
    return same;
}

// The same work: what it costs to find out is only the point's arithmetic.
static bool same_work(const struct plan *p, const struct value *values, const struct job *base)
{
    struct arena *a = arena_new();
    struct diags ignored = {0};
    struct job job;
    const bool made = job_make(p, values, a, &job, &ignored);
    const bool same = made &&
        (isnan(job.useful_bytes) ? isnan(base->useful_bytes) && same_bytes(&job, base)
                                 : job.useful_bytes == base->useful_bytes);
    diags_clear(&ignored);
    arena_free(a);
    return same;
}

static bool better(struct study *s, const struct plan *p, const struct value *values, const struct evidence *base,
    const struct advice *f, double *us, struct arena *a)
{
    struct studied x;
    struct diags ignored = {0};
    if (!same_work(p, values, base->job)) return false;
    const bool made = study_counted(s, p, values, &x, &ignored);
    diags_clear(&ignored);
    if (!made || !status_has_numbers(x.result.status)) return false;
    struct evidence e = {.job = x.job,
        .columns = x.result.columns,
        .places = &x.places,
        .device = base->device,
        .known = base->known,
        .given = base->given,
        .whole = base->whole};
    evidence_limits(&e);
    const double time = e.judged.us;
    if (!evidence_same_work(&e, base)) return false;
    if (!(time > 0) || time >= *us || still_there(&e, f, a)) return false;
    *us = time;
    return true;
}

static void list(struct knobs *k, const struct plan *p, const struct value *values)
{
    const struct experiment *e = plan_experiment(p);
    for (size_t i = 0; i < plan_name_count(p); i++) {
        const struct param *param = kernel_param(e->kernel, plan_name(p, i));
        if (param) add_param(k, e, param, i, values[i]);
    }
}

static const char *told(const struct plan *p, const struct knob *k, struct arena *a)
{
    struct str text = {0};
    str_addf(&text, "%s=", plan_name(p, k->slot));
    value_print(k->value, &text);
    const char *is = arena_strdup(a, text.text);
    str_release(&text);
    return is;
}

bool knobs_known(knobs_time_fn *time, void *context, const struct plan *p, const struct value *values,
    const struct evidence *base, struct advice *f, struct arena *a)
{
    const size_t names = plan_name_count(p);
    struct value *other = mem_alloc((names + 1) * sizeof *other);
    struct knobs k = {0};
    double best = base->columns[COLUMN_TIME_US] / 1.03;
    list(&k, p, values);
    for (size_t i = 0; i < k.count; i++) {
        const char *test = told(p, &k.items[i], a);
        const double us = time(context, test);
        memcpy(other, values, names * sizeof *other);
        other[k.items[i].slot] = k.items[i].value;
        if (us < best && same_work(p, other, base->job)) best = us, f->test = test;
    }
    free(other);
    return f->test != NULL;
}

bool knobs_try(struct study *s, const struct plan *p, const struct value *values, const struct evidence *base,
    struct advice *f, struct arena *a)
{
    const size_t names = plan_name_count(p);
    struct value *other = mem_alloc((names + 1) * sizeof *other);
    struct knobs k = {0};
    const double before = base->judged.us;
    double best = before / 1.03;
    list(&k, p, values);
    for (size_t i = 0; i < k.count && i < TRIED_MOST; i++) {
        memcpy(other, values, names * sizeof *other);
        other[k.items[i].slot] = k.items[i].value;
        if (!better(s, p, other, base, f, &best, a)) continue;
        f->test = told(p, &k.items[i], a);
    }
    free(other);
    return f->test != NULL;
}
