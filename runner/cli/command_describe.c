// `gpuexp describe NAME`: everything that a name can mean, from the tables and files that give it its meaning.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "cli/as_json.h"
#include "cli/commands.h"
#include "cli/describe_text.h"
#include "words/glossary.h"
#include "spec/node.h"

#include <stdlib.h>
#include <string.h>

struct shelf { // every kernel that can be read
    struct kernel **kernels;
    size_t count;
};

static void fill_shelf(struct shelf *s)
{
    LOCAL(mem_drop) char **names = file_list("kernels", ".cu");
    size_t n = 0;
    while (names[n]) n++;
    s->kernels = mem_alloc((n + 1) * sizeof *s->kernels);
    for (size_t i = 0; i < n; i++) {
        struct diags ignored = {0}; // the mistakes of kernel files are not reported here
        struct kernel *k = kernel_load(names[i], &ignored);
        if (k) s->kernels[s->count++] = k;
        diags_clear(&ignored);
        free(names[i]);
    }
}

static void empty_shelf(struct shelf *s)
{
    while (s->count) kernel_free(s->kernels[--s->count]);
    free(s->kernels);
}

// A name may be a parameter of some kernels, or a number that they report.
static bool parameter_of(const char *name, const struct shelf *shelf)
{
    bool found = false;
    for (size_t i = 0; i < shelf->count; i++) {
        const struct kernel *k = shelf->kernels[i];
        const struct param *p = kernel_param(k, name);
        if (p) {
            describe_heading("is a parameter of kernel", name, k->name);
            describe_parameter(p);
        }
        found |= p != NULL;
        for (size_t r = 0; r < k->report_count; r++) {
            if (strcmp(k->reports[r].name, name) != 0) continue;
            describe_heading("is a column that is reported by kernel", name, k->name);
            describe_line("", k->reports[r].about ? k->reports[r].about : "");
            found = true;
        }
    }
    return found;
}

struct names {
    const char **items; // NULL-terminated
    size_t count, room;
};

struct hints {
    struct names names;
    struct arena *arena;
};

static void add_name(struct names *n, const char *name)
{
    mem_grow(&n->items, &n->room, n->count + 2, sizeof *n->items);
    n->items[n->count++] = name;
    n->items[n->count] = NULL;
}

static void add_files(struct names *n, const char *kind, const char *suffix, struct arena *a)
{
    char **files = file_list(kind, suffix);
    for (char **f = files; *f; f++) {
        add_name(n, arena_strdup(a, *f));
        free(*f);
    }
    free(files);
}

static void add_word(void *context, const struct entry *e)
{
    struct hints *h = context;
    const char *dot = strrchr(e->word, '.');
    add_name(&h->names, arena_strdup(h->arena, e->word));
    if (dot) add_name(&h->names, arena_strdup(h->arena, dot + 1));
}

static void unknown(const char *name, struct diags *d)
{
    struct hints h = {.arena = arena_new()};
    const char *hint = "`gpuexp describe` lists the groups of words, `gpuexp list` kernels and experiments";
    add_name(&h.names, "lua");
    for (const struct choice *g = glossary_groups; g->word; g++) add_name(&h.names, g->word);
    glossary_each(add_word, &h);
    add_files(&h.names, "kernels", ".cu", h.arena);
    add_files(&h.names, "experiments", ".yaml", h.arena);
    add_files(&h.names, "lua", ".lua", h.arena);
    const char *near = str_nearest(name, h.names.items);
    if (near) hint = arena_printf(h.arena, "did you mean `%s`?", near);
    struct str with = {0}; // names that have it in them
    for (size_t i = 0, found = 0; !near && strlen(name) > 2 && i < h.names.count && found < 5; i++) {
        const char *it = h.names.items[i];
        if (!strcasestr(it, name) || (with.text && strstr(with.text, it))) continue;
        str_addf(&with, "%s`%s`", found++ ? ", " : "it is in: ", it);
    }
    if (with.text) hint = arena_strdup(h.arena, with.text);
    str_release(&with);
    if (node_renamed(name, h.arena)) hint = node_renamed(name, h.arena);
    diag_user(d, (struct where){0}, hint, "nothing is named `%s`", name);
    free(h.names.items);
    arena_free(h.arena);
}

struct telling {
    struct json *json;
    const char *name; // NULL: every word
    bool found;
};

static void tell(void *context, const struct entry *e)
{
    struct telling *t = context;
    const char *const facts[][2] = {{"about", e->about}, {"takes", e->takes}, {"default", e->fallback},
        {"unit", e->unit}, {"note", e->note}, {"try", e->shown ? e->shown : ""}};
    if (t->name && !glossary_means(e, t->name) && strcmp(e->group, t->name) != 0) return;
    t->found = true;
    json_add(t->json, "{ word:%s group:%s", e->word, e->group);
    if (*e->place) json_text(t->json, "place", e->place);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (*facts[i][1]) json_text(t->json, facts[i][0], facts[i][1]);
    if (e->choices) {
        json_object(t->json, "values");
        for (const struct choice *c = e->choices; c->word; c++) json_text(t->json, c->word, c->about);
        json_close(t->json);
    }
    json_close(t->json);
}

// Words, kernels and experiments; a list of what the names mean.
static void as_list(const struct options *o, struct diags *d)
{
    struct json j = json_begin(stdout, false);
    json_list(&j, NULL);
    if (!o->operand_count) glossary_each(tell, &(struct telling){.json = &j});
    for (size_t i = 0; i < o->operand_count; i++) {
        struct telling t = {&j, o->operands[i], false};
        LOCAL(experiments_free) struct experiments all = {0};
        glossary_each(tell, &t);
        LOCAL(mem_drop)
        char *kernel = describe_find("kernels", t.name, ".cu"), *file = describe_experiment_file(t.name);
        struct kernel *k = kernel ? kernel_load(t.name, d) : NULL;
        if (k) as_json_kernel(&j, k);
        if (k) kernel_free(k);
        if (file && experiments_load(file, NULL, 0, &all, d))
            for (size_t n = 0; n < all.count; n++) as_json_experiment(&j, all.items[n]);
        if (!t.found && !kernel && !file) unknown(t.name, d);
    }
    json_end(&j);
}

int command_describe(const struct options *o, struct diags *d)
{
    struct shelf shelf = {0};
    if (as_json(o)) return as_list(o, d), 0;
    if (!o->operand_count) describe_groups();
    else fill_shelf(&shelf);
    for (size_t i = 0; i < o->operand_count; i++) {
        bool (*const meanings[])(const char *) = {describe_group, describe_lua, describe_module, describe_script_words};
        const char *name = o->operands[i];
        if (!*name) {
            unknown(name, d);
            continue;
        }
        // What a reader most likely means comes first.
        bool found = describe_word(name, DESCRIBE_TERMS);
        found |= describe_experiment(name, d);
        found |= describe_kernel(name, d);
        found |= describe_word(name, DESCRIBE_COLUMNS);
        found |= describe_word(name, DESCRIBE_KEYS);
        for (size_t m = 0; m < sizeof meanings / sizeof *meanings; m++) found |= meanings[m](name);
        found |= parameter_of(name, &shelf);
        found |= describe_script(name, d);
        if (!found) unknown(name, d);
    }
    empty_shelf(&shelf);
    return 0;
}
