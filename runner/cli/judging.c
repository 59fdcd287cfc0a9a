// Gathers what each visit of each point gave, and pairs it.
// SPDX-License-Identifier: MIT
#include "cli/judging.h"

#include "base/apart.h"
#include "base/json.h"
#include "cli/as_json.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/term.h"
#include "device/device.h"
#include "measure/verdict.h"
#include "run/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct judged {   // one kernel at one point
    size_t place; // in the plan
    char *point, *kernel;
    enum status status;
    char reason[400];
    struct timing timing;
    double us[CONTEXTS_MOST], errors[CONTEXTS_MOST];
    unsigned in_context[CONTEXTS_MOST];
    size_t count;
};

struct watching {
    struct judging *j;
    const struct plan *plan;
    struct progress progress;
    bool started;
    char report[4096];
    int end;
};

static const struct where nowhere = {0};

static void note(void *context, const char *line)
{
    struct watching *w = context;
    if (w->started) progress_note(&w->progress, line);
    else if (!w->j->quiet) say(stderr, "%s\n", line);
}

static void started(void *context, const struct run_start *s)
{
    struct watching *w = context;
    w->started = true;
    progress_start(&w->progress, stderr, w->j->quiet ? PROGRESS_QUIET : PROGRESS_NORMAL, s->experiment, s->points, 0);
}

static void visit(void *context, size_t sampled, size_t visits, double left_s)
{
    progress_visit(&((struct watching *)context)->progress, sampled, visits, left_s);
}

static void tick(void *context) { progress_tick(&((struct watching *)context)->progress); }

static void finished(void *context, const struct run_summary *s)
{
    struct watching *w = context;
    if (w->started) progress_stop(&w->progress);
    w->started = false;
    snprintf(w->report, sizeof w->report, "%s", s->report);
}

// The values that differ between points, but for the kernel.
static void name_point(const struct watching *w, const struct run_point *p, struct str *s)
{
    for (size_t i = 0; i < p->name_count; i++) {
        if (strcmp(p->names[i], "kernel") == 0 || !results_is_axis(plan_experiment(w->plan), p->names[i])) continue;
        str_addf(s, "%s%s=", s->size ? " " : "", p->names[i]);
        value_print(p->values[i], s);
    }
}

static const char *kernel_of(const struct run_point *p)
{
    for (size_t i = 0; i < p->name_count; i++)
        if (strcmp(p->names[i], "kernel") == 0) return p->values[i].text;
    return "";
}

static void point(void *context, const struct run_point *p)
{
    struct watching *w = context;
    struct judging *j = w->j;
    struct str name = {0}, kernel = {0};
    name_point(w, p, &name);
    str_add(&kernel, kernel_of(p));
    mem_grow(&j->items, &j->room, j->count + 1, sizeof *j->items);
    struct judged *x = &j->items[j->count++];
    const double *columns = p->result->columns;
    *x = (struct judged){.place = p->point,
        .point = str_take(&name),
        .kernel = str_take(&kernel),
        .status = p->result->status,
        .timing = {columns[COLUMN_TIME_US], columns[COLUMN_TIME_LO_US], columns[COLUMN_TIME_HI_US],
            columns[COLUMN_CONTEXTS]},
        .count = p->part_count};
    memcpy(x->reason, p->result->reason, sizeof x->reason);
    for (size_t i = 0; i < p->part_count; i++) {
        x->us[i] = p->parts[i].time_us;
        x->errors[i] = p->parts[i].error_us;
        x->in_context[i] = p->in_context[i];
    }
}

// Rounds are pairs where both kernels had the same contexts.
static struct ratio ratio_of(const struct judged *base, const struct judged *x)
{
    const size_t bytes = x->count * sizeof x->in_context[0];
    if (x->count > 1 && x->count == base->count && memcmp(x->in_context, base->in_context, bytes) == 0)
        return verdict_paired(base->us, base->errors, x->us, x->errors, x->count);
    return verdict_ratio(&base->timing, &x->timing);
}

static const char *const words[] = {
    [VERDICT_SAME] = "same", [VERDICT_FASTER] = "faster", [VERDICT_SLOWER] = "slower", [VERDICT_UNSURE] = "unsure"};
