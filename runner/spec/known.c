// Checks expressions as far as possible without values: that they compile, and that every name they use exists.
// SPDX-License-Identifier: MIT
#include "spec/known.h"

#include "spec/node.h"

#include <stdlib.h>
#include <string.h>

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

bool known_is_lua_word(const char *name)
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

bool known_check(struct sandbox *lua, const struct source_expr *e, const struct known *known, struct diags *d)
{
    if (!e->text) return true;
    if (d->count > NODE_MOST_COMPLAINTS) return false;
    struct expr *expr = expr_new(lua, e->text, e->at, d);
    if (!expr) return false;
    struct arena *a = arena_new();
    bool good = true;
    for (const char *const *name = expr_names(expr); *name; name++) {
        if (known->anything || known_has(known, *name)) continue;
        if (known->types && kernel_type_size(*name)) continue;
        good = node_complain_at(d, expr_where(expr, *name), hint_for(*name, known, a), "unknown name `%s`", *name);
    }
    arena_free(a);
    expr_free(expr);
    return good;
}
