// Makes the points: goes through the product of the axes, asks the clauses about each point, adds `include`.
// SPDX-License-Identifier: MIT
#include "lua/script.h"
#include "plan/eval.h"

#include <stdlib.h>
#include <string.h>

enum { PRODUCT_MOST = 100000000 }; // more would take minutes to look through, and weeks to measure

struct value plan_default(const struct experiment *e, const char *name)
{
    const struct param *param = e->kernel ? kernel_param(e->kernel, name) : NULL;
    if (param) return param->fallback;
    int setting = setting_named(name); // memory.in stands for one buffer: its default is `memory`
    const struct source_expr *own = e->kernel && setting == SETTING_BLOCK ? e->kernel->block : NULL;
    if (own && own[0].text) { // a number stands for itself; an expression is only known at a point
        char *end;
        const long long n = strtoll(own[0].text, &end, 10);
        return !*end && !own[1].text ? value_int(n) : (struct value){0};
    }
    return setting >= 0 ? setting_default((enum setting)setting) : (struct value){0};
}

static void set_base(struct plan *p)
{
    const struct experiment *e = p->e;
    struct value *base = arena_alloc(p->arena, e->name_count * sizeof *base);
    p->slot_names = arena_alloc(p->arena, (e->name_count + 1) * sizeof *p->slot_names);
    p->name_count = e->name_count;
    for (size_t i = 0; i < e->name_count; i++) {
        p->slot_names[i] = e->names[i];
        base[i] = plan_default(e, e->names[i]);
    }
    for (size_t i = 0; i < e->with.count; i++) {
        size_t slot = points_find_slot(p, e->with.items[i].name);
        if (slot != SIZE_MAX) base[slot] = e->with.items[i].value;
    }
    p->base = base;
    p->slots = arena_copy(p->arena, base, e->name_count * sizeof *base);
}

// Which of the group's values are new, not repeated. Hashes say where to look, values whether two are the same.
static void pick_distinct(struct axis_group *g, size_t n, struct arena *a)
{
    struct lookup table = {0};
    g->picks = arena_alloc(a, n * sizeof *g->picks);
    for (uint32_t i = 0; i < n; i++) {
        struct hash h;
        uint64_t out[2];
        size_t at = 0, seen, same = 0;
        hash_init(&h);
        for (size_t k = 0; k < g->axes->count; k++) value_hash(g->axes->items[k].values[i], &h);
        hash_final(h, out);
        while (same < g->axes->count && (seen = lookup_next(&table, out[0], &at)) != LOOKUP_NONE)
            for (same = 0; same < g->axes->count; same++)
                if (!value_equal(g->axes->items[same].values[i], g->axes->items[same].values[seen])) break;
        if (same == g->axes->count) continue;
        lookup_add(&table, out[0], i);
        g->picks[g->count++] = i;
    }
    lookup_release(&table);
}

static bool set_groups(struct plan *p, struct diags *d)
{
    const struct experiment *e = p->e;
    // Without axes, the points of `include` are all points.
    if (script_has(p->script, SCRIPT_POINTS) || (e->sweep_count == 0 && e->include_count > 0)) return true;
    p->groups = arena_alloc(p->arena, e->sweep_count * sizeof *p->groups);
    p->group_count = e->sweep_count;
    p->product = 1;
    for (size_t i = e->sweep_count; i-- > 0;) {
        struct axis_group *g = &p->groups[i];
        g->axes = &e->sweep[i];
        g->slots = arena_alloc(p->arena, g->axes->count * sizeof *g->slots);
        g->stride = p->product;
        for (size_t k = 0; k < g->axes->count; k++) g->slots[k] = points_find_slot(p, g->axes->items[k].name);
        size_t n = g->axes->count ? g->axes->items[0].count : 0;
        if (n > PRODUCT_MOST)
            return diag_user(d, g->axes->items[0].at, NULL, "%zu values; at most %d can be planned", n, PRODUCT_MOST);
        pick_distinct(g, n, p->arena);
        p->product *= g->count;
        if (p->product > PRODUCT_MOST)
            return diag_user(d, g->axes->items[0].at, NULL,
                "the axes make more than %d points; sweep fewer values or split the file", PRODUCT_MOST);
    }
    return true;
}

