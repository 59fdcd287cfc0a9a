// `gpuexp print WHAT [WHICH]`: what other programs read: the manual, the schemas, the completion of a shell.
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/file.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/commands.h"
#include "spec/settings.h"
#include "spec/themes.h"
#include "spec/words.h"
#include "store/table.h"
#include "words/glossary.h"

// `gpuexp print completion SHELL` prints what a shell reads to complete the command line. The shell then asks, at each
// tab, `gpuexp print completion SHELL -- WORD...` for what can stand in the place of the last word: so it knows what is
// there now.

static const struct choice completion_shells[] = {{"bash", "source it, or put it into a folder of bash-completion"},
    {"zsh", "put it as _gpuexp into a folder of $fpath"}, {"fish", "put it into ~/.config/fish/completions"},
    {NULL, NULL}};

struct line { // what is asked
    char **words;
    size_t count; // the last is being completed
    const struct command *command;
    bool command_named;
    bool explain;    // the shell shows a sentence beside each word
    char before[32]; // what stands before each word that is offered: "chart.y="
};

static void offer(const struct line *l, const char *word, const char *about)
{
    const char *begun = l->words[l->count - 1];
    const size_t n = strlen(l->before);
    if (strncmp(begun, l->before, n) != 0 || strncmp(word, begun + n, strlen(begun) - n) != 0) return;
    for (const char *c = word; *c; c++) // a line is a word here: a file's name that has a line's end in it would be two
        if (*c > 0 && *c < ' ') return;
    say(stdout, "%s%s", l->before, word);
    if (l->explain && *about) say(stdout, "\t%.*s", (int)strcspn(about, "\n"), about);
    say(stdout, "\n");
}

static void offer_choices(const struct line *l, const struct choice *list)
{
    for (; list && list->word; list++) offer(l, list->word, list->about);
}

static void offer_files(const struct line *l, const char *kind, const char *suffix, const char *about)
{
    LOCAL(file_list_drop) char **names = file_list(kind, suffix);
    for (char **n = names; *n; n++) offer(l, *n, about);
}

struct offering {
    const struct line *line;
    const char *group; // NULL: every group
};

static void offer_entry(void *context, const struct entry *e)
{
    const struct offering *o = context;
    if (o->group ? strcmp(e->group, o->group) == 0 : strncmp(e->word, "--", 2) != 0) offer(o->line, e->word, e->about);
}

static void offer_group(const struct line *l, const char *group)
{
    glossary_each(offer_entry, &(struct offering){l, group});
}

// Whether the word before the last is an option that takes it, and which.
static int option_before(const struct line *l)
{
    const char *word = l->count > 1 ? l->words[l->count - 2] : "";
    for (int i = 0; i < OPTION_COUNT && *word == '-'; i++) {
        const struct option_facts *f = &option_table[i];
        const bool longer = strncmp(word, "--", 2) == 0 && strcmp(word + 2, f->name) == 0;
        if (f->takes > TAKES_PERHAPS && (longer || (f->letter && word[1] == f->letter && !word[2]))) return i;
    }
    return -1;
}

static void offer_key(const struct line *l, const char *key, const char *about)
{
    LOCAL(str_release) struct str s = {0};
    str_addf(&s, "%s=", key);
    offer(l, s.text, about);
}

static void offer_values(const struct line *l, const char *key, const char *const *words)
{
    LOCAL(str_release) struct str s = {0};
    for (; *words; words++) {
        str_clear(&s);
        str_addf(&s, "%s=%s", key, *words);
        offer(l, s.text, "");
    }
}

// Of the reports that the line names; else those that every report has.
static void offer_columns(const struct line *l)
{
    bool found = false;
    for (size_t i = 0; i + 1 < l->count; i++) {
        LOCAL(table_close) struct table t = {0};
        LOCAL(diags_clear) struct diags ignored = {0};
        if (!text_ends(l->words[i], ".csv")) continue;
        if (table_open(&t, l->words[i], &ignored))
            for (size_t c = 0; c < t.column_count; c++) offer(l, t.columns[c], ""), found = true;
    }
    if (!found) offer_group(l, "columns");
}

// How a report is drawn.
static void offer_chart(struct line *l)
{
    const char *begun = l->words[l->count - 1];
    for (const struct word *w = words_chart.words; w->name; w++) {
        char key[32];
        snprintf(key, sizeof key, "chart.%s", w->name);
        if (!strchr(begun, '=')) offer_key(l, key, w->about);
        snprintf(l->before, sizeof l->before, "chart.%s=", w->name);
        if (strncmp(begun, l->before, strlen(l->before)) == 0) {
            if (w->is->choices) offer_choices(l, w->is->choices);
            else offer_columns(l);
        }
        *l->before = '\0';
    }
}

