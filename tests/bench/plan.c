// How long a plan of a million points takes and what memory it needs, beside one of ten thousand: wanted is at most a
// second, 200 MB, and a ratio near 100. Prints one line a measure; run by hand on a quiet machine.
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "plan/plan.h"

// Of this process: what others run beside it does not count.
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct axis whole_numbers(const char *name, size_t count, struct arena *a)
{
    struct value *values = arena_alloc(a, count * sizeof *values);
    for (size_t i = 0; i < count; i++) values[i] = value_int((int64_t)i + 1);
    return (struct axis){name, values, count, {0}};
}

// Four axes, one of them of texts, and two clauses, of which one removes a tenth.
static double plan_seconds(size_t points, size_t *kept, size_t *removed)
{
    static const char *const names[] = {"stride", "offset", "block", "memory"};
    const struct source_expr where[] = {
        {"stride * block <= 1 << 40", {0}}, {"offset % 10 ~= 3 or memory == 'managed'", {0}}};
    struct arena *a = arena_new();
    struct value texts[] = {value_text("device"), value_text("mapped")};
    size_t rest = points / 2 / 100 / 10;
    const struct axis axes[] = {whole_numbers("stride", rest, a), whole_numbers("offset", 100, a),
        whole_numbers("block", 10, a), {"memory", texts, 2, {0}}};
    const struct axes sweep[] = {{&axes[0], 1}, {&axes[1], 1}, {&axes[2], 1}, {&axes[3], 1}};
    const struct experiment e = {.name = "bench",
        .sweep = sweep,
        .sweep_count = 4,
        .where = where,
        .where_count = 2,
        .names = names,
        .name_count = 4};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct diags d = {0};
    double start = seconds();
    struct plan *p = plan_new(&e, box, &d);
    size_t count = 0;
    uint32_t *order = p ? plan_order(p, 1, 1, 1, &count) : NULL;
    double took = seconds() - start;
    diags_print(&d, stdout);
    if (!p) exit(1);
    *kept = count;
    *removed = plan_removed(p, NULL, NULL);
    free(order);
    plan_free(p);
    sandbox_free(box);
    arena_free(a);
    return took;
}

int main(void)
{
    size_t kept, removed;
    double small = 1e9;
    for (int i = 0; i < 10; i++) {
        double s = plan_seconds(10000, &kept, &removed);
        if (s < small) small = s;
    }
    printf("10^4 points: %.4f s (%zu kept, %zu removed)\n", small, kept, removed);
    double large = plan_seconds(1000000, &kept, &removed);
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    printf("10^6 points: %.3f s (%zu kept, %zu removed), wanted at most 1\n", large, kept, removed);
    printf("peak memory: %.1f MB, wanted at most 200\n", (double)use.ru_maxrss / 1000);
    printf("ratio to 10^4: %.0f, linear is 100\n", large / small);
    return large <= 1 && use.ru_maxrss <= 200000 && large / small <= 150 ? 0 : 1;
}
