// `gpuexp submit`: a plan's shards as a job array of the cluster's scheduler.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "cluster/submit.h"
#include "plan/load.h"
#include "spec/include.h"

#include <stdlib.h>
#include <string.h>

static const char **forwarded(const struct options *o)
{
    const char *const *folders = include_allowed();
    size_t n = 0, more = 0;
    while (folders[more]) more++;
    const char **words = mem_alloc((2 * (o->override_count + more) + 1) * sizeof *words);
    for (size_t i = 0; i < o->override_count; i++) {
        words[n++] = "-s";
        words[n++] = o->overrides[i].text;
    }
    for (size_t i = 0; i < more; i++) {
        words[n++] = "--allow-include";
        words[n++] = folders[i];
    }
    return words;
}

#define ALLOWED "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,[]"

static int on_nodes(const struct options *o, struct diags *d)
{
    const struct command *c = command_find(o->operands[0]);
    const struct everywhere e = {.command = o->operands[0],
        .nodes = o->value[OPTION_NODES],
        .partition = o->value[OPTION_PARTITION],
        .own = (const char *const *)o->rest,
        .device = o->value[OPTION_DEVICE],
        .fresh = options_given(o, OPTION_FRESH),
        .dry_run = options_given(o, OPTION_DRY_RUN)};
    if (!c || c->run != command_health) diag_user(d, (struct where){0}, NULL, "--nodes is for `submit health`");
    else if (!*e.nodes || e.nodes[strspn(e.nodes, ALLOWED)])
        diag_user(d, (struct where){0}, NULL, "--nodes takes `all`, a number, names, a feature or a state");
    else return everywhere_submit(&e, stdout, d);
    return 2;
}

int command_submit(const struct options *o, struct diags *d)
{
    LOCAL(load_release) struct loaded all = {0};
    const struct request request = options_request(o);
    int status = 0;
    const struct command *c = command_find(o->operands[0]);
    const bool of_nodes = c && c->run == command_health;
    if (of_nodes && (!options_given(o, OPTION_NODES) || options_given(o, OPTION_SHARDS))) {
        diag_user(d, (struct where){0}, "say which nodes, as in --nodes all",
            options_given(o, OPTION_SHARDS) ? "submit %s takes no --shards: each node gets a task of its own"
                                            : "submit %s needs --nodes: each node gets a task of its own",
            c->name);
        return 2;
    }
    if (options_given(o, OPTION_NODES)) return on_nodes(o, d);
    if (!options_given(o, OPTION_SHARDS) || !o->number[OPTION_SHARDS] || o->number[OPTION_SHARDS] > 100000) {
        diag_user(d, (struct where){0}, "as in --shards 8",
            "submit needs --shards N, 1 to 100000: how many tasks share the plan");
        return 2;
    }
    bool good = load_files(&request, &all, d);
    LOCAL(mem_drop) struct plan **plans = mem_alloc((all.count + 1) * sizeof *plans);
    for (size_t i = 0; good && i < all.count; i++) plans[i] = load_plan(&all, i, d);
    LOCAL(mem_drop) const char **arguments = forwarded(o);
    const struct submit_options submit = {
        .file = o->operands[0],
        .plans = (const struct plan *const *)plans,
        .plan_count = all.count,
        .arguments = arguments,
        .own = (const char *const *)o->rest,
        .partition = o->value[OPTION_PARTITION],
        .shards = (unsigned)o->number[OPTION_SHARDS],
        .seed = o->number[OPTION_SEED],
        .dry_run = options_given(o, OPTION_DRY_RUN),
    };
    if (good && !diags_errors(d) && all.count) status = submit_run(&submit, stdout, d);
    for (size_t i = 0; i < all.count; i++)
        if (plans[i]) plan_free(plans[i]);
    return status;
}
