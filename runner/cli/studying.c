// Runs the points of files on the simulator, for commands that look at them.
// SPDX-License-Identifier: MIT
#include "cli/studying.h"

#include "cli/results.h"
#include "cli/term.h"

#include <stdlib.h>
#include <string.h>

void studying_quote(const char *text, int line, int room, FILE *out)
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

static void name_point(const struct experiment *e, const struct plan *p, const struct value *values, struct str *s)
{
    for (size_t i = 0; i < plan_name_count(p); i++) {
        if (!results_is_axis(e, plan_name(p, i)) && !e->script) continue;
        str_addf(s, " %s=", plan_name(p, i));
        value_print(values[i], s);
    }
}

void studying_values(const struct studying *s, struct str *out)
{
    name_point(plan_experiment(s->plan), s->plan, s->values, out);
}

void studying_name(const struct studying *s, const char *status, FILE *out)
{
    struct str name = {0};
    const char *reason = s->studied->result.reason;
    name_point(plan_experiment(s->plan), s->plan, s->values, &name);
    term_say(out, TERM_BOLD, "%s", s->studied->job->kernel);
    say(out, "%s: %s%s%s\n", name.text ? name.text : "", status, *reason ? ": " : "", reason);
    str_release(&name);
}

void studying_title(const struct studying *s, FILE *out)
{
    studying_name(s, status_names[s->studied->result.status], out);
}

const struct kernel *studying_kernel(const struct studying *s)
{
    const struct experiment *e = plan_experiment(s->plan);
    const struct kernel *k = experiment_kernel(e, s->studied->job->kernel);
    return k ? k : e->kernel;
}

static int each_point(const struct plan *p, struct study *study, studying_fn *fn, void *context, struct diags *d)
{
    struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    int status = 0;
    for (size_t i = 0; i < plan_count(p); i++) {
        struct studied studied;
        plan_values(p, i, values);
        if (!study_point(study, p, values, &studied, d)) continue;
        fn(&(struct studying){p, values, &studied, study, context}, d);
        if (!status_has_numbers(studied.result.status)) status = 1;
    }
    free(values);
    return status;
}

int studying_points(const struct options *o, bool closely, studying_fn *fn, void *context, struct diags *d)
{
    struct loaded all;
    struct options on_sim = *o; // unless a profile was asked for
    struct override *overrides = mem_alloc((o->override_count + 1) * sizeof *overrides);
    int status = 0;
    for (size_t i = 0; i < o->override_count; i++) overrides[i] = o->overrides[i];
    on_sim.overrides = overrides;
    if (!options_given(o, OPTION_DEVICE)) overrides[on_sim.override_count++] = (struct override){"device=sim"};
    const bool good = load_kernels(&on_sim, &all, d);
    struct study *study = good ? study_open(o->value[OPTION_DEVICE], closely, d) : NULL;
    for (size_t i = 0; study && i < all.count; i++) {
        struct plan *p = load_plan(&all, i, d);
        if (!p) continue;
        const int own = each_point(p, study, fn, context, d);
        status = own ? own : status;
        plan_free(p);
    }
    study_close(study);
    load_release(&all);
    free(overrides);
    return status;
}
