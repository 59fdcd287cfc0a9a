// Which reports are of one GPU says its UUID, where it told one, else where it sits. Their order is that of their
// dates.
// SPDX-License-Identifier: MIT
#include "fleet/nights.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/beside.h"
#include "base/file.h"
#include "measure/stats.h"
#include "store/runfile.h"

static bool move(const char *from, const char *to, struct diags *d)
{
    if (!file_exists(from) || rename(from, to) == 0) return true;
    return diag_system(d, "make it writable, or move it away", "%s cannot be renamed to %s: %s", from, to,
        strerror(errno));
}

// The run file, which has the date, goes last: what was broken off is gone on with.
bool nights_keep(const char *report, struct diags *d)
{
    char *facts = runfile_read(report), *end = facts ? runfile_get(facts, "end", -1) : NULL,
         *date = facts ? runfile_get(facts, "started", -1) : NULL, name[96];
    bool ok = true;
    if (date && end && strcmp(end, "complete") == 0) {
        snprintf(name, sizeof name, ".%.80s.csv", date);
        for (char *p = name; *p; p++)
            if (*p == ':' || *p == '/') *p = '-';
        char *kept = beside_with(report, name);
        for (int n = 2; file_exists(kept) && file_exists(report); n++) { // two in one second
            char *last = beside_with(report, name), number[16];
            snprintf(number, sizeof number, ".%d.csv", n);
            free(kept);
            kept = beside_with(last, number);
            free(last);
        }
        for (int b = BESIDE_COUNT; b-- > 0 && ok;) {
            if (b == BESIDE_RUN) ok = move(report, kept, d);
            if (!ok || !(beside_table[b].is & BESIDE_KEPT)) continue;
            char *from = beside_path(report, (enum beside)b), *to = beside_path(kept, (enum beside)b);
            ok = move(from, to, d);
            free(from);
            free(to);
        }
        free(kept);
    }
    free(date);
    free(end);
    free(facts);
    return ok;
}

static const char *identity(const struct gpu *g)
{
    const char *uuid = condition_after(&g->condition, "uuid");
    return *uuid ? uuid : g->name;
}

struct one_night {
    const struct gpu *gpu;
    size_t given, first; // where it stood, and the newest of its GPU
};

static int by_gpu_newest_first(const void *pa, const void *pb)
{
    const struct one_night *a = pa, *b = pb;
    const int who = strcmp(identity(a->gpu), identity(b->gpu)), when = strcmp(b->gpu->date, a->gpu->date);
    return who ? who : when ? when : (a->given < b->given) - (a->given > b->given);
}

static int by_place(const void *pa, const void *pb)
{
    const struct one_night *a = pa, *b = pb;
    return (a->first > b->first) - (a->first < b->first);
}

void nights_gather(struct fleet *f)
{
    struct one_night *all = mem_alloc((f->count + 1) * sizeof *all),
                     *newest = mem_alloc((f->count + 1) * sizeof *newest);
    struct gpu *gpus = mem_alloc((f->count + 1) * sizeof *gpus);
    size_t now = 0, past = 0;
    for (size_t i = 0; i < f->count; i++) all[i] = (struct one_night){&f->gpus[i], i, 0};
    qsort(all, f->count, sizeof *all, by_gpu_newest_first);
    for (size_t i = 0; i < f->count; i++) {
        const bool same = i && strcmp(identity(all[i].gpu), identity(all[i - 1].gpu)) == 0;
        if (same) past++;
        else newest[now++] = (struct one_night){all[i].gpu, i, all[i].given};
    }
    qsort(newest, now, sizeof *newest, by_place);
    struct gpu *night = gpus + now; // behind the newest of all
    for (size_t k = 0; k < now; k++) {
        size_t count = 1;
        for (size_t i = newest[k].given; i + count < f->count; count++)
            if (strcmp(identity(all[i].gpu), identity(all[i + count].gpu)) != 0) break;
        gpus[k] = *newest[k].gpu;
        gpus[k].nights = night;
        gpus[k].night_count = count - 1;
        while (--count) *night++ = *all[newest[k].given + count].gpu; // the oldest first
    }
    free(f->gpus);
    f->gpus = gpus;
    f->count = f->room = now;
    f->past = past;
    free(all);
    free(newest);
}

