// Evaluates `when` and `that` for the rows of a report; one sentence for each expectation.
// SPDX-License-Identifier: MIT
#include "run/claims.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/lookup.h"
#include "measure/result.h"
#include "plan/plan.h"
#include "spec/columns.h"
#include "spec/traits.h"

// Follows a missing value to its cause: a result that was wrong, a device that does not time, counts that nobody asked
// for, a derived column whose own input is missing.

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

// Why a value that an expectation names is not in a row, and what would put it there.
//
// "`gbps` is empty: nothing is timed on sim; a GPU is (`gpuexp devices`)". `name` is one whose value is missing.
static void claim_why_empty(const struct experiment *e, const struct table *t, const struct cells *row,
    const char *name, struct str *s)
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
    if (v.kind == VALUE_NONE || *count > VALUES_MOST) return; // " ..." stands there already
    for (size_t i = 0; i < *count; i++)
        if (value_equal(seen[i], v)) return;
    if (*count == VALUES_MOST) {
        str_add(s, " ...");
    } else {
        str_add(s, *count ? ", " : " ");
        value_print(v, s);
        seen[*count] = v;
    }
    ++*count;
}

// "no point has `stride == 64`: stride is 1, 2, 4 here": which values the names of a `when` have.
static void claim_why_none(const struct experiment *e, const char *when, const char *const *names, struct str *s)
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

struct claim_expr {
    struct expr *expr;
    const char *text;
    int *columns; // of the table, one for each name
    size_t names;
    const struct experiment *file;
    int device;                     // the column
    struct value *args, *fallbacks; // fallbacks: of names that are no column, what the kernel or the setting has
};

enum answer { NO, YES, UNKNOWN };

// Rows that differ in the axes of `over` alone: they are judged together.
struct claim_group {
    char *key; // the values of the other axes
    size_t *rows, count, room;
};

struct claim {
    struct claim_expr when, that;
    const char *const *over;
    struct claim_group *groups;
    size_t group_count, group_room;
    struct lookup by_key;
    size_t rows, broken, unknown;
    size_t unclear;   // rows for which `when` is false with a value missing
    struct str first; // the first broken row in words
    struct str why;   // which value was missing first, why, and what would put it there
};

static bool begin(struct claim_expr *x, const struct experiment *file, const struct source_expr *e,
    const struct table *t, struct sandbox *box, struct diags *d)
{
    if (!e->text) return true;
    x->text = e->text;
    x->file = file;
    x->device = table_column(t, "device");
    x->expr = expr_new(box, e->text, e->at, d);
    if (!x->expr) return false;
    const char *const *names = expr_names(x->expr);
    while (names[x->names]) x->names++;
    x->columns = mem_alloc((x->names + 1) * sizeof *x->columns);
    x->args = mem_alloc((x->names + 1) * sizeof *x->args);
    x->fallbacks = mem_alloc((x->names + 1) * sizeof *x->fallbacks);
    for (size_t i = 0; i < x->names; i++) {
        x->columns[i] = table_column(t, names[i]);
        x->fallbacks[i] = plan_default(file, names[i]);
    }
    return true;
}

static void end(struct claim_expr *x)
{
    if (x->expr) expr_free(x->expr);
    free(x->columns);
    free(x->args);
    free(x->fallbacks);
}

// Of its i-th name: the cell; where it is no column, what the kernel, the setting or the device has.
static struct value value_at(const struct claim_expr *x, size_t i, const struct cells *row)
{
    if (x->columns[i] >= 0) return table_value(cells_text(row, (size_t)x->columns[i]));
    const int trait = trait_find(expr_names(x->expr)[i]);
    if (trait < 0 || x->fallbacks[i].kind != VALUE_NONE || x->device < 0) return x->fallbacks[i];
    return traits_value(x->file, (enum trait)trait, cells_text(row, (size_t)x->device));
}

