// The kernel file's expressions at one point: compiled once for each plan; a result that cannot be a size is refused.
// SPDX-License-Identifier: MIT
#include "plan/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct compiled {
    const char *text, *file;
    struct expr *expr;
};
struct sizes {
    struct compiled *items;
    size_t count, room;
};

struct sizes *sizes_new(void) { return mem_alloc(sizeof(struct sizes)); }

void sizes_free(struct sizes *s)
{
    for (size_t i = 0; i < s->count; i++) expr_free(s->items[i].expr);
    free(s->items);
    free(s);
}

bool sizes_refuse(const struct expr_site *s, struct where at, const char *hint, const char *what)
{
    struct str point = {0};
    points_describe(s->plan, s->values, &point);
    diag_user(s->diags, at, hint, "%s (at %s)", what, point.text);
    str_release(&point);
    return false;
}

bool sizes_wrong(const struct expr_site *s, struct where at, const char *fmt, ...)
{
    struct str what = {0};
    va_list args;
    va_start(args, fmt);
    str_vaddf(&what, fmt, args);
    va_end(args);
    sizes_refuse(s, at, NULL, what.text);
    str_release(&what);
    return false;
}

// The kernel's own block, a number or a list; its expressions use parameters only.
static bool own_block(const struct expr_site *s, struct value *v)
{
    const struct source_expr *own = s->kernel->block;
    struct value_list *list = arena_alloc(s->arena, sizeof *list + 3 * sizeof *list->items);
    for (; list->count < 3 && own[list->count].text; list->count++)
        if (!sizes_eval(s, &own[list->count], &list->items[list->count])) return false;
    *v = list->count == 1 ? list->items[0] : (struct value){VALUE_LIST, {.list = list}};
    return true;
}

bool sizes_value(const struct expr_site *s, const char *name, struct value *v)
{
    size_t slot = points_find_slot(s->plan, name);
    const struct param *param = kernel_param(s->kernel, name);
    int setting = setting_find(name);
    *v = (struct value){0};
    if (s->step && !param && strcmp(name, "step") == 0) return *v = value_int(*s->step), true;
    if (slot < s->plan->name_count) *v = s->values[slot];
    if (v->kind != VALUE_NONE) return true;
    if (param) *v = param->fallback;
    else if (setting == SETTING_BLOCK && s->kernel->block[0].text) return own_block(s, v);
    else if (setting >= 0 && !strchr(name, '.')) *v = setting_default((enum setting)setting);
    else if (slot >= s->plan->name_count && kernel_type_size(name)) *v = value_text(name); // sizeof(float)
    else if (slot >= s->plan->name_count && trait_find(name) >= 0) {
        const double x = resolve_traits(s->plan, s->values)->values[trait_find(name)];
        return *v = value_int(isfinite(x) ? (int64_t)x : 0), isfinite(x);
    } else return slot < s->plan->name_count;
    return true;
}

// Its mistakes are shown where it stands.
static bool same_file(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static struct expr *compiled(const struct expr_site *s, const struct source_expr *source)
{
    struct sizes *all = s->plan->sizes;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].text, source->text) == 0 && same_file(all->items[i].file, source->at.file))
            return all->items[i].expr;
    struct expr *e = expr_new(s->plan->box, source->text, source->at, s->diags);
    if (!e) return NULL;
    mem_grow(&all->items, &all->room, all->count + 1, sizeof *all->items);
    all->items[all->count++] = (struct compiled){arena_strdup(s->plan->arena, source->text), source->at.file, e};
    return e;
}

static bool no_value(const struct expr_site *s, const struct expr *e, const char *name)
{
    if (trait_find(name) < 0) return sizes_wrong(s, expr_where(e, name), "unknown name `%s`", name);
    return resolve_unknown(resolve_traits(s->plan, s->values), name, expr_where(e, name), s->diags);
}

bool sizes_eval(const struct expr_site *s, const struct source_expr *source, struct value *result)
{
    struct expr *e = compiled(s, source);
    size_t n = 0;
    if (!e) return false;
    while (expr_names(e)[n]) n++;
    struct value *args = mem_alloc(n * sizeof *args);
    struct diags own = {0};
    bool good = true;
    for (size_t i = 0; i < n && good; i++)
        if (!sizes_value(s, expr_names(e)[i], &args[i])) good = no_value(s, e, expr_names(e)[i]);
    if (good && !expr_eval(e, args, s->arena, result, &own))
        good = sizes_wrong(s, own.items[0].at, "%s", own.items[0].what);
    diags_clear(&own);
    free(args);
    return good;
}

static const char *shown(const struct expr_site *s, struct value v)
{
    struct str text = {0};
    if (v.kind == VALUE_NONE) return "nothing";
    value_print(v, &text);
    const char *copy = arena_printf(s->arena, v.kind == VALUE_TEXT ? "`%.60s`" : "%.60s", text.text ? text.text : "");
    str_release(&text);
    return copy;
}

bool sizes_whole(const struct expr_site *s, const struct source_expr *source, const char *what, uint64_t least,
    uint64_t *size)
{
    struct value v;
    if (!sizes_eval(s, source, &v)) return false;
    bool whole = v.kind == VALUE_INT && v.i >= 0;
    if (whole) *size = (uint64_t)v.i;
    if (v.kind == VALUE_REAL && v.r >= 0 && v.r < 0x1p63 && v.r == floor(v.r)) whole = true, *size = (uint64_t)v.r;
    if (whole && *size >= least) return true;
    if (whole)
        return sizes_wrong(s, source->at, "%s is %llu; it must be at least %llu", what, (unsigned long long)*size,
            (unsigned long long)least);
    return sizes_wrong(s, source->at, "%s is %s, not a whole number", what, shown(s, v));
}

bool sizes_number(const struct expr_site *s, const struct source_expr *source, const char *what, double *number)
{
    struct value v;
    *number = NAN;
    if (!source->text) return true;
    if (!sizes_eval(s, source, &v)) return false;
    if ((v.kind != VALUE_INT && v.kind != VALUE_REAL) || !value_number(v, number) || *number < 0)
        return sizes_wrong(s, source->at, "%s is %s, not a number of at least 0", what, shown(s, v));
    return true;
}
