// `-s key=value` becomes part of the document before anything is checked. Its nodes have places of their own: a mistake
// in it is shown like one in a file, as `-s n=1Mx:1:3`.
// SPDX-License-Identifier: MIT
#include <string.h>

#include "spec/reading.h"
#include "spec/settings.h"
#include "spec/yaml.h"

static void override_from(const struct node *key, struct node *item, struct arena *, struct override_node *out);

// `window: {buffer: in, ratio: 50%}` is `window.buffer: in` and `window.ratio: 50%`: settings with one word in front
// are written as a mapping. What reads them afterwards knows whole names alone.

// A range of a parameter that has such a name is no mapping of parts.
static bool setting_parts_are(const char *name, const struct node *item)
{
    return item->kind == NODE_MAP && !node_get(item, "from") && setting_has_parts(name);
}

static struct node *setting_parts_key(const struct node *whole, const struct node *part, struct arena *a)
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
static struct node *set_parts(struct node *n, bool each, struct arena *a, struct diags *d)
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
        if (key) root = node_with(root, key, set_parts(item, strcmp(sections[i], "for") == 0, a, d), a);
    }
    return root;
}

// `for: {sim: {n: 1Mi}}`: the values that an experiment changes for one kind of device. They are put into the document
// as `-s` does it, but before the values of the command line, so that those win.

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

static bool among(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(*words, word) == 0) return true;
    return false;
}

// Expressions and titles are not read as YAML: `==` and quotes belong to them.
static bool is_raw(const char *section, const char *name, const char *value)
{
    static const char *const texts[] = {"experiment", "theme", "question", "kernel", "where", NULL};
    if (section) return strcmp(section, "derive") == 0;
    return among(name, texts) && *value != '[';
}

static struct node *text_node(struct node_source *in, const char *text, size_t column, size_t width)
{
    struct node *n = arena_alloc(in->arena, sizeof *n);
    *n = (struct node){.kind = NODE_TEXT, .in = in, .column = (uint32_t)column, .width = (uint32_t)width, .text = text};
    return n;
}

static struct node *read_value(struct node_source *in, size_t at, struct diags *d)
{
    struct yaml_documents docs;
    char *yaml = arena_strndup(in->arena, in->text, in->size);
    memset(yaml, ' ', at);
    if (!yaml_read(in, yaml, in->size, &docs, d)) return NULL;
    if (docs.count > 1) return node_complain(d, docs.items[1].root, NULL, "one value is enough"), NULL;
    return docs.count ? docs.items[0].root : text_node(in, "", at, 1);
}

// `measure.precision` is an entry of a section, `memory.in` a name of its own. False: an entry of one that has none.
static bool split(const char *key, struct arena *a, struct override_node *out)
{
    static const char *const sections[] = {"with", "sweep", "measure", "derive", "script", "chart", NULL};
    const char *dot = strchr(key, '.');
    *out = (struct override_node){.name = key};
    if (!dot) return true;
    const char *section = arena_strndup(a, key, (size_t)(dot - key));
    if (!among(section, sections)) return !words_find(&words_experiment, section);
    out->section = section;
    out->name = dot + 1;
    return true;
}

static bool read_one(const char *text, struct arena *a, struct override_node *out, struct diags *d)
{
    const char *equals = strchr(text, '=');
    struct node_source *in = node_source_new(a, arena_printf(a, "-s %.60s", text), text, strlen(text));
    if (!equals || equals == text)
        return node_complain_at(d, node_source_at(in, 0), "-s n=1Mi, -s stride=[1,2,4], -s measure.precision=1%",
            "is not key=value");
    size_t length = (size_t)(equals - text); // `n = 1Ki` in quotes is n=1Ki
    while (length && text[length - 1] == ' ') length--;
    const char *key = arena_strndup(a, text, length);
    size_t at = (size_t)(equals + 1 - text);
    at += strspn(text + at, " ");
    if (!split(key, a, out))
        return node_complain_at(d, node_source_at(in, 0), NULL, "`%.*s` can be replaced as a whole only",
            (int)strcspn(key, "."), key);
    out->key = text_node(in, out->name, (size_t)(out->name - key), strlen(out->name));
    out->item = is_raw(out->section, out->name, text + at) ? text_node(in, text + at, at, strlen(text + at))
                                                           : read_value(in, at, d);
    return out->item != NULL;
}

// An entry of the document itself, to be laid over it like one of the command line.
static void override_from(const struct node *key, struct node *item, struct arena *a, struct override_node *out)
{
    split(key->text, a, out);
    out->key = arena_copy(a, key, sizeof *key);
    out->key->text = out->name;
    out->item = item;
}

// `-s window={ratio: 1}` is `-s window.ratio=1`.
static struct override_node *spread(const struct override_node *nodes, size_t *count, struct arena *a)
{
    size_t room = *count, n = 0;
    for (size_t i = 0; i < *count; i++) room += nodes[i].item->count;
    struct override_node *all = arena_alloc(a, room * sizeof *all);
    for (size_t i = 0; i < *count; i++) {
        const struct node *parts = nodes[i].item;
        if (!setting_parts_are(nodes[i].name, parts)) all[n++] = nodes[i];
        for (size_t k = 0; setting_parts_are(nodes[i].name, parts) && k < parts->count; k++) {
            struct node *key = setting_parts_key(nodes[i].key, parts->keys[k], a);
            all[n++] = (struct override_node){nodes[i].section, key->text, key, parts->items[k]};
        }
    }
    *count = n;
    return all;
}

