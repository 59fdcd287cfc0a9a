// Fuzz target: any texts as the name of an experiment file and of the experiment, and as options, for a batch script:
// the lines that the scheduler reads are ours and one line runs, whatever the names are.
// SPDX-License-Identifier: MIT
#include "cluster/submit.h"

#include "fuzz/fuzz.h"
#include "lua/sandbox.h"
#include "spec/experiment.h"

#include <stdlib.h>
#include <string.h>

static void need(bool good)
{
    if (!good) abort();
}

// The next of the texts, which end in a NUL.
static const char *next(const char **p, const char *end)
{
    const char *text = *p;
    *p += strlen(*p);
    if (*p < end) ++*p;
    return text;
}

static void check(const char *script, size_t all)
{
    size_t asked = 0, runs = 0;
    need(strncmp(script, "#!/bin/bash\n", 12) == 0 && !strchr(script, '\r'));
    for (const char *p = script, *line_end; *p; p = line_end + 1) {
        line_end = strchr(p, '\n');
        need(line_end && !runs);
        asked += strncmp(p, "#SBATCH", 7) == 0;
        runs += strncmp(p, "exec ", 5) == 0;
        need(*p == '#' || p == line_end || strncmp(p, "exec ", 5) == 0);
    }
    need(runs == 1 && asked == all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = mem_alloc(size + 1);
    if (size) memcpy(copy, data, size);
    const char *p = copy, *end = copy + size, *file = next(&p, end), *name = next(&p, end);
    const char *arguments[] = {next(&p, end), next(&p, end), NULL};
    const char *own[] = {"-A", next(&p, end), NULL}; // of the scheduler: one line, whatever they are
    struct experiments all = {0};
    struct diags d = {0};
    struct str text = {0}, over = {0};
    str_add(&text, "kernel: vecadd\nwith: {device: sim}\n");
    str_addf(&over, "experiment=%s", name);
    const struct override overrides[] = {{.text = over.text}};
    const bool named = experiments_parse("x.yaml", text.text, text.size, overrides, *name ? 1 : 0, &all, &d);
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){.seed = 1});
    struct plan *plan = named ? plan_new(all.items[0], box, &d) : NULL;
    if (plan && submit_own_fit(own, &d)) {
        const struct plan *const plans[] = {plan};
        const struct submit_options o = {
            .file = file, .plans = plans, .plan_count = 1, .arguments = arguments, .own = own, .shards = 2};
        const struct submit_size z = {.points = 1, .a_task = 1, .minutes = 5, .gib = 4, .gpu = true};
        char *script = submit_script(&o, &z, file);
        check(script, 12);
        free(script);
        script = submit_merge_script(&o, file);
        check(script, 6);
        free(script);
    }
    plan_free(plan);
    sandbox_free(box);
    if (named) experiments_free(&all);
    diags_clear(&d);
    str_release(&text);
    str_release(&over);
    free(copy);
    return 0;
}
