// The table of commands, and the help that is made from it.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "base/str.h"
#include "cli/term.h"
#include "compile/compile.h"
#include "page/export.h"

static const struct choice text_or_json[] = {{"text", "for people"}, {"json", "for programs"}, {NULL, NULL}};

static const struct choice text_json_or_page[] = {
    {"text", "for people"}, {"json", "for programs"}, {"html", "a page with a picture and a table"}, {NULL, NULL}};

static const struct choice text_or_events[] = {
    {"text", "for people"}, {"jsonl", "an object a line of what happens, as it happens"}, {NULL, NULL}};

static const struct choice status_formats[] = {{"text", "for people"}, {"json", "for programs"},
    {"openmetrics", "for Prometheus"}, {"html", "a page with a square for each shard"}, {NULL, NULL}};

static const struct choice text_or_svg[] = {{"text", "in the terminal"}, {"svg", "for documents"}, {NULL, NULL}};

static const struct choice health_formats[] = {{"text", "for people"}, {"json", "for programs"},
    {"html", "a page that needs nothing else"},
    {"openmetrics", "for Prometheus and its like: a file that its node exporter collects"}, {NULL, NULL}};

#define COMMON (OPTION_BIT(HELP) | OPTION_BIT(VERSION))
#define FILES (OPTION_BIT(SET) | OPTION_BIT(ALLOW_INCLUDE) | OPTION_BIT(DEVICE) | COMMON)
#define ANY 1000000

