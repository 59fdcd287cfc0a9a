// Follows a missing value to its cause: a result that was wrong, a device that does not time, counts that nobody asked
// for, a derived column whose own input is missing.
// SPDX-License-Identifier: MIT
#include "run/claims.h"

#include <string.h>

#include "measure/result.h"
#include "plan/plan.h"
#include "spec/columns.h"
#include "spec/traits.h"

enum { DEEPEST = 8, VALUES_MOST = 8 };

static const char *cell(const struct table *t, const struct cells *row, const char *name)
{
    int column = table_column(t, name);
    return column < 0 ? "" : cells_text(row, (size_t)column);
}

static bool is_empty(const struct experiment *e, const struct table *t, const struct cells *row, const char *name)
{
    const int trait = table_column(t, name) < 0 ? trait_find(name) : -1;
    if (trait >= 0) return traits_value(e, (enum trait)trait, cell(t, row, "device")).kind == VALUE_NONE;
    return table_column(t, name) < 0 ? plan_default(e, name).kind == VALUE_NONE : !*cell(t, row, name);
}

static void time_is_missing(const struct table *t, const struct cells *row, enum column c, struct str *s)
{
    if (!*cell(t, row, "time_us"))
        str_addf(s, "nothing is timed on %s; run it on a GPU (`gpuexp devices` lists them)", cell(t, row, "device"));
    else if (c == COLUMN_GBPS) str_add(s, "the kernel file states no `useful`");
    else if (c == COLUMN_GFLOPS) str_add(s, "the kernel file states no `flops`");
    else str_add(s, "the device does not tell it");
}

static void count_is_missing(const struct table *t, const struct cells *row, enum column c, bool sim, struct str *s)
{
    const char *counts = cell(t, row, "counts"), *reason = cell(t, row, "reason");
    const char *said = why_in(reason, WHY_NOT_COUNTED);
    if (!said) said = why_in(reason, WHY_NOT_SIMULATED);
    if (sim) str_add(s, "only `-s counters=both` on a GPU puts the simulator's counts beside the hardware's");
    else if (!*counts && said) str_addf(s, "%.160s", said);
    else if (!*counts) str_add(s, "nothing was counted; `-s counters=both` counts it");
    else if (column_table[c].group == COLUMNS_HARDWARE && strcmp(counts, "hardware") != 0)
        str_add(s, "the simulator does not count it; a GPU's counters do (`-s counters=hardware`)");
    else str_add(s, "there was no such access");
}

static void column_is_missing(const struct table *t, const struct cells *row, enum column c, bool sim, struct str *s)
{
    switch (column_table[c].group) {
    case COLUMNS_TIME: time_is_missing(t, row, c, s); return;
    case COLUMNS_ACCESS:
    case COLUMNS_HARDWARE: count_is_missing(t, row, c, sim, s); return;
    default: break;
    }
    if (c == COLUMN_PEAK_GBPS) str_add(s, "the device does not tell it; `-s peak=4.8TB` does");
    else if (c == COLUMN_USEFUL_BYTES) str_add(s, "the kernel file states no `useful`");
    else if (c == COLUMN_OCCUPANCY_PCT) str_add(s, "it takes a GPU, or the limits of one: `-d sim:h200`");
    else str_add(s, "it takes the CUDA Toolkit's compiler");
}

// The derived column of that name, compiled to find which of its own names is missing.
static const char *cause(const struct experiment *e, const struct table *t, const struct cells *row, const char *name,
    bool *derived, struct arena *a)
{
    const char *found = NULL;
    struct sandbox *box = NULL;
    for (size_t i = 0; i < e->derive_count; i++) {
        LOCAL(diags_clear) struct diags ignored = {0};
        if (strcmp(e->derive[i].name, name) != 0) continue;
        *derived = true;
        box = box ? box : sandbox_new(&(struct sandbox_limits){0});
        struct expr *x = expr_new(box, e->derive[i].expr.text, e->derive[i].expr.at, &ignored);
        for (size_t k = 0; x && expr_names(x)[k] && !found; k++)
            if (is_empty(e, t, row, expr_names(x)[k])) found = arena_strdup(a, expr_names(x)[k]);
        expr_free(x);
    }
    if (box) sandbox_free(box);
    return found;
}

static bool is_report(const struct experiment *e, const char *name)
{
    for (size_t i = 0; i < e->kernel->report_count; i++)
        if (strcmp(e->kernel->reports[i].name, name) == 0) return true;
    return false;
}

void claim_why_empty(const struct experiment *e, const struct table *t, const struct cells *row, const char *name,
    struct str *s)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    const char *status = cell(t, row, "status"), *next;
    bool derived = true, sim;
    str_addf(s, "`%s` is empty", name);
    for (int depth = 0; derived && depth < DEEPEST; depth++) {
        derived = false;
        if (!(next = cause(e, t, row, name, &derived, a))) break;
        str_addf(s, " because `%s` is", next);
        name = next;
    }
    const int c = column_shown(name, &sim);
    const enum status is = status_find(status);
    str_add(s, ": ");
    if (is != STATUS_COUNT && !status_has_numbers(is))
        str_addf(s, "the point %s%s (%.120s)", is == STATUS_FAILED ? "" : "is ", status, cell(t, row, "reason"));
    else if (derived) str_add(s, "its expression gives no value there");
    else if (c >= 0) column_is_missing(t, row, (enum column)c, sim, s);
    else if (is_report(e, name)) str_add(s, "the kernel reports it only on a GPU");
    else if (table_column(t, name) < 0) str_add(s, "nothing sets it");
    else str_add(s, "the script gives none");
}

static void add_value(struct value v, struct value *seen, size_t *count, struct str *s)
{
    for (size_t i = 0; i < *count; i++)
        if (value_equal(seen[i], v)) return;
    if (v.kind == VALUE_NONE || *count > VALUES_MOST) return;
    if (*count == VALUES_MOST) {
        str_add(s, " ...");
    } else {
        str_add(s, *count ? ", " : " ");
        value_print(v, s);
        seen[*count] = v;
    }
    ++*count;
}

void claim_why_none(const struct experiment *e, const char *when, const char *const *names, struct str *s)
{
    str_addf(s, "no point has `%s`", when);
    for (size_t n = 0, told = 0; names[n]; n++) {
        struct value seen[VALUES_MOST];
        LOCAL(str_release) struct str values = {0};
        size_t count = 0;
        for (size_t i = 0; i < e->sweep_count; i++)
            for (size_t j = 0; j < e->sweep[i].count; j++)
                for (size_t k = 0; k < e->sweep[i].items[j].count; k++)
                    if (strcmp(e->sweep[i].items[j].name, names[n]) == 0)
                        add_value(e->sweep[i].items[j].values[k], seen, &count, &values);
        for (size_t i = 0; i < e->include_count; i++)
            for (size_t k = 0; k < e->include[i].count; k++)
                if (strcmp(e->include[i].items[k].name, names[n]) == 0)
                    add_value(e->include[i].items[k].value, seen, &count, &values);
        for (size_t i = 0; i < e->with.count && !count; i++)
            if (strcmp(e->with.items[i].name, names[n]) == 0) add_value(e->with.items[i].value, seen, &count, &values);
        if (!count) add_value(plan_default(e, names[n]), seen, &count, &values);
        if (count) str_addf(s, "%s`%s` is%s", told++ ? ", " : ": ", names[n], values.text);
    }
}
