// A point as `measure_point` runs it, and the simulator's places of it.
// SPDX-License-Identifier: MIT
#include "reason/study.h"

#include <stdlib.h>
#include <string.h>

struct study {
    const struct device_ops *ops;
    struct device *dev;
    struct arena *arena; // of the point
    struct job job;
};

struct study *study_open(const char *spec, struct diags *d)
{
    const struct device_ops *ops = device_simulator();
    const bool own = spec && device_kind(spec) == ops;
    struct device *dev = ops->open(own ? spec : ops->kind, d);
    if (!dev) return NULL;
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

bool study_point(struct study *s, const struct plan *p, const struct value *values, struct studied *out,
    struct diags *d)
{
    if (s->arena) arena_free(s->arena);
    s->arena = arena_new();
    *out = (struct studied){.job = &s->job};
    if (!job_make(p, values, s->arena, &s->job, d)) return false;
    result_init(&out->result);
    measure_point(s->ops, s->dev, &s->job, &out->result);
    if (status_has_numbers(out->result.status)) out->place_count = s->ops->places(s->dev, &out->places);
    return true;
}
