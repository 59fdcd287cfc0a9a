// `gpuexp FILE...`: runs the experiments of each file, shows how far they are, and sums up what came of them.
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/term.h"
#include "cluster/scheduler.h"
#include "device/profiles.h"
#include "measure/result.h"
#include "page/html.h"
#include "plan/load.h"
#include "run/interrupt.h"
#include "run/run.h"
#include "spec/columns.h"
#include "study/trying.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct screen {
    struct progress progress; // first: what watches a run may be given either
    const struct options *options;
    const struct plan *plan;
    bool events; // standard output has them, and nothing else
    struct run_summary last;
};

// A point by the values that differ between points: "stride=32 memory=device". A script may give points any values.
static void name_point(const struct screen *screen, const struct run_point *p, struct str *s)
{
    const struct experiment *e = plan_experiment(screen->plan);
    for (size_t i = 0; i < p->name_count; i++) {
        if (!experiment_is_axis(e, p->names[i]) && !e->script) continue;
        str_addf(s, "%s%s=", s->size ? " " : "", p->names[i]);
        value_print(p->values[i], s);
    }
    if (!s->size) str_addf(s, "point %zu", p->point);
}

static void add_figure(const struct result *r, enum column c, struct str *s)
{
    double v = r->columns[c];
    if (isnan(v)) return;
    if (s->size) str_add(s, ", ");
    units_print_figure(v, s);
    str_addf(s, " %s", *column_table[c].unit ? column_table[c].unit : column_table[c].name);
}

// The few numbers that say most: how long and how fast; or, where nothing is timed, the accesses.
static void add_figures(const struct result *r, struct str *s)
{
    if (!isnan(r->columns[COLUMN_TIME_US])) units_print_seconds(r->columns[COLUMN_TIME_US] * 1e-6, s);
    add_figure(r, COLUMN_GBPS, s);
    if (!s->size) {
        add_figure(r, COLUMN_SECTORS_PER_REQUEST, s);
        add_figure(r, COLUMN_SHARED_LD_WAVEFRONTS_PER_REQUEST, s);
        add_figure(r, COLUMN_OCCUPANCY_PCT, s);
        if (!isnan(r->columns[COLUMN_OCCUPANCY_PCT])) str_add(s, " occupancy");
    }
}

static void started(void *context, const struct run_start *s)
{
    struct screen *screen = context;
    if (screen->progress.how != PROGRESS_QUIET) {
        term_say(stderr, TERM_BOLD, "%s", s->experiment);
        say(stderr, " on %s: %zu point%s", s->devices, s->points, s->points == 1 ? "" : "s");
        if (s->shards > 1) say(stderr, " of shard %u/%u", s->shard, s->shards);
        if (s->kept) say(stderr, ", %zu already in %s", s->kept, s->report);
        say(stderr, "\n");
        if (s->question && screen->progress.how == PROGRESS_VERBOSE) say(stderr, "%s\n", s->question);
    }
    progress_start(&screen->progress, s);
}

static void point(void *context, const struct run_point *p)
{
    struct screen *screen = context;
    LOCAL(str_release) struct str what = {0}, figures = {0};
    char reason[WHY_TEXT];
    screen->progress.total = screen->progress.before + p->todo; // a script may have added points
    name_point(screen, p, &what);
    if (status_has_numbers(p->result->status)) add_figures(p->result, &figures);
    progress_result(&screen->progress, what.text, p->result->status, figures.text ? figures.text : "",
        why_text(&p->result->why, reason), p->left_s);
}

// A broken expectation is printed even with -q: it is the answer that the file asked for.
static void claim(void *context, bool broken, struct where at, const char *line)
{
    struct screen *screen = context;
    if (screen->events || (!broken && screen->progress.how == PROGRESS_QUIET)) return;
    progress_stop(&screen->progress);
    summary_claim(broken, at, line);
}

// A script's summary is a result: it is printed where the run's summary is.
static void script_line(void *context, const char *line)
{
    struct screen *screen = context;
    progress_stop(&screen->progress);
    if (!screen->events && screen->progress.how != PROGRESS_QUIET) say(stdout, "%s\n", line);
}

