// `gpuexp describe NAME`: everything that a name can mean.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "cli/term.h"
#include "words/describing.h"

static void heading(const char *what, const char *name, const char *where)
{
    static bool later; // a blank line between headings
    if (later) say(stdout, "\n");
    later = true;
    term_say(stdout, TERM_BOLD, "%s", name);
    say(stdout, " %s%s%s%s\n", what, *where ? " (" : "", where, *where ? ")" : "");
}

static void under(const char *name)
{
    term_say(stdout, TERM_CYAN, "%s", name);
    say(stdout, "\n");
}

// Wrapped beside its label.
static void line(const char *label, const char *text)
{
    enum { MARGIN = 14 };
    LOCAL(str_release) struct str left = {0};
    str_addf(&left, "  %s", label);
    term_columns(left.text, MARGIN, text, term_width(stdout), stdout);
}

static const struct describing screen = {heading, under, line};

void command_script_options(const char *file) { describe_script_options(&screen, file); }

int command_describe(const struct options *o, struct diags *d)
{
    struct json j = json_begin(stdout, false);
    if (!options_json(o)) return describe_names(&screen, o->operands, o->operand_count, d), 0;
    json_list(&j, NULL);
    if (!o->operand_count) describe_json(&j, NULL, d);
    for (size_t i = 0; i < o->operand_count; i++) describe_json(&j, o->operands[i], d);
    json_end(&j);
    return 0;
}
