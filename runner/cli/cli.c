// From argv to an exit status: finds the command, runs it, prints what went wrong.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include "base/file.h"
#include "base/say.h"
#include "cli/term.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct where nowhere = {0};

// The first operand of a run is not a file: was it meant as a command?
static void suggest_command(const struct options *o, struct diags *d)
{
    char *path;
    const char *names[32], *near;
    size_t n = 0;
    char hint[96];
    if (o->command != &command_table[0] || !o->operand_count || strpbrk(o->operands[0], "/.") ||
        access(o->operands[0], F_OK) == 0)
        return;
    path = file_find("experiments", o->operands[0], ".yaml");
    free(path);
    if (path) return;
    for (const struct command *c = command_table; c->name && n < 31; c++) names[n++] = c->name;
    names[n] = NULL;
    near = str_nearest(o->operands[0], names);
    const char *word = o->operands[0];
    if (strcmp(word, "manual") == 0 || strcmp(word, "schema") == 0 || strcmp(word, "completion") == 0)
        snprintf(hint, sizeof hint, "it is written `gpuexp print %s`", word);
    else if (near) snprintf(hint, sizeof hint, "did you mean `%s`?", near);
    else snprintf(hint, sizeof hint, "`gpuexp --help` lists the commands, `gpuexp list` the experiments");
    diag_user(d, nowhere, hint, "`%s` is neither a command nor a file", o->operands[0]);
}

static bool operands_fit(const struct options *o, struct diags *d)
{
    const struct command *c = o->command;
    char hint[96];
    snprintf(hint, sizeof hint, "`gpuexp %s%s%s`; `gpuexp %s --help` says more", c->name, *c->operands ? " " : "",
        c->operands, c->name);
    if (o->operand_count < c->least) return diag_user(d, nowhere, hint, "%s: %s is missing", c->name, c->operands);
    if (o->operand_count > c->most)
        return diag_user(d, nowhere, hint, "%s: too many words: `%s`", c->name, o->operands[c->most]);
    return true;
}

static bool format_fits(const struct options *o, struct diags *d)
{
    const char *words[CHOICES_MOST];
    LOCAL(str_release) struct str hint = {0};
    if (!options_given(o, OPTION_FORMAT) || choice_find(command_formats(o->command), o->value[OPTION_FORMAT]) >= 0)
        return true;
    choice_words(command_formats(o->command), words);
    for (int i = 0; words[i]; i++) str_addf(&hint, "%s%s", i ? ", " : "there are: ", words[i]);
    diag_user(d, nowhere, hint.text, "%s has no format `%s`", o->command->name, o->value[OPTION_FORMAT]);
    return false;
}

// `help` and `help run` are --help and run --help; `help sector` is describe sector.
static void mean_help(int *argc, char **argv)
{
    if (*argc < 2 || *argc > 3 || strcmp(argv[1], "help") != 0) return;
    if (*argc == 2) argv[1] = (char *)"--help";
    else if (command_find(argv[2])) argv[1] = argv[2], argv[2] = (char *)"--help";
    else argv[1] = (char *)"describe";
}

static int run(int argc, char **argv, struct options *o, struct diags *d)
{
    mean_help(&argc, argv);
    bool parsed = options_parse(argc, argv, o, d);
    if (options_given(o, OPTION_HELP)) {
        diags_clear(d);
        if (o->command_named) command_help(o->command, stdout);
        else commands_help(stdout);
        for (size_t i = 0; i < o->operand_count; i++) describe_script_options(o->operands[i]);
        return 0;
    }
    if (options_given(o, OPTION_VERSION)) {
        diags_clear(d);
        say(stdout, "gpuexp %s\n", GPUEXP_VERSION);
        return 0;
    }
    if (parsed && argc == 1) {
        commands_help(stderr);
        return 2;
    }
    if (parsed) suggest_command(o, d);
    if (!parsed || diags_errors(d) || !operands_fit(o, d)) return 2;
    return format_fits(o, d) ? o->command->run(o, d) : 2;
}

int cli_main(int argc, char **argv)
{
    struct options o = {0};
    LOCAL(diags_clear) struct diags d = {0};
    glossary_take(commands_words);
    int status = run(argc, argv, &o, &d);
    const bool lost = ferror(stdout); // it happened earlier, and the reason is lost
    if (fflush(stdout) != 0) diag_system(&d, NULL, "cannot write to standard output: %s", strerror(errno));
    else if (lost) diag_system(&d, NULL, "a part of the output could not be written to standard output");
    diags_print_by(&d, stderr, term_paragraph);
    if (diags_errors(&d)) status = diags_exit_status(&d);
    options_release(&o);
    return status;
}
