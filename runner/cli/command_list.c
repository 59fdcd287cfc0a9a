// `gpuexp list`: kernels and experiments, each with a sentence about it.
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "spec/themes.h"
#include "words/describing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int widest(char **names)
{
    int w = 0;
    for (; *names; names++) w = text_width(*names) > w ? text_width(*names) : w;
    return w < 24 ? w : 24;
}

static void entry(const char *name, const char *text, int margin)
{
    LOCAL(str_release) struct str left = {0};
    str_addf(&left, "  %s", name);
    term_columns(left.text, margin, text, term_width(stdout), stdout);
}

static void in_error(struct json *j, const char *kind, const char *name, const struct diags *why)
{
    json_object(j, NULL);
    json_text(j, kind, name);
    json_diags(j, "mistakes", why);
    json_close(j);
}

// What was asked for: words that must all be there.
struct wanted {
    const char *const *words;
    size_t count;
    bool found;
};

static bool has_words(struct wanted *w, const char *text)
{
    bool all = true;
    for (size_t i = 0; i < w->count; i++) all &= strcasestr(text, w->words[i]) != NULL;
    return all;
}

static void add_kernel_words(struct str *s, const struct kernel *k)
{
    str_addf(s, "%s %s", k->name, k->about ? k->about : "");
    for (size_t i = 0; i < k->param_count; i++)
        str_addf(s, " %s %s", k->params[i].name, k->params[i].about ? k->params[i].about : "");
}

static void add_assigned(struct str *s, const struct assignments *list)
{
    for (size_t i = 0; i < list->count; i++) str_addf(s, " %s", list->items[i].name);
}

static void add_experiment_words(struct str *s, const struct experiment *e)
{
    if (e->found.says) str_addf(s, "%s ", e->found.says);
    str_addf(s, "%s %s %s %s", e->name, e->question ? e->question : "", e->theme ? e->theme : "", e->kernel->name);
    add_assigned(s, &e->with);
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t k = 0; k < e->sweep[i].count; k++) str_addf(s, " %s", e->sweep[i].items[k].name);
}

static void heading(const char *text, const char *before)
{
    say(stdout, "%s", before);
    term_say(stdout, TERM_BOLD, "%s", text);
    say(stdout, "\n");
}

static void kernel(const char *name, int margin, struct wanted *w, struct json *j)
{
    struct diags ignored = {0}; // a file in error is listed as such; `describe` says what is wrong
    struct kernel *k = kernel_load(name, &ignored);
    LOCAL(str_release) struct str text = {0};
    str_add(&text, name);
    if (k) add_kernel_words(&text, k);
    if (has_words(w, text.text)) {
        if (!j && !w->found) heading("kernels", "");
        w->found = true;
        if (!j) entry(name, k ? k->about ? k->about : "" : "(in error: see `gpuexp describe`)", margin);
        else if (k) describe_json_kernel(j, k);
        else in_error(j, "kernel", name, &ignored);
    }
    if (k) kernel_free(k);
    diags_clear(&ignored);
}

// An experiment file that was read: its documents, or none where it is in error.
struct listed {
    char *name;
    struct experiments all;
    bool shown;
};

static const char *theme_of(const struct listed *l)
{
    return l->all.count && l->all.items[0]->theme ? l->all.items[0]->theme : "";
}

static void read_file(struct listed *l)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(mem_drop) char *path = file_find("experiments", l->name, ".yaml");
    if (path) experiments_load(path, NULL, 0, &l->all, &ignored);
}

static void experiment(struct listed *l, int margin)
{
    l->shown = true;
    for (size_t i = 0; i < l->all.count; i++) {
        const struct experiment *e = l->all.items[i];
        bool own_name = i == 0 && strcmp(e->name, l->name) == 0;
        LOCAL(str_release) struct str text = {0};
        if (!own_name) str_addf(&text, "%s: ", e->name);
        str_add(&text, e->question ? e->question : "");
        if (!i && experiment_unmeasured(e)) str_add(&text, " (not measured yet)");
        entry(i ? "" : l->name, text.text, margin);
    }
    if (!l->all.count) entry(l->name, "(in error: see `gpuexp check`)", margin);
}

// The experiments of one theme, under its name and what it teaches.
static void theme(const char *name, const char *teaches, struct listed *files, size_t count, int margin)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (files[i].shown || strcmp(theme_of(&files[i]), name) != 0) continue;
        if (!n++) {
            heading(*name ? name : "others", "\n");
            if (teaches) term_columns("", 2, teaches, term_width(stdout), stdout);
        }
        experiment(&files[i], margin);
    }
}