const struct command command_table[] = {
    {"run", "FILE...", "run the experiments of each file; the default, `run` may be left out",
        "Measures every point that the report does not have yet, and appends a row for each as it is known. Without a "
        "GPU the simulator counts what one would do. FILE may be a kernel too: it runs at its own defaults, and `-s` "
        "sets or sweeps what it takes.",
        FILES | OPTION_BIT(OUTPUT) | OPTION_BIT(SHARD) | OPTION_BIT(FRESH) | OPTION_BIT(SEED) | OPTION_BIT(REQUEUE) |
            OPTION_BIT(QUIET) | OPTION_BIT(VERBOSE),
        1, ANY, false, text_or_events, command_run},
    {"check", "FILE...", "say what is wrong with experiment files, or that nothing is",
        "Reads each file and its kernels, plans every experiment and reports every mistake at once. Nothing is run.",
        FILES | OPTION_BIT(QUIET), 1, ANY, false, text_or_json, command_check},
    {"plan", "FILE...", "print every point that would be run, and what removed the others",
        "Prints one line a point with the memory it takes, then the points that a clause removed and that clause. "
        "Nothing is run.",
        FILES | OPTION_BIT(SHARD) | OPTION_BIT(SEED) | OPTION_BIT(QUIET), 1, ANY, false, text_or_json, command_plan},
    {"explain", "FILE | REPORT...", "say what limits each point, why, what would mend it, and how to see that it does",
        "A FILE is an experiment, or a kernel (a .cu file, or the name of one). It is run on the simulator, of a "
        "large launch some blocks for all. What follows is from counts by line, the compiler's facts and a model of "
        "the device. First the limit: the unit "
        "that takes longest by itself. Then at most three findings, the one that promises most first.",
        FILES | OPTION_BIT(PROVE) | OPTION_BIT(ALL), 1, ANY, false, text_or_json, command_explain},
    {"sites", "KERNEL...", "print which instructions of a kernel reach memory, and what each costs",
        "A KERNEL is a .cu file, or the name of one that `list` shows, at its defaults; or an experiment's file. It is "
        "run on the simulator. For each line and instruction: requests, sectors of 32 bytes, wavefronts of shared "
        "memory, active lanes a request, and its share of all sectors, or of all wavefronts.",
        FILES, 1, ANY, false, text_or_json, command_sites},
    {"show", "KERNEL...",
        "draw what a kernel does and costs: units, lines, sectors and banks that a warp touches, lanes, a pipeline",
        "The time that each unit would need alone, and what each line of the source asks of memory: as it is, and as "
        "it would be with the first finding of `explain` mended. Of each instruction the costliest access of a warp: "
        "the words of each sector, or the words on top of each other in a bank; beneath it the mended one. Then the "
        "lanes that are active by line, the warps that an SM holds, and of a round trip in chunks its copies and "
        "kernels. Of more than four points the first is drawn, and the last line says how to ask for another. --format "
        "svg prints a picture for documents, in which an access can be stepped through.",
        FILES | OPTION_BIT(LINE) | OPTION_BIT(STEP), 1, ANY, false, text_or_svg, command_show},
    {"list", "[WORD...]", "list kernels and experiments, or those that have every word",
        "Looks under the current folder, each folder of GPUEXP_PATH, and where gpuexp was installed. A WORD may stand "
        "in a name, a sentence, a theme, or the name of a parameter.",
        COMMON, 0, ANY, false, text_or_json, command_list},
    {"describe", "[NAME...]", "explain any word: a kernel, an experiment, a key, a setting, a column, a function",
        "NAME is anything that can stand in an experiment file, a kernel file, on the command line or at the head of a "
        "report's column; or a group of such words. Without a NAME: the groups that there are.",
        OPTION_BIT(ALLOW_INCLUDE) | COMMON, 0, ANY, false, text_or_json, command_describe},
    {"new", "kernel | experiment NAME", "write a small kernel or experiment that runs, to begin with",
        "Into kernels/ or experiments/ where there is such a folder, else here. An experiment is of the kernel of its "
        "name; where there is none, that is written too. A file that is there stays as it is.",
        COMMON, 2, 2, false, NULL, command_new},
    {"print", "manual | schema | completion [WHICH]", "print what man, an editor or a shell reads",
        "manual [gpuexp | gpuexp-experiment | gpuexp-kernel]: a page, for man -l; `cmake --install` puts them in "
        "place. schema [experiment | kernel]: a JSON Schema, for editors; that of experiments knows the kernels that "
        "are there. completion bash | zsh | fish: in bash, source <(gpuexp print completion bash).",
        COMMON, 1, 2, true, NULL, command_print},
    {"devices", "", "print what is known of each device and each profile of the simulator", "", COMMON, 0, 0, false,
        text_or_json, command_devices},
    {"submit", "FILE", "measure on a cluster (SLURM, PBS): a job array of shards, and a job that merges them",
        "Writes a script into the folder `reports`, to read and edit, sized from the plan; submits it, then the merge "
        "that waits for it. What follows `--` goes to the scheduler and wins over the script. `submit health` is of no "
        "plan: it tests the GPUs of each node in a task of its own, and a second job judges them. It takes no node out "
        "of service; `gpuexp health --drain` does.",
        OPTION_BIT(SHARDS) | OPTION_BIT(NODES) | OPTION_BIT(PARTITION) | OPTION_BIT(DRY_RUN) | OPTION_BIT(SET) |
            OPTION_BIT(ALLOW_INCLUDE) | OPTION_BIT(DEVICE) | OPTION_BIT(SEED) | OPTION_BIT(FRESH) | COMMON,
        1, 1, true, NULL, command_submit},
    {"status", "FILE | REPORT...", "print how far a report and its shards are, and who is writing them",
        "Reads files alone: no device, no scheduler. Exit 75 while points are left to measure, 0 when none is; then a "
        "merge may be left, and that is said. Of a FILE it says where its options (-s) are not those that were "
        "measured. --format html writes a page, NAME.status.html or what --output names; with --every it asks for "
        "itself again.",
        OPTION_BIT(SET) | OPTION_BIT(ALLOW_INCLUDE) | OPTION_BIT(OUTPUT) | OPTION_BIT(EVERY) | OPTION_BIT(QUIET) |
            COMMON,
        1, ANY, false, status_formats, command_status},
    {"merge", "REPORT | SHARD...", "join the shards of a plan into one report, and say what is missing",
        "REPORT is the name of the whole (reports/x.csv); its shards are those beside it (x.1-of-8.csv, ...). Safe to "
        "repeat.",
        OPTION_BIT(OUTPUT) | OPTION_BIT(MIXED) | OPTION_BIT(QUIET) | COMMON, 1, ANY, false, NULL, command_merge},
    {"compare", "OLD.csv NEW.csv", "put the points of two reports side by side, the worst first",
        "A time is faster or slower where the 99 % interval of its ratio leaves out 1 and the ratio is beyond the "
        "threshold; the same where the interval is within it; unsure between. A count differs where it is not equal. "
        "Exit 1 where a point got slower, changed or is missing. --format html writes a page, NEW.compare.html or what "
        "--output names.",
        OPTION_BIT(OUTPUT) | OPTION_BIT(THRESHOLD) | OPTION_BIT(REMEASURE) | OPTION_BIT(QUIET) | COMMON, 2, 2, false,
        text_json_or_page, command_compare},
    {"judge", "BASE.cu NEW.cu...", "say whether a kernel is faster than another that promises the same",
        "Measures them in turns, in the same contexts of one GPU, and verifies each as a run does, by what BASE says "
        "is right. Same parameters, buffers and reports are needed. Writes reports/judge.csv; prints a verdict for "
        "each point with the 99 % interval of the ratio. Exit 1 where one is slower, or has no times because it is "
        "wrong or failed.",
        FILES | OPTION_BIT(OUTPUT) | OPTION_BIT(SEED) | OPTION_BIT(THRESHOLD) | OPTION_BIT(QUIET), 2, ANY, false,
        text_or_json, command_judge},
    {"replay", "REPORT.csv", "run again what a report was measured with, and compare the two",
        "Takes experiment, kernel, script, overrides, seed and device from the file REPORT.run.yaml, whatever has "
        "become of them since, writes REPORT.replay.csv and compares as `gpuexp compare` does. A count must be the "
        "same again.",
        OPTION_BIT(OUTPUT) | OPTION_BIT(THRESHOLD) | OPTION_BIT(QUIET) | OPTION_BIT(VERBOSE) | COMMON, 1, 1, false,
        NULL, command_replay},
    {"health", "[REPORT.csv...]", "tell whether GPUs are well: as quick as their like, and right",
        "Measures the GPUs of this machine one after the other, some 10 s each, into reports/health.HOST.GPU.csv, or "
        "reads such reports of many. Each is held against the reference of its model and against the others of its "
        "model. Exit 1 where a GPU is slower, wrong, throttled, or tells of errors.",
        OPTION_BIT(DEVICE) | OPTION_BIT(THRESHOLD) | OPTION_BIT(OUTPUT) | OPTION_BIT(QUIET) | OPTION_BIT(VERBOSE) |
            OPTION_BIT(NODES) | OPTION_BIT(DRAIN) | COMMON,
        0, ANY, false, health_formats, command_health},
    {"calibrate", "", "measure what the model must know of a GPU",
        "Measures short kernels on the GPU, in less than a minute, and writes reports/GPU.yaml: how long its launches, "
        "caches, memory and atomics take, and the constants of the model that follow. `-d sim:reports/GPU.yaml` then "
        "stands for it. Without -d it is the first GPU.",
        OPTION_BIT(DEVICE) | OPTION_BIT(OUTPUT) | OPTION_BIT(QUIET) | OPTION_BIT(VERBOSE) | COMMON, 0, 0, false, NULL,
        command_calibrate},
    {"report", "REPORT.csv... | FOLDER",
        "make a page of reports: charts and tables, in one HTML file that needs nothing else",
        "Writes REPORT.html beside the first, or what --output names; of a folder, a page for each report in it and "
        "index.html, which leads to them by theme. Reports of one experiment are drawn in one picture first. --format "
        "svg writes the pictures alone, md, csv, json and jsonl the rows, beside it too (`-o -` prints them). What is "
        "drawn follows from what the experiment asks: its claims, what it derives, what its script looks at; how, from "
        "its axes. `chart:` of the experiment says otherwise, and -s wins over it: -s chart.y=gbps.",
        OPTION_BIT(SET) | OPTION_BIT(OUTPUT) | OPTION_BIT(QUIET) | COMMON, 1, ANY, false, export_formats,
        command_report},
    {0},
};

