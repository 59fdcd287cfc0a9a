// Reads what stands beside a report, makes each row's point again, and chooses the rows that are looked at.
// SPDX-License-Identifier: MIT
#include "study/row_by_row.h"

#include "base/file.h"
#include "measure/statuses.h"
#include "plan/load.h"
#include "spec/columns.h"
#include "spec/traits.h"
#include "store/runfile.h"
#include "store/table.h"
#include "study/again.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Blocks of a row that stand for all, how many instructions of warps they may take, and the rows that are looked at.
static const struct study_bounds bounds = {.sample = 64,
    .few = 8,
    .short_of = 1 << 22,
    .short_most = 4096,
    .instructions = 12 << 20,
    .all = 24 << 20,
    .points = 10};
// Filling their buffers takes time as well. This bound belongs to the choice, so that the worst rows have it first.
static const uint64_t filled_most = 3ull << 30;
// Points that are tried in search of a mend, where no row shows one.
static const struct study_bounds trial_bounds = {
    .sample = 64, .few = 8, .instructions = 4 << 20, .all = 8 << 20, .bytes = 1ull << 30, .points = 4};

struct walked {
    struct again again;
    struct plan *plan;
    struct table table;
    struct study *study, *trial;
    struct value *values;
    bool *looks; // by row
    size_t most; // that are looked at
    size_t row;  // the one that is told
    row_by_row_fn *fn;
    void *context;
    struct row_by_row_seen *seen;
};

static const char *cell(const struct walked *r, const struct cells *c, const char *name)
{
    const int at = table_column(&r->table, name);
    return at < 0 ? "" : cells_text(c, (size_t)at);
}

static double number(const struct walked *r, const struct cells *c, enum column which)
{
    const char *text = cell(r, c, column_table[which].name);
    return *text ? strtod(text, NULL) : NAN;
}

// As the row says it; a list is only known where the plan has the same.
static bool take_cell(struct value *v, const char *text, struct arena *a)
{
    struct str now = {0};
    value_print(*v, &now);
    const bool same = strcmp(now.text ? now.text : "", text) == 0;
    const bool list = v->kind == VALUE_LIST;
    str_release(&now);
    if (!same) *v = table_value(arena_strdup(a, text));
    return same || !list;
}

// The plan's point with the row's number, if all that the experiment names is the same; a script may have added points
// later, which are the first one with other values.
static bool values_of(struct walked *r, const struct cells *c, struct arena *a)
{
    const size_t point = strtoull(cell(r, c, "point"), NULL, 10), count = plan_count(r->plan);
    bool good = point && count;
    if (good) plan_values(r->plan, point <= count ? point - 1 : 0, r->values);
    for (size_t i = 0; i < plan_name_count(r->plan) && good; i++) {
        const int at = table_column(&r->table, plan_name(r->plan, i));
        if (at < 0 || strcmp(plan_name(r->plan, i), "device") == 0) continue;
        const struct value before = r->values[i];
        good = take_cell(&r->values[i], cells_text(c, (size_t)at), a);
        if (good && point <= count) good = value_equal(before, r->values[i]);
    }
    return good;
}

// Do the rows agree in all that the experiment names, but in `name`, which is `value` there?
static bool differs_in(const struct walked *r, const char *const *own, const struct cells *there, const char *name,
    size_t length, const char *value)
{
    bool named = false;
    for (size_t i = 0; i < plan_name_count(r->plan); i++) {
        const char *is = plan_name(r->plan, i), *cell_there = cell(r, there, is);
        if (strcmp(is, "device") == 0) continue;
        const bool this_one = strlen(is) == length && strncmp(is, name, length) == 0;
        if (strcmp(cell_there, this_one ? value : own[i]) != 0) return false;
        named |= this_one;
    }
    return named && status_has_numbers(status_find(cell(r, there, "status")));
}

static double other_time(void *rows, const char *test)
{
    struct walked *r = rows;
    struct diags ignored = {0};
    struct arena *a = arena_new();
    const char **own = arena_alloc(a, (plan_name_count(r->plan) + 1) * sizeof *own);
    const struct cells *c = table_row(&r->table, r->row, &ignored);
    for (size_t i = 0; c && i < plan_name_count(r->plan); i++)
        own[i] = arena_strdup(a, cell(r, c, plan_name(r->plan, i)));
    const size_t n = strcspn(test, "=");
    double us = NAN;
    for (size_t i = 0; c && i < r->table.count && isnan(us); i++) {
        const struct cells *there = table_row(&r->table, i, &ignored);
        if (there && differs_in(r, own, there, test, n, test + n + 1)) us = number(r, there, COLUMN_TIME_US);
    }
    diags_clear(&ignored);
    arena_free(a);
    return us;
}

