// `gpuexp judge BASE.cu NEW.cu...`: whether a kernel is quicker than another that promises the same. Both are measured
// as points of a run are, in turns within each context, so that what a context draws is no difference between them.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "cli/as_json.h"
#include "cli/threshold.h"
#include "cli/verdicts.h"

#include "base/arena.h"
#include "base/file.h"
#include "spec/contract.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char standing_in[] = "./judge.yaml";

// A file is named by its path; what is no file may be a kernel that ships. One that comes twice is held against itself:
// another path to it tells the two apart.
static const char *written(const struct options *o, size_t i, struct arena *a)
{
    const char *operand = o->operands[i];
    const bool is_path = strchr(operand, '/') != NULL, is_file = is_path || file_exists(operand);
    bool twice = false;
    for (size_t k = 0; k < i; k++) twice |= strcmp(o->operands[k], operand) == 0;
    char *ships = is_file || !twice ? NULL : file_find("kernels", operand, ".cu");
    const char *name = arena_strdup(a, ships ? ships : operand);
    free(ships);
    if (is_file && !is_path) name = arena_printf(a, "./%s", name);
    for (size_t k = 0; k < i; k++)
        if (strcmp(o->operands[k], operand) == 0) name = arena_printf(a, *name == '/' ? "/.%s" : "./%s", name);
    return name;
}

// An experiment of both: it stands in the run file, from which it can be measured again.
static const char *experiment_of(const struct options *o, struct arena *a)
{
    struct str s = {0};
    str_add(&s, "experiment: judge\nquestion: Which of these kernels is quicker?\nsweep:\n  kernel:\n");
    for (size_t i = 0; i < o->operand_count; i++) {
        str_add(&s, "    - \"");
        for (const char *p = written(o, i, a); *p; p++) str_addf(&s, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
        str_add(&s, "\"\n");
    }
    str_addf(&s, "measure: {contexts: %d}\n", JUDGING_CONTEXTS);
    const char *text = arena_strdup(a, s.text);
    str_release(&s);
    return text;
}

// Before anything is made: each kernel can be read, and promises what the first one does.
static bool one_contract(const struct options *o, struct arena *a, struct diags *d)
{
    struct kernel *base = NULL;
    bool good = true;
    for (size_t i = 0; i < o->operand_count; i++) {
        struct kernel *k = kernel_load(written(o, i, a), d);
        good &= k != NULL;
        if (i == 0 && k && !k->check && !k->checks_of_count)
            good = diag_user(d, (struct where){.file = k->path}, "gpuexp describe check",
                "has no `check`: nothing tells a right result from a wrong one");
        if (i && k && base) good &= contract_same(base, k, d);
        if (i == 0) base = k;
        else kernel_free(k);
    }
    if (base) kernel_free(base);
    return good;
}

int command_judge(const struct options *o, struct diags *d)
{
    struct arena *a = arena_new();
    struct request request = options_request(o);
    struct loaded all = {0};
    struct plan *plan = NULL;
    struct judging j = {.threshold = threshold_of(o, d), .report = o->value[OPTION_OUTPUT]};
    struct verdicts screen = {.quiet = options_given(o, OPTION_QUIET) && !as_json(o)};
    const struct run_observer told = verdicts_observer(&screen);
    const char *file = standing_in;
    int status = 0;
    const size_t errors = diags_errors(d);
    if (one_contract(o, a, d) && diags_errors(d) == errors) {
        file_stand_in(file, experiment_of(o, a));
        request.files = &file;
        request.count = 1;
        if (load_files(&request, &all, d) && (plan = load_plan(&all, 0, d)))
            status = judging_measure(&j, &request, plan, &told, a, d);
        verdicts_end(&screen);
        const int found = plan && !diags_errors(d) ? verdicts_print(&j, o, plan) : 0;
        if (!status) status = found;
    }
    if (plan) plan_free(plan);
    load_release(&all);
    judging_release(&j);
    arena_free(a);
    return status;
}
