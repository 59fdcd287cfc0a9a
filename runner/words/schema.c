// `gpuexp print schema [experiment|kernel]`: a JSON Schema (draft 7) of the files, from the tables that their readers
// use, for editors. That of experiments knows the kernels that are there: it refuses a name that none of their
// parameters has.
//
// Each way of writing a value becomes one alternative. A number with a unit (64Ki, 50ms) is a text in YAML, so that a
// text which begins like a number stands for one.
// SPDX-License-Identifier: MIT
#include "words/glossary.h"

#include "base/file.h"
#include "base/json.h"
#include "device/device.h"
#include "spec/kernel.h"
#include "spec/settings.h"
#include "spec/traits.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER "^ *[-+]?[.]?[0-9]"

static void type(struct json *j, const char *name)
{
    json_add(j, strcmp(name, "string") == 0 ? "{ type:%s minLength:1 }" : "{ type:%s }", name);
}

static void number_text(struct json *j) { json_add(j, "{ type:'string' pattern:%s }", NUMBER); }

// What may be a number: it has a digit, or it computes with what is known of the device.
static void expression_text(struct json *j)
{
    LOCAL(str_release) struct str s = {0};
    str_add(&s, "[0-9]|[-+*/(]|^(");
    for (int i = 0; i < TRAIT_COUNT; i++) str_addf(&s, "%s%s", i ? "|" : "", trait_table[i].name);
    str_add(&s, ")$");
    json_add(j, "{ type:'string' pattern:%s }", s.text);
}

// `of`: a kernel, where it is its own; "" else.
static void refer(struct json *j, const char *key, const char *name, const char *of)
{
    LOCAL(str_release) struct str s = {0};
    str_addf(&s, "#/definitions/%s%s%s", name, *of ? " of " : "", of);
    json_object(j, key);
    json_add(j, "$ref:%s }", s.text);
}

static void one_of(struct json *j, const struct choice *list)
{
    json_add(j, "{ enum:[");
    for (; list->word; list++) {
        char *end;
        const long n = strtol(list->word, &end, 10);
        json_text(j, NULL, list->word);
        if (!*end) json_number(j, NULL, (double)n);
    }
    json_add(j, "] }");
}

static void writing(struct json *j, const char *key, const struct writing *w);

static void list_of(struct json *j, const struct writing *w)
{
    json_add(j, "{ type:'array'");
    if (w->least) json_count(j, "minItems", (uint64_t)w->least);
    if (w->most) json_count(j, "maxItems", (uint64_t)w->most);
    writing(j, "items", w->list);
    json_close(j);
}

// An experiment names its kernel, or has it as an axis.
static void names_kernel(struct json *j)
{
    static const char *const sections[] = {"sweep", "together"};
    json_add(j, "anyOf:[ { required:['kernel'] }");
    for (int i = 0; i < 2; i++) {
        json_add(j, "{ required:[ %s ] properties:{", sections[i]);
        json_object(j, sections[i]);
        json_add(j, "anyOf:[ { type:'object' required:['kernel'] }");
        json_add(j, "{ type:'array' contains:{ required:['kernel'] } } ] } } }");
    }
    json_close(j);
}

static void keys(struct json *j, const struct mapping *m)
{
    json_object(j, "properties");
    for (const struct word *k = m->words; k->name; k++) writing(j, k->name, k->is);
    json_close(j);
    if (m == &words_experiment) {
        names_kernel(j);
        return;
    }
    for (const struct word *k = m->words, *first = NULL; k->name; k++) {
        if (!k->needed) continue;
        if (!first) json_list(j, "required");
        first = k;
        json_text(j, NULL, k->name);
        const struct word *next = k + 1;
        while (next->name && !next->needed) next++;
        if (!next->name) json_close(j);
    }
}

