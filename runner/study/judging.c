// Gathers what each visit of each point gave, and pairs it.
// SPDX-License-Identifier: MIT
#include "study/judging.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "device/device.h"
#include "measure/result.h"
#include "plan/plan.h"
#include "spec/columns.h"
#include "spec/contract.h"
#include "study/study.h"

// A kernel that is to be judged runs once on the simulator, small: there each access is checked, and what could know of
// an earlier launch is launched again on other inputs.

enum {
    THREADS_MOST = 1 << 14, // of a launch,
    BYTES_MOST = 1 << 22,   // of all buffers
    VALUE_LEAST = 8,        // what is no larger is no size of a problem
    SECONDS_MOST = 2,       // of work,
    PATIENCE_S = 60         // and at all: a busy machine takes longer
};

struct rehearsal {
    struct plan *plan;
    bool shifts; // the first kernel is right wherever its inputs begin. Asked so: their order is another, too
    size_t wrong;
    char why[300];
};

static bool may_halve(struct value v) { return v.kind == VALUE_INT && v.i > VALUE_LEAST && v.i % 2 == 0; }

static double size_of(const struct plan *plan, const struct value *values, struct arena *a) // of the most; NAN: none
{
    struct diags unheard = {0};
    struct job job;
    const bool made = job_make(plan, values, a, &job, &unheard);
    double threads = 1.0 / THREADS_MOST, bytes = 0;
    for (int i = 0; made && i < 3; i++) threads *= (double)job.grid[i] * job.block[i];
    for (size_t i = 0; made && i < job.buffer_count; i++) bytes += (double)job.buffers[i].bytes / BYTES_MOST;
    diags_clear(&unheard);
    return made ? fmax(threads, bytes) : NAN;
}

// Halves a parameter, which all kernels have, where the size comes down by it. One that only says how long the rows of
// few threads are stays what it is: a kernel may be made for that. This process ends soon: nobody else sees the change.
static bool halve(struct plan *plan, struct value *values, size_t param, double *size, struct arena *a)
{
    const struct experiment *e = plan_experiment(plan);
    const struct param *first = &e->kernels[0]->params[param];
    size_t n = 0, count = 0;
    struct value **of = arena_alloc(a, (e->kernel_count + 1) * sizeof *of),
                 *was = arena_alloc(a, (e->kernel_count + 1) * sizeof *was);
    if (first->kind != PARAM_ARGUMENT) return false;
    for (size_t i = 0; i < e->kernel_count; i++)
        of[count++] = &((struct param *)&e->kernels[i]->params[param])->fallback;
    while (n < plan_name_count(plan) && strcmp(plan_name(plan, n), first->name) != 0) n++;
    if (n < plan_name_count(plan)) of[count++] = &values[n];
    for (size_t i = 0; i < count; i++) {
        was[i] = *of[i];
        if (may_halve(was[i])) of[i]->i /= 2;
    }
    plan_forget(plan);
    const double now = size_of(plan, values, a);
    if (now < *size) return *size = now, true;
    for (size_t i = 0; i < count; i++) *of[i] = was[i];
    plan_forget(plan);
    return false;
}

static bool shrink(struct plan *plan, struct value *values, struct arena *a)
{
    const size_t params = plan_experiment(plan)->kernels[0]->param_count;
    double size = size_of(plan, values, a);
    for (bool any = true; any && size > 1;) {
        any = false;
        for (size_t k = 0; k < params && size > 1; k++) any |= halve(plan, values, k, &size, a);
    }
    return size <= 1;
}

static enum status run(struct study *s, const struct rehearsal *r, struct value *values, size_t kernel,
    struct studied *out)
{
    const struct plan *plan = r->plan;
    struct diags unheard = {0};
    for (size_t i = 0; i < plan_name_count(plan); i++)
        if (strcmp(plan_name(plan, i), "kernel") == 0)
            values[i] = value_text(plan_experiment(plan)->kernels[kernel]->name);
    const bool ran = study_point(s, plan, values, NULL, out, &unheard);
    diags_clear(&unheard);
    return ran ? out->result.status : STATUS_SKIPPED;
}

static bool has_formula(const struct job *job, bool shuffled)
{
    for (size_t i = 0; i < job->buffer_count; i++)
        if (shuffled ? job->buffers[i].shuffled : job->buffers[i].shifts) return true;
    return false;
}

static bool skews(const struct job *job)
{
    for (size_t i = 0; i < job->buffer_count; i++)
        if (job->buffers[i].skewed) return true;
    return false;
}

