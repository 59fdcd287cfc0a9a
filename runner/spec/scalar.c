// Values as written, checked against the parameter or setting. Every complaint says what would be right.
// SPDX-License-Identifier: MIT
#include "spec/scalar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct fits_text {
    char text[64];
};

static struct fits_text shown(struct value v)
{
    LOCAL(str_release) struct str s = {0};
    struct fits_text out;
    value_print(v, &s);
    snprintf(out.text, sizeof out.text, "%.60s", s.text ? s.text : "");
    return out;
}

static bool kind_is_wrong(struct fits_why *why, const char *name, const char *takes, struct value v)
{
    snprintf(why->takes, sizeof why->takes, "%s", takes);
    if (v.kind == VALUE_NONE) snprintf(why->what, sizeof why->what, "`%s` takes %s, not nothing", name, takes);
    else if (v.kind == VALUE_REAL && !isfinite(v.r))
        snprintf(why->what, sizeof why->what, "`%s` takes %s, not %s", name, takes,
            isnan(v.r) ? "what is no number" : "infinity");
    else snprintf(why->what, sizeof why->what, "`%s` takes %s, not `%s`", name, takes, shown(v).text);
    return false;
}

static void make_whole(struct value *v)
{
    if (v->kind == VALUE_REAL && v->r == floor(v->r) && v->r >= -0x1p63 && v->r < 0x1p63) *v = value_int((int64_t)v->r);
}

static bool fits_kind(const struct param *p, struct value *v, struct fits_why *why)
{
    if (p->is_text) {
        bool word = v->kind == VALUE_TEXT && *v->text;
        return word || kind_is_wrong(why, p->name, p->kind == PARAM_TYPE ? "a type" : "a name", *v);
    }
    if (p->fallback.kind == VALUE_BOOL)
        return v->kind == VALUE_BOOL || kind_is_wrong(why, p->name, "true or false", *v);
    if (!p->is_real) make_whole(v);
    else if (v->kind == VALUE_INT) *v = value_real((double)v->i);
    if (v->kind == (p->is_real ? VALUE_REAL : VALUE_INT) && (!p->is_real || isfinite(v->r))) return true;
    return kind_is_wrong(why, p->name, p->is_real ? "a number" : "a whole number", *v);
}

static bool fits_choice(const struct param *p, struct value v, struct fits_why *why)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    const char **words = arena_alloc(a, (p->one_of->count + 1) * sizeof *words);
    LOCAL(str_release) struct str list = {0};
    bool found = false;
    for (size_t i = 0; i < p->one_of->count && !found; i++) found = value_equal(v, p->one_of->items[i]);
    for (size_t i = 0; i < p->one_of->count && !found; i++) {
        words[i] = arena_strdup(a, shown(p->one_of->items[i]).text);
        if (list.size < 200) str_addf(&list, "%s%s", i ? ", " : "", words[i]);
        else if (list.text[list.size - 1] != '.') str_add(&list, ", ...");
    }
    const char *nearest = found || !p->is_text ? NULL : str_nearest(shown(v).text, words);
    if (nearest) snprintf(why->hint, sizeof why->hint, "did you mean `%.60s`?", nearest);
    if (!found)
        snprintf(why->what, sizeof why->what, "`%s` = %s is not one of: %s", p->name, shown(v).text,
            list.text ? list.text : "");
    return found;
}

static bool fits_range(const struct param *p, struct value v, struct fits_why *why)
{
    double x, min = -INFINITY, max = INFINITY;
    if (!value_number(v, &x)) return true;
    if (p->has_min) value_number(p->min, &min);
    if (p->has_max) value_number(p->max, &max);
    if (x >= min && x <= max) return true;
    const struct fits_text value = shown(v), least = shown(p->min), most = shown(p->max);
    if (p->has_min && p->has_max)
        snprintf(why->what, sizeof why->what, "`%s` = %s is out of range: %s to %s", p->name, value.text, least.text,
            most.text);
    else
        snprintf(why->what, sizeof why->what, "`%s` = %s is out of range: at %s %s", p->name, value.text,
            p->has_min ? "least" : "most", p->has_min ? least.text : most.text);
    return false;
}

static bool whole_type(const char *type, int64_t *least, int64_t *most)
{
    const char *scalar = kernel_type_scalar(type, NULL);
    if (!scalar || strcmp(scalar, "float") == 0 || strcmp(scalar, "double") == 0 || strcmp(scalar, "half") == 0)
        return false;
    const size_t bits = 8 * kernel_type_size(type);
    const bool positive = strncmp(scalar, "unsigned", 8) == 0;
    *most = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - !positive)) - 1;
    *least = positive ? 0 : -*most - 1;
    return true;
}