static void mapping_of(struct json *j, const struct writing *w, bool axes)
{
    if (w->map && !w->named) {
        refer(j, NULL, w->map->name, "");
        return;
    }
    if (w->names == NAMES_VALUES) {
        refer(j, NULL, axes ? "axes" : "values", "");
        return;
    }
    json_add(j, "{ type:'object'");
    if (w->map) keys(j, w->map);
    if (w->names == NAMES_DEVICES) {
        json_object(j, "properties");
        for (const struct device_ops *const *ops = device_table; *ops; ops++)
            if ((*ops)->forms) writing(j, (*ops)->kind, w->named);
        json_add(j, "} additionalProperties:false");
    } else writing(j, "additionalProperties", w->named);
    json_close(j);
}

static void alternatives(struct json *j, const struct writing *w)
{
    json_list(j, "anyOf");
    if (w->choices) one_of(j, w->choices);
    if (w->scalars & WRITTEN_TEXT) type(j, "string");
    else if (w->scalars & WRITTEN_NUMBER) number_text(j);
    if (w->scalars & WRITTEN_NUMBER) type(j, "number");
    if (w->scalars & WRITTEN_BOOL) type(j, "boolean");
    if (w->scalars & WRITTEN_NOTHING) type(j, "null");
    if (w->list) list_of(j, w);
    if (w->map || w->named) mapping_of(j, w, w->named && w->named->map == &words_range);
    json_close(j);
}

static const struct word *word_of(const struct writing *w, const char *name)
{
    for (int kernel = 0; kernel < 2; kernel++)
        for (const struct mapping *const *m = kernel ? words_of_kernels : words_of_experiments; *m; m++)
            for (const struct word *k = (*m)->words; k->name; k++)
                if (k->is == w && strcmp(k->name, name) == 0) return k;
    return NULL;
}

static void writing(struct json *j, const char *key, const struct writing *w)
{
    const struct word *k = key ? word_of(w, key) : NULL;
    json_object(j, key);
    if (k) json_text(j, "description", k->about);
    alternatives(j, w);
    json_close(j);
}

static void mapping_definition(struct json *j, const char *key, const struct mapping *m)
{
    json_object(j, key);
    json_add(j, "type:'object'");
    keys(j, m);
    json_add(j, "additionalProperties:false }");
}

static void number(struct json *j, enum setting_type t)
{
    json_add(j, "{ type:%s", t == SETTING_INT || t == SETTING_DIM ? "integer" : "number");
    json_count(j, t == SETTING_TIME ? "exclusiveMinimum" : "minimum", t == SETTING_INT || t == SETTING_DIM);
    if (t == SETTING_FRACTION) json_count(j, "maximum", 1);
    json_close(j);
}

// The alternatives of one value of a setting.
static void setting_value(struct json *j, int s)
{
    const struct setting_facts *f = &setting_table[s];
    const enum setting_type t = f->type;
    if (f->choices->word && t != SETTING_BYTES) one_of(j, f->choices);
    else if (t == SETTING_BOOL) type(j, "boolean");
    else if (t == SETTING_DIM || t == SETTING_TEXT) type(j, "string"); // also an expression
    else number_text(j);
    if (t != SETTING_BOOL && t != SETTING_CHOICE && t != SETTING_FLAGS && t != SETTING_TEXT &&
        !(f->choices->word && t == SETTING_INT))
        number(j, t);
    if (t == SETTING_TEXT && s == SETTING_DEVICE) type(j, "string");
    if (t != SETTING_DIM && t != SETTING_FLAGS) return;
    json_add(j, "{ type:'array' minItems:1");
    if (t == SETTING_DIM) json_count(j, "maxItems", 3);
    json_add(j, "items:{ anyOf:[");
    if (t == SETTING_FLAGS) one_of(j, f->choices);
    else number(j, t), type(j, "string");
    json_add(j, "] } }");
}

// Around the value of an axis: a list of such; and a range, where it is a number.
static void list_open(struct json *j) { json_add(j, "{ type:'array' minItems:1 items:{ anyOf:["); }