static void run_others(struct study *s, struct rehearsal *r, struct value *values)
{
    struct studied of;
    for (size_t i = 1; i < plan_experiment(r->plan)->kernel_count && !r->wrong; i++) {
        const enum status found = run(s, r, values, i, &of);
        if (found != STATUS_WRONG && found != STATUS_FAILED) continue;
        char text[WHY_TEXT];
        r->wrong = i;
        snprintf(r->why, sizeof r->why, "on the simulator, with %u threads%s: %.200s",
            of.job->grid[0] * of.job->grid[1] * of.job->grid[2] * of.job->block[0] * of.job->block[1] *
                of.job->block[2],
            has_formula(of.job, true)                    ? ", with inputs in another order"
                : r->shifts                              ? ", with inputs that begin at another place"
                : skews(of.job) && found == STATUS_WRONG ? ", with random numbers of which most are small"
                                                         : "",
            why_text(&of.result.why, text));
    }
}

static void rehearse(const void *context, void *answer)
{
    enum { ANOTHER = 41 };
    struct rehearsal *r = answer;
    struct plan *plan = ((const struct rehearsal *)context)->plan;
    struct arena *a = arena_new();
    struct value *values = arena_alloc(a, (plan_name_count(plan) + 1) * sizeof *values);
    struct diags unheard = {0};
    struct studied of;
    *r = *(const struct rehearsal *)context;
    const bool shuffles = r->shifts;
    alarm(PATIENCE_S);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = SECONDS_MOST}, NULL);
    device_own_process();
    plan_values(plan, 0, values);
    struct study *s = shrink(plan, values, a) ? study_open(NULL, false, NULL, &unheard) : NULL;
    if (shuffles) plan_seed(plan, ANOTHER), plan_shift(plan, true);
    // What is right of random numbers that are spread evenly may know what comes of so many of them.
    plan_skew(plan, true);
    bool right = s && run(s, r, values, 0, &of) == STATUS_OK;
    plan_skew(plan, right);
    if (s && !right) right = run(s, r, values, 0, &of) == STATUS_OK;
    if (!right) return;
    run_others(s, r, values);
    if (r->wrong || shuffles) return;
    plan_seed(plan, ANOTHER);
    plan_shift(plan, false);
    r->shifts = run(s, r, values, 0, &of) == STATUS_OK && has_formula(of.job, false);
    if (r->shifts) run_others(s, r, values);
}

// The plan's kernels from the second on, at its first point, with their sizes halved until a launch has few threads.
// `why` says what is wrong with the first that is not right there though the first kernel is; the answer is its number.
// 0: nothing is wrong, or nothing can be said (too large, too long, a size that cannot be halved).
// Where the first kernel is right too when inputs that are a formula begin at another place, the others must be, and
// from then on the plan has them begin anywhere. Where it is right when they lie in another order, the others must be.
static size_t rehearsing(struct plan *plan, char why[300])
{
    const struct rehearsal asked = {.plan = plan};
    struct rehearsal r = asked, again;
    if (plan_experiment(plan)->kernel_count < 2 || !plan_count(plan)) return 0;
    if (!apart_ask(rehearse, &asked, &r, sizeof r)) return 0;
    if (r.shifts) plan_shift(plan, false);
    // In a process of its own: what is not made for another order may never end.
    if (r.shifts && !r.wrong && apart_ask(rehearse, &r, &again, sizeof again)) r = again;
    memcpy(why, r.why, sizeof r.why);
    return r.wrong;
}

static const char standing_in[] = "./judge.yaml";

// A file is named by its path; what is no file may be a kernel that ships. One that comes twice is held against itself:
// another path to it tells the two apart.
static const char *written(const struct request *r, size_t i, struct arena *a)
{
    const char *operand = r->files[i];
    const bool is_path = strchr(operand, '/') != NULL, is_file = is_path || file_exists(operand);
    bool twice = false;
    for (size_t k = 0; k < i; k++) twice |= strcmp(r->files[k], operand) == 0;
    char *ships = is_file || !twice ? NULL : file_find("kernels", operand, ".cu");
    const char *name = arena_strdup(a, ships ? ships : operand);
    free(ships);
    if (is_file && !is_path) name = arena_printf(a, "./%s", name);
    for (size_t k = 0; k < i; k++)
        if (strcmp(r->files[k], operand) == 0) name = arena_printf(a, *name == '/' ? "/.%s" : "./%s", name);
    return name;
}

