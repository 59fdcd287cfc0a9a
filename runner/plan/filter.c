// What removes a point: `exclude` compares, `where` computes, a script's `keep` decides. The cheap ones come first, so
// that no expression is evaluated for a point that is excluded anyway.
// SPDX-License-Identifier: MIT
#include "lua/script.h"
#include "plan/eval.h"
#include "spec/fits.h"

#include <stdlib.h>
#include <string.h>

static struct expr_site site_of(struct plan *p, struct diags *d)
{
    return (struct expr_site){
        .plan = p, .kernel = p->e->kernel, .values = p->slots, .arena = p->arena, .diags = d, .what = FOR_FILTER};
}

static bool compile_where(struct plan *p, struct clause *c, const struct source_expr *text, struct diags *d)
{
    const struct expr_site s = site_of(p, d);
    *c = (struct clause){.at = text->at, .why = arena_printf(p->arena, "where: %s", text->text), .where = text};
    return eval_compiles(&s, text);
}

static bool compile_exclude(struct plan *p, struct clause *c, const struct assignments *wanted, struct diags *d)
{
    const struct expr_site s = site_of(p, d);
    LOCAL(str_release) struct str why = {0};
    bool good = true;
    c->at = wanted->at;
    c->exclude = wanted;
    c->exclude_names = arena_alloc(p->arena, wanted->count * sizeof *c->exclude_names);
    str_add(&why, "exclude: {");
    for (size_t i = 0; i < wanted->count; i++) {
        str_addf(&why, "%s%s: ", i ? ", " : "", wanted->items[i].name);
        value_print(wanted->items[i].value, &why);
        c->exclude_names[i] = eval_name(&s, wanted->items[i].name);
        good &= eval_known(&s, c->exclude_names[i], wanted->items[i].at);
    }
    str_add(&why, "}");
    c->why = arena_strdup(p->arena, why.text);
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

void filter_free(struct plan *p) { free(p->clauses); }

static bool is_excluded(const struct expr_site *s, const struct clause *c)
{
    struct value v;
    for (size_t i = 0; i < c->exclude->count; i++)
        if (eval_at(s, c->exclude_names[i], &v), !value_equal(v, c->exclude->items[i].value)) return false;
    return true;
}

void filter_unmatched(const struct plan *p, struct diags *d)
{
    for (size_t i = 0; i < p->fixed_clauses; i++)
        if (!p->clauses[i].where && !p->clauses[i].matched)
            diag_add(d, DIAG_WARNING, p->clauses[i].at, NULL, "`%s` matches no point", p->clauses[i].why);
}

static bool holds(const struct expr_site *s, const struct clause *c, bool *yes)
{
    struct value v;
    if (!eval_expr(s, c->where, &v)) return false;
    *yes = v.kind == VALUE_BOOL && v.b;
    return v.kind == VALUE_BOOL ||
        eval_refuse(s, c->at, "compare with ==, <, ~= ...", "`where` must give true or false, and this gives neither");
}

bool filter_keep(struct plan *p, bool *keep, uint32_t *clause, struct diags *d)
{
    const struct expr_site s = site_of(p, d);
    *keep = true;
    for (size_t i = 0; i < p->fixed_clauses; i++) {
        struct clause *c = &p->clauses[i];
        if (c->fits) {
            if (*keep && !fits_kernel(p)) *clause = (uint32_t)i, *keep = false;
            continue;
        }
        if (c->exclude && (*keep || !c->matched) && is_excluded(&s, c)) {
            if (*keep) *clause = (uint32_t)i;
            c->matched = true;
            *keep = false;
        }
        if (!c->where || !*keep) continue;
        *clause = (uint32_t)i;
        if (!holds(&s, c, keep)) return false;
    }
    return !*keep || !script_has(p->script, SCRIPT_KEEP) || plan_script_keep(p, keep, clause, d);
}
