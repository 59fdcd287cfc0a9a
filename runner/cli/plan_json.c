// A plan as JSON: every point with the values that all of it has, and every one that was removed.
// SPDX-License-Identifier: MIT
#include "cli/as_json.h"

#include <stdlib.h>

#include "plan/job.h"

static void values_of(struct json *j, const struct plan *p, const struct value *values)
{
    json_object(j, "values");
    for (size_t i = 0; i < plan_name_count(p); i++) json_value(j, plan_name(p, i), values[i]);
    json_close(j);
}

static void point(struct json *j, const struct plan *p, size_t i, struct value *values)
{
    struct arena *a = arena_new();
    struct diags why = {0};
    struct job job;
    plan_values(p, i, values);
    json_object(j, NULL);
    json_count(j, "point", i + 1);
    values_of(j, p, values);
    if (job_make(p, values, a, &job, &why)) json_count(j, "memory_bytes", job_memory(&job));
    else json_text(j, "cannot_run", diags_first(&why));
    json_close(j);
    diags_clear(&why);
    arena_free(a);
}

struct removing {
    struct json *json;
    const struct plan *plan;
};

static void removed(void *context, const struct value *values, const char *why, struct where at)
{
    const struct removing *r = context;
    json_object(r->json, NULL);
    values_of(r->json, r->plan, values);
    json_text(r->json, "by", why);
    if (at.line > 0) json_count(r->json, "line", (uint64_t)at.line);
    json_close(r->json);
}

void as_json_plan(struct json *j, const struct options *o, const struct plan *p)
{
    const size_t count = plan_count(p);
    struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    bool *mine = NULL;
    if (options_given(o, OPTION_SHARD)) {
        size_t part;
        uint32_t *order =
            plan_order(p, o->number[OPTION_SEED], (unsigned)o->number[OPTION_SHARD], (unsigned)o->parts, &part);
        mine = mem_alloc(count + 1);
        for (size_t i = 0; i < part; i++) mine[order[i]] = true;
        free(order);
    }
    json_object(j, NULL);
    json_text(j, "experiment", plan_experiment(p)->name);
    json_text(j, "kernel", plan_experiment(p)->kernel->name);
    json_count(j, "points_of_all_shards", count);
    json_list(j, "points");
    for (size_t i = 0; i < count; i++)
        if (!mine || mine[i]) point(j, p, i, values);
    json_close(j);
    json_list(j, "removed");
    plan_removed(p, removed, &(struct removing){j, p});
    json_close(j);
    json_close(j);
    free(mine);
    free(values);
}
