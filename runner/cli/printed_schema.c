// `gpuexp print schema [experiment|kernel]`: a JSON Schema (draft 7) of the files, from the tables that their readers
// use, for editors. That of experiments knows the kernels that are there: it refuses a name that none of their
// parameters has.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "base/json.h"
#include "cli/printed.h"
#include "cli/schema.h"

#include <stdlib.h>
#include <string.h>

static void names_of_kernel(struct json *j, const struct kernel *k)
{
    struct str memory = {0};
    json_object(j, "propertyNames");
    json_list(j, "anyOf");
    json_object(j, NULL), json_text(j, "$ref", "#/definitions/settings"), json_close(j);
    json_object(j, NULL);
    json_list(j, "enum");
    json_text(j, NULL, ""); // a list without elements is no schema
    for (size_t i = 0; i < k->param_count; i++) json_text(j, NULL, k->params[i].name);
    json_close(j), json_close(j);
    str_add(&memory, "^(script\\..+");
    for (size_t i = 0; i < k->buffer_count; i++) str_addf(&memory, "|memory\\.%s", k->buffers[i].name);
    str_add(&memory, ")$");
    json_object(j, NULL), json_text(j, "pattern", memory.text), json_close(j);
    json_close(j), json_close(j);
    str_release(&memory);
}

static void refer(struct json *j, const char *key, const char *what, const struct kernel *k)
{
    struct str s = {0};
    str_addf(&s, "#/definitions/%s of %s", what, k->name);
    json_object(j, key);
    json_text(j, "$ref", s.text);
    json_close(j);
    str_release(&s);
}

// What holds of an experiment whose kernel has this name. What is said of mappings and of lists of them stands
// together.
static void if_kernel(struct json *j, const struct kernel *k)
{
    static const char *const sections[] = {"with", "include", "exclude", "sweep", "together"};
    json_object(j, NULL);
    json_object(j, "if");
    json_object(j, "properties");
    json_object(j, "kernel"), json_text(j, "const", k->name), json_close(j), json_close(j);
    json_list(j, "required"), json_text(j, NULL, "kernel"), json_close(j), json_close(j);
    json_object(j, "then");
    json_object(j, "properties");
    for (int i = 0; i < 5; i++) {
        const char *what = i < 3 ? "values" : "axes";
        json_object(j, sections[i]);
        json_list(j, "allOf");
        refer(j, NULL, what, k);
        json_close(j);
        refer(j, "items", what, k);
        json_close(j);
    }
    json_close(j), json_close(j), json_close(j);
}

static void define_kernel(struct json *j, const struct kernel *k)
{
    for (int axes = 0; axes < 2; axes++) {
        struct str name = {0};
        str_addf(&name, "%s of %s", axes ? "axes" : "values", k->name);
        json_object(j, name.text);
        names_of_kernel(j, k);
        json_object(j, "properties");
        for (size_t p = 0; p < k->param_count; p++) schema_param(j, &k->params[p], axes);
        json_close(j), json_close(j);
        str_release(&name);
    }
}

static void each_kernel(struct json *j, void (*each)(struct json *, const struct kernel *))
{
    char **names = file_list("kernels", ".cu");
    for (char **n = names; *n; n++) {
        struct diags ignored = {0};
        struct kernel *k = kernel_load(*n, &ignored);
        if (k) each(j, k);
        if (k) kernel_free(k);
        diags_clear(&ignored);
        free(*n);
    }
    free(names);
}

static void head(struct json *j, const char *title)
{
    *j = json_begin(stdout, false);
    json_object(j, NULL);
    json_text(j, "$schema", "http://json-schema.org/draft-07/schema#");
    json_text(j, "title", title);
}

bool printed_schema(const char *files, struct diags *d)
{
    const bool experiment = !files || strcmp(files, "experiment") == 0;
    const struct mapping *const *all = experiment ? words_of_experiments : words_of_kernels;
    struct json j;
    if (!experiment && strcmp(files, "kernel") != 0)
        return diag_user(d, (struct where){0}, "`gpuexp print schema experiment` or `gpuexp print schema kernel`",
            "there is no schema of `%s`", files);
    head(&j,
        experiment ? "an experiment of gpuexp: one YAML document"
                   : "the description in the first comment of a kernel of gpuexp, in YAML");
    json_list(&j, "allOf");
    json_object(&j, NULL), json_text(&j, "$ref", experiment ? "#/definitions/experiment" : "#/definitions/kernel");
    json_close(&j);
    if (experiment) each_kernel(&j, if_kernel);
    json_close(&j);
    json_object(&j, "definitions");
    if (experiment) schema_settings(&j);
    for (; *all; all++) schema_mapping(&j, (*all)->name, *all);
    if (experiment) each_kernel(&j, define_kernel);
    json_end(&j);
    return true;
}