static void say_end(const struct run_summary *s, FILE *out)
{
    if (s->end != RUN_COMPLETE) say(out, "%s with %zu of %zu points left; ", run_ends[s->end], s->left, s->points);
    summary_statuses(s->status, out);
}

// The summary with -q: only what makes the exit status another than 0, and where to look.
static void finished_quiet(const struct screen *screen, const struct run_summary *s)
{
    if (!status_bad(s->status) && !s->nothing && !s->script_failed && s->end == RUN_COMPLETE) return;
    say(stderr, "%s: ", plan_experiment(screen->plan)->name);
    say_end(s, stderr);
    if (s->script_failed) say(stderr, "; the script failed: %s", s->script_failed);
    if (s->nothing) say(stderr, "; nothing was measured: %s", s->nothing);
    say(stderr, "; %s\n", s->report);
}

static bool has_numbers(const struct view *v, enum column c)
{
    const int at = view_column(v, column_table[c].name);
    return at >= 0 && !v->columns[at].empty;
}

static void add_time(double us, struct str *s) { units_print_seconds(us * 1e-6, s); }

// Of one point all that is expected; of several, their table has the rest. Beside it what was measured: a point outside
// of its interval says so in its row.
static void say_expected(const struct view *v)
{
    const int time = view_column(v, column_table[COLUMN_TIME_US].name);
    const int us = view_column(v, column_table[COLUMN_MODEL_US].name),
              lo = view_column(v, column_table[COLUMN_MODEL_LO_US].name),
              hi = view_column(v, column_table[COLUMN_MODEL_HI_US].name),
              limit = view_column(v, column_table[COLUMN_MODEL_LIMIT].name);
    double least = NAN, most = NAN;
    size_t row = 0, count = 0, timed = 0, inside = 0;
    for (size_t i = 0; i < v->row_count; i++) {
        const double t = view_number(v, i, us), found = view_number(v, i, time);
        if (isnan(t)) continue;
        least = fmin(least, t), most = fmax(most, t), row = i, count++;
        if (!isnan(found)) timed++;
        if (found >= view_number(v, i, lo) && found <= view_number(v, i, hi)) inside++;
    }
    LOCAL(str_release) struct str s = {0};
    str_addf(&s, "%s: expected of an %s, not measured: ", column_table[COLUMN_MODEL_US].name,
        profile_of(v->rows[row][v->device])->title);
    add_time(least, &s);
    str_add(&s, count > 1 ? " to " : " (");
    add_time(count > 1 ? most : view_number(v, row, lo), &s);
    if (count == 1) {
        str_add(&s, " to ");
        add_time(view_number(v, row, hi), &s);
        str_addf(&s, "), by what limits it: %s", v->rows[row][limit]);
    }
    if (timed && count > 1) str_addf(&s, "; of %zu measured times %zu are inside of what is expected", timed, inside);
    else if (timed) {
        str_add(&s, "; measured: ");
        add_time(view_number(v, row, time), &s);
        str_add(&s, inside ? ", inside" : ", outside of that");
    }
    term_paragraph(stdout, 0, s.text);
}

// Where no time was measured: what a GPU found before.
static void say_found(const struct experiment *e)
{
    LOCAL(mem_drop) char *found = found_before_text(&e->found, false);
    if (found && term_is_live(stdout)) term_columns("", 0, found, term_width(stdout), stdout);
    else if (found) say(stdout, "%s\n", found);
}

static void show_rows(const struct sheet *sheet, const struct experiment *e)
{
    LOCAL(str_release) struct str head = {0}, rows = {0}, plot = {0};
    const bool live = term_is_live(stdout);
    const int width = live ? term_width(stdout) : 0;
    if (plot_rows(sheet, e, width, &head, &rows)) {
        term_say(stdout, TERM_DIM, "%s", head.text ? head.text : "");
        say(stdout, "\n%s", rows.text);
    }
    if (live) plot_add(sheet, width, &plot);
    if (plot.size) term_say(stdout, TERM_CYAN, "%s", plot.text);
}

