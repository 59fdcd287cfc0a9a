// The kernel file's expressions at one point: compiled once for each plan; a result that cannot be a size is refused.
// SPDX-License-Identifier: MIT
#include "plan/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Where a name's value comes from: looked up once, for a plan has a million points.
struct origin {
    size_t slot; // of the point, where it says; else SIZE_MAX
    const struct param *param;
    int setting, trait;   // -1: none
    bool step, own, type; // a sequence's `step`; the kernel's own block; a built-in type
    const char *name;
    struct value fallback; // of the parameter or the setting
};

struct compiled {
    const char *text, *file;
    const struct kernel *kernel; // whose names it asks for
    struct expr *expr;
    struct origin *names; // what it asks for
    size_t name_count;
};

struct origins {
    const struct kernel *kernel;
    struct origin settings[SETTING_COUNT], *params, *memories;
};

struct sizes {
    struct compiled *items;
    size_t count, room;
    struct origins *kernels; // of each kernel of the experiment
    size_t kernel_count;
    struct asked {
        bool *names; // of each name of the plan: its value decided something
        size_t count;
    } all, shape; // for the shape of a launch, and for all else
};

struct sizes *sizes_new(void) { return mem_alloc(sizeof(struct sizes)); }

void sizes_free(struct sizes *s)
{
    for (size_t i = 0; i < s->count; i++) {
        expr_free(s->items[i].expr);
        free(s->items[i].names);
    }
    free(s->items);
    for (size_t i = 0; i < s->kernel_count; i++) {
        free(s->kernels[i].params);
        free(s->kernels[i].memories);
    }
    free(s->kernels);
    free(s->all.names);
    free(s->shape.names);
    free(s);
}

static struct origin origin_of(const struct plan *p, const struct kernel *k, const char *name)
{
    const size_t slot = points_find_slot(p, name);
    struct origin o = {.slot = slot < p->name_count ? slot : SIZE_MAX,
        .param = kernel_param(k, name),
        .setting = setting_find(name),
        .name = name};
    o.step = !o.param && strcmp(name, "step") == 0;
    o.own = !o.param && o.setting == SETTING_BLOCK && k->block[0].text;
    if (o.param) o.fallback = o.param->fallback;
    else if (o.setting >= 0 && setting_named(name) >= 0) o.fallback = setting_default((enum setting)o.setting);
    else o.setting = -1;
    const bool other = !o.param && o.setting < 0 && o.slot == SIZE_MAX;
    o.type = other && kernel_type_size(name);
    o.trait = other && !o.type ? trait_find(name) : -1;
    return o;
}

static struct sizes *tables(const struct plan *p)
{
    struct sizes *all = p->sizes;
    if (all->all.names) return all;
    all->all.names = mem_alloc(p->name_count + 1);
    all->shape.names = mem_alloc(p->name_count + 1);
    for (size_t i = 0; i < p->name_count; i++) // it decides everything else
        if (strcmp(p->slot_names[i], "kernel") == 0) all->all.names[i] = true, all->all.count++;
    return all;
}

static const struct origins *origins_of(const struct expr_site *s)
{
    struct sizes *all = tables(s->plan);
    const struct kernel *k = s->kernel;
    for (size_t i = 0; i < all->kernel_count; i++)
        if (all->kernels[i].kernel == k) return &all->kernels[i];
    all->kernels = mem_resize(all->kernels, (all->kernel_count + 1) * sizeof *all->kernels);
    struct origins *o = &all->kernels[all->kernel_count++];
    *o = (struct origins){.kernel = k};
    o->params = mem_alloc((k->param_count + 1) * sizeof *o->params);
    o->memories = mem_alloc((k->buffer_count + 1) * sizeof *o->memories);
    for (size_t i = 0; i < k->param_count; i++) o->params[i] = origin_of(s->plan, k, k->params[i].name);
    for (size_t i = 0; i < k->buffer_count; i++)
        o->memories[i] = origin_of(s->plan, k, arena_printf(s->plan->arena, "memory.%s", k->buffers[i].name));
    for (int i = 0; i < SETTING_COUNT; i++) o->settings[i] = origin_of(s->plan, k, setting_table[i].name);
    return o;
}

