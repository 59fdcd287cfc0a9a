// The commands: one table that finds them and prints their help. The first row is what runs when no command is named.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/json.h"
#include "cli/options.h"
#include "measure/statuses.h"
#include "words/glossary.h"

struct command {
    const char *name, *operands, *summary, *about;
    unsigned options;             // OPTION_BIT of each option it takes, but for --format
    size_t least, most;           // operands; most 0: none
    bool takes_rest;              // passes on what follows `--`
    const struct choice *formats; // of --format, the usual one first; NULL: it takes none
    // Returns the exit status (0, 1 or 75); errors go to diags and change it.
    int (*run)(const struct options *, struct diags *);
};
extern const struct command command_table[]; // ends with NULL name
bool command_takes(const struct command *, int option);
const struct command *command_find(const char *name);

int command_graver(int a, int b);    // of two exit statuses
int cli_main(int argc, char **argv); // from argv to an exit status: 0, 1, 2, 3 or 75; runner/DESIGN.md says when

void command_script_options(const char *file); // the script of every experiment of a file, for --help

int command_run(const struct options *, struct diags *);
// All of one file on one device, quiet but for -v; `report` NULL: where a run would write it.
int command_run_on(const struct options *, const char *file, const char *device, const char *report, bool fresh,
    struct diags *);
int command_check(const struct options *, struct diags *);
int command_plan(const struct options *, struct diags *);
int command_list(const struct options *, struct diags *);
int command_describe(const struct options *, struct diags *);
int command_submit(const struct options *, struct diags *);
int command_status(const struct options *, struct diags *);
int command_merge(const struct options *, struct diags *);
int command_replay(const struct options *, struct diags *);
int command_explain(const struct options *, struct diags *);
int command_show(const struct options *, struct diags *);
int command_sites(const struct options *, struct diags *);
int command_report(const struct options *, struct diags *);
int command_compare(const struct options *, struct diags *);
int command_judge(const struct options *, struct diags *);
int command_calibrate(const struct options *, struct diags *);
int command_health(const struct options *, struct diags *);
int command_new(const struct options *, struct diags *);
int command_print(const struct options *, struct diags *);
int command_devices(const struct options *, struct diags *);

// results.c: sentences that several commands end with.
void summary_statuses(const size_t status[STATUS_COUNT], FILE *); // "12 ok, 1 wrong"; "no rows"
// "; every expectation holds", or how many hold, are broken and were not checked; nothing where there is none.
void summary_claims(size_t holding, size_t broken, size_t unchecked);
void summary_claim(bool broken, struct where at, const char *line); // one that does not hold, on standard error