static void finished(void *context, const struct run_summary *s)
{
    struct screen *screen = context;
    progress_stop(&screen->progress);
    screen->last = *s;
    if (screen->events) return;
    if (screen->progress.how == PROGRESS_QUIET) {
        finished_quiet(screen, s);
        return;
    }
    LOCAL(sheet_release) struct sheet sheet = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    const struct chart_wish wish = {0};
    const bool complete = s->end == RUN_COMPLETE, read = complete && sheet_read(&sheet, s->report, &wish, &ignored);
    const bool whole = complete && !s->nothing, timed = whole && read && has_numbers(&sheet.view, COLUMN_TIME_US);
    // What its rows answer, first of all.
    if (whole && read && sheet.answer) term_columns("", 0, sheet.answer, term_width(stdout), stdout);
    if (read) show_rows(&sheet, plan_experiment(screen->plan));
    if (whole && read && has_numbers(&sheet.view, COLUMN_MODEL_US)) say_expected(&sheet.view);
    term_say(stdout, TERM_BOLD, "%s", plan_experiment(screen->plan)->name);
    say(stdout, ": ");
    say_end(s, stdout);
    if (complete) summary_claims(s->holding, s->broken, s->unchecked);
    if (s->script_failed) say(stdout, "; "), term_say(stdout, TERM_RED, "the script failed");
    if (s->nothing) say(stdout, "; nothing was measured: %s", s->nothing);
    if (s->measured) {
        LOCAL(str_release) struct str time = {0};
        units_print_seconds(s->seconds, &time);
        say(stdout, "; %s", time.text);
        str_clear(&time);
        units_print_seconds(s->seconds / (double)s->measured, &time);
        if (s->busy > 0) say(stdout, ", %s a point, %.0f %% of it in timed work", time.text, 100 * s->busy);
    }
    say(stdout, "; %s\n", s->report);
    if (whole && !timed) say_found(plan_experiment(screen->plan));
    if (!complete) say(stdout, "run the same command again to go on\n");
    fflush(stdout);
}

// The command line, so that it can be typed again.
static char *typed(const struct options *o)
{
    struct str s = {0};
    for (int i = 0; i < o->argc; i++) {
        const char *word = i ? o->argv[i] : "gpuexp";
        if (i) str_add(&s, " ");
        text_add_word(&s, word);
    }
    return str_take(&s);
}

static const char *variable(const char *name) { return getenv(name); }

static bool says_device(const struct loaded *all)
{
    for (size_t i = 0; i < all->count; i++)
        for (size_t n = 0; n < all->items[i]->name_count; n++)
            if (strcmp(all->items[i]->names[n], "device") == 0) return true;
    return false;
}

// Inside a job of a cluster: takes its shard unless --shard is given, its GPU unless a device is, and its time limit,
// and waits for another writer (the same task on a node that was thought dead).
static void fit_into_job(const struct options *o, const struct loaded *all, struct cluster_job *job,
    struct run_options *r, struct screen *screen)
{
    char line[320];
    r->job = job->words;
    r->time_left = scheduler_time_left;
    r->time_context = job;
    r->lock_wait_s = 1e9;
    r->one_model = true;
    if (!options_given(o, OPTION_SHARD) && job->shards > 1) {
        r->shard = job->shard;
        r->shards = job->shards;
    }
    if (!says_device(all)) r->devices = job->devices;
    snprintf(line, sizeof line, "%s", job->words);
    progress_note(screen, line);
}

// After a run that ended early in a job: requeues it.
static void after_job(const struct options *o, struct cluster_job *job, struct screen *screen, struct diags *d)
{
    char why[256];
    if (!options_given(o, OPTION_REQUEUE)) return;
    bool again = scheduler_should_requeue(job, &screen->last, why);
    if (*why) progress_note(screen, why);
    if (again) job->scheduler->requeue(job, d);
}

static bool one_report_each(const struct options *o, const struct loaded *all, struct diags *d)
{
    if (options_given(o, OPTION_OUTPUT) && all->count > 1)
        return diag_user(d, (struct where){0}, "leave it out: each writes reports/NAME.csv",
            "--output names one file, for %zu experiments", all->count);
    return true;
}

