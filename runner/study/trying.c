// Makes each point's job, asks a trial of its device, and gathers what came of it.
// SPDX-License-Identifier: MIT
#include "study/trying.h"

#include <stdlib.h>
#include <string.h>

#include "plan/job.h"
#include "plan/outcomes.h"

enum { FINDINGS_MOST = 50, DEVICES_MOST = 16 };

struct obstacle { // one cause
    struct where at;
    char *what, *hint, *point; // point: the first one, in words
    size_t first, count;
    bool skips;
};

struct tried_device {
    char spec[DEVICE_SPEC];
    const struct device_ops *ops;
    struct device *dev; // NULL: it is not here
    struct trial *trial;
};

struct trying {
    const struct plan *plan;
    struct arena *arena; // texts of places
    struct tried_device devices[DEVICES_MOST];
    size_t device_count, device_slot;
    struct obstacle findings[FINDINGS_MOST];
    size_t finding_count;
    size_t points, refused, skipped;
    struct outcomes *outcomes; // behind the first points; NULL: none was asked for
    struct diags said;         // a device that is not here, or that there is not
};

struct trying *trying_new(const struct plan *p)
{
    struct trying *t = mem_alloc(sizeof *t);
    *t = (struct trying){.plan = p, .arena = arena_new(), .device_slot = SIZE_MAX};
    for (size_t i = 0; i < plan_name_count(p); i++)
        if (strcmp(plan_name(p, i), "device") == 0) t->device_slot = i;
    return t;
}

static struct tried_device *device_of(struct trying *t, const struct value *values)
{
    const char *spec = "auto";
    char note[256];
    if (t->device_slot != SIZE_MAX && values[t->device_slot].kind == VALUE_TEXT) spec = values[t->device_slot].text;
    size_t i = 0;
    while (i < t->device_count && strcmp(t->devices[i].spec, spec) != 0) i++;
    if (i < t->device_count || i == DEVICES_MOST) return &t->devices[i % DEVICES_MOST];
    struct tried_device *x = &t->devices[t->device_count++];
    struct diags missing = {0};
    char resolved[DEVICE_SPEC];
    *x = (struct tried_device){0};
    snprintf(x->spec, sizeof x->spec, "%s", spec);
    x->ops = device_find(spec, resolved, note, &missing);
    x->dev = x->ops ? x->ops->open(resolved, &missing) : NULL;
    if (!x->dev && diags_exit_status(&missing) == 2)
        diag_user(&t->said, plan_where(plan_experiment(t->plan), "device"), NULL, "%s", diags_first(&missing));
    else if (!x->dev)
        diag_add(&t->said, DIAG_WARNING, (struct where){0}, NULL, "%s cannot be asked for its limits: %s", spec,
            diags_first(&missing));
    diags_clear(&missing);
    x->trial = trial_new(x->ops, x->dev);
    return x;
}

static char *copy(const char *text)
{
    struct str s = {0};
    str_add(&s, text ? text : "");
    return str_take(&s);
}

// What a device cannot do begins with the setting: "`fetch: 64` needs ...".
static struct where place_named(const struct experiment *e, const char *what)
{
    char name[64];
    if (*what != '`') return (struct where){.file = e->file};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(what + 1, "`:"), what + 1);
    return plan_where(e, name);
}

static struct where place_about(const struct trying *t, enum trial_about about, const struct job *job, const char *what)
{
    const struct experiment *e = plan_experiment(t->plan);
    const struct kernel *k = e->kernel;
    size_t largest = 0;
    if (about == TRIAL_OF_DEVICE || about == TRIAL_OF_GRID) return place_named(e, what);
    if (about == TRIAL_OF_BLOCK) {
        const struct where at = plan_where(e, "block");
        return at.line || !k->block[0].text ? at : k->block[0].at;
    }
    if (about == TRIAL_OF_SHARED) {
        const struct where at = plan_where(e, "shared");
        return at.line || !k->shared.text ? at : k->shared.at;
    }
    if (about != TRIAL_OF_MEMORY || !k->buffer_count) return (struct where){.file = e->file};
    for (size_t i = 1; i < k->buffer_count; i++)
        if (job->buffers[i].bytes > job->buffers[largest].bytes) largest = i;
    return k->buffers[largest].count.at;
}