// An experiment of both: it stands in the run file, from which it can be measured again.
static const char *experiment_of(const struct request *r, struct arena *a)
{
    struct str s = {0};
    str_add(&s, "experiment: judge\nquestion: Which of these kernels is quicker?\nsweep:\n  kernel:\n");
    for (size_t i = 0; i < r->count; i++) {
        str_add(&s, "    - \"");
        for (const char *p = written(r, i, a); *p; p++) str_addf(&s, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
        str_add(&s, "\"\n");
    }
    str_addf(&s, "measure: {contexts: %d}\n", JUDGING_CONTEXTS);
    const char *text = arena_strdup(a, s.text);
    str_release(&s);
    return text;
}

bool contest_fair(const struct request *r, struct arena *a, struct diags *d)
{
    struct kernel *base = NULL;
    bool good = true;
    for (size_t i = 0; i < r->count; i++) {
        struct kernel *k = kernel_load(written(r, i, a), d);
        good &= k != NULL;
        if (i == 0 && k && !k->check && !k->checks_of_count)
            good = diag_user(d, (struct where){.file = k->path}, "gpuexp describe check",
                "has no `check`: nothing tells a right result from a wrong one");
        if (i && k && base) good &= contract_same(base, k, d);
        if (i == 0) base = k;
        else kernel_free(k);
    }
    if (base) kernel_free(base);
    return good;
}

struct request contest_request(const struct request *r, struct arena *a)
{
    static const char *const file[] = {standing_in};
    struct request of = *r;
    file_stand_in(*file, experiment_of(r, a));
    of.files = arena_copy(a, file, sizeof file);
    of.count = 1;
    return of;
}

struct watching {
    struct judging *j;
    const struct plan *plan;
};

static const struct where nowhere = {0};

static void finished(void *context, const struct run_summary *s)
{
    const struct watching *w = context;
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
        if (strcmp(p->names[i], "kernel") == 0 || !experiment_is_axis(plan_experiment(w->plan), p->names[i])) continue;
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
        .why = p->result->why,
        .timing = {columns[COLUMN_TIME_US], columns[COLUMN_TIME_LO_US], columns[COLUMN_TIME_HI_US],
            columns[COLUMN_CONTEXTS]},
        .count = p->part_count};
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

bool judging_has_time(const struct judged *x) { return status_has_numbers(x->status) && x->timing.us > 0; }

const struct judged *judging_base_of(const struct judging *j, const struct judged *x)
{
    for (size_t i = 0; i < j->count; i++)
        if (strcmp(j->items[i].kernel, j->base) == 0 && strcmp(j->items[i].point, x->point) == 0) return &j->items[i];
    return NULL;
}

struct judging_verdict judging_verdict(const struct judging *j, const struct judged *x)
{
    const struct judged *base = judging_base_of(j, x);
    struct judging_verdict v = {base == x ? NULL : base, x, JUDGED_TIMELESS, VERDICT_UNSURE, {NAN, NAN, NAN}, true};
    if (!judging_has_time(x)) return v;
    v.as = JUDGED_ALONE;
    if (!v.base || !judging_has_time(base)) return v;
    v.as = JUDGED;
    v.ratio = ratio_of(base, x);
    v.kind = verdict_of(&v.ratio, j->threshold);
    v.bad = v.kind == VERDICT_SLOWER;
    return v;
}

static int by_place(const void *a, const void *b)
{
    const struct judged *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
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

static void refuse(struct judged *x, const char *why)
{
    if (!status_has_numbers(x->status)) return; // it says so itself
    x->status = STATUS_WRONG;
    x->why = (struct why){0};
    why_note(&x->why, SAID, why);
}

int judging_measure(struct judging *j, const struct request *of, struct plan *plan, const struct run_observer *told,
    struct arena *a, struct diags *d)
{
    struct watching w = {.j = j, .plan = plan};
    struct judging_device found = {0};
    const struct experiment *e = plan_experiment(plan);
    if (!plan_count(plan)) return diag_user(d, (struct where){.file = e->file}, NULL, "no point is left to measure"), 2;
    if (!find_device(plan, &found, a, d)) return 2;
    const struct run_observer observer = {.context = &w, .point = point, .finished = finished, .next = told};
    const char *const devices[] = {found.spec, NULL};
    const struct run_options options = {.report = j->report,
        .seed = of->seed,
        .wants = j->points ? wants : NULL,
        .wants_context = &w,
        .rounds = JUDGING_ROUNDS,
        .fresh = true,
        .devices = devices,
        .overrides = of->overrides,
        .override_count = of->override_count};
    char why[300] = "";
    j->base = e->kernels[0]->name;
    const size_t wrong = rehearsing(plan, why);
    const int status = run_experiment(plan, &options, &observer, d);
    for (size_t i = 0; wrong && i < j->count; i++)
        if (strcmp(j->items[i].kernel, e->kernels[wrong]->name) == 0) refuse(&j->items[i], why);
    if (j->count) qsort(j->items, j->count, sizeof *j->items, by_place);
    return diags_errors(d) || status == 75 ? status : 0;
}

void judging_release(struct judging *j)
{
    for (size_t i = 0; i < j->count; i++) {
        free(j->items[i].point);
        free(j->items[i].kernel);
    }
    free(j->items);
}
