// Values as written, checked against the parameter or setting. Every complaint says what would be right.
// SPDX-License-Identifier: MIT
#include "spec/scalar.h"

#include "spec/fits.h"

#include <string.h>

struct value scalar_read(const struct node *n, enum unit *unit)
{
    struct value v;
    char why[160];
    *unit = UNIT_NONE;
    if (n->kind != NODE_TEXT || node_is_empty(n)) return (struct value){0};
    if (n->style != NODE_PLAIN) return value_text(n->text);
    if (strcmp(n->text, "true") == 0 || strcmp(n->text, "false") == 0) return value_bool(*n->text == 't');
    return units_parse(n->text, &v, unit, why) ? v : value_text(n->text);
}

static bool starts_like_a_number(const char *s)
{
    s += strspn(s, "+-.");
    return *s >= '0' && *s <= '9';
}

// What somebody meant who wrote several values where one stands: 1,2,4 or 1 2 4 or 1..32 or a list.
static const char *several(const struct node *n, char hint[160])
{
    const char *text = n->kind == NODE_TEXT ? n->text : "";
    const size_t first = strcspn(text, ".-: ,"), between = first + strspn(text + first, ".-: ,");
    if (n->kind == NODE_LIST) return "one value stands here; several are an axis: `sweep: {n: [1, 2, 4]}`";
    if ((unsigned char)*text >= 0x80) return "write plain quotes, or none";
    if (!starts_like_a_number(text) || !starts_like_a_number(text + between)) return NULL;
    if (strchr(text, ',')) snprintf(hint, 160, "a list has brackets: [%.120s]", text);
    else if (strchr(text, ' ')) {
        size_t used = (size_t)snprintf(hint, 160, "a list has brackets and commas: [");
        for (const char *p = text; *p && used < 150; p++) {
            hint[used++] = *p == ' ' ? ',' : *p;
            if (*p == ' ') hint[used++] = ' ', p += strspn(p, " ") - 1;
        }
        snprintf(hint + used, 160 - used, "]");
    } else if (first && text[first - 1] != 'e' && (text[first] != '.' || between > first + 1))
        snprintf(hint, 160, "a range is {from: %.*s, to: %.40s, step: 1}", (int)(first < 40 ? first : 40), text,
            text + between);
    else return NULL;
    return hint;
}

static bool complain(struct diags *d, const struct node *at, const char *name, const char *takes)
{
    char meant[160];
    const char *hint = several(at, meant);
    if (hint && at->kind == NODE_TEXT)
        return node_complain(d, at, hint, "`%s` takes %s, not `%.60s`", name, takes, at->text);
    struct value v;
    enum unit unit;
    char why[160];
    if (at->kind != NODE_TEXT || node_is_empty(at))
        return node_complain(d, at, hint, "`%s` takes %s, not %s", name, takes, node_kind_name(at));
    if (starts_like_a_number(at->text) && !units_parse(at->text, &v, &unit, why))
        return node_complain(d, at, NULL, "`%s` takes %s; %s", name, takes, why);
    return node_complain(d, at, NULL, "`%s` takes %s, not `%.60s`", name, takes, at->text);
}

bool scalar_check_param(const struct param *p, const struct kernel *k, struct value *v, const struct node *at,
    struct diags *d)
{
    struct fits_why why;
    return fits_param(p, k, v, &why) || node_complain(d, at, *why.hint ? why.hint : NULL, "%s", why.what);
}

bool scalar_param(const struct param *p, const struct kernel *k, const struct node *n, struct value *v, struct diags *d)
{
    enum unit unit = UNIT_NONE;
    char why[160];
    if (p->is_text) {
        if (n->kind != NODE_TEXT || node_is_empty(n))
            return complain(d, n, p->name, p->kind == PARAM_TYPE ? "a type" : "a name");
        *v = value_text(n->text);
        return scalar_check_param(p, k, v, n, d);
    }
    if (p->fallback.kind == VALUE_BOOL) {
        *v = scalar_read(n, &unit);
        return v->kind == VALUE_BOOL || complain(d, n, p->name, "true or false");
    }
    const char *takes = p->is_real ? "a number" : "a whole number";
    if (n->kind != NODE_TEXT || node_is_empty(n) || !units_parse(n->text, v, &unit, why) || unit == UNIT_SECONDS ||
        (v->kind == VALUE_REAL && !p->is_real))
        return complain(d, n, p->name, takes);
    return scalar_check_param(p, k, v, n, d);
}

// A setting that takes words takes every text as a word; numbers may be in quotes.
static struct value setting_item(enum setting s, const struct node *n, enum unit *unit)
{
    enum setting_type type = setting_table[s].type;
    struct value v;
    char why[160];
    *unit = UNIT_NONE;
    if (n->kind != NODE_TEXT || node_is_empty(n)) return (struct value){0};
    if (type == SETTING_CHOICE || type == SETTING_FLAGS || type == SETTING_TEXT) return value_text(n->text);
    if (type == SETTING_BOOL) return scalar_read(n, unit);
    return units_parse(n->text, &v, unit, why) ? v : value_text(n->text);
}

static bool read_list(enum setting s, const struct node *n, struct arena *a, struct value *v, enum unit *unit,
    const struct node **wrong)
{
    struct value_list *list = arena_alloc(a, sizeof *list + n->count * sizeof list->items[0]);
    char why[200];
    list->count = n->count;
    for (size_t i = 0; i < n->count; i++) {
        enum unit one;
        list->items[i] = setting_item(s, n->items[i], &one);
        if (one != UNIT_NONE) *unit = one;
        if (!setting_check(s, &list->items[i], one, why)) return *wrong = n->items[i], false;
    }
    *v = (struct value){VALUE_LIST, {.list = list}};
    return true;
}

bool scalar_setting(enum setting s, const char *name, const struct node *n, struct arena *a, struct value *v,
    struct diags *d)
{
    enum setting_type type = setting_table[s].type;
    enum unit unit = UNIT_NONE;
    if (n->kind != NODE_LIST || (type != SETTING_DIM && type != SETTING_FLAGS) || !n->count)
        *v = setting_item(s, n, &unit);
    else if (!read_list(s, n, a, v, &unit, &n)) *v = (struct value){0}; // the complaint is about the wrong item
    struct fits_why why;
    if (fits_setting(s, name, v, unit, &why)) return true;
    if (n->kind == NODE_TEXT) fits_hint(s, n->text, why.hint); // of a list: the item that is wrong
    if (*why.hint && n->kind == NODE_TEXT)
        return node_complain(d, n, why.hint, "`%s` takes %s, not `%.60s`", name, why.takes, n->text);
    return complain(d, n, name, why.takes);
}