void fits_widths(struct kernel *k)
{
    for (size_t n = 0; n < k->param_count; n++) {
        struct param *p = (struct param *)&k->params[n];
        p->least = INT64_MIN;
        p->most = INT64_MAX;
        for (size_t f = 0; f < k->function_count; f++)
            for (size_t i = 0; i < k->functions[f].count; i++) {
                const struct argument *a = &k->functions[f].arguments[i];
                int64_t least, most;
                if (strcmp(a->name, p->as) != 0 || !whole_type(a->type, &least, &most)) continue;
                if (least > p->least) p->least = least;
                if (most < p->most) p->most = most;
            }
    }
}

// A value that the kernel's own argument would cut off is refused here, not on the device.
static bool fits_width(const struct param *p, const struct kernel *k, struct value v, struct fits_why *why)
{
    if (!k || p->kind != PARAM_ARGUMENT || v.kind != VALUE_INT) return true;
    if (p->least < p->most && v.i >= p->least && v.i <= p->most) return true;
    for (size_t f = 0; f < k->function_count; f++)
        for (size_t i = 0; i < k->functions[f].count; i++) {
            const struct argument *a = &k->functions[f].arguments[i];
            int64_t least, most;
            if (strcmp(a->name, p->as) != 0 || !whole_type(a->type, &least, &most)) continue;
            if (v.i >= least && v.i <= most) continue;
            snprintf(why->what, sizeof why->what, "`%s` = %lld does not fit the kernel's `%s %s`", p->name,
                (long long)v.i, a->type, a->name);
            return false;
        }
    return true;
}

bool fits_param(const struct param *p, const struct kernel *k, struct value *v, struct fits_why *why)
{
    *why = (struct fits_why){0};
    if (!fits_kind(p, v, why)) return false;
    if (p->one_of) return fits_choice(p, *v, why);
    if (p->kind == PARAM_TYPE && !kernel_type_size(v->text)) {
        snprintf(why->what, sizeof why->what, "`%s` = %.200s is not a type that CUDA has built in", p->name, v->text);
        return false;
    }
    return fits_range(p, *v, why) && fits_width(p, k, *v, why);
}

// What a word that is no choice of the setting may have meant: "did you mean `warm`?", or "".
static void fits_hint(enum setting s, const char *word, char hint[100])
{
    const enum setting_type type = setting_table[s].type;
    const char *words[CHOICES_MOST];
    choice_words(setting_table[s].choices, words);
    const char *nearest = type == SETTING_CHOICE || type == SETTING_FLAGS ? str_nearest(word, words) : NULL;
    hint[0] = '\0';
    if (nearest) snprintf(hint, 100, "did you mean `%.60s`?", nearest);
    if (s == SETTING_OPTIONS && strncmp(word, "-I", 2) == 0) // a file does not say what may be read
        snprintf(hint, 100, "on the command line: --allow-include FOLDER");
    if (s != SETTING_DEVICE) return;
    char profile[80], forms[160];
    snprintf(profile, sizeof profile, "sim:%.60s", word);
    if (setting_is_device(profile, forms)) snprintf(hint, 100, "did you mean `%s`?", profile);
}

bool fits_setting(enum setting s, const char *name, struct value *v, enum unit unit, struct fits_why *why)
{
    const enum setting_type type = setting_table[s].type;
    char takes[200] = "";
    *why = (struct fits_why){0};
    if (type == SETTING_INT || type == SETTING_DIM) make_whole(v);
    if (type == SETTING_BYTES && v->kind == VALUE_REAL && v->r > 1) make_whole(v); // up to 1 it may be a share
    if (type == SETTING_DIM && v->kind == VALUE_LIST)
        for (size_t i = 0; i < v->list->count; i++) make_whole((struct value *)&v->list->items[i]);
    if (setting_check(s, v, unit, takes)) return true;
    kind_is_wrong(why, name, takes, *v);
    if (v->kind == VALUE_TEXT) fits_hint(s, v->text, why->hint);
    return false;
}

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

struct source_expr scalar_expression(const struct node *n, const char *key, const char *takes, struct diags *d)
{
    const char *text = n ? node_text(n, key, takes, d) : NULL;
    return text ? (struct source_expr){text, node_where_text(n)} : (struct source_expr){0};
}
