// `gpuexp judge BASE.cu NEW.cu...`: whether a kernel is quicker than another that promises the same. Both are measured
// as points of a run are, in turns within each context, so that what a context draws is no difference between them.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "cli/verdicts.h"

#include "base/arena.h"
#include "study/judging.h"

#include <math.h>
#include <stdlib.h>

int command_judge(const struct options *o, struct diags *d)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct request request = options_request(o);
    LOCAL(load_release) struct loaded all = {0};
    struct plan *plan = NULL;
    struct judging j = {.threshold = options_share(o, OPTION_THRESHOLD, 0.01, d), .report = o->value[OPTION_OUTPUT]};
    struct progress screen;
    const struct run_observer told = verdicts_observer(&screen, options_given(o, OPTION_QUIET) && !options_json(o));
    int status = 0;
    const size_t errors = diags_errors(d);
    if (contest_fair(&request, a, d) && diags_errors(d) == errors) {
        request = contest_request(&request, a);
        if (load_files(&request, &all, d) && (plan = load_plan(&all, 0, d)))
            status = judging_measure(&j, &request, plan, &told, a, d);
        progress_stop(&screen);
        const int found = plan && !diags_errors(d) ? verdicts_print(&j, o, plan) : 0;
        if (!status) status = found;
    }
    if (plan) plan_free(plan);
    judging_release(&j);
    return status;
}
