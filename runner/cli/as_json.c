// One object for each thing, with the words of the files as keys.
// SPDX-License-Identifier: MIT
#include "cli/as_json.h"

#include "spec/words.h"

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
