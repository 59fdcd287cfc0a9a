// `on: {sim: {n: 1Mi}}`: the values that an experiment changes for one kind of device. They are put into the document
// as
// `-s` does it, but before the values of the command line, so that those win.
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
    struct str s = {0};
    for (size_t i = 0; i < count; i++) {
        bool again = false;
        for (size_t k = 0; k < over->count; k++) again |= same_entry(&nodes[i], &over->nodes[k]);
        if (again) continue;
        str_addf(&s, "%s%s%s%s = ", s.size ? ", " : "", nodes[i].section ? nodes[i].section : "",
            nodes[i].section ? "." : "", nodes[i].name);
        add_value(&s, nodes[i].item);
    }
    const char *text = s.size ? arena_strdup(a, s.text) : NULL;
    str_release(&s);
    return text;
}

static struct node *lay_over(struct reading *r, struct node *root, const struct node *map, const char *kind,
    const struct laid *over)
{
    struct override_node *nodes = arena_alloc(r->arena, (map->count + 1) * sizeof *nodes);
    for (size_t i = 0; i < map->count; i++) override_from(map->keys[i], map->items[i], r->arena, &nodes[i]);
    const char *changed = changes(nodes, map->count, over, r->arena);
    if (changed) r->e->on = arena_printf(r->arena, "on %s the experiment has other values: %s", kind, changed);
    root = override_apply(root, nodes, map->count, r->arena);
    return override_apply(root, over->nodes, over->count, r->arena);
}

struct node *on_apply(struct reading *r, struct node *root, const struct laid *over)
{
    const struct node *on = node_get(root, "on"), *mine = NULL;
    const char *spec = asked(root), *kind = NULL;
    char kinds[96];
    if (!on || node_is_empty(on)) return root;
    if (on->kind != NODE_MAP)
        node_complain(r->diags, on, "on: {sim: {n: 1Mi}}", "`on` is a mapping from a kind of device to values");
    else if (!spec) node_complain(r->diags, on, NULL, "`on` needs one device: here `device` is swept");
    for (size_t i = 0; on->kind == NODE_MAP && i < on->count; i++) {
        if (!setting_is_kind(on->keys[i]->text, kinds))
            node_complain(r->diags, on->keys[i], arena_printf(r->arena, "one of: %s", kinds),
                "no device is of the kind `%.60s`", on->keys[i]->text);
        else if (on->items[i]->kind != NODE_MAP || node_get(on->items[i], "device") || node_get(on->items[i], "on"))
            node_complain(r->diags, on->items[i], "on: {sim: {n: 1Mi}}", "`on` takes values for each kind of device");
        else if (spec && (kind || (kind = setting_device_kind(spec))) && strcmp(kind, on->keys[i]->text) == 0)
            mine = on->items[i];
        else if (spec && !kind && strcmp(spec, "auto") == 0) { // without its values it would measure something else
            diag_system(r->diags, "run it again, or say it: -d", "which device `auto` means cannot be told");
            return root;
        }
    }
    return mine && mine->count ? lay_over(r, root, mine, kind, over) : root;
}
