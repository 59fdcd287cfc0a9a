// Goes through the tables, one group after another.
// SPDX-License-Identifier: MIT
#include "words/glossary.h"

#include <stdio.h>
#include <string.h>

#include "compile/compile.h"
#include "device/device.h"
#include "device/profiles.h"
#include "lua/functions.h"
#include "measure/result.h"
#include "spec/columns.h"
#include "spec/kernel.h"
#include "spec/settings.h"
#include "spec/traits.h"

static const char *next_line(const char *p)
{
    p += strcspn(p, "\n");
    return *p ? p + 1 : p;
}

void library_opening(const char *text, struct str *s)
{
    for (; strncmp(text, "-- ", 3) == 0 && strncmp(text, "-- SPDX", 7) != 0; text = next_line(text)) {
        if (s->size) str_add(s, " ");
        str_add_bytes(s, text + 3, strcspn(text + 3, "\n"));
    }
}

const char *library_module(const struct embedded *e, char name[64])
{
    static const char folder[] = "lua/lib/";
    size_t n = strlen(e->name), skip = sizeof folder - 1;
    if (strncmp(e->name, folder, skip) != 0 || n < skip + 5 || n - skip - 4 >= 64) return NULL;
    memcpy(name, e->name + skip, n - skip - 4);
    name[n - skip - 4] = '\0';
    return name;
}

void library_functions(const struct embedded *e, library_fn *fn, void *context)
{
    LOCAL(str_release) struct str comment = {0};
    char module[64];
    if (!library_module(e, module)) return;
    for (const char *text = e->text; *text; text = next_line(text)) {
        size_t n = strcspn(text, "\n");
        size_t dashes = strncmp(text, "--- ", 4) == 0 ? 4 : comment.size && strncmp(text, "-- ", 3) == 0 ? 3 : 0;
        if (dashes) {
            if (comment.size) str_add(&comment, " ");
            str_add_bytes(&comment, text + dashes, n - dashes);
            continue;
        }
        if (strncmp(text, "function M.", 11) == 0 && comment.size) {
            const size_t length = strcspn(text + 11, "(");
            char name[128], arguments[128];
            snprintf(name, sizeof name, "%s.%.*s", module, (int)length, text + 11);
            snprintf(arguments, sizeof arguments, "%.*s", (int)(n - 11 - length), text + 11 + length);
            fn(context, &(struct library_function){name, arguments, comment.text});
        }
        str_clear(&comment);
    }
}

const struct choice glossary_groups[] = {
    {"terms", "the words of GPUs and of measuring: warp, sector, bank, occupancy, interval"},
    {"experiment", "the keys of an experiment file"},
    {"kernel", "the keys of the description in a kernel file"},
    {"settings", "what an experiment can set beside its kernel's parameters"},
    {"values", "the words that settings and keys take"},
    {"columns", "the columns of a report"},
    {"statuses", "what a row's `status` says"},
    {"expressions", "the functions that Lua expressions and scripts find"},
    {"traits", "what expressions know of the device"},
    {"scripts", "what a script returns, and what scripts find beyond expressions"},
    {"library", "the functions of the library for scripts"},
    {"devices", "what `device` and -d take"},
    {"types", "the types that buffers and sizeof know"},
    {"commands", "the commands"},
    {"options", "the options of the command line"},
    {"exit", "the exit statuses"},
    {"environment", "the environment variables that are read"},
    {NULL, NULL},
};

static const struct choice environment[] = {
    {"GPUEXP_PATH", "folders, with colons between, that are searched for kernels/, experiments/ and lua/"},
    {"XDG_CACHE_HOME", "compiled kernels are kept in its folder gpuexp; without it in ~/.cache/gpuexp"},
    {"TMPDIR", "where files for a moment are made; without it /tmp"},
    {"NO_COLOR", "not empty: no colours"},
    {NULL, NULL},
};

struct walk {
    entry_fn *fn;
    void *context;
};

static const struct entry plain = GLOSSARY_PLAIN;

static void each_choice(const struct walk *w, const struct choice *list, const char *group, const char *section,
    const char *what)
{
    struct entry e = plain;
    e.group = group;
    e.section = section;
    e.what = what;
    for (; list->word; list++) {
        e.word = list->word;
        e.about = list->about;
        w->fn(w->context, &e);
    }
}

// The keys of the mapping that it takes, or of those within.
static const struct mapping *keys_of(const struct writing *is)
{
    for (int deep = 0; is && deep < 3; deep++, is = is->named ? is->named : is->list)
        if (is->map && is->map != &words_range) return is->map;
    return NULL;
}

