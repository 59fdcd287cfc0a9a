// What names and expressions are at a point. Each is looked up and compiled once for each plan, for a plan has a
// million points; a result that cannot be a size is refused.
// SPDX-License-Identifier: MIT
#include "plan/eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Where a name's value comes from.
struct origin {
    const char *name;
    size_t slot; // of the point, where it says; else SIZE_MAX
    const struct param *param;
    int trait;                   // -1: none
    bool step, own, known, pass; // a sequence's `step`; the kernel's own block; it is something; it decides nothing
    struct value fallback;       // of a parameter or a setting; a type's name, for sizeof(float)
};

struct origins { // of each kernel of the experiment
    const struct kernel *kernel;
    struct origin *items;
    size_t count, room;
};

struct compiled {
    const char *text, *file;
    const struct kernel *kernel; // whose names it asks for
    struct expr *expr;
    size_t *names; // what it asks for
    struct value *args;
};

struct eval {
    struct compiled *items;
    size_t count, room;
    struct origins *kernels;
    size_t kernel_count;
    struct asked {
        bool *names; // of each name of the plan: its value decided something
        size_t count;
    } asked[EVAL_FORS];
};

struct eval *eval_new(void) { return mem_alloc(sizeof(struct eval)); }

void eval_free(struct eval *s)
{
    for (size_t i = 0; i < s->count; i++) {
        expr_free(s->items[i].expr);
        free(s->items[i].names);
        free(s->items[i].args);
    }
    free(s->items);
    for (size_t i = 0; i < s->kernel_count; i++) free(s->kernels[i].items);
    free(s->kernels);
    for (int i = 0; i < EVAL_FORS; i++) free(s->asked[i].names);
    free(s);
}

static struct origin origin_of(const struct plan *p, const struct kernel *k, const char *name)
{
    const int setting = setting_find(name);
    struct origin o = {.name = name, .slot = points_find_slot(p, name), .trait = -1, .known = true};
    o.param = k ? kernel_param(k, name) : NULL;
    o.step = !o.param && strcmp(name, "step") == 0;
    o.own = k && !o.param && setting == SETTING_BLOCK && k->block[0].text;
    if (o.param) o.fallback = o.param->fallback;
    else if (setting >= 0) o.fallback = setting_default((enum setting)setting);
    else if (o.slot == SIZE_MAX && kernel_type_size(name)) o.fallback = value_text(name);
    else if (o.slot == SIZE_MAX && (o.trait = trait_find(name)) < 0) {
        o.known = k && strcmp(name, "kernel") == 0;
        if (o.known) o.fallback = value_text(k->name);
    }
    return o;
}

static struct eval *tables(const struct plan *p)
{
    struct eval *all = p->eval;
    if (all->asked[0].names) return all;
    for (int i = 0; i < EVAL_FORS; i++) all->asked[i].names = mem_alloc(p->name_count + 1);
    const size_t kernel = points_find_slot(p, "kernel"); // it decides everything else
    if (kernel != SIZE_MAX) all->asked[FOR_JOB].names[kernel] = true, all->asked[FOR_JOB].count++;
    return all;
}

static void add(const struct plan *p, struct origins *to, const char *name)
{
    mem_grow(&to->items, &to->room, to->count + 1, sizeof *to->items);
    to->items[to->count++] = origin_of(p, to->kernel, name);
}

static struct origins *origins_of(const struct expr_site *s)
{
    struct eval *all = tables(s->plan);
    const struct kernel *k = s->kernel;
    for (size_t i = 0; i < all->kernel_count; i++)
        if (all->kernels[i].kernel == k) return &all->kernels[i];
    all->kernels = mem_resize(all->kernels, (all->kernel_count + 1) * sizeof *all->kernels);
    struct origins *o = &all->kernels[all->kernel_count++];
    *o = (struct origins){.kernel = k};
    for (int i = 0; i < SETTING_COUNT; i++) add(s->plan, o, setting_table[i].name);
    for (size_t i = 0; k && i < k->param_count; i++) {
        add(s->plan, o, k->params[i].name);
        o->items[o->count - 1].pass = k->params[i].kind == PARAM_ARGUMENT;
    }
    for (size_t i = 0; k && i < k->buffer_count; i++)
        add(s->plan, o, arena_printf(s->plan->arena, "memory.%s", k->buffers[i].name));
    return o;
}