static void list_close(struct json *j, bool ranges)
{
    json_add(j, "] } }");
    if (ranges) refer(j, NULL, "range", "");
}

static bool counts(int s)
{
    const enum setting_type t = setting_table[s].type;
    return t != SETTING_CHOICE && t != SETTING_FLAGS && t != SETTING_TEXT && t != SETTING_BOOL;
}

static void setting(struct json *j, const char *key, int s, bool axis);

// Settings that begin with one word, as a mapping. `memory` has a part for each buffer.
static void parts(struct json *j, const char *name, bool axis)
{
    const size_t n = strlen(name);
    json_object(j, setting_find(name) < 0 ? name : NULL);
    json_add(j, "type:'object' properties:{");
    for (int s = 0; s < SETTING_COUNT; s++) {
        const char *whole = setting_table[s].name;
        if (strncmp(whole, name, n) == 0 && whole[n] == '.') setting(j, whole + n + 1, s, axis);
    }
    json_close(j);
    if (setting_find(name) < 0) json_bool(j, "additionalProperties", false);
    else setting(j, "additionalProperties", setting_find(name), axis);
    json_close(j);
}

// The word in front of this setting, where it is the first that has it.
static const char *first_part(int s, char word[64])
{
    const char *dot = strchr(setting_table[s].name, '.');
    if (!dot) return NULL;
    snprintf(word, 64, "%.*s", (int)(dot - setting_table[s].name), setting_table[s].name);
    const size_t n = strlen(word) + 1;
    for (int k = 0; k < s; k++)
        if (strncmp(setting_table[k].name, setting_table[s].name, n) == 0) return NULL;
    return word;
}

static void setting(struct json *j, const char *key, int s, bool axis)
{
    json_object(j, key);
    json_add(j, "description:%s anyOf:[", setting_table[s].about);
    setting_value(j, s);
    if (axis) {
        list_open(j);
        setting_value(j, s);
        list_close(j, counts(s));
    }
    if (strcmp(key, setting_table[s].name) == 0 && setting_has_parts(key)) parts(j, key, axis);
    json_add(j, "] }");
}

static void settings_definitions(struct json *j)
{
    json_add(j, "settings:{ enum:[");
    char word[64];
    for (int s = 0; s < SETTING_COUNT; s++) {
        json_text(j, NULL, setting_table[s].name);
        if (first_part(s, word)) json_text(j, NULL, word);
    }
    json_add(j, "] }");
    for (int axes = 0; axes < 2; axes++) {
        json_object(j, axes ? "axes" : "values");
        json_add(j, "type:'object' properties:{");
        for (int s = 0; s < SETTING_COUNT; s++) {
            setting(j, setting_table[s].name, s, axes);
            if (first_part(s, word)) parts(j, word, axes);
        }
        if (axes)
            json_add(j, "kernel:{ description:%s type:'array' minItems:1 items:{ type:'string' } }",
                "kernels that take the same parameters: an axis");
        json_add(j, "} patternProperties:{");
        setting(j, "^memory\\.", SETTING_MEMORY, axes);
        json_add(j, "} }");
    }
}

static void param_value(struct json *j, const struct param *p)
{
    if (p->one_of) {
        json_add(j, "{ enum:[");
        for (size_t i = 0; i < p->one_of->count; i++) json_value(j, NULL, p->one_of->items[i]);
        json_add(j, "] }");
    } else if (p->is_text) type(j, "string");
    else if (p->fallback.kind == VALUE_BOOL) type(j, "boolean");
    else {
        double limit;
        json_add(j, "{ type:'number'");
        if (p->has_min && value_number(p->min, &limit)) json_number(j, "minimum", limit);
        if (p->has_max && value_number(p->max, &limit)) json_number(j, "maximum", limit);
        json_close(j);
    }
    if (!p->is_text && p->fallback.kind != VALUE_BOOL) expression_text(j); // 64Ki, "3", 2 * sms
}

