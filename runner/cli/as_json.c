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
    json_object(j, NULL);
    json_text(j, "name", p->name);
    json_text(j, "kind", words_kinds[p->kind].word);
    json_value(j, "default", p->fallback);
    if (p->has_min) json_value(j, "min", p->min);
    if (p->has_max) json_value(j, "max", p->max);
    if (p->one_of) value_list(j, "one_of", p->one_of->items, p->one_of->count);
    json_text(j, "about", p->about);
    json_close(j);
}

void as_json_kernel(struct json *j, const struct kernel *k)
{
    json_object(j, NULL);
    json_text(j, "kernel", k->name);
    json_text(j, "file", k->path);
    json_text(j, "about", k->about);
    json_list(j, "params");
    for (size_t i = 0; i < k->param_count; i++) parameter(j, &k->params[i]);
    json_close(j);
    json_list(j, "buffers");
    for (size_t i = 0; i < k->buffer_count; i++) {
        const struct buffer *b = &k->buffers[i];
        json_object(j, NULL);
        json_text(j, "name", b->name);
        json_text(j, "type", b->type);
        json_text(j, "count", b->count.text);
        json_text(j, "access", words_access[b->access].word);
        json_text(j, "about", b->about);
        json_close(j);
    }
    json_close(j);
    json_list(j, "reports");
    for (size_t i = 0; i < k->report_count; i++) {
        json_object(j, NULL);
        json_text(j, "name", k->reports[i].name);
        json_text(j, "about", k->reports[i].about);
        json_close(j);
    }
    json_close(j);
    json_bool(j, "checked", k->check != NULL || k->checks_of_count > 0);
    json_close(j);
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
    json_object(j, NULL);
    json_text(j, "experiment", e->name);
    json_text(j, "file", e->file);
    json_text(j, "theme", e->theme);
    json_text(j, "question", e->question);
    json_text(j, "kernel", e->kernel->name);
    json_text(j, "script", e->script);
    assignments(j, "with", &e->with);
    axes(j, e);
    expressions(j, "where", e->where, e->where_count);
    json_object(j, "derive");
    for (size_t i = 0; i < e->derive_count; i++) json_text(j, e->derive[i].name, e->derive[i].expr.text);
    json_close(j);
    if (e->found.says) {
        json_object(j, "found");
        json_text(j, "device", e->found.device);
        json_text(j, "driver", e->found.driver);
        json_text(j, "date", e->found.date);
        json_text(j, "by", e->found.by);
        json_text(j, "report", e->found.report);
        json_text(j, "says", e->found.says);
        json_close(j);
    }
    json_list(j, "expect");
    for (size_t i = 0; i < e->expect_count; i++) {
        json_object(j, NULL);
        json_text(j, "when", e->expect[i].when.text);
        json_text(j, "that", e->expect[i].that.text);
        json_list(j, "over");
        for (const char *const *name = e->expect[i].over; name && *name; name++) json_text(j, NULL, *name);
        json_close(j);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

void as_json_mistakes(struct json *j, const char *key, const struct diags *d, size_t from)
{
    json_list(j, key);
    for (size_t i = from; i < d->count; i++) {
        const struct diag *m = &d->items[i];
        json_object(j, NULL);
        json_text(j, "kind", m->kind == DIAG_WARNING ? "warning" : "error");
        json_text(j, "file", m->at.file);
        if (m->at.line) json_count(j, "line", (uint64_t)m->at.line);
        if (m->at.line) json_count(j, "column", (uint64_t)m->at.column);
        json_text(j, "what", m->what);
        json_text(j, "hint", m->hint);
        json_close(j);
    }
    json_close(j);
}