size_t eval_name(const struct expr_site *s, const char *name)
{
    struct origins *o = origins_of(s);
    size_t i = 0;
    while (i < o->count && (o->items[i].pass || strcmp(o->items[i].name, name) != 0)) i++;
    if (i == o->count) add(s->plan, o, arena_strdup(s->plan->arena, name));
    return i;
}

const char *eval_called(const struct expr_site *s, size_t name) { return origins_of(s)->items[name].name; }

bool eval_refuse(const struct expr_site *s, struct where at, const char *hint, const char *what)
{
    LOCAL(str_release) struct str point = {0};
    points_describe(s->plan, s->values, &point);
    diag_user(s->diags, at, hint, "%s (at %s)", what, point.text);
    diag_code(s->diags, DIAG_AT_POINT, NULL);
    return false;
}

bool eval_wrong(const struct expr_site *s, struct where at, const char *fmt, ...)
{
    STR_FORMATTED(what, fmt);
    eval_refuse(s, at, NULL, what.text);
    return false;
}

// The kernel's own block, a number or a list; its expressions use parameters only.
static bool own_block(const struct expr_site *s, struct value *v)
{
    const struct source_expr *own = s->kernel->block;
    struct value_list *list = arena_alloc(s->arena, sizeof *list + 3 * sizeof *list->items);
    for (; list->count < 3 && own[list->count].text; list->count++)
        if (!eval_expr(s, &own[list->count], &list->items[list->count])) return false;
    *v = list->count == 1 ? list->items[0] : (struct value){VALUE_LIST, {.list = list}};
    return true;
}

static enum eval_has value_of(const struct expr_site *s, const struct origin *o, struct value *v)
{
    *v = o->slot != SIZE_MAX ? s->values[o->slot] : (struct value){0};
    if (s->step && o->step) return *v = value_int(*s->step), EVAL_SAID;
    if (v->kind != VALUE_NONE) return EVAL_SAID;
    if (o->own) return own_block(s, v) ? EVAL_DEFAULT : EVAL_TOLD;
    *v = o->fallback;
    if (o->trait < 0) return o->known ? EVAL_DEFAULT : EVAL_UNKNOWN;
    const double x = resolve_traits(s->plan, s->values)->values[o->trait];
    return *v = value_int(isfinite(x) ? (int64_t)x : 0), isfinite(x) ? EVAL_DEFAULT : EVAL_UNKNOWN;
}

enum eval_has eval_at(const struct expr_site *s, size_t name, struct value *v)
{
    const struct origin *o = &origins_of(s)->items[name];
    struct asked *asked = s->what < EVAL_FORS && !o->pass ? &s->plan->eval->asked[s->what] : NULL;
    if (asked && o->slot != SIZE_MAX && !asked->names[o->slot]) {
        asked->names[o->slot] = true;
        asked->count++;
    }
    return value_of(s, o, v);
}

size_t eval_asked(const struct plan *p, enum eval_for what) { return tables(p)->asked[what].count; }
bool eval_asks(const struct plan *p, enum eval_for what, size_t name) { return tables(p)->asked[what].names[name]; }

// Its mistakes are shown where it stands.
static bool same_file(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static const struct compiled *compiled(const struct expr_site *s, const struct source_expr *source)
{
    struct eval *all = tables(s->plan);
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].kernel == s->kernel && strcmp(all->items[i].text, source->text) == 0 &&
            same_file(all->items[i].file, source->at.file))
            return &all->items[i];
    struct expr *e = expr_new(s->plan->box, source->text, source->at, s->diags);
    if (!e) return NULL;
    size_t n = 0;
    while (expr_names(e)[n]) n++;
    mem_grow(&all->items, &all->room, all->count + 1, sizeof *all->items);
    struct compiled *c = &all->items[all->count++];
    *c = (struct compiled){
        .text = arena_strdup(s->plan->arena, source->text), .file = source->at.file, .kernel = s->kernel, .expr = e};
    c->names = mem_alloc((n + 1) * sizeof *c->names);
    c->args = mem_alloc((n + 1) * sizeof *c->args);
    for (size_t i = 0; i < n; i++) c->names[i] = eval_name(s, expr_names(e)[i]);
    return c;
}

