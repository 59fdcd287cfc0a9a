// A small experiment of two points is written, planned and run like any other.
// SPDX-License-Identifier: MIT
#include "study/proving.h"

#include "base/beside.h"
#include "device/device.h"
#include "measure/why.h"
#include "run/run.h"
#include "store/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void quoted(struct str *s, const char *text)
{
    str_add(s, "'");
    for (; *text; text++) str_addf(s, *text == '\'' ? "''" : "%c", *text);
    str_add(s, "'");
}

static void add_value(struct str *s, struct value v)
{
    if (v.kind == VALUE_TEXT) quoted(s, v.text);
    else if (v.kind == VALUE_LIST) {
        str_add(s, "[");
        for (size_t i = 0; i < v.list->count; i++) {
            if (i) str_add(s, ", ");
            add_value(s, v.list->items[i]);
        }
        str_add(s, "]");
    } else value_print(v, s);
}

// Its values stand in `with`, and the one that changes in `sweep`.
static bool write_experiment(const struct plan *p, const struct value *values, const struct job *job, const char *test,
    const char *device, struct str *s)
{
    const int n = (int)strcspn(test, "=");
    const char *slash = strchr(job->path, '/');
    char name[128];
    struct value now = {0};
    snprintf(name, sizeof name, "%.*s", n, test);
    str_add(s, "experiment: proof\nkernel: ");
    struct str path = {0};
    str_addf(&path, "%s%s", slash ? "" : "./", job->path);
    quoted(s, path.text);
    str_release(&path);
    str_add(s, "\nwith:\n  device: ");
    quoted(s, device);
    str_add(s, "\n");
    for (size_t i = 0; i < plan_name_count(p); i++) {
        const char *is = plan_name(p, i);
        if (strcmp(is, name) == 0) now = values[i];
        else if (strcmp(is, "device") != 0 && strcmp(is, "kernel") != 0 && values[i].kind != VALUE_NONE) {
            str_addf(s, "  %s: ", is);
            add_value(s, values[i]);
            str_add(s, "\n");
        }
    }
    if (now.kind == VALUE_NONE) now = plan_default(plan_experiment(p), name);
    if (now.kind == VALUE_NONE && strncmp(name, "memory.", 7) == 0) now = plan_default(plan_experiment(p), "memory");
    str_addf(s, "sweep:\n  %s: [", name);
    if (now.kind == VALUE_NONE) return false;
    add_value(s, now);
    str_addf(s, ", %s]\n", test + n + 1);
    return true;
}

static double time_of(struct table *t, size_t row, struct diags *d)
{
    const struct cells *c = table_row(t, row, d);
    const int at = table_column(t, "time_us");
    const char *text = c && at >= 0 ? cells_text(c, (size_t)at) : "";
    return *text ? strtod(text, NULL) : NAN;
}

static void tell_reason(struct table *t, struct proof *out, struct diags *d)
{
    for (size_t i = 0; i < t->count && !*out->why; i++) {
        const struct cells *c = table_row(t, i, d);
        const int status = table_column(t, "status"), reason = table_column(t, "reason");
        if (!isnan(time_of(t, i, d)) || !c || status < 0 || reason < 0) continue;
        c = table_row(t, i, d);
        snprintf(out->why, sizeof out->why, "%s: %s", cells_text(c, (size_t)status), cells_text(c, (size_t)reason));
    }
}

static bool timed(struct plan *p, struct proof *out, struct diags *d)
{
    char folder[] = "/tmp/gpuexp-proof-XXXXXX", path[64];
    struct table t = {0};
    if (!mkdtemp(folder)) return diag_system(d, NULL, "no folder for the two runs");
    snprintf(path, sizeof path, "%s/proof.csv", folder);
    const struct run_observer quiet = {0};
    run_experiment(p, &(struct run_options){.report = path}, &quiet, d);
    if (table_open(&t, path, d) && t.count == 2) {
        out->before_us = time_of(&t, 0, d);
        out->after_us = time_of(&t, 1, d);
        tell_reason(&t, out, d);
    }
    table_close(&t);
    unlink(path);
    for (enum beside b = 0; b < BESIDE_COUNT; b++) {
        char *beside = beside_path(path, b);
        unlink(beside);
        free(beside);
    }
    rmdir(folder);
    return out->before_us > 0 && out->after_us > 0;
}