// KEY=VALUE: settings and goals, and the axes and parameters of the experiments that the line names.
static void offer_set(const struct line *l)
{
    const char *begun = l->words[l->count - 1], *equals = strchr(begun, '=');
    const char *words[CHOICES_MOST];
    LOCAL(str_release) struct str key = {0};
    str_add_bytes(&key, begun, equals ? (size_t)(equals - begun) : 0);
    for (int i = 0; i < SETTING_COUNT; i++) {
        choice_words(setting_table[i].choices, words);
        if (!equals) offer_key(l, setting_table[i].name, setting_table[i].about);
        else if (setting_find(key.text ? key.text : "") == i) offer_values(l, key.text, words);
    }
    for (const struct word *w = words_measure.words; w->name && !equals; w++) {
        LOCAL(str_release) struct str goal = {0};
        str_addf(&goal, "measure.%s", w->name);
        offer_key(l, goal.text, w->about);
    }
    for (size_t i = 0; i + 1 < l->count; i++) {
        LOCAL(experiments_free) struct experiments all = {0};
        LOCAL(diags_clear) struct diags ignored = {0};
        LOCAL(mem_drop) char *path = file_exists(l->words[i]) ? NULL : file_find("experiments", l->words[i], ".yaml");
        const bool file = path || (strstr(l->words[i], ".y") && file_exists(l->words[i]));
        if (file && experiments_load(path ? path : l->words[i], NULL, 0, &all, &ignored))
            for (size_t n = 0; n < all.count; n++)
                for (size_t p = 0; p < all.items[n]->kernel->param_count; p++) {
                    const struct param *param = &all.items[n]->kernel->params[p];
                    size_t count = 0;
                    if (!equals) offer_key(l, param->name, param->about ? param->about : "");
                    for (size_t v = 0; param->one_of && v < param->one_of->count && count < CHOICES_MOST - 1; v++)
                        if (param->one_of->items[v].kind == VALUE_TEXT) words[count++] = param->one_of->items[v].text;
                    words[count] = NULL;
                    if (equals && strcmp(param->name, key.text ? key.text : "") == 0)
                        offer_values(l, param->name, words);
                }
    }
}

static void offer_argument(struct line *l, int option)
{
    switch (option) {
    case OPTION_SET:
        if (l->command->run == command_report) offer_chart(l);
        else offer_set(l);
        break;
    case OPTION_DEVICE: offer_group(l, "devices"); break;
    case OPTION_FORMAT: offer_choices(l, l->command->formats); break;
    default: break; // a number, or a file: the shell knows those
    }
}

static const struct choice file_words[] = {
    {"experiment", "of experiment files"}, {"kernel", "of the description in kernel files"}, {NULL, NULL}};

static void offer_printed(const struct line *l, const char *before)
{
    static const struct choice whats[] = {{"manual", "a page for man -l"}, {"schema", "a JSON Schema, for editors"},
        {"completion", "what a shell reads"}, {NULL, NULL}};
    static const struct choice pages[] = {{"gpuexp", "the program"}, {"gpuexp-experiment", "experiment files"},
        {"gpuexp-kernel", "kernel files"}, {NULL, NULL}};
    offer_choices(l,
        strcmp(before, "manual") == 0           ? pages
            : strcmp(before, "schema") == 0     ? file_words
            : strcmp(before, "completion") == 0 ? completion_shells
                                                : whats);
}

static void offer_operands(const struct line *l)
{
    const struct command *c = l->command;
    if (!l->command_named) offer_group(l, "commands");
    if (c->run == command_new) offer_choices(l, file_words);
    for (const struct theme *t = themes; c->run == command_list && t->name; t++) offer(l, t->name, t->teaches);
    if (c->run == command_print) offer_printed(l, l->count > 1 ? l->words[l->count - 2] : "");
    if (strncmp(c->operands, "FILE", 4) == 0) offer_files(l, "experiments", ".yaml", "an experiment");
    if (c->run != command_describe) return;
    offer_choices(l, glossary_groups);
    offer_files(l, "kernels", ".cu", "a kernel");
    offer_files(l, "experiments", ".yaml", "an experiment");
    offer_files(l, "lua", ".lua", "a script");
    offer_group(l, NULL);
}

static void answer(struct line *l)
{
    const int option = option_before(l);
    const char *begun = l->words[l->count - 1];
    l->command = &command_table[0];
    for (size_t i = 0; i + 1 < l->count && !l->command_named; i++) {
        const struct command *named = command_find(l->words[i]);
        if (named) l->command = named, l->command_named = true;
    }
    if (option >= 0) offer_argument(l, option);
    else if (*begun == '-') {
        for (int i = 0; i < OPTION_COUNT; i++) {
            LOCAL(str_release) struct str s = {0};
            str_addf(&s, "--%s", option_table[i].name);
            if (command_takes(l->command, i)) offer(l, s.text, option_table[i].help);
        }
    } else offer_operands(l);
}

// Of a shell. `words`: the line so far, of which the last is to be completed; NULL: what the shell
// reads once. False after diags: there is no such shell.
static bool completion_print(const char *shell, char **words, struct diags *d)
{
    LOCAL(str_release) struct str name = {0};
    if (!shell || choice_find(completion_shells, shell) < 0)
        return diag_user(d, (struct where){0}, "there are: bash, zsh, fish", "there is no completion for `%s`",
            shell ? shell : "no shell");
    if (words) {
        static char *empty[] = {"", NULL};
        struct line l = {.words = *words ? words : empty, .explain = strcmp(shell, "bash") != 0};
        while (l.words[l.count]) l.count++;
        answer(&l);
        return true;
    }
    str_addf(&name, "runner/cli/completion/gpuexp.%s", shell);
    const struct embedded *e = embed_find(name.text);
    if (e) say_bytes(stdout, e->text, e->size);
    return true;
}

int command_print(const struct options *o, struct diags *d)
{
    const char *what = o->operands[0], *which = o->operand_count > 1 ? o->operands[1] : NULL;
    if (strcmp(what, "manual") == 0) return manual_print(which, d) ? 0 : 2;
    if (strcmp(what, "schema") == 0) return schema_print(which, d) ? 0 : 2;
    if (strcmp(what, "completion") == 0) return completion_print(which, o->rest, d) ? 0 : 2;
    diag_user(d, (struct where){0}, "there are: manual, schema, completion", "`%s` cannot be printed", what);
    return 2;
}
