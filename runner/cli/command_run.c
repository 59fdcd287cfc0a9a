// `gpuexp FILE...`: runs the experiments of each file, shows how far they are, and sums up what came of them.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "cli/term.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct screen {
    const struct options *options;
    const struct plan *plan;
    enum progress_how how;
    struct progress progress;
    bool started;
};

static bool is_axis(const struct experiment *e, const char *name)
{
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t j = 0; j < e->sweep[i].count; j++)
            if (strcmp(e->sweep[i].items[j].name, name) == 0) return true;
    for (size_t i = 0; i < e->include_count; i++)
        for (size_t j = 0; j < e->include[i].count; j++)
            if (strcmp(e->include[i].items[j].name, name) == 0) return true;
    return false;
}

// A point by what tells it from the others: "stride=32 memory=device".
static void name_point(const struct screen *screen, const struct run_point *p, struct str *s)
{
    for (size_t i = 0; i < p->name_count; i++) {
        if (!is_axis(plan_experiment(screen->plan), p->names[i])) continue;
        str_addf(s, "%s%s=", s->size ? " " : "", p->names[i]);
        value_print(p->values[i], s);
    }
    if (!s->size) str_addf(s, "point %zu", p->point);
}

static void add_figure(const struct result *r, enum column c, struct str *s)
{
    double v = r->columns[c];
    if (isnan(v)) return;
    str_addf(s, "%s%.*f %s", s->size ? ", " : "", v == floor(v) && fabs(v) < 1e15 ? 0 : 2, v,
             *column_table[c].unit ? column_table[c].unit : column_table[c].name);
}

// The few numbers that say most: how long and how fast, or where nothing is timed, how the accesses fell.
static void add_figures(const struct result *r, struct str *s)
{
    add_figure(r, COLUMN_TIME_US, s);
    add_figure(r, COLUMN_GBPS, s);
    if (!s->size) {
        add_figure(r, COLUMN_SECTORS_PER_REQUEST, s);
        add_figure(r, COLUMN_SHARED_LD_WAVEFRONTS_PER_REQUEST, s);
        add_figure(r, COLUMN_OCCUPANCY_PCT, s);
    }
}

static void note(void *context, const char *line)
{
    struct screen *screen = context;
    if (screen->started) progress_note(&screen->progress, line);
    else if (screen->how != PROGRESS_QUIET) fprintf(stderr, "%s\n", line);
}

static void started(void *context, const struct run_start *s)
{
    struct screen *screen = context;
    if (screen->how != PROGRESS_QUIET) {
        fprintf(stderr, "%s%s%s on %s: %zu point%s", term_colour(stderr, TERM_BOLD), s->experiment,
                term_colour(stderr, TERM_PLAIN), s->devices, s->points, s->points == 1 ? "" : "s");
        if (s->shards > 1) fprintf(stderr, " of shard %u/%u", s->shard, s->shards);
        if (s->kept) fprintf(stderr, ", %zu already in %s", s->kept, s->report);
        fputc('\n', stderr);
        if (s->question && screen->how == PROGRESS_VERBOSE) fprintf(stderr, "%s\n", s->question);
    }
    progress_start(&screen->progress, stderr, screen->how, s->experiment, s->points, s->kept);
    screen->started = true;
}

static void point(void *context, const struct run_point *p)
{
    struct screen *screen = context;
    struct str what = {0}, figures = {0};
    name_point(screen, p, &what);
    add_figures(p->result, &figures);
    progress_result(&screen->progress, what.text, p->result->status, figures.text ? figures.text : "", p->result->reason,
                    p->left_s);
    str_release(&what);
    str_release(&figures);
}

static void tick(void *context) { progress_tick(&((struct screen *)context)->progress); }

// A broken expectation is told even with -q: it is the answer that the file asked for.
static void claim(void *context, bool broken, struct where at, const char *line)
{
    struct screen *screen = context;
    if (!broken && screen->how == PROGRESS_QUIET) return;
    progress_stop(&screen->progress);
    fprintf(stderr, "%s:%d: %s%s%s\n", at.file ? at.file : "", at.line, term_colour(stderr, broken ? TERM_RED : TERM_YELLOW),
            line, term_colour(stderr, TERM_PLAIN));
}

