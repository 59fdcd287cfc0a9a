// Values that follow from the device become numbers before any point is made, so that points, rows and keys are the
// same as if the numbers had been written.
// SPDX-License-Identifier: MIT
#include "plan/plan_inside.h"
#include "spec/fits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct traits *resolve_traits(const struct plan *p, const struct value *values)
{
    const size_t slot = points_find_slot(p, "device");
    const char *spec = slot != SIZE_MAX && values[slot].kind == VALUE_TEXT ? values[slot].text : NULL;
    return traits_of(p->e, spec ? spec : setting_default(SETTING_DEVICE).text);
}

bool resolve_unknown(const struct traits *t, const char *name, struct where at, struct diags *d)
{
    return diag_user(d, at, "-d sim:h200 (or another profile) has published values", "`%s` is not known: %s", name,
        *t->why ? t->why : "the device does not tell");
}

struct resolving {
    const struct experiment *e;
    struct sandbox *box;
    struct arena *arena;
    struct diags *diags;
    bool *changed;
};

// What the name is for: a number that a text may stand for.
static bool takes_number(const struct experiment *e, const char *name, const struct param **param, int *setting)
{
    *param = kernel_param(e->kernel, name);
    *setting = *param ? -1 : setting_named(name);
    if (*param) return !(*param)->is_text && (*param)->fallback.kind != VALUE_BOOL;
    if (*setting < 0) return false;
    const enum setting_type type = setting_table[*setting].type;
    return type == SETTING_INT || type == SETTING_BYTES || type == SETTING_DIM;
}

static bool fits(const struct resolving *r, const struct param *param, int setting, const char *name, struct where at,
    const char *text, struct value *v)
{
    struct fits_why why;
    const bool good = param ? fits_param(param, r->e->kernel, v, &why)
                            : fits_setting((enum setting)setting, name, v, UNIT_NONE, &why);
    return good || diag_user(r->diags, at, *why.hint ? why.hint : NULL, "%s, which `%s` gives", why.what, text);
}

// The values of the traits that it names. `other`: it names something else too, and is computed at each point.
static bool arguments(const struct resolving *r, const struct expr *x, const char *text, struct where at,
    struct value *args, bool *other)
{
    for (size_t i = 0; expr_names(x)[i]; i++) {
        const char *name = expr_names(x)[i];
        const int trait = kernel_param(r->e->kernel, name) ? -1 : trait_find(name);
        if (trait < 0) {
            *other = true;
            continue;
        }
        if (traits_device(r->e, 1))
            return diag_user(r->diags, at, NULL, "`%s` needs one device: here `device` is swept", text);
        const struct traits *t = traits_of(r->e, traits_device(r->e, 0));
        if (!isfinite(t->values[trait])) return resolve_unknown(t, name, at, r->diags);
        args[i] = value_int((int64_t)t->values[trait]);
    }
    return true;
}

static bool one(const struct resolving *r, const char *name, struct where at, struct value *v)
{
    const struct param *param;
    int setting;
    struct value result;
    bool other = false, good;
    if (v->kind != VALUE_TEXT || !takes_number(r->e, name, &param, &setting)) return true;
    const char *text = v->text;
    struct expr *x = expr_new(r->box, text, at, r->diags);
    if (!x) return false;
    size_t n = 0;
    while (expr_names(x)[n]) n++;
    struct value *args = mem_alloc((n + 1) * sizeof *args);
    good = arguments(r, x, text, at, args, &other);
    if (good && !other && n) {
        good = expr_eval(x, args, r->arena, &result, r->diags) && fits(r, param, setting, name, at, text, &result);
        if (good) *v = result, *r->changed = true;
    }
    free(args);
    expr_free(x);
    return good;
}

static bool list(const struct resolving *r, struct assignments *out)
{
    struct assignment *items = arena_copy(r->arena, out->items, out->count * sizeof *items);
    bool good = true;
    for (size_t i = 0; i < out->count; i++) good &= one(r, items[i].name, items[i].at, &items[i].value);
    out->items = items;
    return good;
}

static bool points(const struct resolving *r, const struct assignments **out, size_t count)
{
    struct assignments *all = arena_copy(r->arena, *out, count * sizeof *all);
    bool good = true;
    for (size_t i = 0; i < count; i++) good &= list(r, &all[i]);
    *out = all;
    return good;
}

static bool axes(const struct resolving *r, struct experiment *e)
{
    struct axes *groups = arena_copy(r->arena, e->sweep, e->sweep_count * sizeof *groups);
    bool good = true;
    for (size_t g = 0; g < e->sweep_count; g++) {
        struct axis *items = arena_copy(r->arena, groups[g].items, groups[g].count * sizeof *items);
        for (size_t i = 0; i < groups[g].count; i++) {
            struct value *values = arena_copy(r->arena, items[i].values, items[i].count * sizeof *values);
            bool fine = true; // one complaint an axis
            for (size_t k = 0; fine && k < items[i].count; k++) fine = one(r, items[i].name, items[i].at, &values[k]);
            good &= fine;
            items[i].values = values;
        }
        groups[g].items = items;
    }
    e->sweep = groups;
    return good;
}

const struct experiment *resolve_values(const struct experiment *e, struct sandbox *box, struct arena *a,
    struct diags *d)
{
    struct experiment *own = arena_copy(a, e, sizeof *own);
    bool changed = false;
    const struct resolving r = {e, box, a, d, &changed};
    if (!e->kernel) return e;
    bool good = list(&r, &own->with); // the mistakes of all are told
    good &= axes(&r, own);
    good &= points(&r, &own->include, e->include_count);
    good &= points(&r, &own->exclude, e->exclude_count);
    if (!good) return NULL;
    return changed ? own : e;
}
