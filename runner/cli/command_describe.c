// `gpuexp describe NAME`: everything that a name can mean, from the tables and files that give it its meaning.
// SPDX-License-Identifier: MIT
#include "base/embed.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/explain.h"
#include "spec/columns.h"

#include <stdlib.h>
#include <string.h>

static bool column(const char *name)
{
    int i = column_find(name);
    if (i >= 0) {
        const struct column_facts *f = &column_table[i];
        explain_heading("is a column of every report", name, "");
        explain_line("", f->about);
        if (*f->unit) explain_line("unit", f->unit);
        if (f->metric) explain_line("", "empty where the result is wrong or nothing was measured");
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
        [SETTING_INT] = "a whole number",         [SETTING_FRACTION] = "0 to 1, or a percentage",
        [SETTING_BYTES] = "bytes (64MiB, 1.5GB)", [SETTING_TIME] = "a time (50ms, 2s)",
        [SETTING_DIM] = "a number, or [x, y, z]", [SETTING_CHOICE] = "one of: ",
        [SETTING_FLAGS] = "one or a list of: ",   [SETTING_TEXT] = "a name",
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

// A name that means nothing of its own may still be a parameter of some kernels.
static bool parameter_of(const char *name)
{
    char **kernels = file_list("kernels", ".cu");
    bool found = false;
    for (char **k = kernels; *k; k++) {
        struct diags ignored = {0}; // a kernel file in error is not the question here
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

static bool lua(const char *name)
{
    if (strcmp(name, "lua") != 0) return false;
    explain_heading("is the language of every expression", "lua", "5.4");
    explain_line(
        "",
        "In an experiment: where, derive and expect. In a kernel file: counts of buffers, threads, useful, flops, shared.");
    explain_section("names");
    explain_line("plan", "where sees what the point sets: parameters, settings, in the units of the file reduced to numbers");
    explain_line("row", "derive and expect see that and every column; a column that is not known is nil, and what is made "
                        "of nil stays empty");
    explain_line("kernel", "sizes see the kernel's parameters and sizeof(TYPE)");
    explain_section("library");
    explain_line("", "math, string, table and utf8 of Lua; min, max, ceil, floor, abs, log2, sqrt without `math.` in front. "
                     "There is no io, os, "
                     "load, require or debug; memory and instructions are limited.");
    for (const struct embedded *e = embedded_files; e->name; e++)
        if (strncmp(e->name, "lua/", 4) == 0) explain_line("", e->name);
    return true;
}

static const char **every_name(char ***kernels, char ***experiments)
{
    const char **names = NULL;
    size_t count = 0, room = 0;
#define ADD(name) (mem_grow(&names, &room, count + 2, sizeof *names), names[count++] = (name), names[count] = NULL)
    *kernels = file_list("kernels", ".cu");
    *experiments = file_list("experiments", ".yaml");
    ADD("lua");
    for (char **k = *kernels; *k; k++) ADD(*k);
    for (char **e = *experiments; *e; e++) ADD(*e);
    for (int i = 0; i < COLUMN_COUNT; i++) ADD(column_table[i].name);
    for (int i = 0; i < SETTING_COUNT; i++) ADD(setting_table[i].name);
    for (const struct text_column *t = column_texts; t->name; t++) ADD(t->name);
#undef ADD
    return names;
}

static void unknown(const char *name, struct diags *d)
{
    char **kernels, **experiments, hint[128];
    const char **names = every_name(&kernels, &experiments), *near = str_nearest(name, names);
    if (near) snprintf(hint, sizeof hint, "did you mean `%s`?", near);
    else snprintf(hint, sizeof hint, "`gpuexp list` names kernels and experiments; `gpuexp plan FILE` a report's columns");
    diag_user(d, (struct where){0}, hint, "nothing is called `%s`", name);
    for (char **k = kernels; *k; k++) free(*k);
    for (char **e = experiments; *e; e++) free(*e);
    free(kernels);
    free(experiments);
    free(names);
}

int command_describe(const struct options *o, struct diags *d)
{
    for (size_t i = 0; i < o->operand_count; i++) {
        bool (*const meanings[])(const char *) = {column, setting, lua};
        const char *name = o->operands[i];
        bool found = false;
        for (size_t m = 0; m < sizeof meanings / sizeof *meanings; m++) found |= meanings[m](name);
        found |= explain_kernel(name, d);
        found |= explain_experiment(name, d);
        if (!found) found = parameter_of(name);
        if (!found) unknown(name, d);
    }
    return 0;
}
