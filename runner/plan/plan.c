// Makes the points: goes through the product of the axes, asks the clauses about each point, adds `include`.
// SPDX-License-Identifier: MIT
#include "plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "lua/script.h"
#include "plan/eval.h"
#include "plan/plan_inside.h"
#include "spec/scalar.h"

// Values that follow from the device become numbers before any point is made, so that points, rows and keys are the
// same as if the numbers had been written.

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
    if (good && !other) {
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

// The experiment with the values that follow from the device as numbers; itself, where there are none. NULL
// after errors.
static const struct experiment *resolve_values(const struct experiment *e, struct sandbox *box, struct arena *a,
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

// Settings that decide nothing in an experiment: told once, for their rows would differ by chance alone.

// A setting counts only where `on` is one of `words`; on the simulator, which has no time, some never do.
static const struct use {
    enum setting setting;
    bool times;
    enum setting on;
    const char *words; // NULL: anything but the default
} uses[] = {{SETTING_TOUCH, true, SETTING_MEMORY, "managed"}, {SETTING_PREFETCH, true, SETTING_MEMORY, "managed"},
    {SETTING_ADVISE, true, SETTING_MEMORY, "managed"}, {SETTING_HOST, true, SETTING_TIMED, "upload download roundtrip"},
    {SETTING_CHUNKS, true, SETTING_TIMED, "upload download roundtrip"}, {SETTING_VIA, true, SETTING_VIA, ""},
    {SETTING_WINDOW_RATIO, false, SETTING_WINDOW_BUFFER, NULL},
    {SETTING_WINDOW_HITS, false, SETTING_WINDOW_BUFFER, NULL},
    {SETTING_WINDOW_MISSES, false, SETTING_WINDOW_BUFFER, NULL},
    {SETTING_WINDOW_BYTES, false, SETTING_WINDOW_BUFFER, NULL},
    {SETTING_TEXTURE_ADDRESS, false, SETTING_MEMORY, "texture"},
    {SETTING_TEXTURE_FILTER, false, SETTING_MEMORY, "texture"},
    {SETTING_TEXTURE_NORMALIZED, false, SETTING_MEMORY, "texture"}};

typedef bool value_fn(const void *context, struct value);

static bool any_of(const struct assignments *list, const char *name, value_fn *is, const void *context)
{
    const size_t n = strlen(name);
    for (size_t i = 0; i < list->count; i++) {
        const char *it = list->items[i].name;
        if (strncmp(it, name, n) == 0 && (!it[n] || it[n] == '.') && is(context, list->items[i].value)) return true;
    }
    return false;
}

// Whether a value that the file gives `name`, or a part of it (memory.in), is such a one.
static bool any(const struct experiment *e, const char *name, value_fn *is, const void *context)
{
    bool yes = any_of(&e->with, name, is, context);
    for (size_t i = 0; i < e->include_count && !yes; i++) yes = any_of(&e->include[i], name, is, context);
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t k = 0; k < e->sweep[i].count; k++)
            for (size_t v = 0; v < e->sweep[i].items[k].count && !yes; v++) {
                struct assignment one = {.name = e->sweep[i].items[k].name, .value = e->sweep[i].items[k].values[v]};
                yes = any_of(&(struct assignments){.items = &one, .count = 1}, name, is, context);
            }
    return yes;
}

static bool is_another(const void *fallback, struct value v)
{
    const struct value *f = fallback;
    return !value_equal(*f, v);
}

static bool is_word(const void *words, struct value v)
{
    return v.kind == VALUE_TEXT && *v.text && strstr(words, v.text) != NULL;
}

static bool is_timed(const void *none, struct value device)
{
    (void)none;
    const char *kind = device.kind == VALUE_TEXT ? setting_device_kind(device.text) : NULL;
    return !kind || strcmp(kind, "sim") != 0;
}

static bool is_set(const struct experiment *e, enum setting s)
{
    const struct value fallback = setting_default(s);
    return any(e, setting_table[s].name, is_another, &fallback);
}

static bool takes_texture(const struct experiment *e)
{
    for (size_t k = 0; k < e->kernel_count; k++)
        if (strstr(e->kernels[k]->text, "cudaTextureObject_t")) return true;
    return false;
}

static bool is_needed(const struct experiment *e, const struct use *u)
{
    if (!u->words) return is_set(e, u->on);
    return !*u->words || any(e, setting_table[u->on].name, is_word, u->words) ||
        (strcmp(u->words, "texture") == 0 && takes_texture(e));
}

// A source whose block follows its parameters (`block: [TX, TY]`) may count on that.
static void tell_block(const struct experiment *e, struct diags *d)
{
    const bool given = any(e, "block", is_another, &(struct value){0});
    for (size_t k = 0; given && k < e->kernel_count; k++) {
        const struct kernel *of = e->kernels[k];
        LOCAL(str_release) struct str own = {0};
        bool follows = false;
        for (int i = 0; i < 3 && of->block[i].text; i++) {
            for (size_t p = 0; p < of->param_count; p++) follows |= strcmp(of->block[i].text, of->params[p].name) == 0;
            str_addf(&own, "%s%s", i ? ", " : "", of->block[i].text);
        }
        if (follows)
            diag_add(d, DIAG_WARNING, plan_where(e, "block"), "leave `block` out, and set those",
                "`block` takes the place of the kernel's own, [%s], which its source may count on", own.text);
    }
}

void idle_tell(const struct experiment *e, struct diags *d)
{
    tell_block(e, d);
    bool known = false, timed = true;
    const struct value automatic = setting_default(SETTING_DEVICE);
    for (size_t i = 0; !e->script && i < sizeof uses / sizeof *uses; i++) {
        const struct use *u = &uses[i];
        const char *name = setting_table[u->setting].name, *on = setting_table[u->on].name;
        if (!is_set(e, u->setting)) continue;
        if (u->times && !known) { // asked for at most once: `auto` starts a process
            timed = any(e, "device", is_timed, NULL) ||
                (!any(e, "device", is_another, &(struct value){0}) && is_timed(NULL, automatic));
            known = true;
        }
        if (u->times && !timed)
            diag_add(d, DIAG_WARNING, plan_where(e, name), NULL, "`%s` changes nothing on sim: it needs a GPU", name);
        else if (!is_needed(e, u)) {
            char first[32];
            const char *words = u->words ? u->words : "...";
            snprintf(first, sizeof first, "%.*s", (int)strcspn(words, " "), words);
            diag_add(d, DIAG_WARNING, plan_where(e, name), NULL, "`%s` changes nothing without `%s: %s`", name, on,
                first);
        }
    }
}

static bool plan_script_keep(struct plan *, bool *keep, uint32_t *clause, struct diags *);

// Single points: from a code to its values, from values to the point that has them, and points outside the product.

size_t points_find_slot(const struct plan *p, const char *name)
{
    for (size_t i = 0; i < p->name_count; i++)
        if (strcmp(p->slot_names[i], name) == 0) return i;
    return SIZE_MAX;
}

const struct kernel *points_kernel(const struct plan *p, const struct value *values)
{
    if (p->e->kernel_count < 2) return p->e->kernel;
    const size_t slot = points_find_slot(p, "kernel");
    const bool known = slot != SIZE_MAX && values[slot].kind == VALUE_TEXT;
    return experiment_kernel(p->e, known ? values[slot].text : NULL);
}

static void points_decode(const struct plan *p, uint32_t code, struct value *values)
{
    if (code >= p->product) {
        memcpy(values, p->extras[code - p->product], p->name_count * sizeof *values);
        return;
    }
    memcpy(values, p->base, p->name_count * sizeof *values);
    for (size_t g = 0; g < p->group_count; g++) {
        const struct axis_group *group = &p->groups[g];
        uint32_t pick = group->picks[code / group->stride % group->count];
        for (size_t i = 0; i < group->axes->count; i++) values[group->slots[i]] = group->axes->items[i].values[pick];
    }
}

// What a point that names only some values gets
static void points_inherit(const struct plan *p, struct value *values)
{
    for (size_t i = 0; i < p->name_count; i++)
        if (values[i].kind == VALUE_NONE) values[i] = p->base[i];
}

void points_describe(const struct plan *p, const struct value *values, struct str *s)
{
    for (size_t i = 0; i < p->name_count; i++) {
        if (values[i].kind == VALUE_NONE) continue;
        str_addf(s, "%s%s = ", s->size ? ", " : "", p->slot_names[i]);
        value_print(values[i], s);
    }
    if (!s->size) str_add(s, "the only point");
}

static bool group_has(const struct axis_group *g, uint32_t at, const struct value *values)
{
    for (size_t i = 0; i < g->axes->count; i++)
        if (!value_equal(values[g->slots[i]], g->axes->items[i].values[g->picks[at]])) return false;
    return true;
}

// The code of the combination that has these values; false: there is none.
static bool encode(const struct plan *p, const struct value *values, uint32_t *code)
{
    LOCAL(mem_drop) struct value *found = mem_alloc(p->name_count * sizeof *found);
    uint64_t sum = 0;
    bool good = p->product > 0;
    for (size_t g = 0; g < p->group_count && good; g++) {
        uint32_t at = 0;
        while (at < p->groups[g].count && !group_has(&p->groups[g], at, values)) at++;
        good = at < p->groups[g].count;
        sum += at * p->groups[g].stride;
    }
    *code = (uint32_t)sum;
    if (good) {
        points_decode(p, *code, found);
        for (size_t i = 0; i < p->name_count && good; i++) good = value_equal(values[i], found[i]);
    }
    return good;
}

static uint64_t hash_of(const struct plan *p, const struct value *values)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    for (size_t i = 0; i < p->name_count; i++) value_hash(values[i], &h);
    hash_final(h, out);
    return out[0];
}

