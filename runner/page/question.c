// What an experiment's text says of its page, read by the one reader of experiments (spec/experiment.h): as the run
// file keeps it, and as its file says it today.
// SPDX-License-Identifier: MIT
#include "page/question.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "spec/yaml.h"
#include "store/runfile.h"

static const char *kept(const char *text, struct arena *arena) { return text ? arena_strdup(arena, text) : NULL; }

// A file may hold several experiments; the only one is meant whatever its name.
static const struct experiment *of_name(const struct experiments *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i]->name, name) == 0) return all->items[i];
    return all->count == 1 ? all->items[0] : NULL;
}

static void take_asked(struct question *a, const struct experiment *e, struct arena *arena)
{
    const char **claims = arena_alloc(arena, (e->expect_count + 1) * sizeof *claims),
               **whens = arena_alloc(arena, (e->expect_count + 1) * sizeof *whens);
    a->known = true;
    a->question = kept(e->question, arena);
    a->theme = kept(e->theme, arena);
    a->claims = claims, a->whens = whens;
    for (size_t i = 0; i < e->expect_count; i++) {
        if (!e->expect[i].that.text) continue;
        whens[a->claim_count] = kept(e->expect[i].when.text, arena);
        claims[a->claim_count++] = kept(e->expect[i].that.text, arena);
    }
}

// The options by which scripts name the columns that they look at.
static void take_script(struct question *a, const struct experiment *e, struct arena *arena)
{
    static const char *const along[] = {"x", "bytes"}, *const up[] = {"y", "metric", "time"};
    for (size_t i = 0; i < e->script_options.count; i++) {
        const struct assignment *o = &e->script_options.items[i];
        if (o->value.kind != VALUE_TEXT) continue;
        for (size_t k = 0; k < sizeof along / sizeof *along && !a->x; k++)
            if (strcmp(o->name, along[k]) == 0) a->x = kept(o->value.text, arena);
        for (size_t k = 0; k < sizeof up / sizeof *up && !a->y; k++)
            if (strcmp(o->name, up[k]) == 0) a->y = kept(o->value.text, arena);
    }
}

// Those that are not known yet: what was measured keeps the expression that it was derived by.
static void add_derived(struct question *a, const struct experiment *e, struct arena *arena)
{
    struct question_derived *all = arena_alloc(arena, (a->derived_count + e->derive_count + 1) * sizeof *all);
    if (a->derived_count) memcpy(all, a->derived, a->derived_count * sizeof *all);
    a->derived = all;
    for (size_t i = 0; i < e->derive_count; i++)
        if (e->derive[i].expr.text && !question_derivation(a, e->derive[i].name))
            all[a->derived_count++] =
                (struct question_derived){kept(e->derive[i].name, arena), kept(e->derive[i].expr.text, arena)};
}

// How it is told and drawn is no part of what was measured: what the later text says of it wins.
static void take_telling(struct question *a, const struct experiment *e, struct arena *arena)
{
    struct reply *answers = arena_alloc(arena, (e->answer_count + 1) * sizeof *answers);
    const size_t reported = e->kernel ? e->kernel->report_count : 0, params = e->kernel ? e->kernel->param_count : 0;
    struct question_word *words =
        arena_alloc(arena, (a->word_count + e->derive_count + reported + params + 1) * sizeof *words);
    struct chart_wish asked = e->chart;
    for (const struct word *w = words_chart.words; e->draws && w->name; w++)
        *chart_wish_at(&a->wish, w->name) = kept(*chart_wish_at(&asked, w->name), arena);
    a->has_wish = a->has_wish || e->draws;
    if (e->found.says)
        a->found = (struct found_before){kept(e->found.device, arena), kept(e->found.driver, arena),
            kept(e->found.date, arena), kept(e->found.by, arena), kept(e->found.report, arena),
            kept(e->found.says, arena)};
    for (size_t i = 0; i < e->answer_count; i++)
        answers[i] = (struct reply){
            .when.text = kept(e->answers[i].when.text, arena), .says.text = kept(e->answers[i].says.text, arena)};
    if (e->answer_count) a->answers = answers, a->answer_count = e->answer_count;
    add_derived(a, e, arena);
    if (a->word_count) memcpy(words, a->words, a->word_count * sizeof *words);
    for (size_t i = 0; i < e->derive_count; i++)
        words[a->word_count++] = (struct question_word){
            kept(e->derive[i].name, arena), kept(e->derive[i].unit, arena), kept(e->derive[i].about, arena)};
    for (size_t i = 0; i < reported; i++) {
        const struct report_value *r = &e->kernel->reports[i];
        words[a->word_count++] =
            (struct question_word){kept(r->name, arena), kept(r->unit, arena), kept(r->about, arena)};
    }
    for (size_t i = 0; i < params; i++)
        words[a->word_count++] = (struct question_word){
            .name = kept(e->kernel->params[i].name, arena), .about = kept(e->kernel->params[i].about, arena)};
    a->words = words;
}

// The file of today, where it is still there or ships under that name.
static void take_today(struct question *a, const char *path, const char *experiment, struct arena *arena)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(experiments_free) struct experiments all = {0};
    size_t size;
    char *copy = arena_strdup(arena, path),
         *shipped = file_exists(path) ? NULL : file_find("experiments", basename(copy), "");
    if (shipped) path = shipped;
    char *text = file_exists(path)
        ? file_read_named(path, "an experiment", ".yaml .yml", YAML_MOST_BYTES, &size, &ignored)
        : NULL;
    if (text) experiments_glance(path, text, size, &all);
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(all.items[i]->name, experiment) == 0) take_telling(a, all.items[i], arena);
    free(text);
    free(shipped);
}

void question_read(struct question *a, const char *runfile, const char *experiment, struct arena *arena)
{
    LOCAL(experiments_free) struct experiments all = {0};
    *a = (struct question){0};
    char *text = runfile ? runfile_text(runfile, "text") : NULL,
         *path = runfile ? runfile_get(runfile, "file", 0) : NULL;
    if (text) experiments_glance(path ? path : "", text, strlen(text), &all);
    const struct experiment *e = of_name(&all, experiment);
    if (e) {
        take_asked(a, e, arena);
        take_script(a, e, arena);
        take_telling(a, e, arena);
        if (path) take_today(a, path, experiment, arena);
    }
    free(text);
    free(path);
}

// What the later text says of it.
const char *question_unit(const struct question *a, const char *column)
{
    for (size_t i = a->word_count; i; i--)
        if (a->words[i - 1].unit && strcmp(a->words[i - 1].name, column) == 0) return a->words[i - 1].unit;
    return NULL;
}

const char *question_about(const struct question *a, const char *column)
{
    for (size_t i = a->word_count; i; i--)
        if (a->words[i - 1].about && strcmp(a->words[i - 1].name, column) == 0) return a->words[i - 1].about;
    return NULL;
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
    struct chart_wish below = *under;
    for (const struct word *w = words_chart.words; w->name; w++)
        if (!*chart_wish_at(over, w->name)) *chart_wish_at(over, w->name) = *chart_wish_at(&below, w->name);
}
