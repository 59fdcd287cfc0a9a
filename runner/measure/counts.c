// Counts by the device itself, by the simulator, or by both side by side.
// SPDX-License-Identifier: MIT
#include "measure/counts.h"

#include "base/child.h"
#include "device/profiles.h"
#include "measure/result.h"
#include "plan/asks.h"
#include "spec/columns.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum mode { NONE, OWN, SIMULATED, BOTH, ASKED };

static enum mode mode_for(const struct job *job, bool timed, struct diags *why)
{
    const char *asked = asks_text(job, SETTING_COUNTERS);
    if (strcmp(asked, "none") == 0) return NONE;
    if (!*asked || strcmp(asked, "auto") == 0) return !timed ? OWN : job->counts ? ASKED : NONE;
    if (strcmp(asked, "sim") == 0) return timed ? SIMULATED : OWN;
    if (!timed && why) // only the simulator does not time
        diag_add(why, DIAG_WARNING, (struct where){0}, NULL, "`counters: %s` needs a GPU: counted by the simulator",
            asked);
    if (!timed) return OWN;
    return strcmp(asked, "both") == 0 ? BOTH : OWN;
}

// Only what was counted, and what is expected beside it: the compiler's facts in the same array stay those of the
// measured device.
static void take_expected(double *to, const double *from)
{
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (column_table[c].group == COLUMNS_EXPECTED && !isnan(from[c])) to[c] = from[c];
}

static void take(double *to, const double *from)
{
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (column_counted(c)) to[c] = from[c];
    take_expected(to, from);
}

static void explain(struct diags *why, enum diag_code code, const struct diags *errors)
{
    diag_add(why, DIAG_WARNING, (struct where){0}, NULL, "%s", diags_first(errors));
    diag_code(why, code, NULL);
}

// What the counting device says about its numbers goes with them.
static void pass_on(struct diags *why, const struct diags *from)
{
    for (size_t i = 0; i < from->count; i++)
        if (why && from->items[i].kind == DIAG_WARNING)
            diag_add(why, DIAG_WARNING, (struct where){0}, NULL, "%s", from->items[i].what);
}

static bool own(const struct device_ops *ops, struct device *dev, double *columns, char source[16], struct diags *d)
{
    double counted[COLUMN_COUNT];
    for (size_t c = 0; c < COLUMN_COUNT; c++) counted[c] = NAN;
    if (!ops->count_accesses(dev, counted, source, d)) return false;
    take(columns, counted);
    return true;
}

bool counts_apart(const struct job *job, const struct device_identity *id)
{
    const enum mode mode = mode_for(job, id->timed, NULL);
    return id->timed && (mode == OWN || mode == BOTH || mode == ASKED);
}

bool counts_asked(const struct job *job) { return mode_for(job, true, NULL) != NONE; }

void counts_join(struct result *to, const struct result *counted)
{
    take(to->columns, counted->columns);
    take(to->columns_sim, counted->columns_sim);
    memcpy(to->counts, counted->counts, sizeof to->counts);
    char reason[WHY_TEXT];
    if (counted->status == STATUS_OK) why_join(&to->why, &counted->why);
    else if (counted->why.count) why_note(&to->why, NOT_COUNTED, why_text(&counted->why, reason));
    to->busy_s += counted->busy_s;
    to->wall_s += counted->wall_s;
}

void counts_beside(struct result *r)
{
    const double *c = r->columns, us = c[COLUMN_TIME_US], lo = c[COLUMN_MODEL_LO_US], hi = c[COLUMN_MODEL_HI_US];
    if (us > hi) why_note(&r->why, LONGER, lo, hi);
    if (us < lo) why_note(&r->why, SHORTER, lo, hi);
}

struct apart { // what a simulation in a process of its own is told and answers
    const struct job *job;
    const char *gpu;
    unsigned seconds;
    double columns[COLUMN_COUNT];
    char source[16], why[256];
    bool good;
};

static bool simulated(const struct job *, const char *gpu, double *columns, char source[16], struct diags *);

// A clock that strikes each second: of the time in which this process is stopped (Ctrl-Z) it strikes once.
static volatile sig_atomic_t seconds_left;

static void strike(int signal)
{
    (void)signal;
    if (--seconds_left <= 0) _exit(1);
}

