// Evaluates `when` and `that` for the rows of a report; one sentence for each expectation.
// SPDX-License-Identifier: MIT
#include "run/claims.h"

#include "run/claim_why.h"
#include "spec/traits.h"

#include <stdlib.h>
#include <string.h>

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

struct claim {
    struct claim_expr when, that;
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

// `strict`: a missing value makes the answer unknown, even where Lua gives one (nil == 32 is false, which means
// nothing). `missing`: the first name without a value, or NULL.
static enum answer ask(struct claim_expr *x, const struct cells *row, bool strict, const char **missing,
    struct arena *a)
{
    struct diags errors = {0};
    struct value result = {0};
    bool known = true, ok;
    *missing = NULL;
    if (!x->expr) return YES;
    for (size_t i = 0; i < x->names; i++) {
        x->args[i] = x->columns[i] < 0 ? x->fallbacks[i] : table_value(cells_text(row, (size_t)x->columns[i]));
        const int trait = x->columns[i] < 0 ? trait_find(expr_names(x->expr)[i]) : -1;
        if (trait >= 0 && x->args[i].kind == VALUE_NONE && x->device >= 0)
            x->args[i] = traits_value(x->file, (enum trait)trait, cells_text(row, (size_t)x->device));
        if (x->args[i].kind == VALUE_NONE && !*missing) *missing = expr_names(x->expr)[i];
    }
    known = !*missing;
    if (strict && !known) return UNKNOWN;
    ok = expr_eval(x->expr, x->args, a, &result, &errors);
    diags_clear(&errors);
    if (!ok) return known ? NO : UNKNOWN;
    return result.kind != VALUE_NONE && !(result.kind == VALUE_BOOL && !result.b) ? YES : NO;
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

static void check_row(const struct experiment *e, struct claim *c, const struct table *t, const struct cells *row,
    struct arena *a)
{
    const char *missing, *unmet;
    enum answer applies = ask(&c->when, row, false, &unmet, a), holds = UNKNOWN;
    missing = unmet;
    c->unclear += applies == NO && unmet;
    c->rows += applies != NO;
    if (applies == YES) holds = ask(&c->that, row, true, &missing, a);
    if (missing && !c->why.size && (applies != NO ? holds == UNKNOWN : true))
        claim_why_empty(e, t, row, missing, &c->why);
    if (applies == NO) return;
    c->unknown += holds == UNKNOWN;
    if (holds == NO && !c->broken++) describe(e, t, row, &c->that, &c->first);
}

static const char *points(size_t n) { return n == 1 ? "point" : "points"; }

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
    if (c->broken > 1) str_addf(s, " (and at %zu more of %zu %s)", c->broken - 1, c->rows, points(c->rows));
}

static void say_unchecked(const struct experiment *e, const struct claim *c, size_t all, struct str *s)
{
    str_add(s, "not checked");
    if (c->rows) str_addf(s, " at %zu of %zu %s", c->unknown, c->rows, points(c->rows));
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
        str_addf(&s, "holds at %zu %s: ", c->rows, points(c->rows));
        add_claim(c, &s);
        out->holding++;
    }
    if (o && o->claim && (c->broken || (!some && (c->unknown || !c->rows))))
        o->claim(o->context, c->broken > 0, at, s.text);
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
    struct claim *claims = mem_alloc((e->expect_count + 1) * sizeof *claims);
    int point = table_column(t, "point");
    size_t all = 0;
    bool ok = true;
    *out = (struct claims){0};
    for (size_t i = 0; i < e->expect_count; i++)
        ok = begin(&claims[i].when, e, &e->expect[i].when, t, box, d) &&
            begin(&claims[i].that, e, &e->expect[i].that, t, box, d) && ok;
    for (size_t r = 0; r < t->count && ok && e->expect_count; r++) {
        const struct cells *row = table_row(t, r, d);
        ok = row != NULL;
        if (!ok || point < 0 || !*cells_text(row, (size_t)point))
            continue; // a row of a point that the plan no longer has
        struct arena *a = arena_new();
        all++;
        for (size_t i = 0; i < e->expect_count; i++) check_row(e, &claims[i], t, row, a);
        arena_free(a);
    }
    for (size_t i = 0; i < e->expect_count; i++) {
        if (ok) conclude(e, &claims[i], e->expect[i].that.at, all, some, o, out);
        end(&claims[i].when);
        end(&claims[i].that);
        str_release(&claims[i].first);
        str_release(&claims[i].why);
    }
    free(claims);
    return ok;
}
