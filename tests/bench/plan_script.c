// What a script's `keep` and `derive` cost beside the same expressions in YAML, over 10^5 points: wanted is at most
// twice as much. Prints seconds and the ratio; run by hand on a quiet machine.
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "lua/script.h"
#include "measure/result.h"
#include "plan/plan.h"
#include "run/shape.h"

enum { POINTS = 100000 };
static const char *const names[] = {"stride", "offset", "block", "memory"};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct script *load(struct sandbox *box)
{
    static const char text[] =
        "return {columns = {'efficiency', 'sectors', 'bytes_read'},\n"
        "keep = function(p) return p.stride * p.block <= 1 << 40 and (p.offset % 10 ~= 3 or p.memory == 'managed'), "
        "'far' end,\n"
        "derive = function(r) return {efficiency = r.gbps / r.peak_gbps, sectors = r.ld_sectors / r.ld_requests,\n"
        "bytes_read = 32 * r.ld_sectors} end}\n";
    char path[64];
    struct diags d = {0};
    snprintf(path, sizeof path, "/tmp/gpuexp-bench.%ld.lua", (long)getpid());
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    struct script *s = script_new(box, path, NULL, 0, (struct where){0}, &d);
    unlink(path);
    diags_print(&d, stdout);
    return s;
}

static double plan_seconds(struct sandbox *box, struct script *script, struct arena *a)
{
    static const struct source_expr where[] = {
        {"stride * block <= 1 << 40", {0}}, {"offset % 10 ~= 3 or memory == 'managed'", {0}}};
    static const struct value texts[] = {{VALUE_TEXT, {.text = "device"}}, {VALUE_TEXT, {.text = "mapped"}}};
    struct value *numbers = arena_alloc(a, 50 * sizeof *numbers);
    for (int i = 0; i < 50; i++) numbers[i] = value_int(i);
    const struct axis axes[] = {{names[0], numbers, 50, {0}}, {names[1], numbers, 50, {0}},
        {names[2], numbers, 20, {0}}, {names[3], texts, 2, {0}}};
    const struct axes sweep[] = {{&axes[0], 1}, {&axes[1], 1}, {&axes[2], 1}, {&axes[3], 1}};
    const struct experiment e = {.name = "bench",
        .sweep = sweep,
        .sweep_count = 4,
        .names = names,
        .name_count = 4,
        .where = where,
        .where_count = script ? 0 : 2};
    struct diags d = {0};
    double start = seconds();
    struct plan *p = plan_new_scripted(&e, box, script, &d);
    double took = seconds() - start;
    printf("%-6s %zu points kept in %.3f s\n", script ? "script" : "YAML", p ? plan_count(p) : 0, took);
    plan_free(p);
    return took;
}

static void derive_seconds(struct sandbox *box, struct script *script, double took[2])
{
    static const char *const columns[] = {"efficiency", "sectors", "bytes_read"};
    static const struct named_expr exprs[] = {{.name = "efficiency", .expr = {"gbps / peak_gbps", {0}}},
        {.name = "sectors", .expr = {"ld_sectors / ld_requests", {0}}},
        {.name = "bytes_read", .expr = {"32 * ld_sectors", {0}}}};
    const struct experiment e = {.name = "bench", .derive = exprs, .derive_count = 3};
    const struct report_head head = {.experiment = "bench",
        .kernel = "stride",
        .names = names,
        .name_count = 4,
        .derived = columns,
        .derived_count = 3};
    struct shape shape;
    struct diags d = {0};
    shape_init(&shape, &head);
    struct derive *derive = derive_new(&e, &shape, box, &d);
    int handle = script_shape(script, shape.names, shape.count);
    struct value *values = mem_alloc((shape.count + 1) * sizeof *values), results[3],
                 own[4] = {value_int(1), value_int(2), value_int(3), value_text("device")};
    for (int by_script = 0; by_script < 2; by_script++) {
        struct result result;
        result_init(&result);
        double start = seconds();
        for (int i = 0; i < POINTS; i++) {
            struct arena *a = arena_new();
            const struct row row = {
                .point = (size_t)i + 1, .key = "0123456789abcdef", .values = own, .result = &result};
            for (int c = 0; c < 20; c++) result.columns[c] = i + c; // as many as a measured row has
            shape_fill(&shape, &row, values);
            if (by_script) script_derive(script, handle, values, results, a, &d);
            else derive_row(derive, values, results, a, &d);
            arena_free(a);
        }
        took[by_script] = seconds() - start;
        printf("%-6s %d rows derived in %.3f s\n", by_script ? "script" : "YAML", POINTS, took[by_script]);
    }
    diags_print(&d, stdout);
    free(values);
    derive_free(derive);
    shape_release(&shape);
}

int main(void)
{
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct arena *a = arena_new();
    struct script *script = load(box);
    if (!script) return 1;
    double yaml = plan_seconds(box, NULL, a), scripted = plan_seconds(box, script, a);
    double derive[2];
    derive_seconds(box, script, derive);
    double both = (scripted + derive[1]) / (yaml + derive[0]);
    printf("keep %.2f times YAML, derive %.2f times; both together %.2f, wanted at most 2\n", scripted / yaml,
        derive[1] / derive[0], both);
    script_free(script);
    sandbox_free(box);
    arena_free(a);
    return both <= 2 ? 0 : 1;
}