static const struct choice exit_table[] = {
    {"0", "all well"},
    {"1", "a point failed, was wrong or racy, or an expectation broke"},
    {"2", "the command line or a file is in error; nothing was run"},
    {"3", "the system failed: no device, disk full"},
    {"75", "stopped early with work left: run the same command again to go on"},
    {NULL, NULL},
};

// of the glossary: commands, options, exit statuses
static void commands_words(entry_fn *fn, void *context)
{
    struct entry e = GLOSSARY_PLAIN;
    e.group = "commands", e.what = "is a command";
    for (const struct command *c = command_table; c->name; c++) {
        e.word = c->name, e.about = c->summary, e.takes = c->operands, e.note = c->about;
        fn(context, &e);
    }
    e.group = "options", e.note = "";
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_facts *f = &option_table[i];
        char word[64], what[64];
        snprintf(word, sizeof word, "--%s", f->name);
        snprintf(what, sizeof what, f->letter ? "is an option, also -%c" : "is an option", f->letter);
        e.word = word, e.what = what, e.about = f->help, e.takes = f->argument;
        fn(context, &e);
    }
    e = (struct entry)GLOSSARY_PLAIN;
    e.group = "exit", e.what = "is an exit status";
    for (const struct choice *c = exit_table; c->word; c++) {
        e.word = c->word, e.about = c->about;
        fn(context, &e);
    }
}

