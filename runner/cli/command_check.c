// `gpuexp check FILE...`: every mistake of the files, or what is in them.
// SPDX-License-Identifier: MIT
#include "cli/as_json.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/term.h"
#include "plan/job.h"

#include <stdlib.h>

// For how many points a job is made: enough to find mistakes that depend on a point's values, and few enough for a
// large plan.
enum { TRIED = 10000 };

// Sizes and launches that are wrong for some points only are found by making the jobs; the first one is reported.
static void try_points(const struct plan *p, struct diags *d)
{
    struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    size_t bad = 0, count = plan_count(p) < TRIED ? plan_count(p) : TRIED;
    struct str first = {0};
    for (size_t i = 0; i < count; i++) {
        struct arena *a = arena_new();
        struct diags why = {0};
        struct job job;
        plan_values(p, i, values);
        if (!job_make(p, values, a, &job, &why) && !bad++)
            str_addf(&first, "point %zu cannot run: %s", i + 1, diags_first(&why));
        diags_clear(&why);
        arena_free(a);
    }
    if (bad > 1) str_addf(&first, " (and %zu more points)", bad - 1);
    if (bad) diag_add(d, DIAG_WARNING, (struct where){.file = plan_experiment(p)->file}, NULL, "%s", first.text);
    str_release(&first);
    free(values);
}

int command_check(const struct options *o, struct diags *d)
{
    struct loaded all;
    struct json j = json_begin(stdout, false);
    const bool json = as_json(o);
    load_files(o, &all, d);
    if (json) json_object(&j, NULL), json_list(&j, "experiments");
    for (size_t i = 0; i < all.count; i++) {
        struct plan *p = load_plan(&all, i, d);
        if (!p) continue;
        size_t n = plan_count(p);
        try_points(p, d);
        if (json) {
            json_object(&j, NULL);
            json_text(&j, "experiment", all.items[i]->name);
            json_text(&j, "file", all.items[i]->file);
            json_count(&j, "points", n);
            json_close(&j);
        } else if (!options_given(o, OPTION_QUIET)) {
            say(stdout, "%s: ", all.items[i]->name);
            term_say(stdout, TERM_GREEN, "ok");
            say(stdout, ": %zu point%s\n", n, n == 1 ? "" : "s");
            if (all.items[i]->on) say(stdout, "%s\n", all.items[i]->on);
        }
        plan_free(p);
    }
    if (json) {
        json_close(&j);
        as_json_mistakes(&j, "mistakes", d, 0); // they are printed as text too, on standard error
        json_end(&j);
    }
    load_release(&all);
    return 0;
}
