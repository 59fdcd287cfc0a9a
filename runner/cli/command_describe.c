// `gpuexp describe NAME`: everything that a name can mean, from the tables and files that give it its meaning.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "cli/commands.h"
#include "cli/explain.h"
#include "spec/columns.h"
#include "spec/traits.h"

#include <stdlib.h>
#include <string.h>

static bool column(const char *name)
{
    static const char *const better[] = {
        [BETTER_SMALLER] = "when smaller", [BETTER_LARGER] = "when larger", [BETTER_NEITHER] = ""};
    int i = column_find(name);
    if (i >= 0) {
        const struct column_facts *f = &column_table[i];
        explain_heading("is a column of every report", name, "");
        explain_line("", f->about);
        if (*f->unit) explain_line("unit", f->unit);
        if (*better[f->better]) explain_line("better", better[f->better]);
        if (f->wrong == WRONG_EMPTY) explain_line("", "empty where the result is wrong or nothing was measured");
        return true;
    }
    for (const struct text_column *t = column_texts; t->name; t++)
        if (strcmp(t->name, name) == 0) {
            explain_heading("is a column of every report", name, "");
            explain_line("", t->about);
            return true;
        }
    return false;
}

static bool setting(const char *name)
{
    static const char *const takes[] = {
        [SETTING_INT] = "a whole number",
        [SETTING_FRACTION] = "0 to 1, or a percentage",
        [SETTING_BYTES] = "bytes (64MiB, 1.5GB)",
        [SETTING_TIME] = "a time (50ms, 2s)",
        [SETTING_DIM] = "a number, or [x, y, z]",
        [SETTING_CHOICE] = "one of: ",
        [SETTING_FLAGS] = "one or a list of: ",
        [SETTING_TEXT] = "a name",
        [SETTING_BOOL] = "true or false",
    };
    int i = setting_find(name);
    if (i < 0) return false;
    const struct setting_facts *f = &setting_table[i];
    explain_heading("is a run setting: `with`, `sweep` and -s take it", f->name, "");
    explain_line("", f->about);
    explain_linef("takes", "%s%s", takes[f->type], f->choices);
    if (*f->fallback) explain_line("default", f->fallback);
    if (f->needs_cuda)
        explain_line("", "has a meaning on CUDA devices only: elsewhere the point is skipped, with that reason");
    return true;
}

static bool trait(const char *name)
{
    const int i = trait_find(name);
    if (i < 0) return false;
    explain_heading("is what expressions know of the device", name, "");
    explain_line("", trait_table[i].about);
    if (*trait_table[i].unit) explain_line("unit", trait_table[i].unit);
    explain_line("",
        "in `with` and axes (n: 1024 * sms), block, grid, where, derive, expect and a kernel's expressions; "
        "`gpuexp devices` shows it. On `sim` without a profile it is an H200's");
    return true;
}

// A key of `measure`, or all of them.
static bool goal(const char *name)
{
    const bool all = strcmp(name, "measure") == 0;
    bool found = false;
    const struct goal_facts *g;
    if (all) explain_heading("is what an experiment asks of each number", name, "");
    for (size_t i = 0; (g = experiment_goal(i)); i++) {
        if (!all && strcmp(name, g->name) != 0) continue;
        if (!all) explain_heading("is a key of `measure`; -s measure.KEY=VALUE", name, "");
        explain_line(all ? g->name : "", g->about);
        if (all) explain_linef("", "%s; default %s", g->takes, g->fallback);
        if (!all) explain_line("takes", g->takes);
        if (!all) explain_line("default", g->fallback);
        found = true;
    }
    return found;
}

// A name that means nothing else may be a parameter of some kernels.
static bool parameter_of(const char *name)
{
    char **kernels = file_list("kernels", ".cu");
    bool found = false;
    for (char **k = kernels; *k; k++) {
        struct diags ignored = {0}; // the mistakes of kernel files are not reported here
        struct kernel *kernel = kernel_load(*k, &ignored);
        const struct param *p = kernel ? kernel_param(kernel, name) : NULL;
        if (p) {
            explain_heading("is a parameter of kernel", name, *k);
            explain_parameter(p);
            found = true;
        }
        if (kernel) kernel_free(kernel);
        diags_clear(&ignored);
        free(*k);
    }
    free(kernels);
    return found;
}

struct names {
    const char **items; // NULL-terminated
    size_t count, room;
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

static void unknown(const char *name, struct diags *d)
{
    struct arena *a = arena_new();
    struct names all = {0};
    const char *hint = "`gpuexp list` names kernels and experiments; the head of a report names columns";
    add_name(&all, "lua");
    add_name(&all, "measure");
    for (size_t i = 0; experiment_goal(i); i++) add_name(&all, experiment_goal(i)->name);
    add_files(&all, "kernels", ".cu", a);
    add_files(&all, "experiments", ".yaml", a);
    add_files(&all, "lua", ".lua", a);
    for (int i = 0; i < COLUMN_COUNT; i++) add_name(&all, column_table[i].name);
    for (int i = 0; i < SETTING_COUNT; i++) add_name(&all, setting_table[i].name);
    for (int i = 0; i < TRAIT_COUNT; i++) add_name(&all, trait_table[i].name);
    for (const struct text_column *t = column_texts; t->name; t++) add_name(&all, t->name);
    const char *near = str_nearest(name, all.items);
    if (near) hint = arena_printf(a, "did you mean `%s`?", near);
    diag_user(d, (struct where){0}, hint, "nothing is named `%s`", name);
    free(all.items);
    arena_free(a);
}

int command_describe(const struct options *o, struct diags *d)
{
    for (size_t i = 0; i < o->operand_count; i++) {
        bool (*const meanings[])(const char *) = {column, setting, trait, goal, explain_lua, explain_module};
        const char *name = o->operands[i];
        bool found = false;
        for (size_t m = 0; m < sizeof meanings / sizeof *meanings; m++) found |= meanings[m](name);
        found |= explain_kernel(name, d);
        found |= explain_experiment(name, d);
        found |= explain_script(name, d);
        if (!found) found = parameter_of(name);
        if (!found) unknown(name, d);
    }
    return 0;
}