bool eval_known(const struct expr_site *s, size_t name, struct where at)
{
    const struct origin *o = &origins_of(s)->items[name];
    const char *near = o->known ? NULL : str_nearest(o->name, s->plan->slot_names);
    return o->known ||
        diag_user(s->diags, at, near ? arena_printf(s->arena, "did you mean `%s`?", near) : NULL,
            "`%s` is not a name of this experiment", o->name);
}

bool eval_compiles(const struct expr_site *s, const struct source_expr *source)
{
    const struct compiled *c = compiled(s, source);
    bool good = c != NULL;
    for (size_t i = 0; c && expr_names(c->expr)[i]; i++)
        good &= eval_known(s, c->names[i], expr_where(c->expr, expr_names(c->expr)[i]));
    return good;
}

static bool no_value(const struct expr_site *s, const struct expr *e, const char *name)
{
    if (trait_find(name) < 0) return eval_wrong(s, expr_where(e, name), "unknown name `%s`", name);
    return resolve_unknown(resolve_traits(s->plan, s->values), name, expr_where(e, name), s->diags);
}

bool eval_expr(const struct expr_site *s, const struct source_expr *source, struct value *result)
{
    const struct compiled *c = compiled(s, source);
    if (!c) return false;
    struct diags own = {0};
    const struct compiled it = *c; // the kernel's own block may be an expression that is compiled meanwhile
    for (size_t i = 0; expr_names(it.expr)[i]; i++) {
        const enum eval_has has = eval_at(s, it.names[i], &it.args[i]);
        if (has == EVAL_UNKNOWN) return no_value(s, it.expr, expr_names(it.expr)[i]);
        if (has == EVAL_TOLD) return false;
    }
    const bool good =
        expr_eval(it.expr, it.args, s->arena, result, &own) || eval_wrong(s, own.items[0].at, "%s", own.items[0].what);
    diags_clear(&own);
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

bool eval_whole(const struct expr_site *s, const struct source_expr *source, const char *what, uint64_t least,
    uint64_t *size)
{
    struct value v;
    if (!eval_expr(s, source, &v)) return false;
    bool whole = v.kind == VALUE_INT && v.i >= 0;
    if (whole) *size = (uint64_t)v.i;
    if (v.kind == VALUE_REAL && v.r >= 0 && v.r < 0x1p63 && v.r == floor(v.r)) whole = true, *size = (uint64_t)v.r;
    if (whole && *size >= least) return true;
    if (whole)
        return eval_wrong(s, source->at, "%s is %llu; it must be at least %llu", what, (unsigned long long)*size,
            (unsigned long long)least);
    if (v.kind == VALUE_INT || (v.kind == VALUE_REAL && v.r < 0 && v.r == floor(v.r)))
        return eval_wrong(s, source->at, "%s is %s; it must be at least %llu", what, shown(s, v),
            (unsigned long long)least);
    return eval_wrong(s, source->at, "%s is %s, not a whole number%s", what, shown(s, v),
        v.kind == VALUE_REAL && strchr(source->text, '/') ? "; cdiv(a, b) divides and rounds up" : "");
}

bool eval_number(const struct expr_site *s, const struct source_expr *source, const char *what, double *number)
{
    struct value v;
    *number = NAN;
    if (!source->text) return true;
    if (!eval_expr(s, source, &v)) return false;
    if ((v.kind != VALUE_INT && v.kind != VALUE_REAL) || !value_number(v, number) || *number < 0)
        return eval_wrong(s, source->at, "%s is %s, not a number of at least 0", what, shown(s, v));
    return true;
}