static void each_key(const struct walk *w, const char *group, const struct mapping *m)
{
    char section[96], what[96], place[96];
    struct entry e = plain;
    snprintf(section, sizeof section, "keys of %s", m->of);
    snprintf(what, sizeof what, "is a key of %s", m->of);
    for (const struct word *k = m->words; k->name; k++) {
        snprintf(place, sizeof place, "%s.%s", m->name, k->name);
        e = (struct entry){group, section, k->name, what, place, k->about, k->takes, k->fallback, "",
            k->needed ? "must be there" : "", k->is->choices, keys_of(k->is), NULL};
        w->fn(w->context, &e);
    }
}

static void each_setting(const struct walk *w)
{
    static const char *const takes[] = {
        [SETTING_INT] = "a whole number",
        [SETTING_FRACTION] = "0 to 1, or a percentage",
        [SETTING_BYTES] = "bytes (64MiB, 1.5GB)",
        [SETTING_TIME] = "a time (50ms, 2s)",
        [SETTING_DIM] = "a number, or [x, y, z]",
        [SETTING_CHOICE] = "one of",
        [SETTING_FLAGS] = "one or a list of",
        [SETTING_TEXT] = "a name",
        [SETTING_BOOL] = "true or false",
    };
    char forms[160];
    setting_is_device("", forms);
    for (int i = 0; i < SETTING_COUNT; i++) {
        const struct setting_facts *f = &setting_table[i];
        const struct entry e = {"settings", "", f->name, "is a run setting: `with`, `sweep` and -s take it", "",
            f->about, i == SETTING_DEVICE ? forms : takes[f->type], f->fallback, "",
            f->needs_cuda ? "has a meaning on CUDA devices only: elsewhere the point is skipped, with that reason" : "",
            f->choices->word ? f->choices : NULL, NULL, NULL};
        w->fn(w->context, &e);
    }
}

static void each_value(const struct walk *w)
{
    char section[96], what[96];
    for (int i = 0; i < SETTING_COUNT; i++) {
        snprintf(section, sizeof section, "of setting %s", setting_table[i].name);
        snprintf(what, sizeof what, "is a value of the setting `%s`", setting_table[i].name);
        each_choice(w, setting_table[i].choices, "values", section, what);
    }
    for (const struct mapping *const *m = words_of_kernels; *m; m++)
        for (const struct word *k = (*m)->words; k->name; k++) {
            if (!k->is->choices) continue;
            snprintf(section, sizeof section, "of key %s of %s", k->name, (*m)->of);
            snprintf(what, sizeof what, "is a value of `%s`, a key of %s", k->name, (*m)->of);
            each_choice(w, k->is->choices, "values", section, what);
        }
}

static void each_column(const struct walk *w)
{
    static const char *const better[] = {
        [BETTER_SMALLER] = "better when smaller", [BETTER_LARGER] = "better when larger", [BETTER_NEITHER] = ""};
    static const char what[] = "is a column of every report";
    struct entry e = plain;
    e.group = "columns";
    e.what = what;
    for (const struct text_column *t = column_texts; t->name; t++) {
        e.word = t->name;
        e.about = t->about;
        w->fn(w->context, &e);
    }
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const struct column_facts *f = &column_table[i];
        char note[128];
        snprintf(note, sizeof note, "%s%s%s", better[f->better],
            *better[f->better] && f->wrong == WRONG_EMPTY ? "; " : "",
            f->wrong == WRONG_EMPTY ? "empty where the result is wrong or nothing was measured" : "");
        e = (struct entry){"columns", "", f->name, what, "", f->about, "", "", f->unit, note, NULL, NULL, NULL};
        w->fn(w->context, &e);
    }
}

static void each_status(const struct walk *w)
{
    struct entry e = plain;
    e.group = "statuses";
    e.what = "is a status of a row";
    for (int i = 0; i < STATUS_COUNT; i++) {
        e.word = status_names[i];
        e.about = status_about[i];
        w->fn(w->context, &e);
    }
}

static void each_trait(const struct walk *w)
{
    static const char note[] = "in `with` and axes (n: 1024 * sms), block, grid, where, derive, expect and a kernel's "
                               "expressions; `gpuexp devices` shows it. On `sim` without a profile it is an H200's";
    for (int i = 0; i < TRAIT_COUNT; i++) {
        const struct entry e = {"traits", "", trait_table[i].name, "is what expressions know of the device", "",
            trait_table[i].about, "", "", trait_table[i].unit, note, NULL, NULL, NULL};
        w->fn(w->context, &e);
    }
}

static void library_word(void *context, const struct library_function *f)
{
    const struct walk *w = context;
    struct entry e = plain;
    e.group = "library";
    e.word = f->name;
    e.what = "is a function of the Lua library, for scripts";
    e.takes = f->arguments;
    e.about = f->about;
    w->fn(w->context, &e);
}

