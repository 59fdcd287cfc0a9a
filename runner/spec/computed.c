// Values that are expressions: numbers that follow from the device (`n: 1024 * sms`), and blocks and grids that follow
// from the point (`block: [TB, 4]`). Here their names are checked; the plan computes them.
// SPDX-License-Identifier: MIT
#include "spec/reading.h"
#include "spec/traits.h"

#include "base/units.h"

// A parameter of that name comes first.
static struct known traits(const struct kernel *k)
{
    struct known names = {0};
    for (int i = 0; i < TRAIT_COUNT; i++)
        if (!k || !kernel_param(k, trait_table[i].name)) known_add(&names, trait_table[i].name);
    return names;
}

// A text that compiles, and that names a trait of the device or something like one.
static bool is_about_device(const struct reading *r, const struct source_expr *e)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    struct known names = traits(r->e->kernel);
    struct expr *expr = expr_new(r->lua, e->text, e->at, &ignored);
    bool found = false;
    for (const char *const *n = expr ? expr_names(expr) : NULL; n && *n; n++)
        found |= names.count && str_nearest(*n, names.items) != NULL;
    expr_free(expr);
    known_release(&names);
    return found;
}

bool computed_read(const struct reading *r, const struct target *t, const struct node *n, struct value *v, bool *good)
{
    const bool number = t->param ? !t->param->is_text && t->param->fallback.kind != VALUE_BOOL
        : t->setting >= 0
        ? setting_table[t->setting].type == SETTING_INT || setting_table[t->setting].type == SETTING_BYTES
        : false;
    struct value plain;
    enum unit unit;
    char why[160];
    if (!number || n->kind != NODE_TEXT || node_is_empty(n) || units_parse(n->text, &plain, &unit, why)) return false;
    const struct source_expr e = {n->text, node_where_text(n)};
    if (!is_about_device(r, &e)) return false;
    struct known names = traits(r->e->kernel);
    *good = known_check(r->lua, &e, &names, r->diags);
    known_release(&names);
    *v = value_text(n->text);
    return true;
}

bool computed_names(const struct reading *r, const struct target *t, const struct node *n)
{
    const struct kernel *k = r->e->kernel;
    struct known names = traits(k);
    bool good = true;
    if (t->setting < 0 || setting_table[t->setting].type != SETTING_DIM || !k) return known_release(&names), true;
    names.types = true;
    for (size_t i = 0; i < k->param_count; i++) known_add(&names, k->params[i].name);
    for (int i = 0; i < SETTING_COUNT; i++) known_add(&names, setting_table[i].name);
    const size_t count = n->kind == NODE_LIST ? n->count : 1;
    for (size_t i = 0; i < count; i++) {
        const struct node *item = n->kind == NODE_LIST ? n->items[i] : n;
        struct value plain;
        enum unit unit;
        char why[160];
        if (item->kind != NODE_TEXT || node_is_empty(item) || units_parse(item->text, &plain, &unit, why)) continue;
        const struct source_expr e = {item->text, node_where_text(item)};
        good &= known_check(r->lua, &e, &names, r->diags);
    }
    known_release(&names);
    return good;
}