static bool walk_product(struct plan *p, struct diags *d)
{
    for (uint32_t code = 0; code < p->product; code++) {
        // From one point to the next most groups stay: only those that change are written again.
        for (size_t g = p->group_count; g-- > 0;) {
            const struct axis_group *group = &p->groups[g];
            uint32_t digit = (uint32_t)(code / group->stride % group->count);
            for (size_t i = 0; i < group->axes->count; i++)
                p->slots[group->slots[i]] = group->axes->items[i].values[group->picks[digit]];
            if (digit && code) break;
        }
        bool keep;
        uint32_t clause = 0;
        if (!filter_keep(p, &keep, &clause, d)) return false;
        if (!keep) {
            points_remove(p, code, clause);
        } else {
            mem_grow(&p->codes, &p->code_room, p->count + 1, sizeof *p->codes);
            p->codes[p->count++] = code;
        }
    }
    p->regular = p->count;
    return true;
}

static bool include_points(struct plan *p, struct diags *d)
{
    LOCAL(mem_drop) struct value *values = mem_alloc(p->name_count * sizeof *values);
    bool good = true;
    for (size_t i = 0; i < p->e->include_count && good; i++) {
        const struct assignments *point = &p->e->include[i];
        memcpy(values, p->base, p->name_count * sizeof *values);
        for (size_t k = 0; k < point->count; k++) {
            size_t slot = points_find_slot(p, point->items[k].name);
            if (slot != SIZE_MAX) values[slot] = point->items[k].value;
        }
        if (points_add(p, values) == ADD_FULL) good = diag_user(d, point->at, NULL, "too many points");
    }
    return good;
}

struct plan *plan_new_scripted(const struct experiment *e, struct sandbox *box, struct script *script, struct diags *d)
{
    struct plan *p = mem_alloc(sizeof *p);
    *p = (struct plan){.e = e, .box = box, .arena = arena_new(), .eval = eval_new(), .script = script};
    sandbox_sizeof(box, kernel_type_size);
    if (!(p->e = resolve_values(e, box, p->arena, d))) return plan_free(p), NULL;
    set_base(p);
    if (script) p->shape = script_shape(script, p->slot_names, p->name_count);
    bool good = filter_compile(p, d) && set_groups(p, d) && walk_product(p, d);
    if (good && script_has(script, SCRIPT_POINTS)) good = plan_script_make(p, d);
    if (good && include_points(p, d)) return filter_unmatched(p, d), p;
    plan_free(p);
    return NULL;
}

struct plan *plan_new(const struct experiment *e, struct sandbox *box, struct diags *d)
{
    return plan_new_scripted(e, box, NULL, d);
}

void plan_seed(struct plan *p, uint64_t seed) { p->seed = seed; }
void plan_forget(struct plan *p)
{
    eval_free(p->eval);
    p->eval = eval_new();
}

void plan_shift(struct plan *p) { p->shifts = true; }

void plan_free(struct plan *p)
{
    if (!p) return;
    filter_free(p);
    eval_free(p->eval);
    free(p->codes);
    free(p->extras);
    lookup_release(&p->by_values);
    free(p->removed);
    arena_free(p->arena);
    free(p);
}

struct script *plan_script(const struct plan *p) { return p->script; }
const struct experiment *plan_experiment(const struct plan *p) { return p->e; }
size_t plan_count(const struct plan *p) { return p->count; }
size_t plan_name_count(const struct plan *p) { return p->name_count; }
const char *plan_name(const struct plan *p, size_t i) { return p->slot_names[i]; }
void plan_values(const struct plan *p, size_t i, struct value *values) { points_decode(p, p->codes[i], values); }

size_t plan_removed(const struct plan *p, plan_removed_fn *fn, void *context)
{
    LOCAL(mem_drop) struct value *values = mem_alloc(p->name_count * sizeof *values);
    for (size_t i = 0; i < p->removed_count && fn; i++) {
        points_decode(p, p->removed[i].code, values);
        fn(context, values, p->clauses[p->removed[i].clause].why, p->clauses[p->removed[i].clause].at);
    }
    return p->removed_count;
}

struct where plan_where(const struct experiment *e, const char *name)
{
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t k = 0; k < e->sweep[i].count; k++)
            if (strcmp(e->sweep[i].items[k].name, name) == 0) return e->sweep[i].items[k].at;
    for (size_t i = 0; i < e->with.count; i++)
        if (strcmp(e->with.items[i].name, name) == 0) return e->with.items[i].at;
    for (size_t i = 0; i < e->include_count; i++)
        for (size_t k = 0; k < e->include[i].count; k++)
            if (strcmp(e->include[i].items[k].name, name) == 0) return e->include[i].items[k].at;
    return (struct where){.file = e->file};
}

bool plan_append(struct plan *p, const struct value *values)
{
    LOCAL(mem_drop) struct value *own = mem_alloc(p->name_count * sizeof *own);
    memcpy(own, values, p->name_count * sizeof *own);
    points_inherit(p, own);
    return points_add(p, own) == ADD_NEW;
}