// With the values that `args` have; `known`: all of them are there.
static enum answer judge(const struct claim_expr *x, bool known, struct arena *a)
{
    struct diags errors = {0};
    struct value result = {0};
    const bool ok = expr_eval(x->expr, x->args, a, &result, &errors);
    diags_clear(&errors);
    if (!ok) return known ? NO : UNKNOWN;
    return result.kind != VALUE_NONE && !(result.kind == VALUE_BOOL && !result.b) ? YES : NO;
}

// `strict`: a missing value makes the answer unknown, even where Lua gives one (nil == 32 is false, which means
// nothing). `missing`: the first name without a value, or NULL.
static enum answer ask(struct claim_expr *x, const struct cells *row, bool strict, const char **missing,
    struct arena *a)
{
    *missing = NULL;
    if (!x->expr) return YES;
    for (size_t i = 0; i < x->names; i++) {
        x->args[i] = value_at(x, i, row);
        if (x->args[i].kind == VALUE_NONE && !*missing) *missing = expr_names(x->expr)[i];
    }
    return strict && *missing ? UNKNOWN : judge(x, !*missing, a);
}

// "point 5 (stride 32, memory device), where sectors_per_request is 31.5"
static void describe(const struct experiment *e, const struct table *t, const struct cells *row,
    const struct claim_expr *x, struct str *s)
{
    const char *const *names = expr_names(x->expr);
    const char *between = "";
    bool open = false;
    str_addf(s, "point %s", cells_text(row, (size_t)table_column(t, "point")));
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t j = 0; j < e->sweep[i].count; j++) {
            int column = table_column(t, e->sweep[i].items[j].name);
            if (column < 0) continue;
            str_addf(s, "%s%s %s", open ? ", " : " (", e->sweep[i].items[j].name, cells_text(row, (size_t)column));
            open = true;
        }
    if (open) str_add(s, ")");
    for (size_t i = 0; i < x->names; i++) {
        if (x->columns[i] < 0) continue;
        str_addf(s, "%s%s is %s", *between ? between : ", where ", names[i], cells_text(row, (size_t)x->columns[i]));
        between = ", ";
    }
}

static bool is_over(const struct claim *c, const char *name)
{
    for (const char *const *o = c->over; *o; o++)
        if (strcmp(*o, name) == 0) return true;
    return false;
}

// An axis that all rows of a group have in common, and the device: one value, not a list.
static bool in_common(const struct experiment *e, const struct claim *c, const char *name)
{
    if (is_over(c, name)) return false;
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t j = 0; j < e->sweep[i].count; j++)
            if (strcmp(e->sweep[i].items[j].name, name) == 0) return true;
    return strcmp(name, "device") == 0;
}

static void put_in_group(const struct experiment *e, struct claim *c, const struct table *t, const struct cells *row,
    size_t number)
{
    struct str key = {0};
    for (size_t i = 0; i < t->column_count; i++)
        if (in_common(e, c, t->columns[i])) str_addf(&key, "%s\n", cells_text(row, i));
    char *text = str_take(&key);
    uint64_t hash[2];
    struct hash h;
    hash_init(&h);
    hash_text(&h, text);
    hash_final(h, hash);
    size_t at = 0, g;
    while ((g = lookup_next(&c->by_key, hash[0], &at)) != LOOKUP_NONE && strcmp(c->groups[g].key, text) != 0) {}
    if (g == LOOKUP_NONE) {
        g = c->group_count++;
        mem_grow(&c->groups, &c->group_room, c->group_count, sizeof *c->groups);
        c->groups[g] = (struct claim_group){.key = text};
        lookup_add(&c->by_key, hash[0], g);
    } else free(text);
    struct claim_group *to = &c->groups[g];
    mem_grow(&to->rows, &to->room, to->count + 1, sizeof *to->rows);
    to->rows[to->count++] = number;
}

