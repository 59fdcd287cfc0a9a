// How an experiment wants to be drawn: its words are checked here, so that a mistake is named before the run. The page
// reads them from the text that the run file keeps.
// SPDX-License-Identifier: MIT
#include "spec/reading.h"

#include <string.h>

static void check_column(const struct reading *r, const char *key, const struct node *n, const struct known *names)
{
    const char *name = node_text(n, key, "the name of a column", r->diags);
    if (!name || names->anything || known_has(names, name)) return;
    node_complain(r->diags, n, node_suggestion(name, names->items, r->arena), "no row has a column `%.60s`", name);
}

static void check_choice(const struct reading *r, const char *key, const struct node *n, const struct choice *all)
{
    const char *text = node_text(n, key, words_find(&words_chart, key)->takes, r->diags);
    if (text && choice_find(all, text) < 0)
        node_complain(r->diags, n, NULL, "`%s` takes %s, not `%.60s`", key, words_find(&words_chart, key)->takes, text);
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
    for (size_t i = 0; i < n->count; i++) {
        const char *key = n->keys[i]->text;
        const struct node *item = n->items[i];
        if (!words_find(&words_chart, key)) continue;
        if (strcmp(key, "log") == 0) check_choice(r, key, item, words_logs);
        else if (strcmp(key, "kind") == 0) check_choice(r, key, item, words_chart_kinds);
        else if (strcmp(key, "y") == 0 && item->kind == NODE_LIST)
            for (size_t k = 0; k < item->count; k++) check_column(r, key, item->items[k], names);
        else check_column(r, key, item, names);
    }
}