static bool asked_to_stop(void) { return interrupt_signal() != 0; }

int command_run(const struct options *o, struct diags *d)
{
    LOCAL(load_release) struct loaded all = {0};
    const struct request request = options_request(o);
    const char *format = o->value[OPTION_FORMAT];
    struct screen screen = {.options = o,
        .events = format && strcmp(format, "jsonl") == 0,
        .progress = {.visit = "context",
            .how = options_given(o, OPTION_QUIET)  ? PROGRESS_QUIET
                : options_given(o, OPTION_VERBOSE) ? PROGRESS_VERBOSE
                                                   : PROGRESS_NORMAL}};
    const struct run_observer events = events_observer(&screen.plan);
    const struct run_observer observer = {.context = &screen,
        .next = screen.events ? &events : NULL,
        .note = progress_note,
        .started = started,
        .point = point,
        .visit = progress_visit,
        .tick = progress_tick,
        .claim = claim,
        .line = script_line,
        .finished = finished};
    LOCAL(mem_drop) char *line = typed(o);
    struct cluster_job job;
    bool in_job = scheduler_job(&job, variable, d);
    if (in_job && job.of_unknown && !options_given(o, OPTION_SHARD))
        diag_user(d, (struct where){0}, "say which: --shard NUMBER/TASKS",
            "job %s is one task of an array, and does not say of how many", job.id);
    struct run_options options = {
        .report = o->value[OPTION_OUTPUT],
        .shard = (unsigned)o->number[OPTION_SHARD],
        .shards = (unsigned)o->parts,
        .seed = o->number[OPTION_SEED],
        .fresh = options_given(o, OPTION_FRESH),
        .overrides = o->overrides,
        .override_count = o->override_count,
        .command = line,
        .worth_s = 5,
    };
    int status = 0;
    interrupt_begin(); // from here on a signal is a wish to stop, exit status 75, whatever is at work
    bool good = load_files(&request, &all, d) && one_report_each(o, &all, d);
    if (good && in_job) fit_into_job(o, &all, &job, &options, &screen);
    LOCAL(mem_drop) struct plan **plans = mem_alloc((all.count + 1) * sizeof *plans);
    // Nothing is measured yet: whoever asks for an end need not wait for the plan.
    if (good) sandbox_stop(all.sandbox, asked_to_stop);
    for (size_t i = 0; good && i < all.count; i++) plans[i] = load_plan(&all, i, d);
    if (good) sandbox_stop(all.sandbox, NULL);
    if (good && interrupt_signal() && diags_errors(d)) diags_clear(d), status = 75;
    for (size_t i = 0; i < all.count && good && !diags_errors(d) && status != 75;
         i++) { // nothing runs while a file is in error
        if (interrupt_signal()) {
            status = command_graver(status, 75);
            break;
        }
        screen.plan = plans[i];
        if (!plan_count(plans[i])) {
            status = command_graver(status, trying_none(plans[i], d));
            continue;
        }
        status = command_graver(status, run_experiment(plans[i], &options, &observer, d));
        progress_stop(&screen.progress);
    }
    if (in_job) after_job(o, &job, &screen, d);
    for (size_t i = 0; i < all.count; i++)
        if (plans[i]) plan_free(plans[i]);
    interrupt_end();
    return status;
}

int command_run_on(const struct options *o, const char *file, const char *device, const char *report, bool fresh,
    struct diags *d)
{
    struct options again = *o;
    LOCAL(str_release) struct str on = {0};
    str_addf(&on, "device=%s", device);
    options_ask_for(&again,
        &(struct request){.files = &file,
            .count = 1,
            .overrides = &(struct override){on.text},
            .override_count = 1,
            .shard = 1,
            .shards = 1});
    again.value[OPTION_OUTPUT] = report;
    again.value[OPTION_SHARD] = "";
    again.value[OPTION_FORMAT] = NULL;
    if (fresh) again.value[OPTION_FRESH] = "";
    if (!options_given(o, OPTION_VERBOSE)) again.value[OPTION_QUIET] = "";
    return command_run(&again, d);
}