static bool same_work(const struct gpu *a, const struct gpu *b, size_t test)
{
    const struct gpu_test *x = &a->tests[test], *y = &b->tests[test];
    return x->time.us > 0 && y->time.us > 0 && x->point == y->point;
}

const struct gpu *nights_best(const struct gpu *g, size_t test)
{
    const struct gpu *best = NULL;
    for (size_t i = 0; i < g->night_count; i++) {
        const struct gpu *n = &g->nights[i];
        if (!same_work(g, n, test) || strcmp(g->driver, n->driver) != 0) continue;
        if (!best || n->tests[test].time.us < best->tests[test].time.us) best = n;
    }
    return best;
}

const char *nights_driver_of(const struct gpu *g, struct arena *a)
{
    const char *at = g->driver ? strstr(g->driver, "driver ") : NULL;
    return at ? arena_strndup(a, at + strlen("driver "), strcspn(at + strlen("driver "), ",")) : "?";
}

// The night before its driver became another; NULL: it never did.
static const struct gpu *before_driver(const struct gpu *g)
{
    for (size_t i = g->night_count; i-- > 0;)
        if (strcmp(g->nights[i].driver, g->driver) != 0) return &g->nights[i];
    return NULL;
}

static double speed_between(const struct gpu *g, const struct gpu *before, size_t test)
{
    double then = NAN, now = same_work(g, before, test) ? g->tests[test].time.us : (double)NAN;
    for (size_t i = 0; i < g->night_count; i++) {
        const struct gpu *n = &g->nights[i];
        if (!same_work(g, n, test)) continue;
        if (strcmp(n->driver, before->driver) == 0) then = fmin(then, n->tests[test].time.us);
        if (strcmp(n->driver, g->driver) == 0) now = fmin(now, n->tests[test].time.us);
    }
    return then / now;
}

static bool is_change(const struct nights_driver *c, const struct gpu *g, const struct gpu *before, struct arena *a)
{
    return before && strcmp(c->model, g->model) == 0 && strcmp(c->from, nights_driver_of(before, a)) == 0 &&
        strcmp(c->to, nights_driver_of(g, a)) == 0;
}

static void fill(const struct fleet *f, struct nights_driver *c)
{
    LOCAL(mem_drop) double *speeds = mem_alloc((f->count + 1) * sizeof *speeds);
    c->speeds = arena_alloc(f->arena, (f->test_count + 1) * sizeof *c->speeds);
    for (size_t t = 0; t < f->test_count; t++) {
        size_t n = 0;
        c->gpus = 0;
        for (size_t i = 0; i < f->count; i++) {
            const struct gpu *g = &f->gpus[i], *before = before_driver(g);
            if (!is_change(c, g, before, f->arena)) continue;
            const double speed = speed_between(g, before, t);
            c->gpus++;
            if (isfinite(speed)) speeds[n++] = speed;
        }
        qsort(speeds, n, sizeof *speeds, stats_rising);
        c->speeds[t] = n ? stats_median(speeds, n) : (double)NAN;
    }
}

size_t nights_drivers(const struct fleet *f, struct nights_driver **all)
{
    struct nights_driver *list = arena_alloc(f->arena, (f->count + 1) * sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct gpu *g = &f->gpus[i], *before = before_driver(g);
        bool known = !before;
        for (size_t k = 0; k < n && !known; k++) known = is_change(&list[k], g, before, f->arena);
        if (known) continue;
        list[n] = (struct nights_driver){
            g->model, nights_driver_of(before, f->arena), nights_driver_of(g, f->arena), 0, NULL};
        fill(f, &list[n++]);
    }
    *all = list;
    return n;
}
