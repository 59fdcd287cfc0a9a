// The command line's options: one table that parses them and prints their help. A command says which of them it takes
// (cli/commands.h); everything else about an option is in its row here.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/diag.h"
#include "plan/load.h"

#include <stdint.h>

enum option_takes {
    TAKES_NOTHING,
    TAKES_PERHAPS, // the next word, where that is FILE.cu and an operand stands before it
    TAKES_TEXT,
    TAKES_SETTING, // key=value, may be repeated
    TAKES_NUMBER,  // a whole number
    TAKES_SHARD    // i/n
};

// X(enum suffix, long name, short letter or 0, takes, what the help calls its argument, help)
#define OPTIONS(X) \
    X(SET, "set", 's', SETTING, "KEY=VALUE", \
        "override anything in the file; a list or range makes an axis (repeatable)") \
    X(DEVICE, "device", 'd', TEXT, "DEVICE", "auto, cuda:N, cuda:all, sim or sim:PROFILE") \
    X(ALLOW_INCLUDE, "allow-include", 0, TEXT, "FOLDER", \
        "let kernels include what lies there, beside their own folder (repeatable)") \
    X(OUTPUT, "output", 'o', TEXT, "PATH", "the file to write, instead of reports/NAME.csv") \
    X(SHARD, "shard", 0, SHARD, "I/N", "measure every N-th point of the shuffled plan, the I-th of N parts") \
    X(SHARDS, "shards", 0, NUMBER, "N", "how many tasks share the plan") \
    X(NODES, "nodes", 0, TEXT, "NODES", \
        "of `submit health`: on which nodes: all, how many, names (n1,n[3-8]), a feature or a state; of `health`: " \
        "names of nodes that must have a report") \
    X(DRAIN, "drain", 0, NOTHING, "", "tell the scheduler to give no more jobs to nodes that are not well") \
    X(PARTITION, "partition", 0, TEXT, "NAME", "the cluster's partition, or queue") \
    X(DRY_RUN, "dry-run", 0, NOTHING, "", "print what would be submitted, and submit nothing") \
    X(REQUEUE, "requeue", 0, NOTHING, "", \
        "in a job that runs out of time: put it back into the cluster's queue, to go on later") \
    X(FRESH, "fresh", 0, NOTHING, "", "measure every point again instead of going on with the report") \
    X(SEED, "seed", 0, NUMBER, "N", "seed of the order in which points are measured, and of random fills") \
    X(MIXED, "mixed", 0, NOTHING, "", "join reports of different devices, drivers and compilers") \
    X(FORMAT, "format", 0, TEXT, "FORMAT", \
        "what to write: text or json; of a run: text or jsonl; of `report`: html, svg, md, csv, json or jsonl; of " \
        "`show`: text or svg; of `status` also openmetrics and html, of `health` html too") \
    X(EVERY, "every", 0, NUMBER, "SECONDS", \
        "of `status --format html`: writes the page again and again, until all points are there") \
    X(THRESHOLD, "threshold", 0, TEXT, "SHARE", \
        "the smallest change of a time that matters; by itself 1%, of `health` 2.5%") \
    X(LINE, "line", 0, NUMBER, "N", "only what that line of the kernel's file does") \
    X(STEP, "step", 0, NUMBER, "N", "of each access only its first N steps, and the lanes that the last one serves") \
    X(PROVE, "prove", 0, PERHAPS, "[FILE.cu]", \
        "run each finding that -s can test both ways, and say what that gained; with FILE.cu, a kernel mended by " \
        "you: what it gains, beside what was told; and whether the results are the same") \
    X(ALL, "all", 0, NOTHING, "", \
        "look at each row of a report, however long that takes; tell each point of a file whole") \
    X(REMEASURE, "remeasure", 0, NOTHING, "", \
        "measure both kernels again, in turns, where the reports leave it unsure") \
    X(QUIET, "quiet", 'q', NOTHING, "", "print only errors") \
    X(VERBOSE, "verbose", 'v', NOTHING, "", "say more") \
    X(HELP, "help", 'h', NOTHING, "", "print this help") \
    X(VERSION, "version", 0, NOTHING, "", "print the version")

enum option {
#define X(id, ...) OPTION_##id,
    OPTIONS(X)
#undef X
        OPTION_COUNT
};
#define OPTION_BIT(id) (1u << OPTION_##id)

struct option_facts {
    const char *name;
    char letter; // 0: none
    enum option_takes takes;
    const char *argument, *help;
};
extern const struct option_facts option_table[OPTION_COUNT];

struct command;
// What the command line said. Texts point into argv; the lists are the struct's own (options_release).
struct options {
    const struct command *command;
    bool command_named;              // false: no command's name was given, `command` is the first
    const char *value[OPTION_COUNT]; // NULL: not given; "" for options that take nothing
    uint64_t number[OPTION_COUNT];   // of those that take a number; the part of a shard
    uint64_t parts;                  // n of --shard i/n
    struct override *overrides;      // -s, and -d as `device=...`
    size_t override_count, override_room;
    char **owned; // texts made here
    size_t owned_count, owned_room;
    const char **operands; // the words that are not options, without the command's name
    size_t operand_count, operand_room;
    const char *only; // the one experiment of its file that is meant; NULL: all
    int argc;         // the whole line, for the record
    char **argv;
    char **rest; // after `--`, for commands that pass it on (NULL: nothing)
};

// False: every mistake of the line is in diags. --help and --version end the parsing, wherever they are.
bool options_parse(int argc, char **argv, struct options *, struct diags *);
void options_release(struct options *);
struct request options_request(const struct options *);         // the experiments that it asks for
void options_ask_for(struct options *, const struct request *); // others in their place; the lists stay the request's
static inline bool options_given(const struct options *o, enum option which) { return o->value[which] != NULL; }
bool options_json(const struct options *); // --format json
// "1%" or 0.01 of such an option, `otherwise` where it is not given; NAN after diags.
double options_share(const struct options *, enum option, double otherwise, struct diags *);

// "  -s, --set KEY=VALUE    override ..." for every option of the command, wrapped to `width`.
void options_print(const struct command *, int width, FILE *);