bool sizes_refuse(const struct expr_site *s, struct where at, const char *hint, const char *what)
{
    struct str point = {0};
    points_describe(s->plan, s->values, &point);
    diag_user(s->diags, at, hint, "%s (at %s)", what, point.text);
    diag_code(s->diags, DIAG_AT_POINT, NULL);
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

static bool value_at(const struct expr_site *s, const struct origin *o, struct value *v)
{
    if (s->step && o->step) return *v = value_int(*s->step), true;
    *v = o->slot != SIZE_MAX ? s->values[o->slot] : (struct value){0};
    if (v->kind != VALUE_NONE) return true;
    if (o->own) return own_block(s, v);
    if (o->trait >= 0) {
        const double x = resolve_traits(s->plan, s->values)->values[o->trait];
        return *v = value_int(isfinite(x) ? (int64_t)x : 0), isfinite(x);
    }
    if (o->type) *v = value_text(o->name); // sizeof(float)
    else *v = o->fallback;
    return o->type || o->param || o->setting >= 0 || o->slot != SIZE_MAX;
}

// The same, and what follows depends on it.
static bool ask(const struct expr_site *s, const struct origin *o, struct value *v)
{
    struct asked *asked = s->shape ? &s->plan->sizes->shape : &s->plan->sizes->all;
    if (o->slot != SIZE_MAX && !asked->names[o->slot]) {
        asked->names[o->slot] = true;
        asked->count++;
    }
    return value_at(s, o, v);
}

void sizes_param(const struct expr_site *s, size_t param, struct value *v)
{
    const struct origin *o = &origins_of(s)->params[param];
    if (o->param->kind == PARAM_ARGUMENT) value_at(s, o, v); // only passed on
    else ask(s, o, v);
}

const char *sizes_memory(const struct expr_site *s, size_t buffer, struct value *v)
{
    const struct origin *o = &origins_of(s)->memories[buffer];
    ask(s, o, v);
    return o->name;
}

void sizes_setting(const struct expr_site *s, enum setting setting, struct value *v)
{
    ask(s, &origins_of(s)->settings[setting], v);
}

bool sizes_said(const struct expr_site *s, enum setting setting, struct value *v)
{
    const struct origin *o = &origins_of(s)->settings[setting];
    const bool said = o->slot != SIZE_MAX && s->values[o->slot].kind != VALUE_NONE;
    if (o->slot != SIZE_MAX) ask(s, &(struct origin){.slot = o->slot, .setting = -1, .trait = -1}, v);
    else *v = (struct value){0};
    return said;
}

static const struct asked *asked_for(const struct plan *p, bool shape)
{
    const struct sizes *s = tables(p);
    return shape ? &s->shape : &s->all;
}

size_t sizes_asked(const struct plan *p, bool shape) { return asked_for(p, shape)->count; }
bool sizes_asks(const struct plan *p, bool shape, size_t name) { return asked_for(p, shape)->names[name]; }

// Its mistakes are shown where it stands.
static bool same_file(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static const struct compiled *compiled(const struct expr_site *s, const struct source_expr *source)
{
    struct sizes *all = tables(s->plan);
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].kernel == s->kernel && strcmp(all->items[i].text, source->text) == 0 &&
            same_file(all->items[i].file, source->at.file))
            return &all->items[i];
    struct expr *e = expr_new(s->plan->box, source->text, source->at, s->diags);
    if (!e) return NULL;
    mem_grow(&all->items, &all->room, all->count + 1, sizeof *all->items);
    struct compiled *c = &all->items[all->count++];
    *c = (struct compiled){
        .text = arena_strdup(s->plan->arena, source->text), .file = source->at.file, .kernel = s->kernel, .expr = e};
    while (expr_names(e)[c->name_count]) c->name_count++;
    c->names = mem_alloc((c->name_count + 1) * sizeof *c->names);
    for (size_t i = 0; i < c->name_count; i++) c->names[i] = origin_of(s->plan, s->kernel, expr_names(e)[i]);
    return c;
}

static bool no_value(const struct expr_site *s, const struct expr *e, const char *name)
{
    if (trait_find(name) < 0) return sizes_wrong(s, expr_where(e, name), "unknown name `%s`", name);
    return resolve_unknown(resolve_traits(s->plan, s->values), name, expr_where(e, name), s->diags);
}

bool sizes_eval(const struct expr_site *s, const struct source_expr *source, struct value *result)
{
    const struct compiled *c = compiled(s, source);
    if (!c) return false;
    struct value *args = arena_alloc(s->arena, (c->name_count + 1) * sizeof *args);
    struct diags own = {0};
    const struct compiled it = *c; // the kernel's own block may be an expression that is compiled meanwhile
    bool good = true;
    for (size_t i = 0; i < it.name_count && good; i++)
        if (!ask(s, &it.names[i], &args[i])) good = no_value(s, it.expr, it.names[i].name);
    if (good && !expr_eval(it.expr, args, s->arena, result, &own))
        good = sizes_wrong(s, own.items[0].at, "%s", own.items[0].what);
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
    if (v.kind == VALUE_INT || (v.kind == VALUE_REAL && v.r < 0 && v.r == floor(v.r)))
        return sizes_wrong(s, source->at, "%s is %s; it must be at least %llu", what, shown(s, v),
            (unsigned long long)least);
    return sizes_wrong(s, source->at, "%s is %s, not a whole number%s", what, shown(s, v),
        v.kind == VALUE_REAL && strchr(source->text, '/') ? "; cdiv(a, b) divides and rounds up" : "");
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
