// What is wrong with a GPU of a fleet: a time that is longer than its model's reference or than the fleet's median by
// more than the threshold and more than noise explains, a clock that is low, results that are wrong, facts that are no
// good sign.
// SPDX-License-Identifier: MIT
#include "fleet/nights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/units.h"
#include "measure/result.h"
#include "measure/stats.h"

static void __attribute__((format(printf, 3, 4))) find(struct fleet *f, struct gpu *g, const char *fmt, ...)
{
    va_list args;
    mem_grow(&g->findings, &g->finding_room, g->finding_count + 1, sizeof *g->findings);
    va_start(args, fmt);
    g->findings[g->finding_count++] = arena_vprintf(f->arena, fmt, args);
    va_end(args);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_size);
    return stats_median(values, n);
}

// How far the others lie from their median, as a standard deviation that a few strangers among them do not widen.
static double spread(double *logs, size_t n, double middle)
{
    for (size_t i = 0; i < n; i++) logs[i] = fabs(logs[i] - middle);
    return 1.4826 * median(logs, n);
}

static bool measured(const struct gpu_test *t) { return t->status && t->time.us > 0; }

static const struct gpu_test *same_test(const struct gpu *g, size_t test, const struct gpu_test *as)
{
    const struct gpu_test *t = &g->tests[test];
    return measured(t) && t->point == as->point ? t : NULL;
}

static const char *figure(const struct fleet *f, size_t test, double value)
{
    LOCAL(str_release) struct str s = {0};
    units_print_figure(value, &s);
    const char *text = arena_printf(f->arena, "%s %s", s.text ? s.text : "", f->tests[test].unit);
    return text;
}

static void against_reference(struct fleet *f, struct gpu *g, size_t test)
{
    struct gpu_test *t = &g->tests[test];
    const struct gpu_test *should = g->reference ? same_test(g->reference, test, t) : NULL;
    if (!should) return;
    const struct ratio r = verdict_ratio(&should->time, &t->time);
    t->reference_speed = 1 / r.value;
    if (verdict_of(&r, f->threshold) == VERDICT_SLOWER)
        find(f, g, "%s: %.1f %% slower than the reference (%s, it has %s)", f->tests[test].name, 100 * (r.value - 1),
            figure(f, test, t->value), figure(f, test, should->value));
}

// The relative standard error of a time, as its interval tells it; 0 where there is none.
static double own_error(const struct timing *t)
{
    static double of, student; // most are over as many contexts as the one before
    const double degrees = fmax(t->contexts - 1, 1);
    if (of != degrees) student = stats_student(0.95, of = degrees);
    return t->high > t->low ? (t->high - t->low) / 2 / student / t->us : 0;
}

static void against_fleet(struct fleet *f, struct gpu *g, size_t test)
{
    enum { SURE = 4 }; // so many standard deviations: many GPUs are looked at, and many tests of each
    struct gpu_test *t = &g->tests[test];
    LOCAL(mem_drop) double *logs = mem_alloc((f->count + 1) * sizeof *logs);
    size_t n = 0, slower = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct gpu_test *other =
            &f->gpus[i] == g || strcmp(f->gpus[i].model, g->model) != 0 ? NULL : same_test(&f->gpus[i], test, t);
        if (!other) continue;
        slower += other->time.us > t->time.us;
        logs[n++] = log(other->time.us);
    }
    if (n + 1 >= FLEET_LEAST) {
        const double middle = median(logs, n), wide = spread(logs, n, middle), own = own_error(&t->time);
        const double behind = log(t->time.us) - middle;
        t->fleet_speed = exp(-behind);
        t->percentile = 100 * (double)slower / (double)n;
        if (behind >= log1p(f->threshold) && behind > SURE * sqrt(wide * wide + own * own))
            find(f, g, "%s: %.1f %% slower than the others' median (%s)", f->tests[test].name, 100 * expm1(behind),
                figure(f, test, t->value));
    }
}

static void against_itself(struct fleet *f, struct gpu *g, size_t test)
{
    struct gpu_test *t = &g->tests[test];
    const struct gpu *best = nights_best(g, test);
    if (!best) return;
    const struct ratio r = verdict_ratio(&best->tests[test].time, &t->time);
    t->own_speed = 1 / r.value;
    if (verdict_of(&r, f->threshold) == VERDICT_SLOWER)
        find(f, g, "%s: %.1f %% slower than this GPU was on %.10s (%s, it had %s)", f->tests[test].name,
            100 * (r.value - 1), best->date, figure(f, test, t->value), figure(f, test, best->tests[test].value));
}

