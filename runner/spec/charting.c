// How an experiment wants to be drawn: a mistake is named before the run.
// SPDX-License-Identifier: MIT
#include "spec/reading.h"

#include <string.h>

static void check_column(const struct reading *r, const char *key, const struct node *n, const struct known *names)
{
    const char *name = node_text(n, key, "the name of a column", r->diags);
    if (!name || names->anything || known_has(names, name)) return;
    if (strcmp(name, "speedup") == 0 && node_get(node_get(r->root, "chart"), "against")) return; // it makes it
    node_complain(r->diags, n, node_suggestion(name, names->items, r->arena), "no row has a column `%.60s`", name);
}

static void check_choice(const struct reading *r, const char *key, const struct node *n, const struct choice *all)
{
    const char *text = node_text(n, key, words_find(&words_chart, key)->takes, r->diags);
    if (text && choice_find(all, text) < 0)
        node_complain(r->diags, n, NULL, "`%s` takes %s, not `%.60s`", key, words_find(&words_chart, key)->takes, text);
}

static void check_against(const struct reading *r, const struct node *n, const struct known *names)
{
    const char *text = node_text(n, "against", words_find(&words_chart, "against")->takes, r->diags);
    const struct source_expr e = {text, node_where_text(n)};
    if (text) known_check(r->lua, &e, names, r->diags);
}

static const char *text_of(const struct node *map, const char *key)
{
    const struct node *n = node_get(map, key);
    return n && n->kind == NODE_TEXT && !node_is_empty(n) ? n->text : NULL;
}

// Names of columns, one or a list of them, separated by commas.
static const char *names_of(const struct reading *r, const struct node *map, const char *key)
{
    const struct node *n = node_get(map, key);
    LOCAL(str_release) struct str s = {0};
    if (!n || n->kind != NODE_LIST) return text_of(map, key);
    for (size_t i = 0; i < n->count; i++)
        if (n->items[i]->kind == NODE_TEXT) str_addf(&s, "%s%s", s.size ? "," : "", n->items[i]->text);
    return s.size ? arena_strdup(r->arena, s.text) : NULL;
}

static void keep(const struct reading *r, const struct node *n)
{
    r->e->draws = true;
    r->e->chart = (struct chart_wish){.x = text_of(n, "x"),
        .y = names_of(r, n, "y"),
        .by = text_of(n, "by"),
        .panels = text_of(n, "panels"),
        .log = text_of(n, "log"),
        .kind = text_of(n, "kind"),
        .against = text_of(n, "against")};
}

void charting_read(const struct reading *r, const struct known *names)
{
    const struct node *n = node_get(r->root, "chart");
    if (!n || node_is_empty(n)) return;
    if (n->kind != NODE_MAP) {
        node_complain(r->diags, n, "chart: {x: stride, y: gbps}", "`chart` takes a mapping, not %s", node_kind_name(n));
        return;
    }
    node_check_keys(n, &words_chart, r->diags);
    keep(r, n);
    for (size_t i = 0; i < n->count; i++) {
        const char *key = n->keys[i]->text;
        const struct node *item = n->items[i];
        if (!words_find(&words_chart, key)) continue;
        if (strcmp(key, "log") == 0) check_choice(r, key, item, words_logs);
        else if (strcmp(key, "kind") == 0) check_choice(r, key, item, words_chart_kinds);
        else if (strcmp(key, "against") == 0) check_against(r, item, names);
        else if (strcmp(key, "y") == 0 && item->kind == NODE_LIST)
            for (size_t k = 0; k < item->count; k++) check_column(r, key, item->items[k], names);
        else check_column(r, key, item, names);
    }
}
