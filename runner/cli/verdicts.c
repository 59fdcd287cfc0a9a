// What a person sees of kernels that are measured in turns: how far it is, and the verdicts, in lines or as JSON.
// SPDX-License-Identifier: MIT
#include "cli/verdicts.h"

#include "base/json.h"
#include "cli/term.h"

#include <math.h>
#include <string.h>

static void finished(void *progress, const struct run_summary *s)
{
    const struct progress *p = progress;
    progress_stop(progress);
    if (s->end != RUN_COMPLETE)
        say(stderr, "%s: stopped with %zu of %zu points left, of which there is no verdict\n", p->name, s->left,
            s->points);
}

struct run_observer verdicts_observer(struct progress *p, bool quiet)
{
    *p = (struct progress){.how = quiet ? PROGRESS_QUIET : PROGRESS_NORMAL, .visit = "round"};
    return (struct run_observer){.context = p,
        .note = progress_note,
        .started = progress_start,
        .visit = progress_visit,
        .tick = progress_tick,
        .finished = finished};
}

static const enum term_colour colours[] = {[VERDICT_SAME] = TERM_DIM,
    [VERDICT_FASTER] = TERM_GREEN,
    [VERDICT_SLOWER] = TERM_RED,
    [VERDICT_UNSURE] = TERM_YELLOW};

static const char *const words[] = {
    [VERDICT_SAME] = "same", [VERDICT_FASTER] = "faster", [VERDICT_SLOWER] = "slower", [VERDICT_UNSURE] = "unsure"};

const char *verdicts_word(const struct judging_verdict *v)
{
    return v->as == JUDGED_TIMELESS ? status_names[v->x->status] : words[v->kind];
}

const char *verdicts_reason(const struct judging_verdict *v, char text[WHY_TEXT])
{
    if (v->as == JUDGED_TIMELESS || v->x->status == STATUS_UNVERIFIED) return why_text(&v->x->why, text);
    return v->as == JUDGED_ALONE ? "what it is held against has no time" : "";
}

static void print_text(const struct judging_verdict *v)
{
    const bool timed = isfinite(v->ratio.value);
    char text[WHY_TEXT];
    const char *reason = verdicts_reason(v, text);
    term_say(stdout, timed ? colours[v->kind] : TERM_RED, "%-10s", verdicts_word(v));
    say(stdout, " %s%s%s:", v->x->kernel, *v->x->point ? " " : "", v->x->point);
    if (timed) say(stdout, " %.3f us -> %.3f us, x%.4f", v->base->timing.us, v->x->timing.us, v->ratio.value);
    if (isfinite(v->ratio.low)) say(stdout, " (%.4f to %.4f)", v->ratio.low, v->ratio.high);
    say(stdout, "%s%s\n", *reason ? " " : "", reason);
}

static void print_rounds(struct json *json, const char *key, const struct judged *x)
{
    json_list(json, key);
    for (size_t i = 0; i < x->count; i++) json_number(json, NULL, x->us[i]);
    json_close(json);
}

static void print_object(struct json *json, const struct judging_verdict *v)
{
    char text[WHY_TEXT];
    const char *reason = verdicts_reason(v, text);
    json_add(json, "{ verdict:%s kernel:%s point:%s status:%s", verdicts_word(v), v->x->kernel, v->x->point,
        status_names[v->x->status]);
    if (*reason) json_text(json, "reason", reason);
    if (isfinite(v->ratio.value)) json_number(json, "base_us", v->base->timing.us);
    if (v->x->timing.us > 0) json_number(json, "time_us", v->x->timing.us);
    if (isfinite(v->ratio.value)) json_number(json, "ratio", v->ratio.value);
    if (isfinite(v->ratio.low)) json_add(json, "ratio_low:%g ratio_high:%g", v->ratio.low, v->ratio.high);
    if (isfinite(v->ratio.value)) print_rounds(json, "base_rounds_us", v->base);
    if (isfinite(v->ratio.value)) print_rounds(json, "rounds_us", v->x);
    json_close(json);
}

// In the order of the command line, each kernel's points as the plan has them. True: something is bad.
static bool print_all(const struct judging *j, const struct experiment *e, bool quiet, struct json *json)
{
    bool bad = false;
    for (size_t k = 0; k < e->kernel_count; k++)
        for (size_t i = 0; i < j->count; i++) {
            const struct judged *x = &j->items[i];
            if (strcmp(x->kernel, e->kernels[k]->name) != 0) continue;
            if (!judging_base_of(j, x)) continue; // it stopped in between
            const struct judging_verdict v = judging_verdict(j, x);
            if (strcmp(x->kernel, j->base) == 0 && judging_has_time(x)) continue; // it is in the others' lines
            bad |= v.bad;
            if (json) print_object(json, &v);
            else if (!quiet) print_text(&v);
        }
    return bad;
}

int verdicts_print(const struct judging *j, const struct options *o, const struct plan *plan)
{
    struct json json = json_begin(stdout, false);
    if (options_json(o)) json_add(&json, "{ base:%s report:%s verdicts:[", j->base, j->written);
    const bool bad =
        print_all(j, plan_experiment(plan), options_given(o, OPTION_QUIET), options_json(o) ? &json : NULL);
    if (options_json(o)) json_end(&json);
    return bad ? 1 : 0;
}
