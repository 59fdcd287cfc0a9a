// Gathers what is known of a point, what follows from it, and what another value would gain.
// SPDX-License-Identifier: MIT
#include "study/explaining.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/beside.h"
#include "device/device.h"
#include "measure/statuses.h"
#include "measure/why.h"
#include "plan/asks.h"
#include "run/run.h"
#include "spec/columns.h"
#include "spec/contract.h"
#include "spec/scalar.h"
#include "store/table.h"
#include "study/study.h"

// The same of a report's row: the fastest of its other rows that do the same work. `time` tells how long the row takes
// that differs in that value alone ("stride=1"); NAN: there is none.
typedef double knobs_time_fn(void *context, const char *test);

// Looks for a value that does away with what was found, with the same useful bytes. It looks among those that the
// experiment itself knows: its axes, a parameter's choices and its default.

enum { TRIED_MOST = 12, KNOWN_MOST = 128 };

struct knob {
    size_t slot; // of the plan's names
    struct value value;
};
struct knobs {
    struct knob items[KNOWN_MOST];
    size_t count;
};

static void add(struct knobs *k, size_t slot, struct value v, struct value now)
{
    double is, was;
    if (v.kind == VALUE_NONE || value_equal(v, now) || k->count == KNOWN_MOST) return;
    // None of what there are several of is other work: a stride of 0 reads one word only.
    if (value_number(v, &is) && value_number(now, &was) && !(is != 0) && was > 1) return;
    for (size_t i = 0; i < k->count; i++)
        if (k->items[i].slot == slot && value_equal(k->items[i].value, v)) return;
    k->items[k->count++] = (struct knob){slot, v};
}

static void add_param(struct knobs *k, const struct experiment *e, const struct param *p, size_t slot, struct value now)
{
    bool swept = false;
    for (size_t a = 0; a < e->sweep_count; a++)
        for (size_t i = 0; i < e->sweep[a].count; i++)
            for (size_t v = 0; strcmp(e->sweep[a].items[i].name, p->name) == 0 && v < e->sweep[a].items[i].count; v++)
                add(k, slot, e->sweep[a].items[i].values[v], now), swept = e->sweep[a].items[i].count > 1;
    if (swept) return; // its values are those that the experiment is about
    for (size_t i = 0; p->one_of && i < p->one_of->count; i++) add(k, slot, p->one_of->items[i], now);
    add(k, slot, p->fallback, now);
    for (int64_t i = 0; !p->is_text && !p->is_real && !p->one_of && i < 2; i++) {
        struct value v = value_int(i);
        struct fits_why why;
        if (fits_param(p, e->kernel, &v, &why)) add(k, slot, v, now);
    }
}

static bool still_there(const struct evidence *e, const struct advice *f, struct arena *a)
{
    struct advice found[FINDINGS_TOLD];
    const size_t count = findings_of(e, found, a);
    for (size_t i = 0; i < count; i++)
        if (strcmp(found[i].rule, f->rule) == 0 && (found[i].untold || found[i].gain > 1.1)) return true;
    return false;
}

// Where a kernel does not say how much of what it moves is useful, all of its buffers are.
static bool same_bytes(const struct job *a, const struct job *b)
{
    bool same = a->buffer_count == b->buffer_count;
    for (size_t i = 0; same && i < a->buffer_count; i++) same = a->buffers[i].bytes == b->buffers[i].bytes;
    return same;
}

