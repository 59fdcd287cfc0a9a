// `gpuexp list`: kernels and experiments, each with a sentence about it.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "cli/commands.h"
#include "cli/term.h"

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

static void experiment(const char *name, int margin)
{
    struct diags ignored = {0};
    struct experiments all = {0};
    char *path = file_find("experiments", name, ".yaml");
    bool good = path && experiments_load(path, NULL, 0, &all, &ignored);
    for (size_t i = 0; good && i < all.count; i++) {
        const struct experiment *e = all.items[i];
        bool own_name = i == 0 && strcmp(e->name, name) == 0;
        struct str text = {0};
        if (!own_name) str_addf(&text, "%s: ", e->name);
        str_add(&text, e->question ? e->question : "");
        entry(i ? "" : name, text.text, margin);
        str_release(&text);
    }
    if (!good) entry(name, "(in error: see `gpuexp check`)", margin);
    experiments_free(&all);
    diags_clear(&ignored);
    free(path);
}

static void all_of(const char *title, const char *kind, const char *suffix, void print(const char *, int))
{
    char **names = file_list(kind, suffix);
    int margin = widest(names) + 4;
    printf("%s%s%s\n", term_colour(stdout, TERM_BOLD), title, term_colour(stdout, TERM_PLAIN));
    if (!*names) printf("  none under ./%s, GPUEXP_PATH or the installed folders\n", kind);
    for (char **n = names; *n; n++) {
        print(*n, margin);
        free(*n);
    }
    free(names);
}

int command_list(const struct options *o, struct diags *d)
{
    (void)o, (void)d;
    all_of("kernels", "kernels", ".cu", kernel);
    putchar('\n');
    all_of("experiments", "experiments", ".yaml", experiment);
    return 0;
}
