// A point as `measure_point` runs it, and the simulator's places of it.
// SPDX-License-Identifier: MIT
#include "reason/study.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile bool out_of_time; // of the point at hand
static void note_time(int signal)
{
    (void)signal;
    out_of_time = true;
}

struct study {
    const struct device_ops *ops;
    struct device *dev;
    struct arena *arena; // of the point
    struct job job;
};

struct study *study_open(const char *spec, bool closely, struct diags *d)
{
    const struct device_ops *ops = device_simulator();
    const bool own = spec && device_kind(spec) == ops;
    struct device *dev = ops->open(own ? spec : ops->kind, d);
    if (!dev) return NULL;
    if (closely) ops->look(dev, &out_of_time);
    struct study *s = mem_alloc(sizeof *s);
    *s = (struct study){.ops = ops, .dev = dev};
    return s;
}

void study_close(struct study *s)
{
    if (!s) return;
    s->ops->close(s->dev);
    if (s->arena) arena_free(s->arena);
    free(s);
}

static bool begin(struct study *s, const struct plan *p, const struct value *values, struct studied *out,
    struct diags *d)
{
    if (s->arena) arena_free(s->arena);
    s->arena = arena_new();
    *out = (struct studied){.job = &s->job};
    result_init(&out->result);
    return job_make(p, values, s->arena, &s->job, d);
}

enum { MEMORY_MOST = 2 }; // GiB that a point's buffers may take here, where nobody asked for the simulator

// What stands in the way goes to the reason.
static void count(struct study *s, struct studied *out)
{
    struct diags why = {0};
    bool skip = false;
    char unfit[256] = "", source[16];
    double columns[COLUMN_COUNT];
    for (int c = 0; c < COLUMN_COUNT; c++) columns[c] = NAN;
    s->ops->unfit(s->dev, &s->job, unfit);
    if (*unfit) {
        result_note(&out->result, "%s", unfit);
        return;
    }
    if (s->ops->prepare(s->dev, &s->job, columns, &skip, &why) &&
        s->ops->count_accesses(s->dev, columns, source, &why)) {
        out->result.status = STATUS_UNVERIFIED;
        s->ops->places(s->dev, &out->places);
        memcpy(out->result.columns, columns, sizeof columns);
    } else result_note(&out->result, "%s", diags_first(&why));
    s->ops->finish(s->dev);
    diags_clear(&why);
}

bool study_counted(struct study *s, const struct plan *p, const struct value *values, unsigned seconds,
    struct studied *out, struct diags *d)
{
    if (!begin(s, p, values, out, d)) return false;
    if (job_memory(&s->job) >> 30 >= MEMORY_MOST) {
        result_note(&out->result, "its buffers are too large to be looked at here");
        return true;
    }
    struct sigaction timer = {.sa_handler = note_time}, before;
    sigaction(SIGALRM, &timer, &before);
    out_of_time = false;
    alarm(seconds);
    count(s, out);
    alarm(0);
    out_of_time = false;
    sigaction(SIGALRM, &before, NULL);
    return true;
}

bool study_point(struct study *s, const struct plan *p, const struct value *values, struct studied *out,
    struct diags *d)
{
    if (!begin(s, p, values, out, d)) return false;
    measure_point(s->ops, s->dev, &s->job, &out->result);
    if (status_has_numbers(out->result.status)) s->ops->places(s->dev, &out->places);
    return true;
}
