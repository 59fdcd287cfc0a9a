// Describes what Lua can do here: expressions, scripts, and the library, whose modules and functions are described by
// the comments above them in the embedded files.
// SPDX-License-Identifier: MIT
#include "cli/describe_text.h"

#include "base/file.h"
#include "words/lua_library.h"
#include "lua/functions.h"
#include "lua/script.h"

#include <stdlib.h>
#include <string.h>

static void print_function(void *context, const struct library_function *f)
{
    LOCAL(str_release) struct str label = {0};
    (void)context;
    str_addf(&label, "%s%s", f->name, f->arguments);
    describe_line(label.text, f->about);
}

bool describe_module(const char *name)
{
    char module[64];
    for (const struct embedded *e = embedded_files; e->name; e++) {
        LOCAL(str_release) struct str about = {0};
        if (!library_module(e, module) || strcmp(module, name) != 0) continue;
        library_opening(e->text, &about);
        describe_heading("is a module of the Lua library, for scripts", name, "");
        if (about.size) describe_line("", about.text);
        library_functions(e, print_function, NULL);
        return true;
    }
    return false;
}

// `label.` before each name; then its sentence and its value.
static void parameters(const struct script_facts *f, const char *label, const char *value_is)
{
    LOCAL(str_release) struct str name = {0}, text = {0};
    for (size_t i = 0; f->params && f->params[i]; i++) {
        str_clear(&name);
        str_clear(&text);
        str_addf(&name, "%s%s", label, f->params[i]);
        str_addf(&text, "%s%s%s ", f->param_about[i] ? f->param_about[i] : "", f->param_about[i] ? "; " : "", value_is);
        size_t before = text.size;
        value_print(f->param_values[i], &text);
        if (text.size == before) str_add(&text, "empty");
        describe_line(name.text, text.text);
    }
}

void describe_script_of(const struct experiment *e)
{
    if (!e->script) return;
    struct diags ignored = {0}; // `check` reports them
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    LOCAL(mem_drop) struct script_param *given = mem_alloc((e->script_options.count + 1) * sizeof *given);
    for (size_t i = 0; i < e->script_options.count; i++) {
        const struct assignment *a = &e->script_options.items[i];
        given[i] = (struct script_param){a->name, a->value, a->at};
    }
    struct script *script = script_new(box, e->script, given, e->script_options.count, e->script_at, &ignored);
    describe_under("script");
    describe_linef("file", "%s%s%s", e->script, script && script_facts(script)->about ? ": " : "",
        script && script_facts(script)->about ? script_facts(script)->about : "");
    if (script) parameters(script_facts(script), "script.", "here");
    if (script) script_free(script);
    sandbox_free(box);
    diags_clear(&ignored);
}

void describe_script_options(const char *file)
{
    LOCAL(experiments_free) struct experiments all = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(mem_drop)
    char *path = strchr(file, '/') || file_exists(file) ? NULL : file_find("experiments", file, ".yaml");
    if (experiments_load(path ? path : file, NULL, 0, &all, &ignored))
        for (size_t i = 0; i < all.count; i++) describe_script_of(all.items[i]);
}

bool describe_script_words(const char *name)
{
    char **scripts = file_list("lua", ".lua");
    bool found = false;
    for (char **s = scripts; *s; s++) {
        LOCAL(diags_clear) struct diags ignored = {0};
        struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
        struct script *script = script_new(box, *s, NULL, 0, (struct where){0}, &ignored);
        const struct script_facts *f = script ? script_facts(script) : NULL;
        for (size_t i = 0; f && f->params && f->params[i]; i++) {
            if (strcmp(f->params[i], name) != 0) continue;
            describe_heading("is a parameter of a script, set by -s script.NAME=VALUE", name, *s);
            describe_line("", f->param_about[i] ? f->param_about[i] : "");
            found = true;
        }
        for (size_t i = 0; f && f->columns && f->columns[i]; i++) {
            if (strcmp(f->columns[i], name) != 0) continue;
            describe_heading("is a column that a script adds", name, *s);
            describe_line("", f->column_about[i] ? f->column_about[i] : "");
            found = true;
        }
        if (script) script_free(script);
        sandbox_free(box);
        free(*s);
    }
    free(scripts);
    return found;
}

bool describe_script(const char *name, struct diags *d)
{
    char *path = describe_find("lua", name, ".lua");
    if (!path) return false;
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct script *script = script_new(box, path, NULL, 0, (struct where){.file = path}, d);
    if (script) {
        const struct script_facts *f = script_facts(script);
        LOCAL(str_release) struct str about = {0};
        library_opening(script_source(script), &about);
        describe_heading("is a script", name, path);
        if (f->about || about.size) describe_line("", f->about ? f->about : about.text);
        if (f->params && *f->params) describe_under("parameters");
        parameters(f, "", "default");
        if (f->columns && *f->columns) describe_under("columns that it adds");
        for (size_t i = 0; f->columns && f->columns[i]; i++)
            describe_line(f->columns[i], f->column_about[i] ? f->column_about[i] : "");
        script_free(script);
    }
    sandbox_free(box);
    free(path);
    return true;
}

static void list_script(const char *name)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct script *script = script_new(box, name, NULL, 0, (struct where){0}, &ignored);
    const char *about = script ? script_facts(script)->about : "(in error)";
    describe_line(name, about ? about : "");
    if (script) script_free(script);
    sandbox_free(box);
}

bool describe_lua(const char *name)
{
    if (strcmp(name, "lua") != 0) return false;
    describe_heading("is the language of every expression and of scripts", "lua", "5.4");
    describe_under("expressions");
    describe_line("where", "sees what the point sets: parameters and settings, units already worked out");
    describe_line("derive, expect",
        "see that and every column; a column that is not known is nil, and what is made of nil stays empty");
    describe_line("kernel files", "counts, threads, useful, flops: the kernel's parameters, and sizeof(TYPE)");
    describe_line("everywhere",
        "math, string, table and utf8; min, max, ceil, floor, abs, log2, sqrt without `math.` in front; "
        "sizeof(\"float4\"), cdiv(n, block) that rounds up (`gpuexp describe expressions` lists all); no io, os, load, "
        "require or debug; 256 MiB, 10^8 instructions and 1 s of processor time a call");
    describe_under("scripts, `script: NAME.lua`: a file that returns a table of these, each may be absent");
    for (const struct choice *k = script_keys; k->word; k++) describe_line(k->word, k->about);
    describe_line("names", "each hook's third argument: what the experiment gives a value, in order");
    char **scripts = file_list("lua", ".lua");
    if (*scripts) describe_under("scripts that are there: `gpuexp describe NAME`");
    for (char **s = scripts; *s; s++) {
        list_script(*s);
        free(*s);
    }
    free(scripts);
    describe_under("library for scripts: `gpuexp describe NAME`");
    for (const struct embedded *e = embedded_files; e->name; e++) {
        char module[64];
        LOCAL(str_release) struct str about = {0};
        if (!library_module(e, module)) continue;
        library_opening(e->text, &about);
        describe_line(module, about.text ? about.text : "");
    }
    return true;
}