static void print_kernels(struct wanted *w, struct json *j)
{
    LOCAL(file_list_drop) char **names = file_list("kernels", ".cu");
    int margin = widest(names) + 4;
    if (j) json_list(j, "kernels");
    else if (!*names) {
        heading("kernels", "");
        say(stdout, "  none under ./kernels, GPUEXP_PATH or the installed folders\n");
    }
    for (char **n = names; *n; n++) kernel(*n, margin, w, j);
    if (j) json_close(j);
}

// Leaves those that were asked for.
static bool is_wanted(const struct listed *l, struct wanted *w)
{
    LOCAL(str_release) struct str text = {0};
    str_add(&text, l->name);
    for (size_t i = 0; i < l->all.count; i++) str_add(&text, " "), add_experiment_words(&text, l->all.items[i]);
    const bool yes = has_words(w, text.text);
    w->found |= yes;
    return yes;
}

static void as_objects(struct json *j, const struct listed *files, size_t count)
{
    json_list(j, "experiments");
    for (size_t i = 0; i < count; i++) {
        if (files[i].shown) continue;
        for (size_t k = 0; k < files[i].all.count; k++) describe_json_experiment(j, files[i].all.items[k]);
        if (!files[i].all.count) in_error(j, "experiment", files[i].name, &(struct diags){0});
    }
    json_close(j);
}

static int in_order(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    const size_t i = theme_step(theme_of(x), x->name), k = theme_step(theme_of(y), y->name);
    return i != k ? (i < k ? -1 : 1) : strcmp(x->name, y->name);
}

static void print_experiments(struct wanted *w, struct json *j)
{
    LOCAL(file_list_drop) char **names = file_list("experiments", ".yaml");
    int margin = widest(names) + 4;
    size_t count = 0;
    while (names[count]) count++;
    LOCAL(mem_drop) struct listed *files = mem_alloc((count + 1) * sizeof *files);
    const bool above = w->found || !w->count; // something was printed
    size_t wanted = 0;
    for (size_t i = 0; i < count; i++) {
        files[i] = (struct listed){.name = names[i]};
        read_file(&files[i]);
        files[i].shown = !is_wanted(&files[i], w);
        wanted += !files[i].shown;
    }
    if (!j && (wanted || !count)) heading("experiments", above ? "\n" : "");
    if (!count && !j) say(stdout, "  none under ./experiments, GPUEXP_PATH or the installed folders\n");
    if (j) {
        as_objects(j, files, count);
        for (size_t i = 0; i < count; i++) files[i].shown = true;
    }
    if (count) qsort(files, count, sizeof *files, in_order);
    for (const struct theme *t = themes; t->name; t++) theme(t->name, t->teaches, files, count, margin);
    for (size_t i = 0; i < count; i++) // themes of the files' own, in the order in which they come; last, those without
        if (*theme_of(&files[i])) theme(theme_of(&files[i]), NULL, files, count, margin);
    theme("", NULL, files, count, margin);
    for (size_t i = 0; i < count; i++) experiments_free(&files[i].all);
}

// What to do where nothing was found.
static const char *meant(const char *word, char hint[80])
{
    const char *names[CHOICES_MOST];
    size_t n = 0;
    for (const struct theme *t = themes; t->name && n < CHOICES_MOST - 1; t++) names[n++] = t->name;
    names[n] = NULL;
    const char *near = str_nearest(word, names);
    if (near) snprintf(hint, 80, "did you mean the theme `%s`?", near);
    else snprintf(hint, 80, "`gpuexp describe WORD` explains words of files and reports");
    return hint;
}

int command_list(const struct options *o, struct diags *d)
{
    char hint[80];
    struct wanted w = {o->operands, o->operand_count, false};
    struct json j = json_begin(stdout, false), *to = options_json(o) ? &j : NULL;
    if (to) json_object(to, NULL);
    print_kernels(&w, to);
    print_experiments(&w, to);
    if (to) json_end(to);
    else if (w.count && !w.found)
        diag_add(d, DIAG_WARNING, (struct where){0}, meant(w.words[0], hint), "no kernel and no experiment has%s",
            w.count > 1 ? " all these words" : " this word");
    return 0;
}