static void finished(void *context, const struct run_summary *s)
{
    static const char *const ends[] = {
        [RUN_COMPLETE] = "", [RUN_STOPPED] = "stopped", [RUN_OUT_OF_TIME] = "out of time", [RUN_ABORTED] = "broken off"};
    struct screen *screen = context;
    progress_stop(&screen->progress);
    screen->started = false;
    if (screen->how == PROGRESS_QUIET) return;
    printf("%s%s%s: ", term_colour(stdout, TERM_BOLD), plan_experiment(screen->plan)->name, term_colour(stdout, TERM_PLAIN));
    if (*ends[s->end]) printf("%s with %zu of %zu points left; ", ends[s->end], s->left, s->points);
    summary_statuses(s->status, stdout);
    if (s->broken)
        printf("; %s%zu expectation%s broken%s", term_colour(stdout, TERM_RED), s->broken, s->broken == 1 ? "" : "s",
               term_colour(stdout, TERM_PLAIN));
    else if (s->end == RUN_COMPLETE && plan_experiment(screen->plan)->expect_count > s->unchecked)
        printf("; every expectation %sholds%s", term_colour(stdout, TERM_GREEN), term_colour(stdout, TERM_PLAIN));
    if (s->unchecked) printf(", %zu could not be checked", s->unchecked);
    struct str time = {0};
    units_print_seconds(s->seconds, &time);
    printf("; %s; %s\n", time.text, s->report);
    str_release(&time);
    if (*ends[s->end]) printf("run the same command again to go on\n");
    fflush(stdout);
}

// The command line as it could be typed again.
static char *typed(const struct options *o)
{
    struct str s = {0};
    for (int i = 0; i < o->argc; i++) {
        const char *word = i ? o->argv[i] : "gpuexp";
        bool bare =
            *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,%@") == strlen(word);
        if (i) str_add(&s, " ");
        if (bare) {
            str_add(&s, word);
            continue;
        }
        str_add(&s, "'");
        for (; *word; word++) str_add(&s, *word == '\'' ? "'\\''" : (char[]){*word, 0});
        str_add(&s, "'");
    }
    return str_take(&s);
}

// The gravest: a failed system, an error, work left, a point gone wrong.
static int graver(int a, int b)
{
    static const int order[] = {3, 2, 75, 1, 0};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i]) return order[i];
    return a;
}

static bool one_report_each(const struct options *o, const struct loaded *all, struct diags *d)
{
    if (options_given(o, OPTION_OUTPUT) && all->count > 1)
        return diag_user(d, (struct where){0}, "leave it out: each writes reports/NAME.csv",
                         "--output names one file, for %zu experiments", all->count);
    return true;
}

int command_run(const struct options *o, struct diags *d)
{
    struct loaded all;
    struct screen screen = {.options = o,
                            .how = options_given(o, OPTION_QUIET)     ? PROGRESS_QUIET
                                   : options_given(o, OPTION_VERBOSE) ? PROGRESS_VERBOSE
                                                                      : PROGRESS_NORMAL};
    const struct run_observer observer = {&screen, note, started, point, tick, claim, finished};
    char *line = typed(o);
    const struct run_options options = {
        .report = o->value[OPTION_OUTPUT],
        .shard = (unsigned)o->number[OPTION_SHARD],
        .shards = (unsigned)o->parts,
        .seed = o->number[OPTION_SEED],
        .fresh = options_given(o, OPTION_FRESH),
        .overrides = o->overrides,
        .override_count = o->override_count,
        .command = line,
    };
    int status = 0;
    bool good = load_files(o, &all, d) && one_report_each(o, &all, d);
    struct plan **plans = mem_alloc((all.count + 1) * sizeof *plans);
    for (size_t i = 0; good && i < all.count; i++) plans[i] = plan_new(all.items[i], all.sandbox, d);
    for (size_t i = 0; i < all.count && good && !diags_errors(d) && status != 75;
         i++) { // nothing runs while a file is in error
        screen.plan = plans[i];
        status = graver(status, run_experiment(plans[i], &options, &observer, d));
        if (screen.started) progress_stop(&screen.progress);
        screen.started = false;
    }
    for (size_t i = 0; i < all.count; i++)
        if (plans[i]) plan_free(plans[i]);
    free(plans);
    load_release(&all);
    free(line);
    return status;
}