static void end_after(unsigned seconds)
{
    const struct itimerval each = {{1, 0}, {1, 0}};
    seconds_left = (sig_atomic_t)seconds;
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = strike, .sa_flags = SA_RESTART}, NULL);
    setitimer(ITIMER_REAL, &each, NULL);
}

static void simulate(const void *context, void *answer)
{
    struct apart *a = answer;
    LOCAL(diags_clear) struct diags errors = {0};
    *a = *(const struct apart *)context;
    end_after(a->seconds);
    a->good = simulated(a->job, a->gpu, a->columns, a->source, &errors);
    snprintf(a->why, sizeof a->why, "%s", diags_first(&errors));
}

// Nobody asked for the simulator by name: it may cost the point neither its row nor its worker, so it gets only the
// time that is left.
static bool simulated_in_time(const struct job *job, const char *gpu, double left_s, double *columns, char source[16],
    struct diags *d)
{
    struct apart a = {.job = job, .gpu = gpu, .seconds = left_s > 1 ? (unsigned)left_s : 1};
    for (size_t c = 0; c < COLUMN_COUNT; c++) a.columns[c] = NAN;
    if (!apart_ask(simulate, &a, &a, sizeof a))
        return diag_system(d, NULL, "not done in the %u s that were left of `timeout`", a.seconds);
    if (!a.good) return diag_system(d, NULL, "%s", a.why);
    take(columns, a.columns);
    memcpy(source, a.source, sizeof a.source);
    return true;
}

// The same job once more, on a simulator that stands for that GPU. The GPU has verified the result already. Where it
// can stand for H200s only, nothing is expected.
static bool simulated(const struct job *job, const char *gpu, double *columns, char source[16], struct diags *d)
{
    char spec[DEVICE_SPEC], unfit[256] = "";
    double facts[COLUMN_COUNT];
    bool skip = false;
    const struct device_ops *ops = device_simulator();
    const struct profile *like = profile_named(gpu);
    if (like) snprintf(spec, sizeof spec, "sim:%s", like->name);
    else ops->spec(0, spec);
    struct device *dev = ops->open(spec, d);
    if (!dev) return false;
    ops->unfit(dev, job, unfit);
    bool good = unfit[0] ? diag_system(d, NULL, "%s", unfit)
                         : ops->prepare(dev, job, facts, &skip, d) && own(ops, dev, columns, source, d);
    if (!unfit[0]) ops->finish(dev);
    ops->close(dev);
    for (int c = 0; c < COLUMN_COUNT && !like; c++)
        if (column_table[c].group == COLUMNS_EXPECTED) columns[c] = NAN;
    return good;
}

void counts_fill(const struct device_ops *ops, struct device *dev, const struct device_identity *id,
    const struct job *job, struct result *r, double left_s, struct diags *why)
{
    const bool timed = id->timed;
    enum mode mode = mode_for(job, timed, why);
    struct diags errors = {0};
    char source[16] = "";
    bool counted = false;
    if (mode == OWN || mode == BOTH || mode == ASKED) {
        counted = own(ops, dev, r->columns, r->counts, &errors);
        if (!counted) {
            explain(why, timed ? DIAG_NO_COUNTERS : DIAG_NOT_COUNTED, &errors);
            r->counts[0] = '\0';
            if (!timed) mode = NONE;
            else if (mode == OWN) mode = SIMULATED;
            else if (mode == ASKED && !(job->counts & COUNTS_ACCESS)) mode = NONE; // the simulator has no other
        } else pass_on(why, &errors);
    }
    diags_clear(&errors);
    if (mode == SIMULATED || mode == BOTH || (mode == ASKED && !counted)) {
        double *columns = mode == BOTH ? r->columns_sim : r->columns;
        const bool good = mode == ASKED ? simulated_in_time(job, id->name, left_s, columns, source, &errors)
                                        : simulated(job, id->name, columns, source, &errors);
        if (!good) explain(why, DIAG_NOT_SIMULATED, &errors);
        else pass_on(why, &errors);
        if (good && !counted) { // there is only one set of counts: it goes into the row itself
            take(r->columns, columns);
            memcpy(r->counts, source, sizeof source);
        } else if (good) take_expected(r->columns, columns);
    }
    diags_clear(&errors);
}
