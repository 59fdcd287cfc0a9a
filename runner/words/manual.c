// `gpuexp print manual [PAGE]`: the manual as man(1) reads it, from the glossary. The build writes the pages with it,
// and `cmake --install` puts them where they belong.
// SPDX-License-Identifier: MIT
#include "base/say.h"
#include "base/str.h"
#include "words/glossary.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define DATE "2026-11-22" // of the last change of the form of these pages

// Text of a line: no character of it is a request or an escape.
static void say_text(const char *text)
{
    LOCAL(str_release) struct str s = {0};
    if (*text == '.' || *text == '\'') str_add(&s, "\\&");
    for (; *text; text++) {
        if (*text == '\\') str_add(&s, "\\e");
        else if (*text == '-') str_add(&s, "\\-");
        else if (*text == '\n') str_add(&s, " ");
        else str_add_bytes(&s, text, 1);
    }
    if (s.size) say_bytes(stdout, s.text, s.size);
}

static void line(const char *request, const char *text)
{
    if (!*text) return;
    if (request) say(stdout, "%s\n", request);
    say_text(text);
    say(stdout, "\n");
}

static void heading(const char *level, const char *text)
{
    say(stdout, "%s \"", level);
    say_text(text);
    say(stdout, "\"\n");
}

struct printing {
    const char *group;
    char section[96];
};

static void word(void *context, const struct entry *e)
{
    struct printing *p = context;
    if (strcmp(e->group, p->group) != 0) return;
    if (*e->section && strcmp(e->section, p->section) != 0) heading(".SS", e->section);
    snprintf(p->section, sizeof p->section, "%s", e->section);
    say(stdout, ".TP\n\\fB");
    say_text(e->word);
    say(stdout, "\\fR");
    if (strcmp(e->group, "commands") == 0 || strcmp(e->group, "options") == 0 || strcmp(e->group, "library") == 0)
        say(stdout, " "), say_text(e->takes);
    say(stdout, "\n");
    line(NULL, e->about);
    if (strcmp(e->group, "commands") != 0 && strcmp(e->group, "options") != 0 && strcmp(e->group, "library") != 0 &&
        *e->takes)
        line(".br", e->takes);
    for (const struct choice *c = e->choices; c && c->word; c++) {
        say(stdout, ".br\n\\fI");
        say_text(c->word);
        say(stdout, "\\fR: ");
        say_text(c->about);
        say(stdout, "\n");
    }
    if (*e->fallback) say(stdout, ".br\nDefault: "), say_text(e->fallback), say(stdout, "\n");
    if (*e->unit) say(stdout, ".br\nUnit: "), say_text(e->unit), say(stdout, "\n");
    line(".br", e->note);
}

static void group(const char *name, const char *title)
{
    struct printing p = {.group = name};
    heading(".SH", title);
    glossary_each(word, &p);
}

struct page {
    struct choice is;
    const char *section, *synopsis, *see;
    const char *groups[20]; // a group and its title, in turn
};
static const struct page pages[] = {
    {{"gpuexp", "experiments on how a GPU's memory and execution behave"}, "1",
        "gpuexp [options] FILE...\n.br\ngpuexp COMMAND [options] ...", "gpuexp\\-experiment(5), gpuexp\\-kernel(5)",
        {"commands", "COMMANDS", "options", "OPTIONS", "devices", "DEVICES", "columns", "COLUMNS OF A REPORT",
            "statuses", "STATUSES OF A ROW", "environment", "ENVIRONMENT", "exit", "EXIT STATUS"}},
    {{"gpuexp-experiment", "experiment files of gpuexp"}, "5", "NAME.yaml", "gpuexp(1), gpuexp\\-kernel(5)",
        {"experiment", "KEYS", "settings", "SETTINGS", "traits", "WHAT IS KNOWN OF THE DEVICE", "expressions",
            "FUNCTIONS OF EXPRESSIONS", "scripts", "SCRIPTS", "library", "LIBRARY FOR SCRIPTS"}},
    {{"gpuexp-kernel", "kernel files of gpuexp"}, "5", "NAME.cu", "gpuexp(1), gpuexp\\-experiment(5)",
        {"kernel", "KEYS OF THE FIRST COMMENT", "types", "TYPES", "traits", "WHAT IS KNOWN OF THE DEVICE"}},
};
enum { PAGES = sizeof pages / sizeof *pages };

static void print(const struct page *p)
{
    static const char *const describes[] = {
        "gpuexp runs experiments that YAML files describe: a kernel, the values to sweep, what is expected. It "
        "measures on a CUDA device and counts memory transactions on a built-in simulator.",
        "An experiment is a YAML mapping; a file may hold several, separated by \"---\". Numbers take units: 64Mi, "
        "1.5GB, 50ms, 0.5%. Any value can be changed for one run with -s KEY=VALUE.",
        "A kernel is a CUDA C++ file whose first comment describes it in YAML. Counts and sizes are Lua expressions "
        "over its parameters."};
    char title[64];
    for (size_t i = 0; i <= strlen(p->is.word) && i < sizeof title; i++)
        title[i] = (char)toupper((unsigned char)p->is.word[i]);
    say(stdout, ".TH \"%s\" %s \"" DATE "\" \"gpuexp %s\" \"gpuexp\"\n.SH NAME\n", title, p->section, GPUEXP_VERSION);
    say_text(p->is.word);
    say(stdout, " \\- ");
    say_text(p->is.about);
    say(stdout, "\n.SH SYNOPSIS\n%s\n.SH DESCRIPTION\n", p->synopsis);
    line(NULL, describes[p - pages]);
    for (size_t i = 0; i + 1 < sizeof p->groups / sizeof *p->groups && p->groups[i]; i += 2)
        group(p->groups[i], p->groups[i + 1]);
    say(stdout, ".SH SEE ALSO\n%s\n", p->see);
}

bool manual_print(const char *page, struct diags *d)
{
    if (!page) page = pages[0].is.word;
    for (size_t i = 0; i < PAGES; i++)
        if (strcmp(pages[i].is.word, page) == 0) return print(&pages[i]), true;
    return diag_user(d, (struct where){0}, "there are: gpuexp, gpuexp-experiment, gpuexp-kernel",
        "there is no page `%s`", page);
}