static const enum term_colour colours[] = {[VERDICT_SAME] = TERM_DIM,
    [VERDICT_FASTER] = TERM_GREEN,
    [VERDICT_SLOWER] = TERM_RED,
    [VERDICT_UNSURE] = TERM_YELLOW};

struct finding_of { // what is said of one kernel at one point
    const struct judged *base, *x;
    const char *word, *reason;
    enum term_colour colour;
    struct ratio ratio;
    bool bad;
};

static struct finding_of judge(const struct judging *j, const struct judged *base, const struct judged *x)
{
    struct finding_of f = {base, x, status_names[x->status], x->reason, TERM_RED, {NAN, NAN, NAN}, true};
    if (!status_has_numbers(x->status) || !(x->timing.us > 0)) return f;
    if (!base || !status_has_numbers(base->status) || !(base->timing.us > 0)) {
        f.word = words[VERDICT_UNSURE];
        f.reason = "what it is held against has no time";
        return f;
    }
    f.ratio = ratio_of(base, x);
    const enum verdict_kind kind = verdict_of(&f.ratio, j->threshold);
    f.word = words[kind];
    f.colour = colours[kind];
    f.bad = kind == VERDICT_SLOWER;
    f.reason = "";
    return f;
}

static void print_text(const struct finding_of *f)
{
    term_say(stdout, f->colour, "%-10s", f->word);
    say(stdout, " %s%s%s:", f->x->kernel, *f->x->point ? " " : "", f->x->point);
    if (isfinite(f->ratio.value))
        say(stdout, " %.3f us -> %.3f us, x%.4f", f->base->timing.us, f->x->timing.us, f->ratio.value);
    if (isfinite(f->ratio.low)) say(stdout, " (%.4f to %.4f)", f->ratio.low, f->ratio.high);
    say(stdout, "%s%s\n", *f->reason ? " " : "", f->reason);
}

static void print_rounds(struct json *json, const char *key, const struct judged *x)
{
    json_list(json, key);
    for (size_t i = 0; i < x->count; i++) json_number(json, NULL, x->us[i]);
    json_close(json);
}

static void print_object(struct json *json, const struct finding_of *f)
{
    json_object(json, NULL);
    json_text(json, "verdict", f->word);
    json_text(json, "kernel", f->x->kernel);
    json_text(json, "point", f->x->point);
    json_text(json, "status", status_names[f->x->status]);
    if (*f->reason) json_text(json, "reason", f->reason);
    if (isfinite(f->ratio.value)) json_number(json, "base_us", f->base->timing.us);
    if (f->x->timing.us > 0) json_number(json, "time_us", f->x->timing.us);
    if (isfinite(f->ratio.value)) json_number(json, "ratio", f->ratio.value);
    if (isfinite(f->ratio.low)) json_number(json, "ratio_low", f->ratio.low);
    if (isfinite(f->ratio.low)) json_number(json, "ratio_high", f->ratio.high);
    if (isfinite(f->ratio.value)) print_rounds(json, "base_rounds_us", f->base);
    if (isfinite(f->ratio.value)) print_rounds(json, "rounds_us", f->x);
    json_close(json);
}

static const struct judged *base_of(const struct judging *j, const struct judged *x)
{
    for (size_t i = 0; i < j->count; i++)
        if (strcmp(j->items[i].kernel, j->base) == 0 && strcmp(j->items[i].point, x->point) == 0) return &j->items[i];
    return NULL;
}

