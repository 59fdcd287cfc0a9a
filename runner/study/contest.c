// Names the kernels by paths, tells two of one name apart, and writes the experiment.
// SPDX-License-Identifier: MIT
#include "study/contest.h"

#include "base/file.h"
#include "spec/contract.h"
#include "study/judging.h"

#include <stdlib.h>
#include <string.h>

static const char standing_in[] = "./judge.yaml";

// A file is named by its path; what is no file may be a kernel that ships. One that comes twice is held against itself:
// another path to it tells the two apart.
static const char *written(const struct request *r, size_t i, struct arena *a)
{
    const char *operand = r->files[i];
    const bool is_path = strchr(operand, '/') != NULL, is_file = is_path || file_exists(operand);
    bool twice = false;
    for (size_t k = 0; k < i; k++) twice |= strcmp(r->files[k], operand) == 0;
    char *ships = is_file || !twice ? NULL : file_find("kernels", operand, ".cu");
    const char *name = arena_strdup(a, ships ? ships : operand);
    free(ships);
    if (is_file && !is_path) name = arena_printf(a, "./%s", name);
    for (size_t k = 0; k < i; k++)
        if (strcmp(r->files[k], operand) == 0) name = arena_printf(a, *name == '/' ? "/.%s" : "./%s", name);
    return name;
}

// An experiment of both: it stands in the run file, from which it can be measured again.
static const char *experiment_of(const struct request *r, struct arena *a)
{
    struct str s = {0};
    str_add(&s, "experiment: judge\nquestion: Which of these kernels is quicker?\nsweep:\n  kernel:\n");
    for (size_t i = 0; i < r->count; i++) {
        str_add(&s, "    - \"");
        for (const char *p = written(r, i, a); *p; p++) str_addf(&s, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
        str_add(&s, "\"\n");
    }
    str_addf(&s, "measure: {contexts: %d}\n", JUDGING_CONTEXTS);
    const char *text = arena_strdup(a, s.text);
    str_release(&s);
    return text;
}

bool contest_fair(const struct request *r, struct arena *a, struct diags *d)
{
    struct kernel *base = NULL;
    bool good = true;
    for (size_t i = 0; i < r->count; i++) {
        struct kernel *k = kernel_load(written(r, i, a), d);
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

struct request contest_request(const struct request *r, struct arena *a)
{
    static const char *const file[] = {standing_in};
    struct request of = *r;
    file_stand_in(*file, experiment_of(r, a));
    of.files = arena_copy(a, file, sizeof file);
    of.count = 1;
    return of;
}