static void tell(struct walked *r, size_t i, const struct cells *c, struct diags *d)
{
    double columns[COLUMN_COUNT];
    struct studied s;
    struct arena *a = arena_new();
    r->row = i;
    for (int k = 0; k < COLUMN_COUNT; k++) columns[k] = number(r, c, (enum column)k);
    const char *status = arena_strdup(a, cell(r, c, "status")), *device = arena_strdup(a, cell(r, c, "device"));
    const bool made = values_of(r, c, a) &&
        (r->looks[i] ? study_counted(r->study, r->plan, r->values, &s, d)
                     : study_job(r->study, r->plan, r->values, &s, d));
    if (made) {
        const struct studying is = {.plan = r->plan, .values = r->values, .studied = &s};
        const bool looked = r->looks[i] && status_has_numbers(s.result.status);
        const struct explaining e = {.plan = r->plan,
            .values = r->values,
            .job = s.job,
            .kernel = studying_kernel(&is),
            .status = status,
            .why = &s.result.why,
            .device = device,
            .limits = again_fact(&r->again, "device_limits_0"),
            .columns = columns,
            .places = looked ? &s.places : NULL,
            .trial = r->trial,
            .other_time = other_time,
            .rows = r,
            .prove = studying_device(r->plan, r->values),
            .whole = true,
            .numbers = status_has_numbers(status_find(status))};
        r->seen->looked += looked;
        r->fn(&e, r->context);
    } else r->seen->unknown++;
    arena_free(a);
}

struct candidate {
    size_t row;
    double used; // of the memory's speed
};

static int by_use(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return x->used != y->used ? (x->used > y->used) - (x->used < y->used) : (x->row > y->row) - (x->row < y->row);
}

// The worst come first: they have most to gain.
static void choose(struct walked *r, struct diags *d)
{
    struct candidate *all = mem_alloc((r->table.count + 1) * sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < r->table.count; i++) {
        const struct cells *c = table_row(&r->table, i, d);
        if (!c || !status_has_numbers(status_find(cell(r, c, "status")))) continue;
        const double used = number(r, c, COLUMN_GBPS) / number(r, c, COLUMN_PEAK_GBPS);
        all[count++] = (struct candidate){i, isfinite(used) ? used : 0};
    }
    qsort(all, count, sizeof *all, by_use);
    size_t chosen = 0;
    uint64_t filled = 0;
    for (size_t i = 0; i < count && r->seen->fit <= r->most; i++) {
        const struct cells *c = table_row(&r->table, all[i].row, d);
        struct studied s;
        struct arena *a = arena_new();
        const bool fits =
            c && values_of(r, c, a) && study_job(r->study, r->plan, r->values, &s, d) && !s.result.why.count;
        r->seen->fit += fits;
        if (fits && chosen < r->most && (filled < filled_most || r->most > bounds.points)) {
            r->looks[all[i].row] = true;
            chosen++;
            filled += job_memory(s.job);
        }
        arena_free(a);
    }
    free(all);
}

static void each(struct walked *r, struct diags *d)
{
    struct loaded all;
    const char *limits = again_fact(&r->again, "device_limits_0"), *spec;
    const bool loaded = load_files(&r->again.again, &all, d) && all.count == 1;
    for (size_t i = 0; loaded && limits && (spec = traits_device(all.items[0], i)); i++)
        traits_give(all.items[0], spec, limits);
    if (loaded) r->plan = load_plan(&all, 0, d);
    if (!r->plan || !table_open(&r->table, r->again.report, d)) goto done;
    // Who asks for all waits for all.
    struct study_bounds all_of = bounds;
    if (r->most > bounds.points) all_of.points = 0, all_of.all = 0;
    if (!(r->study = study_open(NULL, true, &all_of, d)) || !(r->trial = study_open(NULL, true, &trial_bounds, d)))
        goto done;
    r->values = mem_alloc((plan_name_count(r->plan) + 1) * sizeof *r->values);
    r->looks = mem_alloc(r->table.count + 1);
    r->seen->rows = r->table.count;
    choose(r, d);
    for (size_t i = 0; i < r->table.count; i++) {
        const struct cells *c = table_row(&r->table, i, d);
        if (c) tell(r, i, c, d);
    }
done:
    free(r->values);
    free(r->looks);
    study_close(r->study);
    study_close(r->trial);
    table_close(&r->table);
    if (r->plan) plan_free(r->plan);
    load_release(&all);
}

bool row_by_row(const char *report, const struct request *of, size_t looks, row_by_row_fn *fn, void *context,
    struct row_by_row_seen *seen, struct diags *d)
{
    char *facts = runfile_read(report);
    struct walked r = {.again = {.report = report, .facts = facts, .arena = arena_new(), .again = *of, .splits = true},
        .most = looks ? looks : bounds.points,
        .fn = fn,
        .context = context,
        .seen = seen};
    *seen = (struct row_by_row_seen){0};
    bool good = false;
    if (!facts) again_cannot(&r.again, d, NULL, "it has no run file beside it, which says what it was measured with");
    else if (again_take(&r.again, d) && again_device(&r.again, d)) {
        again_override(&r.again, "check=none"); // a device has verified it
        each(&r, d);
        good = r.plan != NULL;
    }
    free(r.again.again.overrides);
    file_stand_in_forget(); // the next report has other texts of the same names
    arena_free(r.again.arena);
    free(facts);
    return good;
}
