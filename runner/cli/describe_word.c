// Prints words of the glossary: one with all that is known of it, or a group as a list.
// SPDX-License-Identifier: MIT
#include "cli/describe_text.h"

#include "base/str.h"
#include "words/glossary.h"

#include <string.h>

static void whole(const struct entry *e)
{
    describe_heading(e->what, e->word, "");
    describe_line("", e->about);
    if (*e->takes) describe_line("takes", e->takes);
    for (const struct choice *c = e->choices; c && c->word; c++) {
        LOCAL(str_release) struct str label = {0};
        str_addf(&label, "  %s", c->word);
        describe_line(label.text, c->about);
    }
    for (const struct word *k = e->keys ? e->keys->words : NULL; k && k->name; k++) {
        LOCAL(str_release) struct str label = {0}, text = {0};
        str_addf(&label, "  %s", k->name);
        str_addf(&text, "%s; takes %s%s%s", k->about, k->takes, *k->fallback ? "; default " : "", k->fallback);
        describe_line(label.text, text.text);
    }
    if (*e->fallback) describe_line("default", e->fallback);
    if (*e->unit) describe_line("unit", e->unit);
    if (*e->note) describe_line("", e->note);
    if (e->shown) describe_line("try", e->shown);
}

struct asked {
    const char *name;
    char section[96];
    enum describe_part part;
    bool found;
};

static enum describe_part part_of(const struct entry *e)
{
    return strcmp(e->group, "terms") == 0  ? DESCRIBE_TERMS
        : strcmp(e->group, "columns") == 0 ? DESCRIBE_COLUMNS
                                           : DESCRIBE_KEYS;
}

static void if_meant(void *context, const struct entry *e)
{
    struct asked *a = context;
    if (part_of(e) != a->part || !glossary_means(e, a->name)) return;
    a->found = true;
    whole(e);
}

bool describe_word(const char *name, enum describe_part part)
{
    struct asked a = {.name = name, .part = part};
    glossary_each(if_meant, &a);
    return a.found;
}

static void in_a_line(void *context, const struct entry *e)
{
    struct asked *a = context;
    LOCAL(str_release) struct str text = {0};
    if (strcmp(e->group, a->name) != 0) return;
    if (strcmp(a->section, e->section) != 0) describe_under(e->section);
    snprintf(a->section, sizeof a->section, "%s", e->section);
    str_add(&text, e->about);
    if (*e->takes) str_addf(&text, "; takes %s", e->takes);
    for (const struct choice *c = strcmp(e->group, "settings") == 0 ? e->choices : NULL; c && c->word; c++)
        str_addf(&text, "%s%s", c == e->choices ? " " : ", ", c->word);
    if (*e->fallback) str_addf(&text, "; default %s", e->fallback);
    if (*e->unit) str_addf(&text, "; in %s", e->unit);
    describe_line(e->word, text.text);
}

bool describe_group(const char *name)
{
    const int i = choice_find(glossary_groups, name);
    struct asked a = {.name = name};
    if (i < 0) return false;
    describe_heading("is a group of words:", name, "");
    describe_line("", glossary_groups[i].about);
    glossary_each(in_a_line, &a);
    return true;
}

void describe_groups(void)
{
    describe_heading("explains a word, or lists those of a group:", "describe", "");
    for (const struct choice *g = glossary_groups; g->word; g++) describe_line(g->word, g->about);
    describe_line("lua", "expressions, scripts and their library, on one page");
}
