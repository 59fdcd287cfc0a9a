// Parses argv by the option table, and prints it.
// SPDX-License-Identifier: MIT
#include "cli/options.h"

#include "base/units.h"

#include <math.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "spec/include.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct option_facts option_table[OPTION_COUNT] = {
#define X(id, name, letter, takes, argument, help) {name, letter, TAKES_##takes, argument, help},
    OPTIONS(X)
#undef X
};

static const struct where nowhere = {0};

static bool whole_number(const char *text, uint64_t *n)
{
    char *end;
    errno = 0;
    *n = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static bool shard(const char *text, uint64_t *part, uint64_t *parts)
{
    const char *slash = strchr(text, '/');
    char first[24];
    if (!slash || slash - text >= (long)sizeof first) return false;
    memcpy(first, text, (size_t)(slash - text));
    first[slash - text] = '\0';
    return whole_number(first, part) && whole_number(slash + 1, parts) && *part >= 1 && *part <= *parts &&
        *parts <= 1000000;
}

static void add_override(struct options *o, const char *text)
{
    mem_grow(&o->overrides, &o->override_room, o->override_count + 1, sizeof *o->overrides);
    o->overrides[o->override_count++] = (struct override){text};
}

static bool take(struct options *o, int which, const char *argument, struct diags *d)
{
    const struct option_facts *facts = &option_table[which];
    o->value[which] = argument ? argument : "";
    switch (facts->takes) {
    case TAKES_NOTHING:
    case TAKES_PERHAPS: return true;
    case TAKES_TEXT:
        if (!*argument) return diag_user(d, nowhere, NULL, "--%s needs a %s", facts->name, facts->argument);
        if (which == OPTION_ALLOW_INCLUDE) include_allow(argument);
        if (which == OPTION_DEVICE) { // a setting like others, with a letter of its own
            struct str text = {0};
            str_addf(&text, "device=%s", argument);
            mem_grow(&o->owned, &o->owned_room, o->owned_count + 1, sizeof *o->owned);
            add_override(o, o->owned[o->owned_count++] = str_take(&text));
        }
        return true;
    case TAKES_SETTING:
        if (!strchr(argument, '=') || *argument == '=')
            return diag_user(d, nowhere, "as in -s n=1Mi, or -s 'stride=[1, 2, 4]'", "--%s takes %s, not `%s`",
                facts->name, facts->argument, argument);
        add_override(o, argument);
        return true;
    case TAKES_NUMBER:
        if (!whole_number(argument, &o->number[which]))
            return diag_user(d, nowhere, NULL, "--%s takes a whole number, not `%s`", facts->name, argument);
        return true;
    case TAKES_SHARD:
        if (!shard(argument, &o->number[which], &o->parts))
            return diag_user(d, nowhere, "as in --shard 2/8, the second of eight parts",
                "--%s takes I/N with 1 <= I <= N, not `%s`", facts->name, argument);
        return true;
    }
    return true;
}

static bool unknown(const struct options *o, const char *text, size_t length, struct diags *d)
{
    const char *names[OPTION_COUNT + 1], *near;
    char word[64], hint[128];
    size_t n = 0;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (command_takes(o->command, i)) names[n++] = option_table[i].name;
    names[n] = NULL;
    near = text[0] == '-' && text[1] == '-' ? str_nearest(word + 2, names) : NULL;
    if (near) snprintf(hint, sizeof hint, "did you mean `--%s`?", near);
    else snprintf(hint, sizeof hint, "`gpuexp %s --help` lists the options", o->command->name);
    return diag_user(d, nowhere, hint, "unknown option `%s`", word);
}

static bool takes_it(const struct options *o, int which, struct diags *d)
{
    if (command_takes(o->command, which)) return true;
    LOCAL(str_release) struct str hint = {0};
    for (const struct command *c = command_table; c->name; c++)
        if (command_takes(c, which)) str_addf(&hint, "%s`%s`", hint.text ? ", " : "taken by: ", c->name);
    diag_user(d, nowhere, hint.text, "`%s` takes no --%s", o->command->name, option_table[which].name);
    return false;
}

// `--name`, `--name=argument`, `--name argument`: `*i` moves on past what was used.
static bool long_option(struct options *o, int argc, char **argv, int *i, struct diags *d)
{
    const char *text = argv[*i] + 2, *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    for (int k = 0; k < OPTION_COUNT; k++) {
        const struct option_facts *facts = &option_table[k];
        if (strlen(facts->name) != length || strncmp(facts->name, text, length) != 0) continue;
        if (facts->takes == TAKES_NOTHING) {
            if (equals) return diag_user(d, nowhere, NULL, "--%s takes no argument", facts->name);
            return takes_it(o, k, d) && take(o, k, NULL, d);
        }
        if (facts->takes == TAKES_PERHAPS && !equals) {
            const char *next = *i + 1 < argc && o->operand_count ? argv[*i + 1] : "";
            const bool is_file = text_ends(next, ".cu");
            *i += is_file;
            return takes_it(o, k, d) && take(o, k, is_file ? next : NULL, d);
        }
        if (!equals && *i + 1 >= argc)
            return diag_user(d, nowhere, NULL, "--%s needs %s", facts->name, facts->argument);
        const char *argument = equals ? equals + 1 : argv[++*i];
        return takes_it(o, k, d) && take(o, k, argument, d);
    }
    return unknown(o, argv[*i], length + 2, d);
}

// `-q`, `-qv`, `-s argument`, `-sargument`.
static bool short_options(struct options *o, int argc, char **argv, int *i, struct diags *d)
{
    for (const char *p = argv[*i] + 1; *p; p++) {
        int k = 0;
        while (k < OPTION_COUNT && option_table[k].letter != *p) k++;
        if (k == OPTION_COUNT) return unknown(o, (char[]){'-', *p, 0}, 2, d);
        if (!takes_it(o, k, d)) return false;
        if (option_table[k].takes == TAKES_NOTHING) {
            take(o, k, NULL, d);
            continue;
        }
        if (p[1]) return take(o, k, p + 1, d);
        if (*i + 1 >= argc) return diag_user(d, nowhere, NULL, "-%c needs %s", *p, option_table[k].argument);
        return take(o, k, argv[++*i], d);
    }
    return true;
}

// Does this option have its argument in the next word (`-s`, `-qs`, `--set`, but not `-sn=1`, `--set=n=1`)?
static bool argument_follows(const char *word)
{
    for (int k = 0; k < OPTION_COUNT; k++) {
        const struct option_facts *f = &option_table[k];
        if (f->takes <= TAKES_PERHAPS) continue;
        if (word[1] == '-' ? strcmp(word + 2, f->name) == 0
                           : f->letter && strchr(word, f->letter) == word + strlen(word) - 1)
            return true;
    }
    return false;
}

// The command is the first word that is not an option; a word that is not a command's name is a file to run.
static int find_command(int argc, char **argv, struct options *o)
{
    o->command = &command_table[0];
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] == '-' && argv[i][1]) {
            i += argument_follows(argv[i]);
            continue;
        }
        const struct command *found = command_find(argv[i]);
        if (!found) return 0;
        o->command = found;
        o->command_named = true;
        return i;
    }
    return 0;
}