static void param_definition(struct json *j, const struct param *p, bool axis)
{
    json_object(j, p->name);
    if (p->about) json_text(j, "description", p->about);
    json_list(j, "anyOf");
    param_value(j, p);
    if (axis) {
        list_open(j);
        param_value(j, p);
        list_close(j, !p->is_text && p->fallback.kind != VALUE_BOOL);
    }
    json_add(j, "] }");
}

static void names_of_kernel(struct json *j, const struct kernel *k)
{
    LOCAL(str_release) struct str memory = {0};
    // A list without elements is no schema.
    json_add(j, "propertyNames:{ anyOf:[ { $ref:'#/definitions/settings' } { enum:[ ''");
    for (size_t i = 0; i < k->param_count; i++) json_text(j, NULL, k->params[i].name);
    json_add(j, "] }");
    str_add(&memory, "^(script\\..+");
    for (size_t i = 0; i < k->buffer_count; i++) str_addf(&memory, "|memory\\.%s", k->buffers[i].name);
    str_add(&memory, ")$");
    json_add(j, "{ pattern:%s } ] }", memory.text);
}

// What holds of an experiment whose kernel has this name. What is said of mappings and of lists of them stands
// together.
static void if_kernel(struct json *j, const struct kernel *k)
{
    static const char *const sections[] = {"with", "include", "exclude", "sweep", "together"};
    json_add(j, "{ if:{ properties:{ kernel:{ const:%s } } required:['kernel'] } then:{ properties:{", k->name);
    for (int i = 0; i < 5; i++) {
        const char *what = i < 3 ? "values" : "axes";
        json_object(j, sections[i]);
        json_list(j, "allOf");
        refer(j, NULL, what, k->name);
        json_close(j);
        refer(j, "items", what, k->name);
        json_close(j);
    }
    json_add(j, "} } }");
}

static void define_kernel(struct json *j, const struct kernel *k)
{
    for (int axes = 0; axes < 2; axes++) {
        LOCAL(str_release) struct str name = {0};
        str_addf(&name, "%s of %s", axes ? "axes" : "values", k->name);
        json_object(j, name.text);
        names_of_kernel(j, k);
        json_object(j, "properties");
        for (size_t p = 0; p < k->param_count; p++) param_definition(j, &k->params[p], axes);
        json_add(j, "} }");
    }
}

static void each_kernel(struct json *j, void (*each)(struct json *, const struct kernel *))
{
    LOCAL(file_list_drop) char **names = file_list("kernels", ".cu");
    for (char **n = names; *n; n++) {
        LOCAL(diags_clear) struct diags ignored = {0};
        struct kernel *k = kernel_load(*n, &ignored);
        if (k) each(j, k);
        if (k) kernel_free(k);
    }
}

bool schema_print(const char *files, struct diags *d)
{
    const bool experiment = !files || strcmp(files, "experiment") == 0;
    const struct mapping *const *all = experiment ? words_of_experiments : words_of_kernels;
    struct json j = json_begin(stdout, false);
    if (!experiment && strcmp(files, "kernel") != 0)
        return diag_user(d, (struct where){0}, "`gpuexp print schema experiment` or `gpuexp print schema kernel`",
            "there is no schema of `%s`", files);
    json_add(&j, "{ $schema:'http://json-schema.org/draft-07/schema#' title:%s allOf:[ { $ref:%s }",
        experiment ? "an experiment of gpuexp: one YAML document"
                   : "the description in the first comment of a kernel of gpuexp, in YAML",
        experiment ? "#/definitions/experiment" : "#/definitions/kernel");
    if (experiment) each_kernel(&j, if_kernel);
    json_add(&j, "] definitions:{");
    if (experiment) settings_definitions(&j);
    for (; *all; all++) mapping_definition(&j, (*all)->name, *all);
    if (experiment) each_kernel(&j, define_kernel);
    json_end(&j);
    return true;
}