struct override_node *override_read(const struct override *overrides, size_t *given, struct arena *a, struct diags *d)
{
    const size_t count = *given;
    struct override_node *nodes = arena_alloc(a, count * sizeof *nodes);
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        struct where whole = {.file = "-s"};
        if (strlen(overrides[i].text) > 65536)
            good = node_complain_at(d, whole, NULL, "is too long: at most 64 KiB are read");
        else good &= read_one(overrides[i].text, a, &nodes[i], d);
    }
    return good ? spread(nodes, given, a) : NULL;
}

static struct node *section_key(struct node *root, const char *section, const struct override_node *o, struct arena *a)
{
    struct node *key = node_key(root, section);
    if (key) return key;
    key = arena_copy(a, o->key, sizeof *key);
    key->text = section;
    return key;
}

// Sets one entry of a section that is a mapping, or makes it one: `script: x.lua` turns into {file: x.lua}.
static struct node *set_in(struct node *root, const char *section, const struct override_node *o, struct arena *a)
{
    struct node *map = node_get(root, section);
    if (!map || map->kind != NODE_MAP) {
        struct node *old = map;
        const bool script = strcmp(section, "script") == 0;
        if (old && !node_is_empty(old) && !script) return root; // no mapping: reading the file will say so
        map = arena_copy(a, o->key, sizeof *map);
        map->kind = NODE_MAP;
        if (old && script && !node_is_empty(old)) {
            struct node *file = arena_copy(a, old, sizeof *file);
            file->text = "file";
            map = node_with(map, file, old, a);
        }
    }
    return node_with(root, section_key(root, section, o, a), node_with(map, o->key, o->item, a), a);
}

static struct node *take_out(struct node *root, const char *section, const char *name, struct arena *a)
{
    struct node *map = node_get(root, section);
    if (!node_get(map, name)) return root;
    return node_with(root, node_key(root, section), node_without(map, name, a), a);
}

// The group with new values for the axis. A single value takes the axis out of the group: it is fixed then, and the
// others move without it.
static struct node *set_group(struct node *group, const struct override_node *o, struct arena *a)
{
    return o->item->kind == NODE_TEXT ? node_without(group, o->name, a) : node_with(group, o->key, o->item, a);
}

// Replaces an axis of `together`; NULL where it is in none.
static struct node *set_together(struct node *root, const struct override_node *o, struct arena *a)
{
    struct node *together = node_get(root, "together"), *key = node_key(root, "together"), *group;
    if (!together || together->kind == NODE_TEXT) return NULL;
    if (together->kind == NODE_MAP) {
        if (!node_get(together, o->name)) return NULL;
        group = set_group(together, o, a);
        return group->count ? node_with(root, key, group, a) : node_without(root, "together", a);
    }
    for (size_t i = 0; i < together->count; i++) {
        if (!node_get(together->items[i], o->name)) continue;
        struct node *list = arena_copy(a, together, sizeof *list);
        list->items = arena_copy(a, together->items, together->count * sizeof *list->items);
        list->items[i] = group = set_group(together->items[i], o, a);
        if (!group->count) // nothing is left to move together
            memmove(list->items + i, list->items + i + 1, (--list->count - i) * sizeof *list->items);
        return list->count ? node_with(root, key, list, a) : node_without(root, "together", a);
    }
    return NULL;
}

// One kernel stands at the top, several are an axis: the one replaces the other.
static struct node *set_kernel(struct node *root, const struct override_node *o, struct arena *a)
{
    struct node *done = set_together(root, o, a);
    if (done && o->item->kind != NODE_TEXT) return done;
    if (done) root = done;
    if (o->item->kind == NODE_TEXT) return node_with(take_out(root, "sweep", o->name, a), o->key, o->item, a);
    if (node_get(root, "kernel")) root = node_without(root, "kernel", a);
    return set_in(root, "sweep", o, a);
}

static struct node *apply(struct node *root, const struct override_node *o, struct arena *a)
{
    bool is_axis = o->item->kind != NODE_TEXT;
    if (strcmp(o->name, "kernel") == 0 && (!o->section || strcmp(o->section, "sweep") == 0))
        return set_kernel(root, o, a);
    if (!o->section && words_find(&words_experiment, o->name)) return node_with(root, o->key, o->item, a);
    if (o->section && strcmp(o->section, "with") == 0) is_axis = false;
    else if (o->section && strcmp(o->section, "sweep") == 0) is_axis = true;
    else if (o->section) return set_in(root, o->section, o, a);
    else {
        struct node *done = set_together(root, o, a);
        if (done && is_axis) return done;
        if (done) root = done;
    }
    root = take_out(root, is_axis ? "with" : "sweep", o->name, a);
    return set_in(root, is_axis ? "sweep" : "with", o, a);
}

struct node *override_apply(struct node *root, const struct override_node *nodes, size_t count, struct arena *a)
{
    for (size_t i = 0; i < count; i++) root = apply(root, &nodes[i], a);
    return root;
}
