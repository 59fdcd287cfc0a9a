// Experiment files: from text to checked experiments, with every complaint on the way.
// SPDX-License-Identifier: MIT
#include "spec/experiment.h"

#include "base/beside.h"
#include "base/file.h"
#include "lua/script.h"
#include "spec/reading.h"
#include "spec/yaml.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DOCUMENTS = 1000 };

// A name that is safe for a file: reports are named after it.
static bool is_safe(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    return *name && *name != '.' && *name != '-' && strlen(name) <= 100 && !name[strspn(name, allowed)];
}

// The file's own name, made safe, with -2, -3, ... for its second, third, ... document.
static const char *default_name(const char *path, size_t index, struct arena *a)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    char *name = arena_strndup(a, base, n > 90 ? 90 : n);
    for (char *p = name; *p; p++) {
        char one[2] = {*p, '\0'};
        if (!is_safe(one) && (p == name || (*p != '.' && *p != '-'))) *p = '_';
    }
    if (!*name) name = arena_strdup(a, "experiment");
    return index ? arena_printf(a, "%s-%zu", name, index + 1) : name;
}

static void read_name(struct reading *r, size_t index, const struct experiments *others)
{
    struct node *n = node_get(r->root, "experiment");
    const char *name = n ? node_text(n, "experiment", "a name", r->diags) : default_name(r->e->file, index, r->arena);
    r->e->name = name ? name : "";
    if (!name) return;
    if (!is_safe(name)) {
        node_complain(r->diags, n ? n : r->root, "letters, digits, _, . and - (the report is named after it)",
            "`%.60s` cannot be an experiment's name", name);
        return;
    }
    const char *report = arena_printf(r->arena, "%s.csv", name), *taken = beside_named(report, false);
    if (taken)
        node_complain(r->diags, n ? n : r->root, "name it: experiment: another_name",
            "`%.60s` cannot be an experiment's name: a file that ends in %s stands beside a report", name, taken);
    for (size_t i = 0; i < others->count; i++)
        if (strcmp(others->items[i]->name, name) == 0)
            node_complain(r->diags, n ? n : r->root, "name it: experiment: another_name",
                "a second experiment is named `%s`", name);
}

static struct experiment *read_document(const struct yaml_document *doc, const struct laid *over, const char *file,
    size_t index, struct arena *a, const struct experiments *others, struct known *failed, struct diags *d)
{
    struct experiment *e = arena_alloc(a, sizeof *e);
    struct reading r = {.e = e, .root = doc->root, .broken = doc->broken, .arena = a, .diags = d};
    e->file = arena_strdup(a, file);
    e->arena = a;
    e->traits = arena_alloc(a, sizeof *e->traits);
    *e->traits = NULL;
    e->name = "";
    if (doc->root->kind != NODE_MAP) {
        node_complain(d, doc->root, NULL, "an experiment is a mapping: `kernel: stride` and so on, not %s",
            node_kind_name(doc->root));
        return e;
    }
    r.lua = sandbox_new(&(struct sandbox_limits){0});
    node_check_keys(doc->root, &words_experiment, d);
    r.root = for_device_apply(&r, doc->root, over);
    read_name(&r, index, others);
    const struct node *theme = node_get(doc->root, "theme");
    if (theme) e->theme = node_text(theme, "theme", "a word", d);
    const struct node *question = node_get(doc->root, "question");
    if (question) e->question = node_text(question, "question", "a sentence", d);
    found_before_read(&r);
    answers_read(&r);
    kernels_read(&r, failed);
    axes_read(&r);
    kernels_check(&r);
    clauses_read(&r);
    sandbox_free(r.lua);
    return e;
}

static void add(struct experiments *all, struct experiment *e)
{
    size_t room = all->count;
    mem_grow(&all->items, &room, all->count + 1, sizeof *all->items);
    all->items[all->count++] = e;
}

// A file with mistakes is not run, so its scripts are not loaded later: their mistakes are reported here.
static void complain_scripts(const struct experiments *all, size_t from, struct diags *d)
{
    for (size_t i = from; i < all->count; i++) {
        const struct experiment *e = all->items[i];
        if (!e->script) continue;
        struct sandbox *lua = sandbox_new(&(struct sandbox_limits){0});
        script_free(script_new(lua, e->script, NULL, 0, e->script_at, d));
        sandbox_free(lua);
    }
}