static bool same_place(const struct where *a, const struct where *b)
{
    const char *x = a->file ? a->file : "", *y = b->file ? b->file : "";
    return a->line == b->line && a->column == b->column && strcmp(x, y) == 0;
}

// The values that differ between points: "n = 4096, block = 32x8".
static void name_point(const struct trying *t, const struct value *values, struct str *s)
{
    const struct experiment *e = plan_experiment(t->plan);
    for (size_t i = 0; i < plan_name_count(t->plan); i++) {
        bool varies = false;
        for (size_t a = 0; a < e->sweep_count && !varies; a++)
            for (size_t k = 0; k < e->sweep[a].count; k++)
                varies |=
                    strcmp(e->sweep[a].items[k].name, plan_name(t->plan, i)) == 0 && e->sweep[a].items[k].count > 1;
        if (!varies || values[i].kind == VALUE_NONE) continue;
        str_addf(s, "%s%s = ", s->size ? ", " : "", plan_name(t->plan, i));
        value_print(values[i], s);
    }
}

// What a compiler's complaint is often about here: NULL where nothing is known of it.
static const char *advice(struct trying *t, const struct job *job, const struct diag *x)
{
    if (x->code == DIAG_NO_INCLUDE)
        return "it is looked for beside the kernel; --allow-include FOLDER names another folder";
    if (x->code != DIAG_UNKNOWN_NAME) return NULL;
    const char *name = x->about;
    bool known = false;
    for (size_t i = 0; i < job->scalar_count; i++) known |= strcmp(job->scalars[i].name, name) == 0;
    for (size_t i = 0; i < job->buffer_count; i++) known |= strcmp(job->buffers[i].name, name) == 0;
    return known ? arena_printf(t->arena, "a function gets `%s` where it takes an argument of that name", name) : NULL;
}

static void find(struct trying *t, size_t point, const struct value *values, const struct diag *x, struct where at,
    bool skips)
{
    struct obstacle *f = t->findings;
    const struct obstacle *end = t->findings + t->finding_count;
    // The sentence may name the point's values: without a place it tells two causes apart, with one the place does.
    while (f < end && !(f->skips == skips && same_place(&f->at, &at) && (at.line || strcmp(f->what, x->what) == 0)))
        f++;
    if (f < end) {
        f->count++;
        return;
    }
    if (t->finding_count == FINDINGS_MOST) return;
    struct str name = {0};
    if (x->code != DIAG_AT_POINT) name_point(t, values, &name);
    at.file = at.file ? arena_strdup(t->arena, at.file) : NULL;
    at.source = at.source ? arena_strdup(t->arena, at.source) : NULL;
    t->findings[t->finding_count++] =
        (struct obstacle){at, copy(x->what), x->hint ? copy(x->hint) : NULL, str_take(&name), point + 1, 1, skips};
}

static const struct diag *first_error(const struct diags *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].kind != DIAG_WARNING) return &d->items[i];
    return NULL;
}

enum trial_answer trying_point(struct trying *t, size_t i, const struct value *values, uint64_t *memory,
    struct str *why)
{
    struct arena *a = arena_new();
    struct diags errors = {0};
    struct job job;
    struct trial_result v = {TRIAL_REFUSED, TRIAL_OF_DEVICE};
    struct where at = {0};
    t->points++;
    if (job_make(t->plan, values, a, &job, &errors)) {
        *memory = job_memory(&job);
        v = trial_point(device_of(t, values)->trial, &job, &errors);
        const struct diag *first = first_error(&errors);
        if (v.answer != TRIAL_RUNS && v.about != TRIAL_OF_CODE && first)
            at = place_about(t, v.about, &job, first->what);
    }
    const struct diag *x = first_error(&errors);
    for (size_t k = 0; k < errors.count; k++)
        if (errors.items[k].kind == DIAG_WARNING)
            diag_add(&t->said, DIAG_WARNING, errors.items[k].at, NULL, "%s", errors.items[k].what);
    if (v.answer != TRIAL_RUNS && x) {
        struct diag told = *x;
        if (!told.hint && v.about == TRIAL_OF_CODE) told.hint = (char *)(uintptr_t)advice(t, &job, x);
        find(t, i, values, &told, at.file ? at : x->at, v.answer == TRIAL_SKIPPED);
        str_add(why, diags_first(&errors));
    }
    t->refused += v.answer == TRIAL_REFUSED;
    t->skipped += v.answer == TRIAL_SKIPPED;
    diags_clear(&errors);
    arena_free(a);
    return v.answer;
}

