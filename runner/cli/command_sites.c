// `gpuexp sites KERNEL...`: the simulator's counters by place, one line for each instruction that reaches memory.
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "base/units.h"
#include "cli/as_json.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/results.h"
#include "cli/term.h"
#include "reason/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct totals {
    uint64_t sectors, wavefronts;
};

static struct totals totals_of(const struct studied *s)
{
    struct totals t = {0};
    for (size_t i = 0; i < s->place_count; i++) {
        t.sectors += s->places[i].sectors;
        t.wavefronts += s->places[i].wavefronts;
    }
    return t;
}

// Of the sectors where it has some, else of the wavefronts.
static double share_of(const struct device_place *p, const struct totals *t)
{
    return p->sectors ? (double)p->sectors / (double)t->sectors
                      : (double)p->wavefronts / (double)(t->wavefronts ? t->wavefronts : 1);
}

static void place_object(struct json *j, const struct device_place *p, const struct totals *t)
{
    json_object(j, NULL);
    json_text(j, "entry", p->entry);
    if (p->line) json_count(j, "line", (uint64_t)p->line);
    json_text(j, "instruction", p->op);
    json_count(j, "instructions", p->instructions);
    json_count(j, "requests", p->requests);
    json_count(j, "sectors", p->sectors);
    json_count(j, "wavefronts", p->wavefronts);
    json_count(j, "bank_conflicts", p->conflicts);
    json_count(j, "lanes", p->lanes);
    json_number(j, "share", share_of(p, t));
    json_close(j);
}

static void count_cell(uint64_t n, FILE *out)
{
    if (n) say(out, " %11llu", (unsigned long long)n);
    else say(out, " %11s", "");
}

// The line of the source, without its indent and cut to the room that is left.
static void quote(const char *text, int line, int room, FILE *out)
{
    for (int n = 1; text && n < line; n++)
        if ((text = strchr(text, '\n'))) text++;
    if (!text || line < 1 || room < 8) return;
    text += strspn(text, " \t");
    struct str s = {0};
    str_add_bytes(&s, text, strcspn(text, "\n"));
    term_say(out, TERM_DIM, "  %.*s", (int)term_text_cut(s.text ? s.text : "", room), s.text ? s.text : "");
    str_release(&s);
}

// "ld.global.f32 x 4": four of it, alike in all.
static void name_place(const struct device_place *p, struct str *s)
{
    str_clear(s);
    str_add(s, p->op);
    if (p->instructions > 1) str_addf(s, " x %u", p->instructions);
}

static void print_places(const struct studied *s, const char *source, FILE *out)
{
    const struct totals t = totals_of(s);
    struct str op = {0};
    const char *entry = "";
    int wide = term_text_width("instruction");
    for (size_t i = 0; i < s->place_count; i++) {
        name_place(&s->places[i], &op);
        if ((int)op.size > wide) wide = (int)op.size;
    }
    term_say(out, TERM_BOLD, "%5s  %-*s %11s %11s %11s %6s %8s", "line", wide, "instruction", "requests", "sectors",
        "wavefronts", "lanes", "share");
    say(out, "\n");
    const int room = term_width(out) - (5 + 2 + wide + 3 * 12 + 7 + 9 + 2);
    for (size_t i = 0; i < s->place_count; i++) {
        const struct device_place *p = &s->places[i];
        if (job_launches(s->job) > 1 && strcmp(entry, p->entry) != 0) say(out, "%s\n", entry = p->entry);
        name_place(p, &op);
        if (p->line) say(out, "%5d  %-*s", p->line, wide, op.text);
        else say(out, "%5s  %-*s", "", wide, op.text);
        count_cell(p->requests, out);
        count_cell(p->sectors, out);
        count_cell(p->wavefronts, out);
        say(out, " %6.2f %6.1f %%", (double)p->lanes / (double)p->requests, 100 * share_of(p, &t));
        quote(source, p->line, room, out);
        say(out, "\n");
    }
    if (!s->place_count) say(out, "no instruction reaches memory\n");
    str_release(&op);
}

static void name_point(const struct experiment *e, const struct plan *p, const struct value *values, struct str *s)
{
    for (size_t i = 0; i < plan_name_count(p); i++) {
        if (!results_is_axis(e, plan_name(p, i)) && !e->script) continue;
        str_addf(s, " %s=", plan_name(p, i));
        value_print(values[i], s);
    }
}

static const struct kernel *kernel_of(const struct experiment *e, const struct job *job)
{
    const struct kernel *k = experiment_kernel(e, job->kernel);
    return k ? k : e->kernel;
}

static void point_object(struct json *j, const struct plan *p, const struct value *values, const struct studied *s)
{
    const struct totals t = totals_of(s);
    json_object(j, NULL);
    json_text(j, "kernel", s->job->kernel);
    json_text(j, "file", s->job->path);
    json_object(j, "values");
    for (size_t i = 0; i < plan_name_count(p); i++) json_value(j, plan_name(p, i), values[i]);
    json_close(j);
    json_text(j, "status", status_names[s->result.status]);
    json_text(j, "reason", s->result.reason);
    json_list(j, "places");
    for (size_t i = 0; i < s->place_count; i++) place_object(j, &s->places[i], &t);
    json_close(j);
    json_close(j);
}

static void print_point(const struct plan *p, const struct value *values, const struct studied *s)
{
    const struct experiment *e = plan_experiment(p);
    struct str name = {0};
    name_point(e, p, values, &name);
    term_say(stdout, TERM_BOLD, "%s", s->job->kernel);
    say(stdout, "%s: %s%s%s\n", name.text ? name.text : "", status_names[s->result.status],
        *s->result.reason ? ": " : "", s->result.reason);
    if (status_has_numbers(s->result.status)) print_places(s, kernel_of(e, s->job)->text, stdout);
    str_release(&name);
}

static int show_plan(const struct plan *p, struct study *study, struct json *j, struct diags *d)
{
    struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    int status = 0;
    for (size_t i = 0; i < plan_count(p); i++) {
        struct studied s;
        plan_values(p, i, values);
        if (!study_point(study, p, values, &s, d)) continue;
        if (j) point_object(j, p, values, &s);
        else print_point(p, values, &s);
        if (!status_has_numbers(s.result.status)) status = 1;
    }
    free(values);
    return status;
}

int command_sites(const struct options *o, struct diags *d)
{
    struct loaded all;
    struct options on_sim = *o; // unless a profile was asked for
    struct override *overrides = mem_alloc((o->override_count + 1) * sizeof *overrides);
    struct json j = json_begin(stdout, false);
    const bool json = as_json(o);
    int status = 0;
    for (size_t i = 0; i < o->override_count; i++) overrides[i] = o->overrides[i];
    on_sim.overrides = overrides;
    if (!options_given(o, OPTION_DEVICE)) overrides[on_sim.override_count++] = (struct override){"device=sim"};
    bool good = load_kernels(&on_sim, &all, d);
    struct study *study = good ? study_open(o->value[OPTION_DEVICE], d) : NULL;
    if (json) json_list(&j, NULL);
    for (size_t i = 0; study && i < all.count; i++) {
        struct plan *p = load_plan(&all, i, d);
        if (!p) continue;
        const int own = show_plan(p, study, json ? &j : NULL, d);
        status = own ? own : status;
        plan_free(p);
    }
    if (json) json_end(&j);
    study_close(study);
    load_release(&all);
    free(overrides);
    return status;
}