bool command_takes(const struct command *c, int option)
{
    return option == OPTION_FORMAT ? c->formats != NULL : c->options >> option & 1;
}

const struct command *command_find(const char *name)
{
    for (const struct command *c = command_table; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

// The worst of all: a failed system, an error, work left, a point that went wrong.
int command_graver(int a, int b)
{
    static const int order[] = {3, 2, 75, 1, 0};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i]) return order[i];
    return a;
}

static void heading(const char *text, const char *behind, FILE *out)
{
    term_say(out, TERM_BOLD, "%s", text);
    say(out, "%s", behind);
}

// gpuexp --help
static void commands_help(FILE *out)
{
    int width = term_width(out);
    say(out,
        "gpuexp: experiments on how a GPU's memory and execution behave; on a GPU or, without one, on a simulator\n\n");
    heading("usage", "\n", out);
    say(out,
        "  gpuexp FILE...            run the experiments of each file\n  gpuexp COMMAND ...        see `gpuexp COMMAND "
        "--help`\n\n");
    heading("commands", "\n", out);
    for (const struct command *c = command_table; c->name; c++) {
        LOCAL(str_release) struct str left = {0};
        str_addf(&left, "  %s %s", c->name, c->operands);
        term_columns(left.text, 28, c->summary, width, out);
    }
    say(out, "\n");
    term_say(out, TERM_BOLD, "options of %s", command_table[0].name);
    say(out, "\n");
    options_print(&command_table[0], width, out);
    say(out, "\n");
    heading("exit status", "\n", out);
    for (const struct choice *c = exit_table; c->word; c++) say(out, "  %-3s %s\n", c->word, c->about);
}

// gpuexp COMMAND --help
static void command_help(const struct command *c, FILE *out)
{
    int width = term_width(out);
    heading("usage", "  ", out);
    const char *rest = c->takes_rest ? " [-- ...]" : "";
    say(out, "gpuexp %s [options]%s%s%s\n", c->name, *c->operands ? " " : "", c->operands, rest);
    if (c->run == command_submit) say(out, "       gpuexp submit health --nodes NODES [options]%s\n", rest);
    say(out, "\n");
    term_columns("", 0, c->summary, width, out);
    if (*c->about) {
        say(out, "\n");
        term_columns("", 0, c->about, width, out);
    }
    say(out, "\n");
    heading("options", "\n", out);
    options_print(c, width, out);
}

// From argv to an exit status: finds the command, runs it, prints what went wrong.

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
    if (near) snprintf(hint, sizeof hint, "did you mean `%s`?", near);
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
    if (!options_given(o, OPTION_FORMAT) || choice_find(o->command->formats, o->value[OPTION_FORMAT]) >= 0) return true;
    choice_words(o->command->formats, words);
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
        for (size_t i = 0; i < o->operand_count; i++) command_script_options(o->operands[i]);
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
    job_host = host_launch; // no stage knows a later one
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
