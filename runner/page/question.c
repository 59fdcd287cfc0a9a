// Finds the experiment's document in the run file's text, and in it what the page needs.
// SPDX-License-Identifier: MIT
#include "page/question.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/text.h"
#include "spec/yaml.h"

static const char *text_of(const struct node *map, const char *key)
{
    const struct node *n = map ? node_get(map, key) : NULL;
    return n && n->kind == NODE_TEXT ? n->text : NULL;
}

// The documents of a YAML text. What cannot be read is left out: it was checked when the experiment was run.
static bool documents(const char *text, struct yaml_documents *all, struct arena *arena)
{
    struct diags ignored = {0};
    struct node_source *source = node_source_new(arena, "", text, strlen(text));
    yaml_read(source, text, strlen(text), all, &ignored);
    diags_clear(&ignored);
    return all->count > 0;
}

// A file may hold several experiments; one without a name of its own has the file's.
static const struct node *document_of(const char *text, const char *experiment, struct arena *arena)
{
    struct yaml_documents files;
    const struct node *unnamed = NULL;
    if (!text || !documents(text, &files, arena)) return NULL;
    for (size_t i = 0; i < files.count; i++) {
        const char *name = text_of(files.items[i].root, "experiment");
        if (name && strcmp(name, experiment) == 0) return files.items[i].root;
        if (!name) unnamed = files.items[i].root;
    }
    return unnamed || files.count > 1 ? unnamed : files.items[0].root;
}

static const char *claim_of(const struct node *n) { return n->kind == NODE_TEXT ? n->text : text_of(n, "that"); }

static void read_claims(struct question *a, const struct node *expect, struct arena *arena)
{
    const size_t count = !expect ? 0 : expect->kind == NODE_LIST ? expect->count : 1;
    const char **claims = arena_alloc(arena, (count + 1) * sizeof *claims),
               **whens = arena_alloc(arena, (count + 1) * sizeof *whens);
    a->claims = claims;
    a->whens = whens;
    for (size_t i = 0; i < count; i++) {
        const struct node *item = expect->kind == NODE_LIST ? expect->items[i] : expect;
        if (!claim_of(item)) continue;
        whens[a->claim_count] = text_of(item, "when");
        claims[a->claim_count++] = claim_of(item);
    }
}

static void read_derived(struct question *a, const struct node *derive, struct arena *arena)
{
    const size_t count = derive && derive->kind == NODE_MAP ? derive->count : 0;
    struct question_derived *all = arena_alloc(arena, (count + 1) * sizeof *all);
    a->derived = all;
    for (size_t i = 0; i < count; i++)
        if (derive->items[i]->kind == NODE_TEXT)
            all[a->derived_count++] = (struct question_derived){derive->keys[i]->text, derive->items[i]->text};
}

// Names of columns, one or a list of them, separated by commas.
static const char *names_of(const struct node *map, const char *key, struct arena *arena)
{
    const struct node *n = map ? node_get(map, key) : NULL;
    struct str s = {0};
    if (!n || n->kind != NODE_LIST) return n && n->kind == NODE_TEXT ? n->text : NULL;
    for (size_t i = 0; i < n->count; i++)
        if (n->items[i]->kind == NODE_TEXT) str_addf(&s, "%s%s", s.size ? "," : "", n->items[i]->text);
    const char *all = s.size ? arena_strdup(arena, s.text) : NULL;
    str_release(&s);
    return all;
}

static void read_wish(struct chart_wish *w, const struct node *chart, struct arena *arena)
{
    *w = (struct chart_wish){.x = text_of(chart, "x"),
        .y = names_of(chart, "y", arena),
        .by = text_of(chart, "by"),
        .panels = text_of(chart, "panels"),
        .log = text_of(chart, "log"),
        .kind = text_of(chart, "kind")};
}

// The options by which scripts name the columns that they look at.
static void read_script(struct question *a, const struct node *script)
{
    static const char *const along[] = {"x", "bytes"}, *const up[] = {"y", "metric", "time"};
    for (size_t i = 0; i < sizeof along / sizeof *along && !a->x; i++) a->x = text_of(script, along[i]);
    for (size_t i = 0; i < sizeof up / sizeof *up && !a->y; i++) a->y = text_of(script, up[i]);
}

static void read_found(struct found_before *f, const struct node *n)
{
    if (!n || !text_of(n, "says")) return;
    *f = (struct found_before){text_of(n, "device"), text_of(n, "driver"), text_of(n, "date"), text_of(n, "by"),
        text_of(n, "report"), text_of(n, "says")};
    if (!f->device || !f->date) f->says = NULL;
}

// How it is drawn, and what was found before, is no part of what was measured: a report from before the file had a
// `chart` is drawn as it says now.
static void read_now(struct question *a, const char *path, const char *experiment, struct arena *arena)
{
    struct diags ignored = {0};
    size_t size;
    char *text = path ? file_read_named(path, "an experiment", ".yaml .yml", YAML_MOST_BYTES, &size, &ignored) : NULL;
    const struct node *root = text ? document_of(text, experiment, arena) : NULL;
    if (root && text_of(root, "experiment")) {
        if (!a->has_wish) read_wish(&a->wish, node_get(root, "chart"), arena);
        read_found(&a->found, node_get(root, "found"));
    }
    free(text);
    diags_clear(&ignored);
}

void question_read(struct question *a, const char *runfile, const char *experiment, struct arena *arena)
{
    struct yaml_documents whole;
    *a = (struct question){0};
    if (!runfile || !documents(runfile, &whole, arena)) return;
    const struct node *facts = whole.items[0].root, *root = document_of(text_of(facts, "text"), experiment, arena);
    if (!root) return;
    a->known = true;
    a->question = text_of(root, "question");
    a->theme = text_of(root, "theme");
    a->has_wish = node_get(root, "chart");
    if (a->has_wish) read_wish(&a->wish, node_get(root, "chart"), arena);
    read_found(&a->found, node_get(root, "found"));
    read_now(a, text_of(facts, "file"), experiment, arena);
    read_claims(a, node_get(root, "expect"), arena);
    read_derived(a, node_get(root, "derive"), arena);
    read_script(a, node_get(root, "script"));
}

void question_tables(struct question *a, bool fit, bool speedup)
{
    if (speedup) a->y = "speedup";
    if (!fit) return;
    if (!a->x) a->x = "useful_bytes";
    if (!a->y) a->y = "time_us";
}

const char *question_derivation(const struct question *a, const char *column)
{
    for (size_t i = 0; i < a->derived_count; i++)
        if (strcmp(a->derived[i].name, column) == 0) return a->derived[i].expression;
    return NULL;
}

bool question_claims(const struct question *a, const char *column)
{
    for (size_t i = 0; i < a->claim_count; i++)
        if (text_has_word(a->claims[i], column)) return true;
    return false;
}

void question_lay(struct chart_wish *over, const struct chart_wish *under)
{
    const char **to[] = {&over->x, &over->y, &over->by, &over->panels, &over->log, &over->kind};
    const char *const from[] = {under->x, under->y, under->by, under->panels, under->log, under->kind};
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        if (!*to[i]) *to[i] = from[i];
}
