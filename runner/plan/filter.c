// What removes a point: `exclude` compares, `where` computes, a script's `keep` decides. The cheap ones come first, so
// that no expression is evaluated for a point that is excluded anyway.
// SPDX-License-Identifier: MIT
#include "plan/plan_inside.h"
#include "spec/fits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The slot of a name that an expression uses; a default of the kernel or of a setting gets a new one.
static size_t slot_for(struct plan *p, const char *name)
{
    size_t slot = points_find_slot(p, name);
    if (slot != SIZE_MAX) return slot;
    const struct param *param = p->e->kernel ? kernel_param(p->e->kernel, name) : NULL;
    int setting = param ? -1 : setting_find(name);
    const bool kernel = !param && setting < 0 && p->e->kernel && strcmp(name, "kernel") == 0;
    if (!param && setting < 0 && !kernel) return SIZE_MAX;
    const char **names = arena_alloc(p->arena, (p->slot_count + 1) * sizeof *names);
    struct value *slots = arena_alloc(p->arena, (p->slot_count + 1) * sizeof *slots);
    memcpy(names, p->slot_names, p->slot_count * sizeof *names);
    memcpy(slots, p->slots, p->slot_count * sizeof *slots);
    names[p->slot_count] = arena_strdup(p->arena, name);
    slots[p->slot_count] = param ? param->fallback
        : kernel                 ? value_text(p->e->kernel->name)
                                 : setting_default((enum setting)setting);
    p->slot_names = names;
    p->slots = slots;
    return p->slot_count++;
}

static bool unknown(const struct plan *p, const char *name, struct where at, struct diags *d)
{
    const char *near = str_nearest(name, p->slot_names);
    char *hint = near ? arena_printf(p->arena, "did you mean `%s`?", near) : NULL;
    return diag_user(d, at, hint, "`%s` is not a name of this experiment", name);
}

static bool compile_where(struct plan *p, struct clause *c, const struct source_expr *text, struct diags *d)
{
    c->at = text->at;
    c->why = arena_printf(p->arena, "where: %s", text->text);
    c->expr = expr_new(p->box, text->text, text->at, d);
    if (!c->expr) return false;
    const char *const *names = expr_names(c->expr);
    size_t n = 0;
    while (names[n]) n++;
    c->args = arena_alloc(p->arena, n * sizeof *c->args);
    c->arg_slots = arena_alloc(p->arena, n * sizeof *c->arg_slots);
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        c->arg_slots[i] = slot_for(p, names[i]);
        if (c->arg_slots[i] == SIZE_MAX && trait_find(names[i]) >= 0)
            c->arg_slots[i] = TRAIT_SLOT + (size_t)trait_find(names[i]);
        if (c->arg_slots[i] == SIZE_MAX) good = unknown(p, names[i], expr_where(c->expr, names[i]), d);
    }
    return good;
}

static bool compile_exclude(struct plan *p, struct clause *c, const struct assignments *wanted, struct diags *d)
{
    struct str why = {0};
    bool good = true;
    c->at = wanted->at;
    c->exclude = wanted;
    c->exclude_slots = arena_alloc(p->arena, wanted->count * sizeof *c->exclude_slots);
    str_add(&why, "exclude: {");
    for (size_t i = 0; i < wanted->count; i++) {
        str_addf(&why, "%s%s: ", i ? ", " : "", wanted->items[i].name);
        value_print(wanted->items[i].value, &why);
        c->exclude_slots[i] = slot_for(p, wanted->items[i].name);
        if (c->exclude_slots[i] == SIZE_MAX) good = unknown(p, wanted->items[i].name, wanted->items[i].at, d);
    }
    str_add(&why, "}");
    c->why = arena_strdup(p->arena, why.text);
    str_release(&why);
    return good;
}

// What each of several kernels takes of an axis is its own.
static bool fits_kernel(const struct plan *p)
{
    const struct kernel *k = points_kernel(p, p->slots);
    struct fits_why unsaid;
    for (size_t i = 0; k && i < k->param_count; i++) {
        const size_t slot = points_find_slot(p, k->params[i].name);
        struct value v = slot == SIZE_MAX ? (struct value){0} : p->slots[slot];
        if (v.kind != VALUE_NONE && !fits_param(&k->params[i], k, &v, &unsaid)) return false;
    }
    return true;
}

