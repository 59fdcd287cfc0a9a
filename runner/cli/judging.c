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
#include "run/interrupt.h"
#include "run/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct watching {
    struct judging *j;
    const struct plan *plan;
    struct progress progress;
    bool started;
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
    w->progress.visit = "round";
}

static void visit(void *context, size_t sampled, size_t visits, double left_s)
{
    progress_visit(&((struct watching *)context)->progress, sampled, visits, left_s);
}

static void tick(void *context)
{
    struct watching *w = context;
    if (interrupt_signal()) progress_stopping(&w->progress);
    progress_tick(&w->progress);
}

static void finished(void *context, const struct run_summary *s)
{
    struct watching *w = context;
    if (w->started) progress_stop(&w->progress);
    w->started = false;
    if (s->end != RUN_COMPLETE)
        say(stderr, "%s: stopped with %zu of %zu points left, of which there is no verdict\n",
            plan_experiment(w->plan)->name, s->left, s->points);
    snprintf(w->j->written, sizeof w->j->written, "%s", s->report);
}

void judging_key(const char *const *names, const char *const *of, const struct value *values, size_t count,
    struct str *s)
{
    for (; *names; names++)
        for (size_t i = 0; i < count; i++) {
            if (strcmp(of[i], *names) != 0) continue;
            str_addf(s, "%s%s=", s->size ? " " : "", *names);
            value_print(values[i], s);
        }
}

// The values that differ between points, but for the kernel.
static void name_point(const struct watching *w, const struct run_point *p, struct str *s)
{
    if (w->j->names) {
        judging_key(w->j->names, p->names, p->values, p->name_count, s);
        return;
    }
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

static bool has_time(const struct judged *x) { return status_has_numbers(x->status) && x->timing.us > 0; }

static const struct judged *base_of(const struct judging *j, const struct judged *x)
{
    for (size_t i = 0; i < j->count; i++)
        if (strcmp(j->items[i].kernel, j->base) == 0 && strcmp(j->items[i].point, x->point) == 0) return &j->items[i];
    return NULL;
}

struct judging_verdict judging_verdict(const struct judging *j, const struct judged *x)
{
    const struct judged *base = base_of(j, x);
    struct judging_verdict v = {
        base == x ? NULL : base, x, status_names[x->status], x->reason, VERDICT_UNSURE, {NAN, NAN, NAN}, true};
    if (!has_time(x)) return v;
    v.word = words[VERDICT_UNSURE];
    v.reason = "what it is held against has no time";
    if (!v.base || !has_time(base)) return v;
    v.ratio = ratio_of(base, x);
    v.kind = verdict_of(&v.ratio, j->threshold);
    v.word = words[v.kind];
    v.bad = v.kind == VERDICT_SLOWER;
    v.reason = "";
    return v;
}

static void print_text(const struct judging_verdict *v)
{
    const bool timed = isfinite(v->ratio.value);
    term_say(stdout, timed ? colours[v->kind] : TERM_RED, "%-10s", v->word);
    say(stdout, " %s%s%s:", v->x->kernel, *v->x->point ? " " : "", v->x->point);
    if (timed) say(stdout, " %.3f us -> %.3f us, x%.4f", v->base->timing.us, v->x->timing.us, v->ratio.value);
    if (isfinite(v->ratio.low)) say(stdout, " (%.4f to %.4f)", v->ratio.low, v->ratio.high);
    say(stdout, "%s%s\n", *v->reason ? " " : "", v->reason);
}

static void print_rounds(struct json *json, const char *key, const struct judged *x)
{
    json_list(json, key);
    for (size_t i = 0; i < x->count; i++) json_number(json, NULL, x->us[i]);
    json_close(json);
}

static void print_object(struct json *json, const struct judging_verdict *v)
{
    json_object(json, NULL);
    json_text(json, "verdict", v->word);
    json_text(json, "kernel", v->x->kernel);
    json_text(json, "point", v->x->point);
    json_text(json, "status", status_names[v->x->status]);
    if (*v->reason) json_text(json, "reason", v->reason);
    if (isfinite(v->ratio.value)) json_number(json, "base_us", v->base->timing.us);
    if (v->x->timing.us > 0) json_number(json, "time_us", v->x->timing.us);
    if (isfinite(v->ratio.value)) json_number(json, "ratio", v->ratio.value);
    if (isfinite(v->ratio.low)) json_number(json, "ratio_low", v->ratio.low);
    if (isfinite(v->ratio.low)) json_number(json, "ratio_high", v->ratio.high);
    if (isfinite(v->ratio.value)) print_rounds(json, "base_rounds_us", v->base);
    if (isfinite(v->ratio.value)) print_rounds(json, "rounds_us", v->x);
    json_close(json);
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
            if (!base_of(j, x)) continue; // it stopped in between
            const struct judging_verdict v = judging_verdict(j, x);
            if (strcmp(x->kernel, j->base) == 0 && has_time(x)) continue; // it is in the others' lines
            bad |= v.bad;
            if (json) print_object(json, &v);
            else if (!j->quiet) print_text(&v);
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

static bool wants(void *context, const struct plan *plan, size_t point)
{
    const struct watching *w = context;
    const size_t names = plan_name_count(plan);
    struct value *values = mem_alloc((names + 1) * sizeof *values);
    const char **of = mem_alloc((names + 1) * sizeof *of);
    struct str key = {0};
    bool wanted = false;
    plan_values(plan, point, values);
    for (size_t i = 0; i < names; i++) of[i] = plan_name(plan, i);
    judging_key(w->j->names, of, values, names, &key);
    for (const char *const *p = w->j->points; *p && !wanted; p++) wanted = strcmp(*p, key.text ? key.text : "") == 0;
    str_release(&key);
    free(values);
    free(of);
    return wanted;
}

int judging_measure(struct judging *j, const struct options *o, struct plan *plan, struct arena *a, struct diags *d)
{
    struct watching w = {.j = j, .plan = plan};
    struct judging_device found = {0};
    const struct experiment *e = plan_experiment(plan);
    if (!plan_count(plan)) return diag_user(d, (struct where){.file = e->file}, NULL, "no point is left to measure"), 2;
    if (!find_device(plan, &found, a, d)) return 2;
    const struct run_observer observer = {.context = &w,
        .note = note,
        .started = started,
        .point = point,
        .visit = visit,
        .tick = tick,
        .finished = finished};
    const char *const devices[] = {found.spec, NULL};
    const struct run_options options = {.report = j->report,
        .seed = o->number[OPTION_SEED],
        .wants = j->points ? wants : NULL,
        .wants_context = &w,
        .rounds = JUDGING_ROUNDS,
        .fresh = true,
        .devices = devices,
        .overrides = o->overrides,
        .override_count = o->override_count};
    j->base = e->kernels[0]->name;
    const int status = run_experiment(plan, &options, &observer, d);
    if (w.started) progress_stop(&w.progress);
    if (j->count) qsort(j->items, j->count, sizeof *j->items, by_place);
    return diags_errors(d) || status == 75 ? status : 0;
}

int judging_print(const struct judging *j, const struct options *o, const struct plan *plan)
{
    struct json json = json_begin(stdout, false);
    if (as_json(o)) {
        json_object(&json, NULL);
        json_text(&json, "base", j->base);
        json_text(&json, "report", j->written);
        json_list(&json, "verdicts");
    }
    const bool bad = print_all(j, plan_experiment(plan), as_json(o) ? &json : NULL);
    if (as_json(o)) json_end(&json);
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
