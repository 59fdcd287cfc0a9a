// `for: {sim: {n: 1Mi}}`: the values that an experiment changes for one kind of device. They are put into the document
// as `-s` does it, but before the values of the command line, so that those win.
// SPDX-License-Identifier: MIT
#include "spec/reading.h"
#include "spec/settings.h"

#include <string.h>

// The device that the document asks for; NULL where it sweeps several.
static const char *asked(const struct node *root)
{
    const struct node *fixed = node_get(node_get(root, "with"), "device");
    if (node_get(node_get(root, "sweep"), "device")) return NULL;
    return fixed && fixed->kind == NODE_TEXT ? fixed->text : "auto";
}

static void add_value(struct str *s, const struct node *n)
{
    if (n->kind == NODE_TEXT) {
        str_add(s, n->text);
        return;
    }
    str_add(s, n->kind == NODE_LIST ? "[" : "{");
    for (size_t i = 0; i < n->count; i++) {
        if (i) str_add(s, ", ");
        if (n->kind == NODE_MAP) str_addf(s, "%s: ", n->keys[i]->text);
        add_value(s, n->items[i]);
    }
    str_add(s, n->kind == NODE_LIST ? "]" : "}");
}

static bool same_entry(const struct override_node *a, const struct override_node *b)
{
    bool section = a->section && b->section ? strcmp(a->section, b->section) == 0 : a->section == b->section;
    return section && strcmp(a->name, b->name) == 0;
}

// "n = 1Mi, stride = [1, 2]": for the message, the values that are changed here and not by the command line.
static const char *changes(const struct override_node *nodes, size_t count, const struct laid *over, struct arena *a)
{
    LOCAL(str_release) struct str s = {0};
    for (size_t i = 0; i < count; i++) {
        bool again = false;
        for (size_t k = 0; k < over->count; k++) again |= same_entry(&nodes[i], &over->nodes[k]);
        if (again) continue;
        str_addf(&s, "%s%s%s%s = ", s.size ? ", " : "", nodes[i].section ? nodes[i].section : "",
            nodes[i].section ? "." : "", nodes[i].name);
        add_value(&s, nodes[i].item);
    }
    return s.size ? arena_strdup(a, s.text) : NULL;
}

static struct node *lay_over(struct reading *r, struct node *root, const struct node *map, const char *kind,
    const struct laid *over)
{
    struct override_node *nodes = arena_alloc(r->arena, (map->count + 1) * sizeof *nodes);
    for (size_t i = 0; i < map->count; i++) override_from(map->keys[i], map->items[i], r->arena, &nodes[i]);
    const char *changed = changes(nodes, map->count, over, r->arena);
    if (changed) r->e->for_device = arena_printf(r->arena, "on %s the experiment has other values: %s", kind, changed);
    root = override_apply(root, nodes, map->count, r->arena);
    return override_apply(root, over->nodes, over->count, r->arena);
}

struct node *for_device_apply(struct reading *r, struct node *root, const struct laid *over)
{
    const struct node *given = node_get(root, "for"), *mine = NULL;
    const char *spec = asked(root), *kind = NULL;
    char kinds[96];
    if (!given || node_is_empty(given)) return root;
    if (given->kind != NODE_MAP)
        node_complain(r->diags, given, "for: {sim: {n: 1Mi}}", "`for` is a mapping from a kind of device to values");
    else if (!spec) node_complain(r->diags, given, NULL, "`for` needs one device: here `device` is swept");
    for (size_t i = 0; given->kind == NODE_MAP && i < given->count; i++) {
        if (!setting_is_kind(given->keys[i]->text, kinds))
            node_complain(r->diags, given->keys[i],
                arena_printf(r->arena,
                    given->items[i]->kind == NODE_MAP ? "one of: %s" : "values to try stand under `sweep`", kinds),
                "no device is of the kind `%.60s`", given->keys[i]->text);
        else if (given->items[i]->kind != NODE_MAP || node_get(given->items[i], "device") ||
            node_get(given->items[i], "for"))
            node_complain(r->diags, given->items[i], "for: {sim: {n: 1Mi}}",
                "`for` takes values for each kind of device");
        else if (spec && (kind || (kind = setting_device_kind(spec))) && strcmp(kind, given->keys[i]->text) == 0)
            mine = given->items[i];
        else if (spec && !kind && strcmp(spec, "auto") == 0) { // without its values it would measure something else
            diag_system(r->diags, "run it again, or say it: -d", "which device `auto` means cannot be told");
            return root;
        }
    }
    return mine && mine->count ? lay_over(r, root, mine, kind, over) : root;
}
