// A plan as JSON: every point with the values that all of it has, and every one that was removed.
// SPDX-License-Identifier: MIT
#include "cli/as_json.h"
#include "plan/load.h"
#include "study/trying.h"

#include <stdlib.h>

static void values_of(struct json *j, const struct plan *p, const struct value *values)
{
    json_object(j, "values");
    for (size_t i = 0; i < plan_name_count(p); i++) json_value(j, plan_name(p, i), values[i]);
    json_close(j);
}

static void point(struct json *j, const struct plan *p, struct trying *trying, size_t i, struct value *values)
{
    LOCAL(str_release) struct str why = {0};
    uint64_t memory = 0;
    plan_values(p, i, values);
    json_add(j, "{ point:%zu", i + 1);
    values_of(j, p, values);
    const enum trial_answer answer = trying_listed(trying, i, values, &memory, &why);
    if (answer == TRIAL_RUNS) json_count(j, "memory_bytes", memory);
    else json_text(j, answer == TRIAL_SKIPPED ? "skipped" : "cannot_run", why.text);
    json_close(j);
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

int as_json_plan(struct json *j, const struct options *o, const struct plan *p, struct diags *d)
{
    const size_t count = plan_count(p);
    LOCAL(mem_drop) struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    const struct request request = options_request(o);
    LOCAL(mem_drop) bool *mine = load_shard(&request, p);
    struct trying *trying = trying_new(p);
    json_add(j, "{ experiment:%s kernel:%s points_of_all_shards:%zu", plan_experiment(p)->name,
        plan_experiment(p)->kernel->name, count);
    if (count > TRYING_MOST) json_count(j, "tried_on_device", TRYING_MOST);
    json_list(j, "points");
    for (size_t i = 0; i < count; i++)
        if (!mine || mine[i]) point(j, p, trying, i, values);
    json_add(j, "] removed:[");
    plan_removed(p, removed, &(struct removing){j, p});
    json_add(j, "] }");
    const int status = trying_end(trying, d);
    return count ? status : trying_none(p, d);
}