// The values of a column in these rows; nothing if one of them is missing.
static struct value list_of(struct table *t, const struct claim_group *g, size_t column, struct arena *a,
    struct diags *d)
{
    struct value_list *list = arena_alloc(a, sizeof *list + g->count * sizeof *list->items);
    list->count = g->count;
    list->of_rows = true;
    for (size_t i = 0; i < g->count; i++) {
        const struct cells *row = table_row(t, g->rows[i], d);
        if (!row) return (struct value){0};
        list->items[i] = table_value(arena_strdup(a, cells_text(row, column)));
        if (list->items[i].kind == VALUE_NONE) return (struct value){0};
    }
    return (struct value){VALUE_LIST, {.list = list}};
}

// "32, 64, 128"
static void add_values(struct value v, struct str *s)
{
    enum { MOST = 8 };
    if (v.kind != VALUE_LIST) {
        value_print(v, s);
        return;
    }
    for (size_t i = 0; i < v.list->count && i < MOST; i++) {
        if (i) str_add(s, ", ");
        value_print(v.list->items[i], s);
    }
    if (v.list->count > MOST) str_add(s, ", ...");
}

// "points 1, 2 and 3, where ld_sectors is 32, 64, 128"
static void describe_group(struct claim *c, struct table *t, const struct claim_group *g, struct diags *d)
{
    const size_t point = (size_t)table_column(t, "point");
    const char *const *names = expr_names(c->that.expr);
    for (size_t i = 0; i < g->count; i++) {
        const struct cells *row = table_row(t, g->rows[i], d);
        str_addf(&c->first, "%s%s",
            !i                      ? "points "
                : i + 1 == g->count ? " and "
                                    : ", ",
            row ? cells_text(row, point) : "");
    }
    const char *between = ", where";
    for (size_t i = 0; i < c->that.names; i++, between = ";") {
        str_addf(&c->first, "%s %s is ", between, names[i]);
        add_values(c->that.args[i], &c->first);
    }
}

static void check_group(const struct experiment *e, struct claim *c, struct table *t, const struct claim_group *g,
    struct diags *d)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct claim_expr *x = &c->that;
    const char *missing = NULL;
    for (size_t i = 0; i < x->names; i++) {
        const char *name = expr_names(x->expr)[i];
        const struct cells *first = table_row(t, g->rows[0], d);
        x->args[i] = first ? value_at(x, i, first) : (struct value){0};
        if (x->args[i].kind == VALUE_TEXT) x->args[i].text = arena_strdup(a, x->args[i].text);
        if (x->columns[i] >= 0 && !in_common(e, c, name)) x->args[i] = list_of(t, g, (size_t)x->columns[i], a, d);
        if (x->args[i].kind == VALUE_NONE && !missing) missing = name;
    }
    if (missing) {
        const struct cells *first = table_row(t, g->rows[0], d);
        c->unknown++;
        if (first && !c->why.size) claim_why_empty(e, t, first, missing, &c->why);
    } else if (judge(x, true, a) == NO && !c->broken++) {
        describe_group(c, t, g, d);
    }
    c->rows++;
}

static void release_groups(struct claim *c)
{
    for (size_t g = 0; g < c->group_count; g++) {
        free(c->groups[g].key);
        free(c->groups[g].rows);
    }
    free(c->groups);
    lookup_release(&c->by_key);
}

static void check_row(const struct experiment *e, struct claim *c, const struct table *t, const struct cells *row,
    size_t number, struct arena *a)
{
    const char *missing, *unmet;
    enum answer applies = ask(&c->when, row, false, &unmet, a), holds = UNKNOWN;
    missing = unmet;
    c->unclear += applies == NO && unmet;
    if (applies == YES && c->over) {
        put_in_group(e, c, t, row, number);
        return;
    }
    c->rows += applies != NO;
    if (applies == YES) holds = ask(&c->that, row, true, &missing, a);
    if (missing && !c->why.size && (applies != NO ? holds == UNKNOWN : true))
        claim_why_empty(e, t, row, missing, &c->why);
    if (applies == NO) return;
    c->unknown += holds == UNKNOWN;
    if (holds == NO && !c->broken++) describe(e, t, row, &c->that, &c->first);
}

static const char *points(const struct claim *c)
{
    if (c->over) return c->rows == 1 ? "group of points" : "groups of points";
    return c->rows == 1 ? "point" : "points";
}