static void each_library(struct walk *w)
{
    for (const struct embedded *e = embedded_files; e->name; e++) library_functions(e, library_word, w);
}

static void each_device(const struct walk *w)
{
    struct entry e = plain;
    char word[64], about[256];
    e.group = "devices";
    e.what = "is a device";
    e.word = "auto";
    e.about = "the first kind that is there";
    w->fn(w->context, &e);
    for (const struct device_ops *const *ops = device_table; *ops; ops++) {
        if (!(*ops)->forms) continue; // not told
        e.word = (*ops)->kind;
        e.about = (*ops)->visible ? "the GPUs of this machine" : "the simulator: it counts, and has no times";
        e.takes = (*ops)->forms;
        w->fn(w->context, &e);
        e.takes = "";
        for (const struct profile *p = profiles; !(*ops)->visible && p->name; p++) {
            snprintf(word, sizeof word, "%s:%s", (*ops)->kind, p->name);
            snprintf(about, sizeof about, "the simulator with the limits of an %s: adds occupancy", p->title);
            e.word = word;
            e.about = about;
            w->fn(w->context, &e);
        }
    }
}

static void each_type(const struct walk *w)
{
    struct entry e = plain;
    char about[64];
    const char *name;
    e.group = "types";
    e.what = "is a type of elements";
    for (size_t i = 0; (name = kernel_type_name(i)); i++) {
        snprintf(about, sizeof about, "%zu byte%s", kernel_type_size(name), kernel_type_size(name) == 1 ? "" : "s");
        e.word = name;
        e.about = about;
        w->fn(w->context, &e);
    }
}

static void each_term(const struct walk *w)
{
    struct entry e = plain;
    e.group = "terms";
    e.what = "is a term";
    for (const struct term_meaning *t = terms; t->word; t++) {
        e.word = t->word;
        e.about = t->is;
        e.note = t->matters;
        e.shown = *t->shown ? t->shown : NULL;
        w->fn(w->context, &e);
    }
}

static void (*of_commands)(entry_fn *, void *);
void glossary_take(void (*each)(entry_fn *, void *)) { of_commands = each; }

void glossary_each(entry_fn *fn, void *context)
{
    struct walk w = {fn, context};
    each_term(&w);
    for (const struct mapping *const *m = words_of_experiments; *m; m++) each_key(&w, "experiment", *m);
    for (const struct mapping *const *m = words_of_kernels; *m; m++) each_key(&w, "kernel", *m);
    each_setting(&w);
    each_value(&w);
    each_column(&w);
    each_status(&w);
    each_choice(&w, function_table, "expressions", "", "is a name of the Lua library, in expressions and scripts");
    each_choice(&w, script_keys, "scripts", "what a script returns", "is a key of the table that a script returns");
    each_choice(&w, script_param_keys, "scripts", "each of its params", "is a key of a script's parameter");
    each_choice(&w, script_outcome_keys, "scripts", "what `done` returns",
        "is a key of what a script's `done` returns");
    each_choice(&w, function_script_table, "scripts", "what scripts find beyond expressions",
        "is a name of the Lua library, in scripts");
    each_trait(&w);
    each_library(&w);
    each_device(&w);
    each_type(&w);
    if (of_commands) of_commands(fn, context);
    each_choice(&w, compile_environment, "environment", "", "is an environment variable");
    each_choice(&w, environment, "environment", "", "is an environment variable");
}

bool glossary_means(const struct entry *e, const char *name)
{
    const char *dot = strrchr(e->word, '.');
    bool sim;
    if (strcmp(e->group, "terms") == 0) return terms_means(&(struct term_meaning){.word = e->word}, name);
    if (strcmp(e->word, name) == 0 || strcmp(e->place, name) == 0) return true;
    if (dot && (strcmp(e->group, "expressions") == 0 || strcmp(e->group, "library") == 0))
        return strcmp(dot + 1, name) == 0;
    if (strcmp(e->group, "devices") == 0) return strchr(e->word, ':') && strcmp(strchr(e->word, ':') + 1, name) == 0;
    if (strcmp(e->group, "settings") == 0)
        return setting_find(name) == setting_find(e->word) ||
            (strncmp(e->word, name, strlen(name)) == 0 && e->word[strlen(name)] == '.');
    if (strcmp(e->group, "columns") == 0)
        return column_shown(name, &sim) >= 0 && column_shown(name, &sim) == column_find(e->word);
    if (strcmp(e->group, "options") == 0) return strcmp(e->word + 2, name) == 0;
    return false;
}