static bool is_extra(const struct plan *p, const struct value *values, uint64_t hash)
{
    LOCAL(mem_drop) struct value *found = mem_alloc(p->name_count * sizeof *found);
    bool same = false;
    for (size_t at = 0, n; !same && (n = lookup_next(&p->by_values, hash, &at)) != LOOKUP_NONE;) {
        points_decode(p, p->codes[n], found);
        size_t i = 0;
        while (i < p->name_count && value_equal(values[i], found[i])) i++;
        same = i == p->name_count;
    }
    return same;
}

static bool is_regular(const struct plan *p, uint32_t code)
{
    size_t low = 0, high = p->regular;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->codes[middle] == code) return true;
        if (p->codes[middle] < code) low = middle + 1;
        else high = middle;
    }
    return false;
}

// A point that `include` adds again does not count as removed.
static void restore(struct plan *p, uint32_t code)
{
    for (size_t i = 0; i < p->removed_count; i++) {
        if (p->removed[i].code != code) continue;
        memmove(&p->removed[i], &p->removed[i + 1], (p->removed_count - i - 1) * sizeof p->removed[0]);
        p->removed_count--;
        return;
    }
}

static enum add_result points_add(struct plan *p, const struct value *values)
{
    uint32_t code;
    bool in_product = encode(p, values, &code);
    if (in_product && is_regular(p, code)) return ADD_KNOWN;
    const uint64_t hash = hash_of(p, values);
    if (is_extra(p, values, hash)) return ADD_KNOWN;
    if (p->count >= UINT32_MAX - 1 || p->product + p->extra_count >= UINT32_MAX) return ADD_FULL;
    if (in_product) {
        restore(p, code);
    } else {
        struct value *own = arena_alloc(p->arena, p->name_count * sizeof *own);
        for (size_t i = 0; i < p->name_count; i++) own[i] = value_copy(values[i], p->arena);
        mem_grow(&p->extras, &p->extra_room, p->extra_count + 1, sizeof *p->extras);
        code = (uint32_t)(p->product + p->extra_count);
        p->extras[p->extra_count++] = own;
    }
    mem_grow(&p->codes, &p->code_room, p->count + 1, sizeof *p->codes);
    p->codes[p->count++] = code;
    lookup_add(&p->by_values, hash, p->count - 1);
    return ADD_NEW;
}