static void judge_test(struct fleet *f, struct gpu *g, size_t test)
{
    struct gpu_test *t = &g->tests[test];
    const char *name = f->tests[test].name;
    if (!t->status) {
        find(f, g, "%s: its report has no row of it", name);
    } else if (!status_has_numbers(status_find(t->status))) {
        find(f, g, "%s: %s%s%s", name, t->status, *t->reason ? ": " : "", t->reason);
    } else if (measured(t)) {
        against_reference(f, g, test);
        against_fleet(f, g, test);
        against_itself(f, g, test);
    } else {
        find(f, g, "%s: no time was measured", name);
    }
}

// Where it was farthest below the reference's.
static void judge_clock(struct fleet *f, struct gpu *g)
{
    double least = 1 - f->threshold, mhz = NAN, should = NAN;
    const char *name = NULL;
    for (size_t i = 0; i < f->test_count && g->reference; i++) {
        const struct gpu_test *t = &g->tests[i];
        const struct gpu_test *as = measured(t) ? same_test(g->reference, i, t) : NULL;
        if (!as || !(t->clock_mhz < least * as->clock_mhz)) continue;
        least = t->clock_mhz / as->clock_mhz;
        name = f->tests[i].name;
        mhz = t->clock_mhz;
        should = as->clock_mhz;
    }
    if (name) find(f, g, "%s: clock %.0f MHz, the reference ran at %.0f", name, mhz, should);
}

static void judge_throttling(struct fleet *f, struct gpu *g)
{
    LOCAL(str_release) struct str names = {0};
    double lost = 0, all = 0;
    for (size_t i = 0; i < f->test_count; i++) {
        const struct gpu_test *t = &g->tests[i];
        const double taken = t->samples + t->discarded;
        if (!measured(t) || !(t->discarded > 0.05 * taken)) continue;
        str_addf(&names, "%s%s", names.size ? ", " : "", f->tests[i].name);
        lost += t->discarded;
        all += taken;
    }
    if (names.size) find(f, g, "%s: the clock was throttled in %.0f of %.0f samples", names.text, lost, all);
}

static bool same_host(const struct gpu *a, const struct gpu *b)
{
    return a->host && *a->host && b->host && strcmp(a->host, b->host) == 0;
}

// A GPU that was tested before, and that its host did not list when it went through all of them. What the host was
// given (by the variable that says which are visible) it must list too.
static void judge_presence(struct fleet *f, struct gpu *g)
{
    const struct gpu *last = NULL, *first = NULL;
    const char *began = "";
    size_t known = 0, there = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct gpu *other = &f->gpus[i];
        if (!same_host(other, g)) continue;
        known++;
        if (strcmp(condition_after(&other->condition, "host_began"), began) <= 0) continue;
        last = other;
        began = condition_after(&other->condition, "host_began");
    }
    if (!last) return;
    for (size_t i = 0; i < f->count; i++) {
        const bool now = same_host(&f->gpus[i], g) && strcmp(f->gpus[i].date, began) >= 0;
        there += now;
        if (now && !first) first = &f->gpus[i];
    }
    const size_t listed = strtoul(condition_after(&last->condition, "host_gpus"), NULL, 10),
                 given = strtoul(condition_after(&last->condition, "host_given"), NULL, 10);
    if (there < listed) return; // it was broken off
    if (strcmp(g->date, began) < 0 && (!given || given >= known))
        find(f, g, "not there: its host had %zu GPUs on %.10s, and not this one", listed, began);
    else if (g == first && given > listed && known <= listed)
        find(f, g, "not there: its host was given %zu GPUs, and has %zu", given, listed);
}

size_t fleet_judge(struct fleet *f)
{
    size_t ill = 0;
    for (size_t i = 0; i < f->count; i++)
        for (size_t r = 0; r < f->reference_count; r++)
            if (strcmp(f->gpus[i].model, f->references[r].model) == 0) f->gpus[i].reference = &f->references[r];
    for (size_t i = 0; i < f->count; i++) {
        struct gpu *g = &f->gpus[i];
        const char *sign;
        size_t at = 0;
        for (size_t t = 0; t < f->test_count; t++) judge_test(f, g, t);
        judge_presence(f, g);
        judge_clock(f, g);
        judge_throttling(f, g);
        while ((sign = condition_finding(&g->condition, &at, f->arena))) find(f, g, "%s", sign);
        ill += g->finding_count > 0;
    }
    return ill;
}