bool filter_compile(struct plan *p, struct diags *d)
{
    bool good = true;
    const bool own = p->e->kernel_count > 1;
    size_t n = p->e->exclude_count + p->e->where_count + own;
    mem_grow(&p->clauses, &p->clause_room, n, sizeof *p->clauses);
    for (size_t i = 0; i < n; i++) p->clauses[i] = (struct clause){0};
    p->clause_count = p->fixed_clauses = n;
    for (size_t i = 0; i < p->e->exclude_count; i++) good &= compile_exclude(p, &p->clauses[i], &p->e->exclude[i], d);
    for (size_t i = 0; i < p->e->where_count; i++)
        good &= compile_where(p, &p->clauses[p->e->exclude_count + i], &p->e->where[i], d);
    if (own) p->clauses[n - 1] = (struct clause){.why = "what its kernel takes", .fits = true, .matched = true};
    return good;
}

void filter_free(struct plan *p)
{
    for (size_t i = 0; i < p->fixed_clauses; i++) expr_free(p->clauses[i].expr);
    free(p->clauses);
}

static bool is_excluded(const struct plan *p, const struct clause *c)
{
    for (size_t i = 0; i < c->exclude->count; i++)
        if (!value_equal(p->slots[c->exclude_slots[i]], c->exclude->items[i].value)) return false;
    return true;
}

static bool trait(struct plan *p, struct clause *c, size_t i, struct diags *d)
{
    const struct traits *t = resolve_traits(p, p->slots);
    const double x = t->values[c->arg_slots[i] - TRAIT_SLOT];
    const char *name = expr_names(c->expr)[i];
    if (!isfinite(x)) return resolve_unknown(t, name, expr_where(c->expr, name), d);
    c->args[i] = value_int((int64_t)x);
    return true;
}

void filter_unmatched(const struct plan *p, struct diags *d)
{
    for (size_t i = 0; i < p->fixed_clauses; i++)
        if (!p->clauses[i].expr && !p->clauses[i].matched)
            diag_add(d, DIAG_WARNING, p->clauses[i].at, NULL, "`%s` matches no point", p->clauses[i].why);
}

static bool holds(struct plan *p, struct clause *c, bool *yes, struct diags *d)
{
    struct value v;
    struct diags own = {0};
    for (size_t i = 0; expr_names(c->expr)[i]; i++)
        if (c->arg_slots[i] < TRAIT_SLOT) c->args[i] = p->slots[c->arg_slots[i]];
        else if (!trait(p, c, i, d)) return false;
    if (expr_eval(c->expr, c->args, p->arena, &v, &own) && v.kind == VALUE_BOOL) {
        *yes = v.b;
        return true;
    }
    struct str point = {0};
    points_describe(p, p->slots, &point);
    if (own.count) diag_user(d, own.items[0].at, NULL, "%s (at %s)", own.items[0].what, point.text);
    else
        diag_user(d, c->at, "compare with ==, <, ~= ...",
            "`where` must give true or false, and this gives neither (at %s)", point.text);
    diag_code(d, DIAG_AT_POINT, NULL);
    diags_clear(&own);
    str_release(&point);
    return false;
}

bool filter_keep(struct plan *p, bool *keep, uint32_t *clause, struct diags *d)
{
    *keep = true;
    for (size_t i = 0; i < p->fixed_clauses; i++) {
        struct clause *c = &p->clauses[i];
        if (c->fits) {
            if (*keep && !fits_kernel(p)) *clause = (uint32_t)i, *keep = false;
            continue;
        }
        if (!c->expr && (*keep || !c->matched) && is_excluded(p, c)) {
            if (*keep) *clause = (uint32_t)i;
            c->matched = true;
            *keep = false;
        }
        if (!c->expr || !*keep) continue;
        *clause = (uint32_t)i;
        if (!holds(p, c, keep, d)) return false;
    }
    return !*keep || !p->keep || p->keep(p, keep, clause, d);
}
