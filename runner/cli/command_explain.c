// `gpuexp explain FILE | REPORT...`: what limits each point, why, what would mend it, and what shows that it does.
// SPDX-License-Identifier: MIT
#include "cli/as_json.h"
#include "cli/commands.h"
#include "cli/findings_text.h"
#include "cli/point_line.h"
#include "measure/statuses.h"
#include "study/row_by_row.h"
#include "study/studying.h"
#include "cli/term.h"
#include "spec/traits.h"

#include <stdlib.h>
#include <string.h>

struct explain {
    const struct options *options;
    struct json *json;
    struct study *trial;
    struct point_choice points;
    struct findings_told told;
};

// What is asked of each point is told of each.
static struct findings_told *told(struct explain *x)
{
    const struct options *o = x->options;
    return options_given(o, OPTION_ALL) || options_given(o, OPTION_PROVE) ? NULL : &x->told;
}

// What this machine says of a GPU that was named.
static const char *limits_of(const struct traits *t, struct arena *a)
{
    LOCAL(str_release) struct str s = {0};
    for (int i = 0; i < TRAIT_COUNT; i++)
        if (t->values[i] > 0) str_addf(&s, "%s%s %.0f", s.size ? ", " : "", trait_table[i].name, t->values[i]);
    return s.size ? arena_strdup(a, s.text) : NULL;
}

static void tell_point(const struct studying *s, struct diags *d)
{
    struct explain *x = s->context;
    const struct studied *is = s->studied;
    const bool simulated = device_kind(s->device) == device_simulator();
    const struct traits *t = simulated ? NULL : traits_of(plan_experiment(s->plan), s->device);
    LOCAL(arena_drop) struct arena *a = arena_new();
    (void)d;
    const struct explaining e = {.plan = s->plan,
        .values = s->values,
        .job = is->job,
        .kernel = studying_kernel(s),
        .status = status_names[is->result.status],
        .why = &is->result.why,
        .device = t && *t->device ? t->device : s->device,
        .limits = t ? limits_of(t, a) : NULL,
        .columns = is->result.columns,
        .places = &is->places,
        .trial = x->trial,
        .prove = options_given(x->options, OPTION_PROVE) ? s->device : NULL,
        .whole = !simulated,
        .numbers = status_has_numbers(is->result.status)};
    if (!x->json) point_line(s, stdout);
    point_choice_note(&x->points, s);
    findings_text(&e, x->json, told(x));
}

static void tell_row(const struct explaining *row, void *context)
{
    const struct explain *x = context;
    struct explaining e = *row;
    const struct studied name = {.job = row->job};
    if (!options_given(x->options, OPTION_PROVE)) e.prove = NULL;
    if (!x->json)
        point_line_as(&(struct studying){.plan = row->plan, .values = row->values, .studied = &name}, row->status,
            row->why, stdout);
    findings_text(&e, x->json, NULL);
}

// Behind the last row, or on the other stream where that is data.
static void tell_left(const struct row_by_row_seen *seen, FILE *out)
{
    if (seen->fit > seen->looked)
        say(out,
            "%zu of %zu rows, those that use the memory worst, were looked at on the simulator; `--all` looks at "
            "each\n",
            seen->looked, seen->rows);
    if (seen->unknown)
        say(out, "%zu of %zu rows are of no point that the experiment has, and are left out\n", seen->unknown,
            seen->rows);
}

static void explain_report(struct explain *x, const char *path, struct diags *d)
{
    struct row_by_row_seen seen;
    const struct request request = options_request(x->options);
    const size_t looks = options_given(x->options, OPTION_ALL) ? SIZE_MAX : 0;
    if (row_by_row(path, &request, looks, tell_row, x, &seen, d)) tell_left(&seen, x->json ? stderr : stdout);
}

static bool is_report(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".csv") == 0;
}

int command_explain(const struct options *o, struct diags *d)
{
    struct json j = json_begin(stdout, false);
    const struct study_bounds bounds = {.instructions = (uint64_t)1 << 30}, some = {.instructions = 8 << 20};
    struct explain x = {o, as_json(o) ? &j : NULL, study_open(NULL, true, &bounds, d), {0}, {0}};
    int status = 0;
    if (x.json) json_list(&j, NULL);
    for (size_t i = 0; i < o->operand_count; i++) {
        struct options one = *o;
        one.operands = o->operands + i;
        one.operand_count = 1;
        x.options = &one;
        if (is_report(o->operands[i])) explain_report(&x, o->operands[i], d);
        else {
            const struct request request = options_request(&one);
            const int own = studying_points(&request, true, &some, tell_point, &x, d);
            status = own ? own : status;
            point_choice_tell(&x.points, x.json ? stderr : stdout);
        }
        findings_told_end(&x.told, stdout);
    }
    if (x.json) json_end(&j);
    study_close(x.trial);
    return status;
}
