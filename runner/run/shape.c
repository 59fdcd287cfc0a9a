// Names and values of a row, and the derived columns computed from them.
// SPDX-License-Identifier: MIT
#include "run/shape.h"

#include "measure/result.h"
#include "spec/columns.h"
#include "spec/traits.h"
#include "store/head.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void shape_init(struct shape *s, const struct report_head *h)
{
    static const char *const texts[] = {"experiment", "point", "key", "device", "kernel", "status", "reason", "counts"};
    size_t most = 8 + h->name_count + 2 * COLUMN_COUNT + h->report_count + h->derived_count;
    *s = (struct shape){.head = h, .arena = arena_new()};
    s->names = arena_alloc(s->arena, (most + 1) * sizeof *s->names);
    for (size_t i = 0; i < 8; i++) s->names[s->count++] = texts[i];
    for (size_t i = 0; i < h->name_count; i++) s->names[s->count++] = h->names[i];
    for (int i = 0; i < COLUMN_COUNT; i++) s->names[s->count++] = column_table[i].name;
    for (int i = 0; h->both && i < COLUMN_COUNT; i++)
        if (column_has_sim(i)) s->names[s->count++] = arena_printf(s->arena, "sim_%s", column_table[i].name);
    for (size_t i = 0; i < h->report_count; i++) s->names[s->count++] = h->reports[i];
    s->derived_at = s->count;
    for (size_t i = 0; i < h->derived_count; i++) s->names[s->count++] = h->derived[i];
}

void shape_release(struct shape *s) { arena_free(s->arena); }

int shape_find(const struct shape *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], name) == 0) return (int)i;
    return -1;
}

int shape_last(const struct shape *s, const char *name)
{
    for (size_t i = s->count; i-- > 0;)
        if (strcmp(s->names[i], name) == 0) return (int)i;
    return -1;
}

// A whole number becomes an int, so that it is printed and compared as one.
static struct value number(double x)
{
    if (!isfinite(x)) return (struct value){0};
    return x == floor(x) && fabs(x) < 9e15 ? value_int((int64_t)x) : value_real(x);
}

static struct value text(const char *s) { return *s ? value_text(s) : (struct value){0}; }

void shape_fill(const struct shape *s, const struct row *row, struct value *v)
{
    const struct report_head *h = s->head;
    const struct result *r = row->result;
    *v++ = value_text(h->experiment);
    *v++ = value_int((int64_t)row->point);
    *v++ = value_text(row->key);
    *v++ = text(r->device);
    *v++ = value_text(head_kernel(h, row->values));
    *v++ = value_text(status_names[r->status]);
    *v++ = text(row->reason);
    *v++ = text(r->counts);
    for (size_t i = 0; i < h->name_count; i++) *v++ = row->values[i];
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const char *word = column_word(i, r->columns[i]);
        *v++ = word ? value_text(word) : number(r->columns[i]);
    }
    for (int i = 0; h->both && i < COLUMN_COUNT; i++)
        if (column_has_sim(i)) *v++ = number(r->columns_sim[i]);
    for (size_t i = 0; i < h->report_count; i++) *v++ = number(r->reports[i]);
    for (size_t i = 0; i < h->derived_count; i++) *v++ = row->derived ? row->derived[i] : (struct value){0};
}

struct derived {
    struct expr *expr;
    struct where at;
    int *from;               // per name of the expression: index in the shape, -1: none
    struct value *fallbacks; // where there is none: what the kernel or the setting has
    const struct experiment *file;
    size_t names;
    bool warned;
};

struct derive {
    struct derived *items;
    size_t count, at;
    struct value *args;
};

static bool prepare(struct derived *x, const struct experiment *file, const struct named_expr *e, const struct shape *s,
    struct sandbox *box, struct derive *all, struct diags *d)
{
    x->at = e->expr.at;
    x->file = file;
    x->expr = expr_new(box, e->expr.text, e->expr.at, d);
    if (!x->expr) return false;
    const char *const *names = expr_names(x->expr);
    while (names[x->names]) x->names++;
    x->from = mem_alloc((x->names + 1) * sizeof *x->from);
    all->args = mem_resize(all->args, (x->names + s->count + 1) * sizeof *all->args);
    x->fallbacks = mem_alloc((x->names + 1) * sizeof *x->fallbacks);
    for (size_t i = 0; i < x->names; i++) {
        x->from[i] = shape_find(s, names[i]);
        x->fallbacks[i] = plan_default(file, names[i]);
    }
    return true;
}

struct derive *derive_new(const struct experiment *e, const struct shape *s, struct sandbox *box, struct diags *d)
{
    struct derive *all = mem_alloc(sizeof *all);
    bool ok = true;
    all->at = s->derived_at;
    all->items = mem_alloc((e->derive_count + 1) * sizeof *all->items);
    for (; all->count < e->derive_count; all->count++)
        if (!prepare(&all->items[all->count], e, &e->derive[all->count], s, box, all, d)) ok = false;
    if (ok) return all;
    derive_free(all);
    return NULL;
}

void derive_free(struct derive *all)
{
    if (!all) return;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].expr) expr_free(all->items[i].expr);
        free(all->items[i].from);
        free(all->items[i].fallbacks);
    }
    free(all->items);
    free(all->args);
    free(all);
}

enum { DEVICE_AT = 3 }; // among the texts in front of every row

static struct value one(struct derived *x, const struct value *values, struct value *args, struct arena *a,
    struct diags *d)
{
    struct value result = {0};
    struct diags errors = {0};
    bool known = true;
    for (size_t i = 0; i < x->names; i++) {
        args[i] = x->from[i] < 0 ? x->fallbacks[i] : values[x->from[i]];
        const char *name = expr_names(x->expr)[i];
        if (args[i].kind == VALUE_NONE && x->from[i] < 0 && trait_find(name) >= 0)
            args[i] = traits_value(x->file, (enum trait)trait_find(name), values[DEVICE_AT].text);
        known = known && args[i].kind != VALUE_NONE;
    }
    if (!expr_eval(x->expr, args, a, &result, &errors)) {
        if (known && !x->warned) {
            diag_add(d, DIAG_WARNING, x->at, NULL, "%s; the cell stays empty", diags_first(&errors));
            x->warned = true;
        }
        result = (struct value){0};
    }
    diags_clear(&errors);
    if (result.kind == VALUE_REAL) result = number(result.r);
    return result;
}

void derive_row(struct derive *all, struct value *values, struct value *results, struct arena *a, struct diags *d)
{
    for (size_t i = 0; i < all->count; i++)
        values[all->at + i] = results[i] = one(&all->items[i], values, all->args, a, d);
}