static void add_operand(struct options *o, const char *word)
{
    mem_grow(&o->operands, &o->operand_room, o->operand_count + 1, sizeof *o->operands);
    o->operands[o->operand_count++] = word;
}

bool options_parse(int argc, char **argv, struct options *o, struct diags *d)
{
    size_t before = d->count;
    o->argc = argc;
    o->argv = argv;
    bool only_operands = false;
    int command_at = find_command(argc, argv, o);
    for (int i = 1; i < argc; i++) {
        if (i == command_at) continue;
        if (only_operands || argv[i][0] != '-' || !argv[i][1]) add_operand(o, argv[i]);
        else if (strcmp(argv[i], "--") == 0 && o->command->takes_rest) {
            o->rest = argv + i + 1;
            break;
        } else if (strcmp(argv[i], "--") == 0) only_operands = true;
        else if (argv[i][1] == '-') long_option(o, argc, argv, &i, d);
        else short_options(o, argc, argv, &i, d);
    }
    return d->count == before;
}

void options_release(struct options *o)
{
    for (size_t i = 0; i < o->owned_count; i++) free(o->owned[i]);
    free(o->owned);
    free(o->overrides);
    free(o->operands);
    *o = (struct options){0};
}

struct request options_request(const struct options *o)
{
    return (struct request){.files = o->operands,
        .count = o->operand_count,
        .overrides = o->overrides,
        .override_count = o->override_count,
        .override_room = o->override_room,
        .only = o->only,
        .seed = o->number[OPTION_SEED],
        .shard = o->number[OPTION_SHARD],
        .shards = o->parts};
}

void options_ask_for(struct options *o, const struct request *r)
{
    o->operands = r->files;
    o->operand_count = r->count;
    o->overrides = r->overrides;
    o->override_count = r->override_count;
    o->only = r->only;
    o->number[OPTION_SEED] = r->seed;
    o->number[OPTION_SHARD] = r->shard;
    o->parts = r->shards;
}

bool options_json(const struct options *o)
{
    return options_given(o, OPTION_FORMAT) && strcmp(o->value[OPTION_FORMAT], "json") == 0;
}

void options_print(const struct command *command, int width, FILE *out)
{
    enum { MARGIN = 27 };
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_facts *f = &option_table[i];
        LOCAL(str_release) struct str left = {0};
        if (!command_takes(command, i)) continue;
        if (f->letter) str_addf(&left, "  -%c, ", f->letter);
        else str_add(&left, "      ");
        str_addf(&left, "--%s%s%s", f->name, *f->argument ? " " : "", f->argument);
        LOCAL(str_release) struct str forms = {0};
        for (const struct choice *c = command->formats; i == OPTION_FORMAT && c->word; c++)
            str_addf(&forms, "%s%s (%s)", forms.size ? ", " : "what to write: ", c->word, c->about);
        term_columns(left.text, MARGIN, forms.size ? forms.text : f->help, width, out);
    }
}

double options_share(const struct options *o, enum option which, double otherwise, struct diags *d)
{
    struct value v;
    enum unit unit;
    char why[200];
    double x;
    if (!options_given(o, which)) return otherwise;
    if (units_parse(o->value[which], &v, &unit, why) && (unit == UNIT_NONE || unit == UNIT_PERCENT) &&
        value_number(v, &x) && x > 0 && x < 1)
        return x;
    diag_user(d, (struct where){0}, NULL, "--%s takes a share above 0 and below 1 (1%%), not `%s`",
        option_table[which].name, o->value[which]);
    return NAN;
}
