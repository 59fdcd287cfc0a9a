// One object for each thing, with the words of the files as keys.
// SPDX-License-Identifier: MIT
#include "cli/as_json.h"

#include "spec/words.h"
#include "study/trying.h"

#include <stdlib.h>
#include <string.h>

bool as_json(const struct options *o)
{
    return options_given(o, OPTION_FORMAT) && strcmp(o->value[OPTION_FORMAT], "json") == 0;
}

static void value_list(struct json *j, const char *key, const struct value *items, size_t count)
{
    json_list(j, key);
    for (size_t i = 0; i < count; i++) json_value(j, NULL, items[i]);
    json_close(j);
}

static void parameter(struct json *j, const struct param *p)
{
    json_add(j, "{ name:%s kind:%s", p->name, words_kinds[p->kind].word);
    json_value(j, "default", p->fallback);
    if (p->has_min) json_value(j, "min", p->min);
    if (p->has_max) json_value(j, "max", p->max);
    if (p->one_of) value_list(j, "one_of", p->one_of->items, p->one_of->count);
    json_add(j, "about:%s }", p->about);
}

void as_json_kernel(struct json *j, const struct kernel *k)
{
    json_add(j, "{ kernel:%s file:%s about:%s params:[", k->name, k->path, k->about);
    for (size_t i = 0; i < k->param_count; i++) parameter(j, &k->params[i]);
    json_add(j, "] buffers:[");
    for (size_t i = 0; i < k->buffer_count; i++) {
        const struct buffer *b = &k->buffers[i];
        json_add(j, "{ name:%s type:%s count:%s access:%s about:%s }", b->name, b->type, b->count.text,
            words_access[b->access].word, b->about);
    }
    json_add(j, "] reports:[");
    for (size_t i = 0; i < k->report_count; i++)
        json_add(j, "{ name:%s about:%s }", k->reports[i].name, k->reports[i].about);
    json_add(j, "] checked:%d }", k->check != NULL || k->checks_of_count > 0);
}

static void assignments(struct json *j, const char *key, const struct assignments *list)
{
    json_object(j, key);
    for (size_t i = 0; i < list->count; i++) json_value(j, list->items[i].name, list->items[i].value);
    json_close(j);
}

static void expressions(struct json *j, const char *key, const struct source_expr *list, size_t count)
{
    json_list(j, key);
    for (size_t i = 0; i < count; i++) json_text(j, NULL, list[i].text);
    json_close(j);
}

static void axes(struct json *j, const struct experiment *e)
{
    json_list(j, "axes"); // those of one object move in step
    for (size_t i = 0; i < e->sweep_count; i++) {
        json_object(j, NULL);
        for (size_t k = 0; k < e->sweep[i].count; k++) {
            const struct axis *x = &e->sweep[i].items[k];
            value_list(j, x->name, x->values, x->count);
        }
        json_close(j);
    }
    json_close(j);
}

void as_json_experiment(struct json *j, const struct experiment *e)
{
    json_add(j, "{ experiment:%s file:%s theme:%s question:%s kernel:%s script:%s", e->name, e->file, e->theme,
        e->question, e->kernel->name, e->script);
    assignments(j, "with", &e->with);
    axes(j, e);
    expressions(j, "where", e->where, e->where_count);
    json_object(j, "derive");
    for (size_t i = 0; i < e->derive_count; i++) json_text(j, e->derive[i].name, e->derive[i].expr.text);
    json_close(j);
    const struct found_before *f = &e->found;
    if (f->says)
        json_add(j, "found:{ device:%s driver:%s date:%s by:%s report:%s says:%s }", f->device, f->driver, f->date,
            f->by, f->report, f->says);
    json_list(j, "expect");
    for (size_t i = 0; i < e->expect_count; i++) {
        json_add(j, "{ when:%s that:%s over:[", e->expect[i].when.text, e->expect[i].that.text);
        for (const char *const *name = e->expect[i].over; name && *name; name++) json_text(j, NULL, *name);
        json_add(j, "] }");
    }
    json_add(j, "] }");
}

void as_json_mistakes(struct json *j, const char *key, const struct diags *d, size_t from)
{
    json_list(j, key);
    for (size_t i = from; i < d->count; i++) {
        const struct diag *m = &d->items[i];
        json_add(j, "{ kind:%s file:%s", m->kind == DIAG_WARNING ? "warning" : "error", m->at.file);
        if (m->at.line) json_add(j, "line:%u column:%u", (unsigned)m->at.line, (unsigned)m->at.column);
        json_add(j, "what:%s hint:%s }", m->what, m->hint);
    }
    json_close(j);
}

static void values_of(struct json *j, const struct plan *p, const struct value *values)
{
    json_object(j, "values");
    for (size_t i = 0; i < plan_name_count(p); i++) json_value(j, plan_name(p, i), values[i]);
    json_close(j);
}

static void plan_point(struct json *j, const struct plan *p, struct trying *trying, size_t i, struct value *values)
{
    LOCAL(str_release) struct str why = {0};
    uint64_t memory = 0;
    plan_values(p, i, values);
    json_add(j, "{ point:%zu", i + 1);
    values_of(j, p, values);
    const enum trial_answer answer = trying_listed(trying, i, values, &memory, &why);
    if (answer == TRIAL_RUNS) json_count(j, "memory_bytes", memory);
    else json_text(j, answer == TRIAL_SKIPPED ? "skipped" : "cannot_run", why.text);
    json_close(j);
}

struct removing {
    struct json *json;
    const struct plan *plan;
};

static void removed(void *context, const struct value *values, const char *why, struct where at)
{
    const struct removing *r = context;
    json_object(r->json, NULL);
    values_of(r->json, r->plan, values);
    json_text(r->json, "by", why);
    if (at.line > 0) json_count(r->json, "line", (uint64_t)at.line);
    json_close(r->json);
}

int as_json_plan(struct json *j, const struct options *o, const struct plan *p, struct diags *d)
{
    const size_t count = plan_count(p);
    LOCAL(mem_drop) struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    const struct request request = options_request(o);
    LOCAL(mem_drop) bool *mine = load_shard(&request, p);
    struct trying *trying = trying_new(p);
    json_add(j, "{ experiment:%s kernel:%s points_of_all_shards:%zu", plan_experiment(p)->name,
        plan_experiment(p)->kernel->name, count);
    if (count > TRYING_MOST) json_count(j, "tried_on_device", TRYING_MOST);
    json_list(j, "points");
    for (size_t i = 0; i < count; i++)
        if (!mine || mine[i]) plan_point(j, p, trying, i, values);
    json_add(j, "] removed:[");
    plan_removed(p, removed, &(struct removing){j, p});
    json_add(j, "] }");
    const int status = trying_end(trying, d);
    return count ? status : trying_none(p, d);
}
