// `gpuexp explain FILE | REPORT...`: what limits each point, why, what would mend it, and what shows that it does.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "cli/again.h"
#include "cli/as_json.h"
#include "cli/commands.h"
#include "cli/explaining.h"
#include "cli/studying.h"
#include "store/runfile.h"
#include "store/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct explain {
    const struct options *options;
    struct json *json;
    struct study *trial;
};

static const char *spec_of(const struct options *o)
{
    return options_given(o, OPTION_DEVICE) ? o->value[OPTION_DEVICE] : "sim";
}

static void tell(const struct studying *s, struct diags *d)
{
    const struct explain *x = s->context;
    const struct studied *is = s->studied;
    (void)d;
    struct explaining e = {.plan = s->plan,
        .values = s->values,
        .job = is->job,
        .kernel = studying_kernel(s),
        .status = status_names[is->result.status],
        .reason = is->result.reason,
        .device = spec_of(x->options),
        .columns = is->result.columns,
        .places = &is->places,
        .trial = x->trial,
        .json = x->json,
        .prove = options_given(x->options, OPTION_PROVE) ? spec_of(x->options) : NULL,
        .whole = device_kind(spec_of(x->options)) != device_simulator(),
        .numbers = status_has_numbers(is->result.status)};
    if (!x->json) studying_title(s, stdout);
    explaining_point(&e);
}

enum { SECONDS = 30 }; // that the simulator may take for a row

static const char *cell(const struct table *t, const struct cells *c, const char *name)
{
    const int at = table_column(t, name);
    return at < 0 ? "" : cells_text(c, (size_t)at);
}

// A row is of the plan's point with its number, if all that the experiment names is the same.
static bool same_values(const struct plan *p, const struct value *values, const struct table *t, const struct cells *c)
{
    bool same = true;
    for (size_t i = 0; i < plan_name_count(p) && same; i++) {
        const int at = table_column(t, plan_name(p, i));
        struct str text = {0};
        value_print(values[i], &text);
        if (at >= 0 && strcmp(plan_name(p, i), "device") != 0)
            same = strcmp(text.text ? text.text : "", cells_text(c, (size_t)at)) == 0;
        str_release(&text);
    }
    return same;
}

static const char *device_of(const struct value *values, const struct plan *p)
{
    for (size_t i = 0; i < plan_name_count(p); i++)
        if (strcmp(plan_name(p, i), "device") == 0 && values[i].kind == VALUE_TEXT) return values[i].text;
    return "auto";
}

static void explain_row(struct explain *x, const struct plan *p, struct study *study, const struct table *t,
    const struct cells *c, struct value *values, struct diags *d)
{
    double columns[COLUMN_COUNT];
    struct studied s;
    struct arena *a = arena_new();
    const size_t point = strtoull(cell(t, c, "point"), NULL, 10);
    for (int k = 0; k < COLUMN_COUNT; k++) {
        const char *text = cell(t, c, column_table[k].name);
        columns[k] = *text ? strtod(text, NULL) : NAN;
    }
    char *status = arena_strdup(a, cell(t, c, "status")), *device = arena_strdup(a, cell(t, c, "device"));
    bool good = point && point <= plan_count(p);
    if (good) plan_values(p, point - 1, values);
    good = good && same_values(p, values, t, c) && study_counted(study, p, values, SECONDS, &s, d);
    if (good) {
        const struct studying is = {p, values, &s, study, x};
        struct explaining e = {.plan = p,
            .values = values,
            .job = s.job,
            .kernel = studying_kernel(&is),
            .status = status,
            .reason = s.result.reason,
            .device = device,
            .columns = columns,
            .places = status_has_numbers(s.result.status) ? &s.places : NULL,
            .trial = x->trial,
            .json = x->json,
            .prove = options_given(x->options, OPTION_PROVE) ? device_of(values, p) : NULL,
            .whole = true,
            .numbers =
                strcmp(status, "ok") == 0 || strcmp(status, "imprecise") == 0 || strcmp(status, "unverified") == 0};
        if (!x->json) studying_name(&is, status, stdout);
        explaining_point(&e);
    }
    arena_free(a);
}

static void explain_rows(struct explain *x, const struct again *r, struct diags *d)
{
    struct loaded all;
    struct table t = {0};
    struct plan *p = NULL;
    struct study *study = NULL;
    struct value *values = NULL;
    if (load_files(&r->again, &all, d) && all.count == 1) p = load_plan(&all, 0, d);
    if (!p || !table_open(&t, r->report, d) || !(study = study_open(NULL, true, d))) goto done;
    values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    for (size_t i = 0; i < t.count; i++) {
        const struct cells *c = table_row(&t, i, d);
        if (c) explain_row(x, p, study, &t, c, values, d);
    }
done:
    free(values);
    study_close(study);
    table_close(&t);
    if (p) plan_free(p);
    load_release(&all);
}

static void explain_report(struct explain *x, const char *path, struct diags *d)
{
    char *facts = runfile_read(path);
    struct again r = {.report = path, .facts = facts, .arena = arena_new(), .again = *x->options, .splits = true};
    if (!facts) again_cannot(&r, d, NULL, "it has no run file beside it, which says what it was measured with");
    else if (again_take(&r, d) && again_device(&r, d)) {
        again_override(&r, "check=none"); // a device has verified it
        explain_rows(x, &r, d);
    }
    free(r.again.overrides);
    file_stand_in_forget();
    arena_free(r.arena);
    free(facts);
}

static bool is_report(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".csv") == 0;
}

int command_explain(const struct options *o, struct diags *d)
{
    struct json j = json_begin(stdout, false);
    struct explain x = {o, as_json(o) ? &j : NULL, study_open(NULL, true, d)};
    int status = 0;
    if (x.json) json_list(&j, NULL);
    for (size_t i = 0; i < o->operand_count; i++) {
        struct options one = *o;
        one.operands = o->operands + i;
        one.operand_count = 1;
        x.options = &one;
        if (is_report(o->operands[i])) explain_report(&x, o->operands[i], d);
        else {
            const int own = studying_points(&one, true, tell, &x, d);
            status = own ? own : status;
        }
    }
    if (x.json) json_end(&j);
    study_close(x.trial);
    return status;
}
