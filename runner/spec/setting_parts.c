// `window: {buffer: in, ratio: 50%}` is `window.buffer: in` and `window.ratio: 50%`: settings with one word in front
// are written as a mapping. What reads them afterwards knows whole names alone.
// SPDX-License-Identifier: MIT
#include "spec/reading.h"
#include "spec/settings.h"

#include <string.h>

// A range of a parameter that has such a name is no mapping of parts.
bool setting_parts_are(const char *name, const struct node *item)
{
    return item->kind == NODE_MAP && !node_get(item, "from") && setting_has_parts(name);
}

struct node *setting_parts_key(const struct node *whole, const struct node *part, struct arena *a)
{
    struct node *key = arena_copy(a, part, sizeof *key);
    key->text = arena_printf(a, "%s.%s", whole->text, part->text);
    return key;
}

// A mapping of names to values or axes.
static struct node *spread_map(struct node *map, struct arena *a, struct diags *d)
{
    struct node *out = map;
    if (map->kind != NODE_MAP) return map;
    for (size_t i = 0; i < map->count; i++) {
        const struct node *name = map->keys[i], *parts = map->items[i];
        if (!setting_parts_are(name->text, parts)) continue;
        out = node_without(out, name->text, a);
        for (size_t k = 0; k < parts->count; k++) {
            struct node *key = setting_parts_key(name, parts->keys[k], a);
            if (node_get(map, key->text))
                node_complain(d, parts->keys[k], "leave one of the two out", "`%s` already has its value", key->text);
            out = node_with(out, key, parts->items[k], a);
        }
    }
    return out;
}

// Such a mapping, or a list or mapping of them.
static struct node *spread(struct node *n, bool each, struct arena *a, struct diags *d)
{
    if (n->kind == NODE_MAP && !each) return spread_map(n, a, d);
    struct node *out = arena_copy(a, n, sizeof *out);
    if (n->kind == NODE_TEXT || !n->count) return n;
    out->items = arena_copy(a, n->items, n->count * sizeof *out->items);
    for (size_t i = 0; i < n->count; i++) out->items[i] = spread_map(n->items[i], a, d);
    return out;
}

struct node *setting_parts_spread(struct node *root, struct arena *a, struct diags *d)
{
    static const char *const sections[] = {"with", "sweep", "together", "include", "exclude", "for"};
    if (root->kind != NODE_MAP) return root;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        struct node *key = node_key(root, sections[i]), *item = node_get(root, sections[i]);
        if (key) root = node_with(root, key, spread(item, strcmp(sections[i], "for") == 0, a, d), a);
    }
    return root;
}
