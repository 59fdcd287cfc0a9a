// Makes a point small, and runs it on the simulator, in a process that ends soon.
// SPDX-License-Identifier: MIT
#include "study/rehearsing.h"

#include "base/apart.h"
#include "device/device.h"
#include "study/study.h"

#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    THREADS_MOST = 1 << 14, // of a launch
    VALUE_LEAST = 64,       // what is no larger is no size of a problem
    SECONDS_MOST = 2,       // of work,
    PATIENCE_S = 60         // and at all: a busy machine takes longer
};

struct rehearsal {
    struct plan *plan;
    bool shifts; // the first kernel is right wherever its inputs begin
    size_t wrong;
    char why[300];
};

static bool may_halve(struct value v) { return v.kind == VALUE_INT && v.i > VALUE_LEAST && v.i % 2 == 0; }

// This process ends soon: what it changes of the kernels nobody else sees.
static bool halve(struct plan *plan, struct value *values)
{
    const struct experiment *e = plan_experiment(plan);
    bool any = false;
    for (size_t i = 0; i < e->kernel_count; i++)
        for (size_t k = 0; k < e->kernels[i]->param_count; k++) {
            struct param *p = (struct param *)&e->kernels[i]->params[k];
            if (p->kind != PARAM_ARGUMENT) continue;
            if (may_halve(p->fallback)) p->fallback.i /= 2, any = true;
            for (size_t n = 0; i == 0 && n < plan_name_count(plan); n++)
                if (strcmp(plan_name(plan, n), p->name) == 0 && may_halve(values[n])) values[n].i /= 2, any = true;
        }
    plan_forget(plan);
    return any;
}

static bool shrink(struct plan *plan, struct value *values, struct arena *a)
{
    for (;;) {
        struct diags unheard = {0};
        struct job job;
        const bool made = job_make(plan, values, a, &job, &unheard);
        double threads = 1;
        for (int i = 0; made && i < 3; i++) threads *= (double)job.grid[i] * job.block[i];
        diags_clear(&unheard);
        if (!made) return false;
        if (threads <= THREADS_MOST) return true;
        if (!halve(plan, values)) return false;
    }
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
            r->shifts ? ", with inputs that begin at another place" : "", why_text(&of.result.why, text));
    }
}

static bool has_formula(const struct job *job)
{
    for (size_t i = 0; i < job->buffer_count; i++)
        if (job->buffers[i].shifts) return true;
    return false;
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
    alarm(PATIENCE_S);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = SECONDS_MOST}, NULL);
    device_own_process();
    plan_values(plan, 0, values);
    struct study *s = shrink(plan, values, a) ? study_open(NULL, false, NULL, &unheard) : NULL;
    if (!s || run(s, r, values, 0, &of) != STATUS_OK) return;
    run_others(s, r, values);
    if (r->wrong) return;
    plan_seed(plan, ANOTHER);
    plan_shift(plan);
    r->shifts = run(s, r, values, 0, &of) == STATUS_OK && has_formula(of.job);
    if (r->shifts) run_others(s, r, values);
}

size_t rehearsing(struct plan *plan, char why[300])
{
    const struct rehearsal asked = {.plan = plan};
    struct rehearsal r = asked;
    if (plan_experiment(plan)->kernel_count < 2 || !plan_count(plan)) return 0;
    if (!apart_ask(rehearse, &asked, &r, sizeof r)) return 0;
    if (r.shifts) plan_shift(plan);
    memcpy(why, r.why, sizeof r.why);
    return r.wrong;
}