// The same work: what it costs to find out is only the point's arithmetic.
static bool same_work(const struct plan *p, const struct value *values, const struct job *base)
{
    struct arena *a = arena_new();
    struct diags ignored = {0};
    struct job job;
    const bool made = job_make(p, values, a, &job, &ignored);
    const bool same = made && (isnan(job.flops) ? isnan(base->flops) : job.flops == base->flops) &&
        (isnan(job.useful_bytes) ? isnan(base->useful_bytes) && same_bytes(&job, base)
                                 : job.useful_bytes == base->useful_bytes);
    diags_clear(&ignored);
    arena_free(a);
    return same;
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

// The point with these values, counted within the study's bounds. False: it has no numbers.
static bool tried(struct study *s, const struct plan *p, const struct value *values, const struct evidence *like,
    struct studied *x, struct evidence *e)
{
    struct diags ignored = {0};
    const bool made = study_counted(s, p, values, x, &ignored);
    diags_clear(&ignored);
    if (!made || !status_has_numbers(x->result.status)) return false;
    look_like(like, x, e);
    return true;
}

static bool better(struct study *s, const struct plan *p, const struct value *values, const struct evidence *base,
    const struct advice *f, double *us, struct arena *a)
{
    struct studied x;
    struct evidence e;
    if (!same_work(p, values, base->job) || !tried(s, p, values, base, &x, &e)) return false;
    const double time = e.judged.us;
    if (!evidence_same_work(&e, base)) return false;
    if (!(time > 0) || time >= *us || still_there(&e, f, a)) return false;
    *us = time;
    return true;
}

static void list(struct knobs *k, const struct plan *p, const struct value *values)
{
    const struct experiment *e = plan_experiment(p);
    for (size_t i = 0; i < plan_name_count(p); i++) {
        const struct param *param = kernel_param(e->kernel, plan_name(p, i));
        if (param) add_param(k, e, param, i, values[i]);
    }
}

static const char *told(const struct plan *p, const struct knob *k, struct arena *a)
{
    struct str text = {0};
    str_addf(&text, "%s=", plan_name(p, k->slot));
    value_print(k->value, &text);
    const char *is = arena_strdup(a, text.text);
    str_release(&text);
    return is;
}

static bool knobs_known(knobs_time_fn *time, void *context, const struct plan *p, const struct value *values,
    const struct evidence *base, struct advice *f, struct arena *a)
{
    const size_t names = plan_name_count(p);
    struct value *other = mem_alloc((names + 1) * sizeof *other);
    struct knobs k = {0};
    double best = base->columns[COLUMN_TIME_US] / findings_worth;
    list(&k, p, values);
    for (size_t i = 0; i < k.count; i++) {
        const char *test = told(p, &k.items[i], a);
        const double us = time(context, test);
        memcpy(other, values, names * sizeof *other);
        other[k.items[i].slot] = k.items[i].value;
        if (us < best && same_work(p, other, base->job)) best = us, f->test = test;
    }
    free(other);
    return f->test != NULL;
}

// True: `f` has a test now, and the gain that the simulator's counts promise of it. `base`: the point's own; `study`
// another simulator than the one whose places it has.
static bool knobs_try(struct study *s, const struct plan *p, const struct value *values, const struct evidence *base,
    struct advice *f, struct arena *a)
{
    const size_t names = plan_name_count(p);
    struct value *other = mem_alloc((names + 1) * sizeof *other);
    struct knobs k = {0};
    struct studied own;
    struct evidence e;
    list(&k, p, values);
    // The point itself is counted once more, as the others are.
    const bool known = k.count && tried(s, p, values, base, &own, &e);
    double best = known ? e.judged.us / findings_worth : 0;
    for (size_t i = 0; known && i < k.count && i < TRIED_MOST; i++) {
        memcpy(other, values, names * sizeof *other);
        other[k.items[i].slot] = k.items[i].value;
        if (!better(s, p, other, base, f, &best, a)) continue;
        f->test = told(p, &k.items[i], a);
    }
    free(other);
    return f->test != NULL;
}

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
    LOCAL(str_release) struct str path = {0};
    str_addf(&path, "%s%s", slash ? "" : "./", job->path);
    str_add(s, "experiment: proof\n");
    if (strcmp(name, "kernel") == 0) now = value_text(path.text);
    else {
        str_add(s, "kernel: ");
        quoted(s, path.text);
        str_add(s, "\n");
    }
    str_add(s, "with:\n  device: ");
    quoted(s, device);
    str_add(s, "\n");
    for (size_t i = 0; i < plan_name_count(p); i++) {
        const char *is = plan_name(p, i);
        if (strcmp(is, name) == 0 && strcmp(is, "kernel") != 0) now = values[i];
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

static bool is_right(struct table *t, size_t row, struct diags *d)
{
    const struct cells *c = table_row(t, row, d);
    const int at = table_column(t, "status");
    return c && at >= 0 && status_find(cells_text(c, (size_t)at)) == STATUS_OK;
}

// Two kernels that promise the same: the device holds what the second makes against what the first does.
static bool compares(const struct plan *p)
{
    const struct experiment *e = plan_experiment(p);
    struct diags ignored = {0};
    const bool same = e->kernel_count == 2 && contract_same(e->kernels[0], e->kernels[1], &ignored);
    diags_clear(&ignored);
    return same;
}

static bool timed(struct plan *p, struct proof *out, struct diags *d)
{
    const bool compared = compares(p);
    char folder[] = "/tmp/gpuexp-proof-XXXXXX", path[64];
    struct table t = {0};
    if (!mkdtemp(folder)) return diag_system(d, NULL, "no folder for the two runs");
    snprintf(path, sizeof path, "%s/proof.csv", folder);
    const struct run_observer quiet = {0};
    run_experiment(p, &(struct run_options){.report = path, .rounds = compared}, &quiet, d);
    if (table_open(&t, path, d) && t.count == 2) {
        out->before_us = time_of(&t, 0, d);
        out->after_us = time_of(&t, 1, d);
        out->results = compared                        ? RESULTS_SAME // else the second has no time
            : is_right(&t, 0, d) && is_right(&t, 1, d) ? RESULTS_RIGHT
                                                       : RESULTS_UNSEEN;
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

// `own`: by the grids as they are, which a kernel that was mended may have another one of.
static bool counted(struct plan *p, const char *device, const struct evidence *like, bool own, struct proof *out,
    struct diags *d)
{
    struct study *study = study_open(device, true, NULL, d);
    struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    double us[2] = {NAN, NAN}, useful[2] = {NAN, NAN};
    uint64_t content[2] = {0};
    bool right = true;
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
        us[i] = own ? e.limits.us : e.judged.us;
        useful[i] = e.columns[COLUMN_USEFUL_BYTES];
        content[i] = s.places.content;
        right &= s.result.status == STATUS_OK;
    }
    if (content[0] && content[1])
        out->results = content[0] == content[1] ? RESULTS_SAME : right ? RESULTS_RIGHT : RESULTS_OTHER;
    if (useful[0] != useful[1] && !isnan(useful[0]) && !isnan(useful[1])) {
        snprintf(out->why, sizeof out->why, "it does other work: %.0f useful bytes, not %.0f", useful[1], useful[0]);
        us[0] = NAN;
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

// `test` is "name=value"; `device` what to run on. False: `why` says why not.
static bool proving_run(const struct plan *p, const struct value *values, const struct job *job, const char *test,
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
        good = out->timed ? timed(two.plan, out, &d)
                          : counted(two.plan, device, like, strncmp(test, "kernel=", 7) == 0, out, &d);
    }
    if (!good && !*out->why) snprintf(out->why, sizeof out->why, "%s", d.count ? diags_first(&d) : "it has no times");
    give_two(&two);
    diags_clear(&d);
    return good;
}

// Where the rule knows no test, a value that the experiment itself knows may be one.
static bool test_of(const struct explaining *x, const struct evidence *e, struct advice *f, struct proof *proof,
    struct arena *a)
{
    if (!f->test && f->line && x->other_time) knobs_known(x->other_time, x->rows, x->plan, x->values, e, f, a);
    if (!f->test && f->line && x->trial && x->places) knobs_try(x->trial, x->plan, x->values, e, f, a);
    if (!f->test) return false;
    *proof = (struct proof){.before_us = x->columns[COLUMN_TIME_US], .timed = true, .kept = true};
    proof->after_us = x->other_time ? x->other_time(x->rows, f->test) : NAN;
    if (proof->before_us > 0 && proof->after_us > 0) return true;
    if (!x->prove) return false;
    proving_run(x->plan, x->values, x->job, f->test, x->prove, e, proof);
    return true;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// A number, or a parameter that says of no buffer how large it is.
static bool chosen(const struct kernel *k, const char *grid)
{
    const size_t size = strlen(grid);
    if (strspn(grid, "0123456789") == size) return true;
    if (!kernel_param(k, grid)) return false;
    for (size_t i = 0; i < k->buffer_count; i++) {
        const char *const of[] = {k->buffers[i].count.text, k->buffers[i].rows.text, k->buffers[i].planes.text};
        for (int n = 0; n < 3; n++)
            for (const char *at = of[n]; at && (at = strstr(at, grid)); at += size)
                if ((at == of[n] || !in_word(at[-1])) && !in_word(at[size])) return false;
    }
    return true;
}

// `threads` and a grid of expressions follow from sizes.
static bool given(const struct explaining *x)
{
    const struct kernel *k = x->kernel;
    uint32_t grid[3];
    if (asks_dimensions(x->job, SETTING_GRID, grid)) return true;
    for (int i = 0; i < 3; i++)
        if (k && k->grid[i].text && !chosen(k, k->grid[i].text)) return false;
    if (k && k->threads[0].text && !k->threads[0].text[strspn(k->threads[0].text, "0123456789")]) return true;
    return k && k->grid[0].text && !k->threads[0].text;
}

void explaining_evidence(const struct explaining *x, struct evidence *e, struct profile *room)
{
    *e = (struct evidence){.job = x->job,
        .columns = x->columns,
        .places = asks_is(x->job, SETTING_TIMED, "launch") ? x->places : NULL, // else the kernel is not what was timed
        .device = room,
        .known = evidence_device(x->device, x->limits, room),
        .given = given(x),
        .grows = !given(x) && x->kernel && x->kernel->threads[0].text && !x->kernel->grid[0].text,
        .whole = x->whole};
    evidence_limits(e);
}

void explaining_each(const struct explaining *x, const struct explaining_teller *t, void *context)
{
    struct advice found[FINDINGS_TOLD];
    struct arena *a = arena_new();
    struct profile device;
    struct evidence e;
    explaining_evidence(x, &e, &device);
    const size_t count = x->numbers ? findings_of(&e, found, a) : 0;
    if (t->begin(context, x, &e, found, count)) {
        for (size_t i = 0; i < count; i++) {
            struct proof proof;
            const bool tested = test_of(x, &e, &found[i], &proof, a);
            t->finding(context, x, &e, i + 1, &found[i], tested ? &proof : NULL);
        }
        struct proof proof;
        if (x->mended) {
            const char *here = strchr(x->mended, '/') ? "" : "./";
            proving_run(x->plan, x->values, x->job, arena_printf(a, "kernel=%s%s", here, x->mended), x->prove, &e,
                &proof);
        }
        t->end(context, x, &e, count ? found : NULL, count, x->mended ? &proof : NULL);
    }
    arena_free(a);
}