// "`that` when `when`"
static void add_claim(const struct claim *c, struct str *s)
{
    str_addf(s, "`%s`", c->that.text);
    if (c->when.text) str_addf(s, " when `%s`", c->when.text);
}

static void say_broken(const struct claim *c, struct str *s)
{
    str_add(s, "broken: ");
    add_claim(c, s);
    str_addf(s, " does not hold at %s", c->first.text);
    if (c->broken > 1) str_addf(s, " (and at %zu more of %zu %s)", c->broken - 1, c->rows, points(c));
}

static void say_unchecked(const struct experiment *e, const struct claim *c, size_t all, struct str *s)
{
    str_add(s, "not checked");
    if (c->rows) str_addf(s, " at %zu of %zu %s", c->unknown, c->rows, points(c));
    str_add(s, ": ");
    add_claim(c, s);
    str_add(s, ": ");
    if (c->why.size && (c->rows || c->unclear)) str_add(s, c->why.text);
    else if (!all || !c->when.text) str_add(s, "the report has no row");
    else claim_why_none(e, c->when.text, expr_names(c->when.expr), s);
}

// What came of it: kept for the run file; what did not hold is told.
static void conclude(const struct experiment *e, const struct claim *c, struct where at, size_t all, bool some,
    const struct run_observer *o, struct claims *out)
{
    struct str s = {0};
    size_t n = out->holding + out->broken + out->unchecked;
    if (c->broken) {
        say_broken(c, &s);
        out->broken++;
    } else if (c->unknown || !c->rows) {
        say_unchecked(e, c, all, &s);
        out->unchecked++;
    } else {
        str_addf(&s, "holds at %zu %s: ", c->rows, points(c));
        add_claim(c, &s);
        out->holding++;
    }
    if (c->broken || (!some && (c->unknown || !c->rows))) RUN_TELL(o, claim, each->context, c->broken > 0, at, s.text);
    out->lines = mem_resize(out->lines, (n + 2) * sizeof *out->lines);
    out->lines[n] = str_take(&s);
    out->lines[n + 1] = NULL;
}

void claims_release(struct claims *c)
{
    for (char **line = c->lines; line && *line; line++) free(*line);
    free(c->lines);
    *c = (struct claims){0};
}

bool claims_check(const struct experiment *e, struct table *t, bool some, struct sandbox *box,
    const struct run_observer *o, struct claims *out, struct diags *d)
{
    LOCAL(mem_drop) struct claim *claims = mem_alloc((e->expect_count + 1) * sizeof *claims);
    int point = table_column(t, "point");
    size_t all = 0;
    bool ok = true;
    *out = (struct claims){0};
    for (size_t i = 0; i < e->expect_count; i++)
        ok = begin(&claims[i].when, e, &e->expect[i].when, t, box, d) &&
            begin(&claims[i].that, e, &e->expect[i].that, t, box, d) && ok;
    for (size_t i = 0; i < e->expect_count; i++) claims[i].over = e->expect[i].over;
    for (size_t r = 0; r < t->count && ok && e->expect_count; r++) {
        const struct cells *row = table_row(t, r, d);
        ok = row != NULL;
        if (!ok || point < 0 || !*cells_text(row, (size_t)point))
            continue; // a row of a point that the plan no longer has
        LOCAL(arena_drop) struct arena *a = arena_new();
        all++;
        for (size_t i = 0; i < e->expect_count; i++) check_row(e, &claims[i], t, row, r, a);
    }
    for (size_t i = 0; i < e->expect_count; i++) {
        for (size_t g = 0; g < claims[i].group_count; g++) check_group(e, &claims[i], t, &claims[i].groups[g], d);
        if (ok) conclude(e, &claims[i], e->expect[i].that.at, all, some, o, out);
        end(&claims[i].when);
        end(&claims[i].that);
        str_release(&claims[i].first);
        str_release(&claims[i].why);
        release_groups(&claims[i]);
    }
    return ok;
}