// As the other point is looked at.
static void look_like(const struct evidence *like, const struct studied *s, struct evidence *e)
{
    *e = (struct evidence){.job = s->job,
        .columns = s->result.columns,
        .places = &s->places,
        .device = like->device,
        .known = like->known,
        .given = like->given,
        .whole = like->whole};
    evidence_limits(e);
}

static bool counted(struct plan *p, const char *device, const struct evidence *like, struct proof *out, struct diags *d)
{
    struct study *study = study_open(device, true, NULL, d);
    struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    double us[2] = {NAN, NAN};
    for (size_t i = 0; study && i < 2; i++) {
        struct studied s;
        plan_values(p, i, values);
        if (!study_point(study, p, values, NULL, &s, d)) break;
        if (!status_has_numbers(s.result.status)) {
            char reason[WHY_TEXT];
            snprintf(out->why, sizeof out->why, "%s: %s", status_names[s.result.status],
                why_text(&s.result.why, reason));
            break;
        }
        struct evidence e;
        look_like(like, &s, &e);
        us[i] = e.judged.us;
    }
    study_close(study);
    free(values);
    out->before_us = us[0];
    out->after_us = us[1];
    return us[0] > 0 && us[1] > 0;
}

// The point as it is, and with that value.
struct two {
    struct experiments file;
    struct sandbox *sandbox;
    struct plan *plan; // NULL: it cannot be made
    const char *why;   // NULL: `diags` says why
};

static void take_two(const struct plan *p, const struct value *values, const struct job *job, const char *test,
    const char *device, struct two *out, struct diags *d)
{
    struct str text = {0};
    *out = (struct two){.sandbox = sandbox_new(&(struct sandbox_limits){0})};
    if (!write_experiment(p, values, job, test, device, &text)) out->why = "nothing says what it is now";
    else if (experiments_parse("proof.yaml", text.text, text.size, NULL, 0, &out->file, d) && out->file.count == 1)
        out->plan = plan_new(out->file.items[0], out->sandbox, d);
    str_release(&text);
}

static void give_two(struct two *t)
{
    if (t->plan) plan_free(t->plan);
    experiments_free(&t->file);
    sandbox_free(t->sandbox);
}

bool proving_look(const struct plan *p, const struct value *values, const struct job *job, const char *test,
    struct study *study, const struct evidence *like, proving_seen *fn, void *context)
{
    struct diags ignored = {0};
    struct two two;
    struct studied s;
    bool good = false;
    take_two(p, values, job, test, "sim", &two, &ignored);
    if (two.plan && plan_count(two.plan) == 2) {
        struct value *other = mem_alloc((plan_name_count(two.plan) + 1) * sizeof *other);
        plan_values(two.plan, 1, other);
        good = study_counted(study, two.plan, other, &s, &ignored) && status_has_numbers(s.result.status);
        if (good) {
            struct evidence e;
            look_like(like, &s, &e);
            fn(context, &e);
        }
        free(other);
    }
    give_two(&two);
    diags_clear(&ignored);
    return good;
}

bool proving_run(const struct plan *p, const struct value *values, const struct job *job, const char *test,
    const char *device, const struct evidence *like, struct proof *out)
{
    struct diags d = {0};
    struct two two;
    bool good = false;
    *out = (struct proof){.before_us = NAN, .after_us = NAN};
    take_two(p, values, job, test, device, &two, &d);
    if (two.why) snprintf(out->why, sizeof out->why, "%s", two.why);
    else if (two.plan && plan_count(two.plan) == 2) {
        out->timed = device_kind(device) != device_simulator();
        good = out->timed ? timed(two.plan, out, &d) : counted(two.plan, device, like, out, &d);
    }
    if (!good && !*out->why) snprintf(out->why, sizeof out->why, "%s", d.count ? diags_first(&d) : "it has no times");
    give_two(&two);
    diags_clear(&d);
    return good;
}