// Empty documents, like the one after a last `---`, do not count.
static bool is_nothing(const struct yaml_document *doc) { return node_is_empty(doc->root); }

static bool read_documents(const char *path, const char *text, size_t size, const struct override *overrides,
    size_t override_count, struct arena *a, struct experiments *all, struct diags *d)
{
    struct yaml_documents docs;
    size_t found = 0, errors = diags_errors(d);
    struct known failed = {0};
    size_t node_count = override_count;
    struct override_node *nodes = override_read(overrides, &node_count, a, d);
    const struct laid over = {nodes, nodes ? node_count : 0};
    bool good = yaml_read(node_source_new(a, path, text, size), text, size, &docs, d) && nodes;
    for (size_t i = 0; i < docs.count; i++) {
        struct yaml_document doc = docs.items[i];
        if (is_nothing(&doc) || d->count > NODE_MOST_COMPLAINTS) continue;
        doc.root = setting_parts_spread(doc.root, a, d);
        if (doc.root->kind == NODE_MAP && nodes) doc.root = override_apply(doc.root, nodes, node_count, a);
        doc.root = setting_parts_spread(doc.root, a, d); // also what `-s for={...}` brought
        if (found == MOST_DOCUMENTS) {
            good = node_complain(d, doc.root, NULL, "a file holds at most %d experiments", MOST_DOCUMENTS);
            break;
        }
        add(all, read_document(&doc, &over, path, found++, a, all, &failed, d));
    }
    known_release(&failed);
    if (diags_errors(d) != errors) complain_scripts(all, all->count - found, d);
    if (!found && good) good = diag_user(d, (struct where){.file = path}, NULL, "is empty: no experiment in it");
    return good && diags_errors(d) == errors;
}

bool experiments_parse(const char *path, const char *text, size_t size, const struct override *overrides,
    size_t override_count, struct experiments *all, struct diags *d)
{
    size_t before = all->count;
    if (size > YAML_MOST_BYTES)
        return diag_user(d, (struct where){.file = path}, NULL, "is too large: %zu bytes, at most %d are read", size,
            YAML_MOST_BYTES);
    struct arena *a = arena_new();
    if (read_documents(path, text, size, overrides, override_count, a, all, d)) return true;
    while (all->count > before) kernels_free(all->items[--all->count]);
    if (!all->count) experiments_free(all);
    arena_free(a);
    return false;
}

void experiments_glance(const char *path, const char *text, size_t size, struct experiments *all)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    if (size > YAML_MOST_BYTES) return;
    struct arena *a = arena_new();
    const size_t before = all->count;
    read_documents(path, text, size, NULL, 0, a, all, &ignored);
    if (all->count == before) arena_free(a); // nobody has it
}

bool experiments_load(const char *path, const struct override *overrides, size_t override_count,
    struct experiments *all, struct diags *d)
{
    size_t size;
    LOCAL(mem_drop) char *text = file_read_named(path, "an experiment", ".yaml .yml", YAML_MOST_BYTES, &size, d);
    return text && experiments_parse(path, text, size, overrides, override_count, all, d);
}

void experiments_free(struct experiments *all)
{
    for (size_t i = 0; i < all->count; i++) {
        bool last = true; // of its arena
        kernels_free(all->items[i]);
        for (size_t k = i + 1; k < all->count; k++) last &= all->items[k]->arena != all->items[i]->arena;
        if (last) arena_free(all->items[i]->arena);
    }
    free(all->items);
    *all = (struct experiments){0};
}

bool experiment_is_axis(const struct experiment *e, const char *name)
{
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t j = 0; j < e->sweep[i].count; j++)
            if (strcmp(e->sweep[i].items[j].name, name) == 0) return true;
    for (size_t i = 0; i < e->include_count; i++)
        for (size_t j = 0; j < e->include[i].count; j++)
            if (strcmp(e->include[i].items[j].name, name) == 0) return true;
    return false;
}
