// run/by_base: a kernel that is held against another is filled and checked by that one's source, whatever its own
// says.
// SPDX-License-Identifier: MIT
#include "run/lanes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "compile/compile.h"
#include "unit/test.h"

static char folder[] = "/tmp/gpuexp-base-XXXXXX";

static const char head[] = "/*\nparams: {n: {default: 1000}}\nbuffers:\n  in: {type: float, count: n, access: read}\n"
                           "  out: {type: float, count: n, access: write}\nthreads: n\n*/\n";
static const char base_body[] =
    "__global__ void base(const float *in, float *out, int n) { out[0] = in[0]; }\n"
    "__device__ float fill_in(size_t i) { return 7 * i; }\n"
    "__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == in[i]; }\n";
static const char new_body[] = "#define check(...) yes(size_t i)\n"
                               "__global__ void other(const float *in, float *out, int n) { out[0] = 1; }\n"
                               "__device__ bool check(size_t i) { return true; }\n";

static void write_kernel(const char *name, const char *description, const char *body)
{
    struct str path = {0}, text = {0};
    struct diags d = {0};
    str_addf(&path, "%s/%s.cu", folder, name);
    str_addf(&text, "%s%s", description, body);
    CHECK(file_write(path.text, text.text, text.size, &d));
    str_release(&path);
    str_release(&text);
}

static void another_kernel_is_checked_by_the_first(const struct plan *plan)
{
    struct arena *a = arena_new();
    struct diags d = {0};
    struct value values[8];
    struct job first, other;
    CHECK_INT(plan_count(plan), 2);
    plan_values(plan, 0, values);
    CHECK(job_make(plan, values, a, &first, &d) && by_base(plan, values, a, &first, &d));
    CHECK(!first.contract && first.check);
    plan_values(plan, 1, values);
    CHECK(job_make(plan, values, a, &other, &d));
    CHECK(other.buffers[0].fill == FILL_RANDOM);
    char key[17], held[17];
    job_key(&other, "x", "v", key);
    CHECK(by_base(plan, values, a, &other, &d));
    job_key(&other, "x", "v", held);
    CHECK(strcmp(key, held) != 0);
    CHECK(strstr(other.contract_path, "base.cu") != NULL && strstr(other.path, "other.cu") != NULL);
    CHECK(!first.base && other.base && strcmp(other.base->entry, first.entry) == 0); // it can be launched, too
    CHECK(other.check == first.check && other.buffers[0].fill == FILL_CODE);
    char *own = compile_source(&other, &d), *base = compile_source(&first, &d);
    CHECK(own && !strstr(own, "gpuexp_check") && !strstr(own, "gpuexp_fill") && strstr(own, "void other("));
    CHECK(base && strcmp(base, other.contract) == 0 && strstr(base, "gpuexp_check") && strstr(base, "gpuexp_fill_in"));
    CHECK_TEXT(diags_first(&d), "");
    free(own);
    free(base);
    arena_free(a);
}

// What a kernel takes of an axis is its own: a point that its kernel does not take is left out, and a value that none
// takes is refused.
static void each_kernel_has_its_own_least(struct sandbox *box)
{
    static const char body[] = "extern \"C\" __global__ void %s(int *out, size_t n) { if (n) out[0] = 1; }\n";
    static const struct {
        const char *sweep;
        size_t points;
    } cases[] = {{"[4, 16, 32]", 5}, {"{from: 4, to: 16, times: 2}", 4}, {"[0, 16]", 0}};
    for (int i = 0; i < 2; i++) {
        char text[400], code[120];
        snprintf(code, sizeof code, body, i ? "other" : "base");
        snprintf(text, sizeof text,
            "/*\nparams: {n: {default: 64, min: %d}}\nbuffers: {out: {type: int, count: n, access: write}}\n"
            "threads: n\n*/\n",
            i ? 1 : 16);
        write_kernel(i ? "other" : "base", text, code);
    }
    for (size_t i = 0; i < 3; i++) {
        struct experiments e = {0};
        struct diags d = {0};
        char path[80], text[200];
        snprintf(path, sizeof path, "%s/e.yaml", folder);
        snprintf(text, sizeof text, "experiment: e\nsweep: {kernel: [./base.cu, ./other.cu], n: %s}\n", cases[i].sweep);
        const bool read = experiments_parse(path, text, strlen(text), NULL, 0, &e, &d);
        CHECK(read == (cases[i].points > 0));
        if (!read) CHECK_TEXT(diags_first(&d), "`n` = 0 is out of range: at least 16");
        struct plan *plan = read && e.count ? plan_new(e.items[0], box, &d) : NULL;
        if (plan) CHECK_INT(plan_count(plan), cases[i].points);
        if (plan) plan_free(plan);
        experiments_free(&e);
        diags_clear(&d);
    }
}

int main(void)
{
    struct experiments e = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct diags d = {0};
    char path[80];
    if (!mkdtemp(folder)) return 1;
    write_kernel("base", head, base_body);
    write_kernel("other", head, new_body);
    static const char text[] = "experiment: e\nsweep: {kernel: [./base.cu, ./other.cu]}\n";
    snprintf(path, sizeof path, "%s/e.yaml", folder);
    CHECK(experiments_parse(path, text, strlen(text), NULL, 0, &e, &d));
    CHECK_TEXT(diags_first(&d), "");
    struct plan *plan = e.count ? plan_new(e.items[0], box, &d) : NULL;
    CHECK(plan != NULL);
    if (plan) another_kernel_is_checked_by_the_first(plan);
    if (plan) plan_free(plan);
    experiments_free(&e);
    each_kernel_has_its_own_least(box);
    sandbox_free(box);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s.cu", folder, i ? "base" : "other");
        unlink(path);
    }
    rmdir(folder);
    return test_end();
}