static void points_remove(struct plan *p, uint32_t code, uint32_t clause)
{
    mem_grow(&p->removed, &p->removed_room, p->removed_count + 1, sizeof *p->removed);
    p->removed[p->removed_count++] = (struct removed){code, clause};
}

// What removes a point: `exclude` compares, `where` computes, a script's `keep` decides. The cheap ones come first, so
// that no expression is evaluated for a point that is excluded anyway.

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

// The clauses of the file, compiled. False after errors.
static bool filter_compile(struct plan *p, struct diags *d)
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

static void filter_free(struct plan *p) { free(p->clauses); }

static bool is_excluded(const struct expr_site *s, const struct clause *c)
{
    struct value v;
    for (size_t i = 0; i < c->exclude->count; i++)
        if (eval_at(s, c->exclude_names[i], &v), !value_equal(v, c->exclude->items[i].value)) return false;
    return true;
}

// Warns of each `exclude` that no point fits
static void filter_unmatched(const struct plan *p, struct diags *d)
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

// Whether the values in `slots` stay; else `clause` says what removes them. False: a clause failed.
static bool filter_keep(struct plan *p, bool *keep, uint32_t *clause, struct diags *d)
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

// A plan with a script: `points` makes the points in the axes' place, `keep` is one more clause, after the file's own.

enum { MADE_MOST = 10000000 }; // points that a script may make