enum trial_answer trying_listed(struct trying *t, size_t i, const struct value *values, uint64_t *memory,
    struct str *why)
{
    struct diags unheard = {0};
    if (i >= TRYING_MOST && !t->outcomes) t->outcomes = outcomes_new(t->plan);
    const bool known = i >= TRYING_MOST && outcomes_memory(t->outcomes, values, memory, &unheard);
    diags_clear(&unheard);
    return known ? TRIAL_RUNS : trying_point(t, i, values, memory, why);
}

// "point 3 (n = 4096) and 4 more of 12"
static void tell(const struct trying *t, const struct obstacle *f, struct diags *d)
{
    struct str s = {0};
    str_add(&s, f->what);
    if (f->count == t->points) {
        str_add(&s, f->skips ? "; every point is skipped" : "; no point can run");
    } else {
        str_addf(&s, "; point %zu", f->first);
        if (*f->point) str_addf(&s, " (%s)", f->point);
        if (f->count > 1) str_addf(&s, " and %zu more of %zu", f->count - 1, t->points);
        str_add(&s, !f->skips ? " cannot run" : f->count > 1 ? " are skipped" : " is skipped");
    }
    diag_add(d, f->skips ? DIAG_WARNING : DIAG_USER, f->at, f->hint, "%s", s.text);
    str_release(&s);
}

int trying_end(struct trying *t, struct diags *d)
{
    const int status = t->skipped && t->skipped == t->points;
    for (size_t i = 0; i < t->said.count; i++)
        diag_add(d, t->said.items[i].kind, t->said.items[i].at, NULL, "%s", t->said.items[i].what);
    for (size_t i = 0; i < t->finding_count; i++) {
        tell(t, &t->findings[i], d);
        free(t->findings[i].what);
        free(t->findings[i].hint);
        free(t->findings[i].point);
    }
    for (size_t i = 0; i < t->device_count; i++) {
        const size_t left = trial_left_out(t->devices[i].trial);
        if (left)
            diag_add(d, DIAG_WARNING, (struct where){.file = plan_experiment(t->plan)->file}, NULL,
                "%d variants were compiled, %zu more were not", TRIAL_TEXTS, left);
        trial_free(t->devices[i].trial);
        if (t->devices[i].dev) t->devices[i].ops->close(t->devices[i].dev);
    }
    diags_clear(&t->said);
    if (t->outcomes) outcomes_free(t->outcomes);
    arena_free(t->arena);
    free(t);
    return status;
}

struct removals { // by one clause
    const char *why;
    struct where at;
    size_t count;
};
struct counting {
    struct removals *items;
    size_t count, room, all;
};

static void count_removed(void *context, const struct value *values, const char *why, struct where at)
{
    struct counting *c = context;
    size_t i = 0;
    (void)values;
    c->all++;
    while (i < c->count && !(same_place(&c->items[i].at, &at) && strcmp(c->items[i].why, why) == 0)) i++;
    if (i == c->count) {
        mem_grow(&c->items, &c->room, c->count + 1, sizeof *c->items);
        c->items[c->count++] = (struct removals){why, at, 0};
    }
    c->items[i].count++;
}

int trying_none(const struct plan *p, struct diags *d)
{
    const struct experiment *e = plan_experiment(p);
    struct counting c = {0};
    plan_removed(p, count_removed, &c);
    for (size_t i = 0; i < c.count; i++)
        diag_add(d, DIAG_WARNING, c.items[i].at, "`gpuexp plan` shows each point with what removed it",
            "no point is left: `%s` removed %s%zu", c.items[i].why, c.items[i].count == c.all ? "all " : "",
            c.items[i].count);
    if (!c.count) diag_add(d, DIAG_WARNING, (struct where){.file = e->file}, NULL, "no point is planned");
    free(c.items);
    return 1;
}
