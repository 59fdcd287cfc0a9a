// cli/: parsing the command line, and laying out text for a terminal.
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "unit/test.h"

#include <stdlib.h>

enum { WORDS = 16 };
static struct options o;
static struct diags d;

// Parses "gpuexp" and the words of `line`; words are separated by one space.
static bool parse(const char *line)
{
    static char words[512], *argv[WORDS];
    int argc = 0;
    options_release(&o);
    diags_clear(&d);
    snprintf(words, sizeof words, "gpuexp %s", line);
    for (char *w = strtok(words, " "); w && argc < WORDS; w = strtok(NULL, " ")) argv[argc++] = w;
    return options_parse(argc, argv, &o, &d);
}

static void a_file_alone_is_run(void)
{
    CHECK(parse("a.yaml b.yaml"));
    CHECK_TEXT(o.command->name, "run");
    CHECK(!o.command_named);
    CHECK_INT(o.operand_count, 2);
    CHECK(parse("-s n=1 plan a.yaml"));
    CHECK_TEXT(o.command->name, "plan");
    CHECK(parse("-s plan=1 a.yaml")); // the word after -s is no command
    CHECK_TEXT(o.command->name, "run");
    CHECK(parse("-- plan"));
    CHECK_TEXT(o.command->name, "run");
    CHECK_TEXT(o.operands[0], "plan");
}

static void overrides_keep_their_order_and_a_device_is_one(void)
{
    CHECK(parse("x.yaml -s n=1 -d sim --set=stride=[1,2] -sblock=32"));
    CHECK_INT(o.override_count, 4);
    CHECK_TEXT(o.overrides[0].text, "n=1");
    CHECK_TEXT(o.overrides[1].text, "device=sim");
    CHECK_TEXT(o.overrides[2].text, "stride=[1,2]");
    CHECK_TEXT(o.overrides[3].text, "block=32");
}

static void short_options_join_and_long_ones_take_either_spelling(void)
{
    CHECK(parse("-qo out.csv x.yaml"));
    CHECK(options_given(&o, OPTION_QUIET));
    CHECK_TEXT(o.value[OPTION_OUTPUT], "out.csv");
    CHECK(parse("--output=out.csv --seed 7 x.yaml"));
    CHECK_TEXT(o.value[OPTION_OUTPUT], "out.csv");
    CHECK_INT(o.number[OPTION_SEED], 7);
    CHECK(parse("--shard 2/8 x.yaml"));
    CHECK_INT(o.number[OPTION_SHARD], 2);
    CHECK_INT(o.parts, 8);
}

static void every_mistake_is_told(void)
{
    CHECK(!parse("--frsh x.yaml"));
    CHECK_TEXT(diags_first(&d), "unknown option `--frsh`");
    CHECK_TEXT(d.items[0].hint, "did you mean `--fresh`?");
    CHECK(!parse("list --fresh"));
    CHECK_TEXT(diags_first(&d), "`list` takes no --fresh");
    const char *const bad[] = {"-s", "-s n x", "--shard 0/4 x", "--shard 5/4 x", "--shard 4 x", "--shard 1/2/3 x",
        "--seed -1 x", "--seed x x", "--seed 1x x", "-Z x", "--quiet=yes x", "-o", "--seed 99999999999999999999 x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(!parse(bad[i]));
        CHECK_INT(diags_exit_status(&d), 2);
    }
    CHECK(!parse("--frsh --sed x.yaml -Z"));
    CHECK_INT(d.count, 3);
}

static void every_option_is_taken_by_a_command_and_has_help(void)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        bool taken = false;
        for (const struct command *c = command_table; c->name; c++) taken |= command_takes(c, i);
        if (!taken) printf("--%s\n", option_table[i].name);
        CHECK(taken);
        CHECK(*option_table[i].help);
        for (int k = 0; k < i; k++) {
            CHECK(strcmp(option_table[i].name, option_table[k].name) != 0);
            CHECK(!option_table[i].letter || option_table[i].letter != option_table[k].letter);
        }
    }
}

static void text_is_wrapped_at_words_and_counted_in_characters(void)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    term_columns("  -x", 6, "one two three four five six", 28, f);
    term_columns("  --longer", 6, "one", 28, f);
    fclose(f);
    CHECK_TEXT(text, "  -x  one two three four\n      five six\n  --longer\n      one\n");
    free(text);
    CHECK_INT(text_width("größe"), 5);
    CHECK_INT(text_cut("größe", 3), 4);
    CHECK_INT(text_cut("ab", 9), 2);
}

int main(void)
{
    a_file_alone_is_run();
    overrides_keep_their_order_and_a_device_is_one();
    short_options_join_and_long_ones_take_either_spelling();
    every_mistake_is_told();
    every_option_is_taken_by_a_command_and_has_help();
    text_is_wrapped_at_words_and_counted_in_characters();
    options_release(&o);
    diags_clear(&d);
    return test_end();
}
