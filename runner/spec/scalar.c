// Values as written, checked against the parameter or setting. Every complaint says what would be right.
// SPDX-License-Identifier: MIT
#include "spec/scalar.h"

#include <math.h>
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

static bool complain(struct diags *d, const struct node *at, const char *name, const char *takes)
{
    struct value v;
    enum unit unit;
    char why[160];
    if (at->kind != NODE_TEXT || node_is_empty(at))
        return node_complain(d, at, NULL, "`%s` takes %s, not %s", name, takes, node_kind_name(at));
    if (starts_like_a_number(at->text) && !units_parse(at->text, &v, &unit, why))
        return node_complain(d, at, NULL, "`%s` takes %s; %s", name, takes, why);
    return node_complain(d, at, NULL, "`%s` takes %s, not `%.60s`", name, takes, at->text);
}

static const char *printed(struct value v, struct arena *a)
{
    struct str s = {0};
    value_print(v, &s);
    const char *text = arena_strdup(a, s.text ? s.text : "");
    str_release(&s);
    return text;
}

static bool check_choice(const struct param *p, struct value v, const struct node *at, struct diags *d)
{
    struct arena *a = arena_new();
    const char **words = arena_alloc(a, (p->one_of->count + 1) * sizeof *words);
    struct str list = {0};
    bool found = false;
    for (size_t i = 0; i < p->one_of->count; i++) {
        found |= value_equal(v, p->one_of->items[i]);
        words[i] = printed(p->one_of->items[i], a);
        if (list.size < 200) str_addf(&list, "%s%s", i ? ", " : "", words[i]);
        else if (list.text[list.size - 1] != '.') str_add(&list, ", ...");
    }
    const char *nearest = found || !p->is_text ? NULL : str_nearest(printed(v, a), words);
    if (!found)
        node_complain(d, at, nearest ? arena_printf(a, "did you mean `%s`?", nearest) : NULL,
            "`%s` = %s is not one of: %s", p->name, printed(v, a), list.text ? list.text : "");
    str_release(&list);
    arena_free(a);
    return found;
}

static bool check_range(const struct param *p, struct value v, const struct node *at, struct diags *d)
{
    double x, min = -INFINITY, max = INFINITY;
    if (!value_number(v, &x)) return true;
    if (p->has_min) value_number(p->min, &min);
    if (p->has_max) value_number(p->max, &max);
    if (x >= min && x <= max) return true;
    struct arena *a = arena_new();
    const char *value = printed(v, a), *least = printed(p->min, a), *most = printed(p->max, a);
    if (p->has_min && p->has_max)
        node_complain(d, at, NULL, "`%s` = %s is out of range: %s to %s", p->name, value, least, most);
    else
        node_complain(d, at, NULL, "`%s` = %s is out of range: at %s %s", p->name, value, p->has_min ? "least" : "most",
            p->has_min ? least : most);
    arena_free(a);
    return false;
}

// A value that does not fit the type of the kernel's argument is refused here, not on the device.
static bool check_width(const struct param *p, const struct kernel *k, struct value v, const struct node *at,
    struct diags *d)
{
    if (!k || p->kind != PARAM_ARGUMENT || v.kind != VALUE_INT) return true;
    for (size_t f = 0; f < k->function_count; f++)
        for (size_t i = 0; i < k->functions[f].count; i++) {
            const struct argument *a = &k->functions[f].arguments[i];
            const char *scalar = strcmp(a->name, p->as) == 0 ? kernel_type_scalar(a->type, NULL) : NULL;
            if (!scalar || strcmp(scalar, "float") == 0 || strcmp(scalar, "double") == 0 || strcmp(scalar, "half") == 0)
                continue;
            size_t bits = 8 * kernel_type_size(a->type);
            bool positive = strncmp(scalar, "unsigned", 8) == 0;
            double most = ldexp(1, (int)bits - !positive), x = (double)v.i;
            if (bits == 64 ? positive && v.i < 0 : x >= most || x < (positive ? 0 : -most))
                return node_complain(d, at, NULL, "`%s` = %lld does not fit the kernel's `%s %s`", p->name,
                    (long long)v.i, a->type, a->name);
        }
    return true;
}

bool scalar_check_param(const struct param *p, const struct kernel *k, struct value v, const struct node *at,
    struct diags *d)
{
    if (p->one_of) return check_choice(p, v, at, d);
    if (p->kind == PARAM_TYPE && !kernel_type_size(v.text))
        return node_complain(d, at, NULL, "`%s` = %s is not a type that CUDA has built in", p->name, v.text);
    return check_range(p, v, at, d) && check_width(p, k, v, at, d);
}

bool scalar_param(const struct param *p, const struct kernel *k, const struct node *n, struct value *v, struct diags *d)
{
    enum unit unit = UNIT_NONE;
    char why[160];
    if (p->is_text) {
        if (n->kind != NODE_TEXT || node_is_empty(n))
            return complain(d, n, p->name, p->kind == PARAM_TYPE ? "a type" : "a name");
        *v = value_text(n->text);
        return scalar_check_param(p, k, *v, n, d);
    }
    if (p->fallback.kind == VALUE_BOOL) {
        *v = scalar_read(n, &unit);
        return v->kind == VALUE_BOOL || complain(d, n, p->name, "true or false");
    }
    const char *takes = p->is_real ? "a number" : "a whole number";
    if (n->kind != NODE_TEXT || node_is_empty(n) || !units_parse(n->text, v, &unit, why) || unit == UNIT_SECONDS ||
        (v->kind == VALUE_REAL && !p->is_real))
        return complain(d, n, p->name, takes);
    if (p->is_real && v->kind == VALUE_INT) *v = value_real((double)v->i);
    return scalar_check_param(p, k, *v, n, d);
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

static const char *nearest_choice(enum setting s, const char *word, struct arena *a)
{
    const char *words[16] = {0};
    char *copy = arena_strdup(a, setting_table[s].choices), *save = NULL;
    size_t count = 0;
    for (char *w = strtok_r(copy, " ", &save); w && count < 15; w = strtok_r(NULL, " ", &save)) words[count++] = w;
    const char *nearest = str_nearest(word, words);
    return nearest ? arena_printf(a, "did you mean `%s`?", nearest) : NULL;
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
    char why[200] = "";
    if (n->kind != NODE_LIST || (type != SETTING_DIM && type != SETTING_FLAGS) || !n->count)
        *v = setting_item(s, n, &unit);
    else if (!read_list(s, n, a, v, &unit, &n)) *v = (struct value){0}; // the complaint is about the wrong item
    if (setting_check(s, v, unit, why)) return true;
    const char *takes = strstr(why, "` takes "), *hint = NULL;
    takes = takes ? takes + 8 : why;
    if (n->kind == NODE_TEXT && (type == SETTING_CHOICE || type == SETTING_FLAGS)) hint = nearest_choice(s, n->text, a);
    if (hint) return node_complain(d, n, hint, "`%s` takes %s, not `%.60s`", name, takes, n->text);
    return complain(d, n, name, takes);
}
