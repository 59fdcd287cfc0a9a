// `gpuexp check FILE...`: every mistake of the files, or what is in them.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "plan/load.h"
#include "cli/term.h"
#include "study/trying.h"

// For how many points a job is made: enough to find mistakes that depend on a point's values, and few enough for a
// large plan.
enum { TRIED = 10000 };

// What stands in the way of its points is found by making their jobs and compiling each variant once.
static int try_points(const struct plan *p, struct diags *d)
{
    LOCAL(mem_drop) struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    const size_t count = plan_count(p) < TRIED ? plan_count(p) : TRIED;
    struct trying *t = trying_new(p);
    for (size_t i = 0; i < count; i++) {
        LOCAL(str_release) struct str why = {0};
        uint64_t memory;
        plan_values(p, i, values);
        trying_point(t, i, values, &memory, &why);
    }
    return count ? trying_end(t, d) : (trying_end(t, d), trying_none(p, d));
}

int command_check(const struct options *o, struct diags *d)
{
    LOCAL(load_release) struct loaded all = {0};
    const struct request request = options_request(o);
    struct json j = json_begin(stdout, false);
    const bool json = options_json(o);
    int status = 0;
    load_files(&request, &all, d);
    if (json) json_add(&j, "{ experiments:[");
    for (size_t i = 0; i < all.count; i++) {
        struct plan *p = load_plan(&all, i, d);
        if (!p) continue;
        const size_t n = plan_count(p), errors = diags_errors(d);
        const int own = try_points(p, d);
        status = own ? own : status;
        if (json) {
            json_add(&j, "{ experiment:%s file:%s points:%zu }", all.items[i]->name, all.items[i]->file, n);
        } else if (!own && diags_errors(d) == errors && !options_given(o, OPTION_QUIET)) {
            say(stdout, "%s: ", all.items[i]->name);
            term_say(stdout, TERM_GREEN, "ok");
            say(stdout, ": %zu point%s\n", n, n == 1 ? "" : "s");
            if (all.items[i]->for_device) say(stdout, "%s\n", all.items[i]->for_device);
        }
        plan_free(p);
    }
    if (json) {
        json_close(&j);
        json_diags(&j, "mistakes", d); // they are printed as text too, on standard error
        json_end(&j);
    }
    return status;
}