static int by_place(const void *a, const void *b)
{
    const struct judged *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

// In the order of the command line, each kernel's points as the plan has them. True: something is bad.
static bool print_all(const struct judging *j, const struct experiment *e, struct json *json)
{
    bool bad = false;
    for (size_t k = 0; k < e->kernel_count; k++)
        for (size_t i = 0; i < j->count; i++) {
            const struct judged *x = &j->items[i];
            if (strcmp(x->kernel, e->kernels[k]->name) != 0) continue;
            const bool is_base = strcmp(x->kernel, j->base) == 0;
            const struct finding_of f = judge(j, is_base ? NULL : base_of(j, x), x);
            if (is_base && status_has_numbers(x->status) && x->timing.us > 0) continue; // it is in the others' lines
            bad |= f.bad;
            if (json) print_object(json, &f);
            else if (!j->quiet) print_text(&f);
        }
    return bad;
}

// Whether there is a clock: before a report is made, or an earlier one put aside.
struct judging_device {
    char spec[DEVICE_SPEC], note[256], error[256];
    bool timeless;
};

static void look(const void *spec, void *answer)
{
    struct judging_device *f = answer;
    struct diags d = {0};
    device_own_process();
    const struct device_ops *ops = device_find(spec, f->spec, f->note, &d);
    if (!ops) snprintf(f->error, sizeof f->error, "%s", diags_first(&d));
    f->timeless = ops && ops == device_simulator();
}

static const char *device_asked(const struct plan *p, struct arena *a)
{
    struct value *values = arena_alloc(a, (plan_name_count(p) + 1) * sizeof *values);
    plan_values(p, 0, values);
    for (size_t i = 0; i < plan_name_count(p); i++)
        if (strcmp(plan_name(p, i), "device") == 0 && values[i].kind == VALUE_TEXT) return values[i].text;
    return setting_default(SETTING_DEVICE).text;
}

static bool find_device(const struct plan *p, struct judging_device *f, struct arena *a, struct diags *d)
{
    const char *spec = device_asked(p, a);
    if (device_all(spec))
        return diag_user(d, nowhere, "choose one of them with -d",
            "what is judged is measured in turns on one device, not on `%s`", spec);
    snprintf(f->spec, sizeof f->spec, "%s", spec);
    f->timeless = device_kind(spec) && device_kind(spec) == device_simulator();
    // A spec of its own kind needs no looking: the worker says what is wrong with it.
    if (!device_kind(spec) && !apart_ask(look, spec, f, sizeof *f))
        return diag_system(d, "run it again", "looking for device `%s` failed: %s", spec, strerror(errno));
    if (*f->error) return diag_system(d, "see `gpuexp devices`, or choose another with -d", "%s", f->error);
    if (!f->timeless) return true;
    return diag_user(d, nowhere, "choose a device that has a clock with -d: see `gpuexp devices`",
        "%s has no times: nothing can be judged (`gpuexp compare` holds counts against each other)", f->spec);
}

int judging_run(struct judging *j, const struct options *o, struct plan *plan, struct arena *a, struct diags *d)
{
    struct watching w = {.j = j, .plan = plan};
    struct judging_device found = {0};
    struct json json = json_begin(stdout, false);
    const struct experiment *e = plan_experiment(plan);
    if (!plan_count(plan)) return diag_user(d, (struct where){.file = e->file}, NULL, "no point is left to measure"), 1;
    if (!find_device(plan, &found, a, d)) return 2;
    const struct run_observer observer = {.context = &w,
        .note = note,
        .started = started,
        .point = point,
        .visit = visit,
        .tick = tick,
        .finished = finished};
    const char *const devices[] = {found.spec, NULL};
    const struct run_options options = {.report = o->value[OPTION_OUTPUT],
        .seed = o->number[OPTION_SEED],
        .rounds = JUDGING_ROUNDS,
        .fresh = true,
        .devices = devices,
        .overrides = o->overrides,
        .override_count = o->override_count};
    j->base = e->kernels[0]->name;
    int status = run_experiment(plan, &options, &observer, d);
    if (w.started) progress_stop(&w.progress);
    if (diags_errors(d)) return status;
    if (as_json(o)) {
        json_object(&json, NULL);
        json_text(&json, "base", j->base);
        json_text(&json, "report", w.report);
        json_list(&json, "verdicts");
    }
    qsort(j->items, j->count, sizeof *j->items, by_place);
    const bool bad = print_all(j, e, as_json(o) ? &json : NULL);
    if (as_json(o)) json_end(&json);
    if (status == 75) return 75;
    return bad ? 1 : 0;
}

void judging_release(struct judging *j)
{
    for (size_t i = 0; i < j->count; i++) {
        free(j->items[i].point);
        free(j->items[i].kernel);
    }
    free(j->items);
}
