// Checks expressions as far as possible without values: that they compile, and that every name they use exists.
// SPDX-License-Identifier: MIT
#include "spec/known.h"

#include <stdlib.h>
#include <string.h>

#include "spec/columns.h"
#include "spec/experiment.h"
#include "spec/node.h"
#include "spec/reading.h"

// Looks a name up among what the file sets, the kernel's parameters, the settings and the columns.

static int kind_of(struct value v)
{
    static const int kinds[] = {[VALUE_NONE] = 0,
        [VALUE_INT] = KNOWN_NUMBER,
        [VALUE_REAL] = KNOWN_NUMBER,
        [VALUE_BOOL] = KNOWN_BOOL,
        [VALUE_TEXT] = KNOWN_TEXT,
        [VALUE_LIST] = KNOWN_TEXT}; // as a report shows it: 16x8
    return kinds[v.kind];
}

static int kinds_given(const struct experiment *e, const char *name)
{
    int kinds = 0;
    for (size_t i = 0; i < e->with.count; i++)
        if (strcmp(e->with.items[i].name, name) == 0) kinds |= kind_of(e->with.items[i].value);
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t k = 0; k < e->sweep[i].count; k++)
            for (size_t v = 0; v < e->sweep[i].items[k].count && strcmp(e->sweep[i].items[k].name, name) == 0; v++)
                kinds |= kind_of(e->sweep[i].items[k].values[v]);
    for (size_t i = 0; i < e->include_count; i++)
        for (size_t k = 0; k < e->include[i].count; k++)
            if (strcmp(e->include[i].items[k].name, name) == 0) kinds |= kind_of(e->include[i].items[k].value);
    return kinds;
}

static int kinds_of_setting(enum setting s)
{
    switch (setting_table[s].type) {
    case SETTING_CHOICE:
    case SETTING_FLAGS:
    case SETTING_TEXT: return KNOWN_TEXT;
    case SETTING_BOOL: return KNOWN_BOOL;
    case SETTING_DIM: return KNOWN_NUMBER | KNOWN_TEXT;
    default: return KNOWN_NUMBER;
    }
}

int kinds_here(const void *context, const char *name)
{
    const struct experiment *e = context;
    const struct param *p = e->kernel ? kernel_param(e->kernel, name) : NULL;
    const int setting = setting_find(name), given = kinds_given(e, name);
    bool sim;
    if (given && !e->script) return given;
    if (p) return given | (p->is_text ? KNOWN_TEXT : p->fallback.kind == VALUE_BOOL ? KNOWN_BOOL : KNOWN_NUMBER);
    if (setting >= 0) return given | kinds_of_setting((enum setting)setting);
    if (column_shown(name, &sim) >= 0 || strcmp(name, "point") == 0) return KNOWN_NUMBER;
    for (const struct text_column *c = column_texts; c->name; c++)
        if (strcmp(c->name, name) == 0) return KNOWN_TEXT;
    return 0;
}

bool known_has(const struct known *n, const char *name)
{
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->items[i], name) == 0) return true;
    return false;
}

void known_add(struct known *n, const char *name)
{
    if (known_has(n, name)) return;
    mem_grow(&n->items, &n->room, n->count + 2, sizeof *n->items);
    n->items[n->count++] = name;
    n->items[n->count] = NULL;
}

void known_release(struct known *n)
{
    free(n->items);
    *n = (struct known){0};
}

// A keyword of Lua (end, and, nil): not a name that an expression could use.
static bool is_lua_word(const char *name)
{
    static const char *const words[] = {"and", "break", "do", "else", "elseif", "end", "false", "for", "function",
        "goto", "if", "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while", NULL};
    for (const char *const *w = words; *w; w++)
        if (strcmp(*w, name) == 0) return true;
    return false;
}

static const char *hint_for(const char *name, const struct known *known, struct arena *a)
{
    for (const char *const *w = known->words; w && *w; w++)
        if (strcmp(*w, name) == 0) return arena_printf(a, "text goes in quotes: '%s'", name);
    if (kernel_type_size(name)) return arena_printf(a, "the name of a type goes in quotes: sizeof('%s')", name);
    return known->count ? node_suggestion(name, known->items, a) : NULL;
}

static int kinds_of(const struct known *known, const struct operand *side)
{
    static const int kinds[] = {
        [OPERAND_NUMBER] = KNOWN_NUMBER, [OPERAND_TEXT] = KNOWN_TEXT, [OPERAND_BOOL] = KNOWN_BOOL};
    if (side->kind != OPERAND_NAME) return kinds[side->kind];
    return known->kinds ? known->kinds(known->context, side->text) : 0;
}

static const char *kind_in_words(int kinds)
{
    static const char *const words[] = {"", "a number", "a text", "a number or a text", "true or false"};
    return kinds < 5 ? words[kinds] : "a value of several kinds";
}

static const char *side_in_words(const struct operand *side, int kinds, struct arena *a)
{
    if (side->kind == OPERAND_NAME) return arena_printf(a, "`%s`, which is %s", side->text, kind_in_words(kinds));
    return arena_printf(a, "the %s %s",
        kinds == KNOWN_TEXT       ? "text"
            : kinds == KNOWN_BOOL ? "value"
                                  : "number",
        side->text);
}

// Lua calls values of two kinds unequal without a word: a `where` would remove every point.
static bool compares_alike(const struct expr *expr, const struct known *known, struct diags *d, struct arena *a)
{
    struct operand side[2];
    bool good = true;
    for (size_t n = 0; expr_compared(expr, n, a, side); n++) {
        const int name = side[0].kind != OPERAND_NAME, left = kinds_of(known, &side[name]),
                  right = kinds_of(known, &side[!name]);
        if (!left || !right || left & right) continue;
        const struct operand *other = &side[!name];
        const char *hint = NULL;
        if (other->kind == OPERAND_TEXT && left == KNOWN_NUMBER) hint = "a number stands without quotes";
        if (other->kind != OPERAND_NAME && other->kind != OPERAND_TEXT && left == KNOWN_TEXT)
            hint = arena_printf(a, "a text stands in quotes: '%s'", other->text);
        good = node_complain_at(d, expr_where(expr, side[name].text), hint, "`%s` is %s here, and is compared with %s",
            side[name].text, kind_in_words(left), side_in_words(other, right, a));
    }
    return good;
}

bool known_check(struct sandbox *lua, const struct source_expr *e, const struct known *known, struct diags *d)
{
    if (!e->text) return true;
    if (d->count > NODE_MOST_COMPLAINTS) return false;
    struct expr *expr = expr_new(lua, e->text, e->at, d);
    if (!expr) return false;
    LOCAL(arena_drop) struct arena *a = arena_new();
    bool good = true;
    for (const char *const *name = expr_names(expr); *name; name++) {
        if (known->anything || known_has(known, *name)) continue;
        if (known->types && kernel_type_size(*name)) continue;
        good = node_complain_at(d, expr_where(expr, *name), hint_for(*name, known, a), "unknown name `%s`", *name);
    }
    good = compares_alike(expr, known, d, a) && good;
    expr_free(expr);
    return good;
}

const char *known_taken(const char *name)
{
    for (const struct text_column *c = column_texts; c->name; c++)
        if (strcmp(c->name, name) == 0) return "a column of every row";
    if (column_find(name) >= 0) return "a column of every row";
    if (setting_find(name) >= 0) return "a run setting";
    if (expr_is_library_name(name)) return "a name of the Lua library";
    return is_lua_word(name) ? "a word of Lua" : NULL;
}