// A script's reason as a clause; often it is the same as the last one.
static uint32_t reason_clause(struct plan *p, const char *reason)
{
    LOCAL(str_release) struct str why = {0};
    str_addf(&why, "keep%s%s", reason ? ": " : "", reason ? reason : "");
    size_t first = p->clause_count > p->fixed_clauses + 16 ? p->clause_count - 16 : p->fixed_clauses, i = first;
    while (i < p->clause_count && strcmp(p->clauses[i].why, why.text) != 0) i++;
    if (i == p->clause_count) {
        mem_grow(&p->clauses, &p->clause_room, p->clause_count + 1, sizeof *p->clauses);
        p->clauses[p->clause_count++] = (struct clause){.why = arena_strdup(p->arena, why.text), .at = p->e->script_at};
    }
    return (uint32_t)i;
}

static bool plan_script_keep(struct plan *p, bool *keep, uint32_t *clause, struct diags *d)
{
    const char *reason;
    bool good = script_keep(p->script, p->shape, p->slots, keep, &reason, d);
    if (good && !*keep) *clause = reason_clause(p, reason);
    return good;
}

struct making {
    struct plan *plan;
    struct diags *d;
    struct value *values;
};

// A removed point of a script has no code in the product: it is kept with the extra points, but is not one of them.
static uint32_t keep_values(struct plan *p, const struct value *values)
{
    struct value *own = arena_alloc(p->arena, p->name_count * sizeof *own);
    for (size_t i = 0; i < p->name_count; i++) own[i] = value_copy(values[i], p->arena);
    mem_grow(&p->extras, &p->extra_room, p->extra_count + 1, sizeof *p->extras);
    p->extras[p->extra_count] = own;
    return (uint32_t)(p->product + p->extra_count++);
}

static bool make_point(void *context, const struct value *values)
{
    struct making *m = context;
    struct plan *p = m->plan;
    bool keep;
    uint32_t clause = 0;
    memcpy(m->values, values, p->name_count * sizeof *values);
    points_inherit(p, m->values);
    memcpy(p->slots, m->values, p->name_count * sizeof *values);
    if (p->product + p->extra_count >= MADE_MOST)
        return diag_user(m->d, p->e->script_at, NULL, "points: more than %d points", MADE_MOST);
    if (!filter_keep(p, &keep, &clause, m->d)) return false;
    if (keep) points_add(p, m->values);
    else points_remove(p, keep_values(p, m->values), clause);
    return true;
}

// Its `points`, in the axes' place, and its `keep`, one more clause.
static bool plan_script_make(struct plan *p, struct diags *d)
{
    size_t n = 0;
    for (size_t i = 0; i < p->e->sweep_count; i++) n += p->e->sweep[i].count;
    LOCAL(mem_drop) struct script_axis *axes = mem_alloc(n * sizeof *axes);
    struct making m = {p, d, mem_alloc(p->name_count * sizeof *m.values)};
    n = 0;
    for (size_t i = 0; i < p->e->sweep_count; i++)
        for (size_t k = 0; k < p->e->sweep[i].count; k++) {
            const struct axis *axis = &p->e->sweep[i].items[k];
            axes[n++] = (struct script_axis){axis->name, axis->values, axis->count};
        }
    bool good = script_points(p->script, axes, n, p->shape, make_point, &m, d);
    free(m.values);
    return good;
}

// The order of measurement: a seeded shuffle, so that a drift of clocks or temperature cannot look like an effect of
// an axis.

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// 0 ... n-1, all equally likely.
static uint64_t below(uint64_t n, uint64_t *state)
{
    uint64_t most = UINT64_MAX - UINT64_MAX % n, r = splitmix(state);
    while (r >= most) r = splitmix(state);
    return r % n;
}

uint32_t *plan_order(const struct plan *p, uint64_t seed, unsigned shard, unsigned shards, size_t *count)
{
    size_t n = plan_count(p), kept = 0;
    uint32_t *order = mem_alloc(n * sizeof *order);
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        size_t j = below(i, &seed);
        uint32_t swapped = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swapped;
    }
    if (shards < 1) shards = shard = 1;
    for (size_t i = shard ? shard - 1 : 0; i < n; i += shards) order[kept++] = order[i];
    *count = kept;
    return order;
}

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

void plan_skew(struct plan *p, bool skews) { p->skews = skews; }

void plan_shift(struct plan *p, bool shuffles)
{
    p->shifts = true;
    p->shuffles = shuffles;
}

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

void plan_values_json(struct json *j, const struct plan *p, const struct value *values)
{
    json_object(j, "values");
    for (size_t i = 0; i < p->name_count; i++) json_value(j, plan_name(p, i), values[i]);
    json_close(j);
}
