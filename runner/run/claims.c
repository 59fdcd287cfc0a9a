// Evaluates `when` and `that` for the rows of a report; one sentence for each expectation.
// SPDX-License-Identifier: MIT
#include "run/claims.h"

#include <stdlib.h>
#include <string.h>

struct claim_expr {
    struct expr *expr;
    const char *text;
    int *columns; // of the table, one for each name
    size_t names;
    struct value *args, *fallbacks; // fallbacks: of names that are no column, what the kernel or the setting has
};

enum answer { NO, YES, UNKNOWN };

struct claim {
    struct claim_expr when, that;
    size_t rows, broken, unknown;
    struct str first; // the first broken row in words, or which value was missing
};

static bool begin(struct claim_expr *x, const struct experiment *file, const struct source_expr *e,
    const struct table *t, struct sandbox *box, struct diags *d)
{
    if (!e->text) return true;
    x->text = e->text;
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
// nothing).
static enum answer ask(struct claim_expr *x, const struct cells *row, bool strict, struct arena *a)
{
    struct diags errors = {0};
    struct value result = {0};
    bool known = true, ok;
    if (!x->expr) return YES;
    for (size_t i = 0; i < x->names; i++) {
        x->args[i] = x->columns[i] < 0 ? x->fallbacks[i] : table_value(cells_text(row, (size_t)x->columns[i]));
        known = known && x->args[i].kind != VALUE_NONE;
    }
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
    enum answer applies = ask(&c->when, row, false, a), holds;
    if (applies == NO) return;
    c->rows++;
    holds = applies == YES ? ask(&c->that, row, true, a) : UNKNOWN;
    if (holds == UNKNOWN) c->unknown++;
    if (holds != NO) return;
    if (!c->broken++) describe(e, t, row, &c->that, &c->first);
}

static const char *points(size_t n) { return n == 1 ? "point" : "points"; }

static void tell(const struct claim *c, struct where at, const struct run_observer *o)
{
    struct str s = {0};
    if (!o || !o->claim) return;
    if (c->broken) {
        str_addf(&s, "expected `%s`", c->that.text);
        if (c->when.text) str_addf(&s, " when `%s`", c->when.text);
        str_addf(&s, "; does not hold at %s", c->first.text);
        if (c->broken > 1) str_addf(&s, " (and at %zu more of %zu %s)", c->broken - 1, c->rows, points(c->rows));
        o->claim(o->context, true, at, s.text);
        str_clear(&s);
    }
    if (c->unknown || !c->rows) {
        str_addf(&s, "`%s` was not checked", c->that.text);
        if (!c->rows) str_addf(&s, ": no point has `%s`", c->when.text ? c->when.text : "a row");
        else str_addf(&s, " at %zu of %zu %s: a value it names is empty there", c->unknown, c->rows, points(c->rows));
        o->claim(o->context, false, at, s.text);
    }
    str_release(&s);
}

bool claims_check(const struct experiment *e, struct table *t, struct sandbox *box, const struct run_observer *o,
    struct claims *out, struct diags *d)
{
    struct claim *claims = mem_alloc((e->expect_count + 1) * sizeof *claims);
    int point = table_column(t, "point");
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
        for (size_t i = 0; i < e->expect_count; i++) check_row(e, &claims[i], t, row, a);
        arena_free(a);
    }
    for (size_t i = 0; i < e->expect_count; i++) {
        if (ok) {
            out->broken += claims[i].broken > 0;
            out->unchecked += claims[i].unknown > 0 || !claims[i].rows;
            tell(&claims[i], e->expect[i].that.at, o);
        }
        end(&claims[i].when);
        end(&claims[i].that);
        str_release(&claims[i].first);
    }
    free(claims);
    return ok;
}
