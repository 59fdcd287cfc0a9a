// `gpuexp list`: kernels and experiments, each with a sentence about it.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "spec/themes.h"

#include <stdlib.h>
#include <string.h>

static int widest(char **names)
{
    int w = 0;
    for (; *names; names++) w = term_text_width(*names) > w ? term_text_width(*names) : w;
    return w < 24 ? w : 24;
}

static void entry(const char *name, const char *text, int margin)
{
    struct str left = {0};
    str_addf(&left, "  %s", name);
    term_columns(left.text, margin, text, term_width(stdout), stdout);
    str_release(&left);
}

static void kernel(const char *name, int margin)
{
    struct diags ignored = {0}; // a file in error is listed as such; `describe` says what is wrong
    struct kernel *k = kernel_load(name, &ignored);
    entry(name, k ? k->about ? k->about : "" : "(in error: see `gpuexp describe`)", margin);
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
    struct diags ignored = {0};
    char *path = file_find("experiments", l->name, ".yaml");
    if (path) experiments_load(path, NULL, 0, &l->all, &ignored);
    diags_clear(&ignored);
    free(path);
}

static void experiment(struct listed *l, int margin)
{
    l->shown = true;
    for (size_t i = 0; i < l->all.count; i++) {
        const struct experiment *e = l->all.items[i];
        bool own_name = i == 0 && strcmp(e->name, l->name) == 0;
        struct str text = {0};
        if (!own_name) str_addf(&text, "%s: ", e->name);
        str_add(&text, e->question ? e->question : "");
        entry(i ? "" : l->name, text.text, margin);
        str_release(&text);
    }
    if (!l->all.count) entry(l->name, "(in error: see `gpuexp check`)", margin);
}

static void heading(const char *text, const char *before)
{
    say(stdout, "%s", before);
    term_say(stdout, TERM_BOLD, "%s", text);
    say(stdout, "\n");
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

static void print_kernels(void)
{
    char **names = file_list("kernels", ".cu");
    int margin = widest(names) + 4;
    heading("kernels", "");
    if (!*names) say(stdout, "  none under ./kernels, GPUEXP_PATH or the installed folders\n");
    for (char **n = names; *n; n++) {
        kernel(*n, margin);
        free(*n);
    }
    free(names);
}

static void print_experiments(void)
{
    char **names = file_list("experiments", ".yaml");
    int margin = widest(names) + 4;
    size_t count = 0;
    while (names[count]) count++;
    struct listed *files = mem_alloc((count + 1) * sizeof *files);
    heading("experiments", "\n");
    if (!count) say(stdout, "  none under ./experiments, GPUEXP_PATH or the installed folders\n");
    for (size_t i = 0; i < count; i++) {
        files[i] = (struct listed){.name = names[i]};
        read_file(&files[i]);
    }
    for (const struct theme *t = themes; t->name; t++) theme(t->name, t->teaches, files, count, margin);
    for (size_t i = 0; i < count; i++) // themes of the files' own, in the order in which they come; last, those without
        if (*theme_of(&files[i])) theme(theme_of(&files[i]), NULL, files, count, margin);
    theme("", NULL, files, count, margin);
    for (size_t i = 0; i < count; i++) {
        experiments_free(&files[i].all);
        free(files[i].name);
    }
    free(files);
    free(names);
}

int command_list(const struct options *o, struct diags *d)
{
    (void)o, (void)d;
    print_kernels();
    print_experiments();
    return 0;
}
