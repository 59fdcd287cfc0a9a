// Each NAME[CONDITION] is replaced by names of the cells that it means; the expression is then one of these names. Each
// cell is moved to the ends of its interval, one after the other: so it is known how far the result may be off.
// SPDX-License-Identifier: MIT
#include "page/told.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lua/sandbox.h"
#include "page/chart_axes.h"
#include "page/quantity.h"
#include "spec/columns.h"

enum { CELLS_MOST = 200, DEEPEST = 4 };

struct looked_up { // one cell
    struct value value;
    double lo, hi; // NAN: it is exact
};
struct lookups {
    const struct view *view;
    const struct question *question;
    struct sandbox *box;
    struct looked_up *cells; // `cell_1` and so on
    size_t count;
    int lone; // the column, where the expression is one look-up alone; -1
};

// What is made of a time is as uncertain as the time.
static void interval(const struct lookups *t, size_t row, int column, struct looked_up *to)
{
    const struct view *v = t->view;
    static const enum column timed[] = {COLUMN_TIME_US, COLUMN_GBPS, COLUMN_GFLOPS};
    const char *from = question_derivation(t->question, v->columns[column].name);
    view_interval(v, row, column, &to->lo, &to->hi);
    for (size_t i = 0; i < sizeof timed / sizeof *timed && isnan(to->lo) && from; i++) {
        double lo, hi, y;
        const int time = view_column(v, column_table[timed[i]].name);
        if (time < 0 || !text_has_word(from, column_table[timed[i]].name) || !value_number(to->value, &y)) continue;
        view_interval(v, row, time, &lo, &hi);
        const double at = view_number(v, row, time);
        if (!isnan(lo) && at > 0) to->lo = y * lo / at, to->hi = y * hi / at;
    }
}

static struct value argument(const struct lookups *t, const char *name, size_t row)
{
    const int column = view_column(t->view, name);
    if (strncmp(name, "cell_", 5) == 0) return t->cells[strtoul(name + 5, NULL, 10) - 1].value;
    return column >= 0 && row != SIZE_MAX ? table_value(t->view->rows[row][column]) : (struct value){0};
}

// The value of an expression, at a row, with one cell moved to an end of its interval (`moved` SIZE_MAX: none).
static bool evaluate(const struct lookups *t, struct expr *e, size_t row, size_t moved, double to, struct value *result)
{
    struct value args[CELLS_MOST + 64];
    size_t n = 0;
    LOCAL(diags_clear) struct diags ignored = {0};
    for (const char *const *name = expr_names(e); *name; name++) {
        if (n == CELLS_MOST + 64) return false;
        args[n] = argument(t, *name, row);
        if (strncmp(*name, "cell_", 5) == 0 && strtoul(*name + 5, NULL, 10) == moved + 1) args[n] = value_real(to);
        n++;
    }
    return expr_eval(e, args, t->view->arena, result, &ignored) && result->kind != VALUE_NONE;
}

static bool holds(const struct value *v) { return v->kind != VALUE_NONE && !(v->kind == VALUE_BOOL && !v->b); }

static struct expr *compiled(const struct lookups *t, const char *text)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    struct expr *e = expr_new(t->box, text, (struct where){0}, &ignored);
    return e;
}

static const char *closing(const char *open) // of [
{
    int depth = 0;
    char quote = 0;
    for (const char *p = open; *p; p++) {
        if (quote) quote = *p == quote ? 0 : quote;
        else if (*p == '"' || *p == '\'') quote = *p;
        else depth += (*p == '[') - (*p == ']');
        if (!depth) return p;
    }
    return NULL;
}

static bool expand(struct lookups *t, const char *text, size_t size, int depth, struct str *out);

static bool look_up(struct lookups *t, int column, const char *condition, size_t size, int depth, struct str *out)
{
    LOCAL(str_release) struct str inner = {0};
    size_t found = 0;
    struct expr *e = expand(t, condition, size, depth + 1, &inner) ? compiled(t, inner.text) : NULL;
    for (size_t r = 0; e && r < t->view->row_count; r++) {
        struct value is;
        struct looked_up cell = {.value = table_value(t->view->rows[r][column])};
        if (!view_good(t->view, r) || cell.value.kind == VALUE_NONE) continue;
        if (!evaluate(t, e, r, SIZE_MAX, 0, &is) || !holds(&is)) continue;
        if (t->count == CELLS_MOST) {
            found = 0;
            break;
        }
        interval(t, r, column, &cell);
        t->cells[t->count++] = cell;
        str_addf(out, "%scell_%zu", found++ ? ", " : "", t->count);
    }
    if (e) expr_free(e);
    return found > 0;
}

// The text with its look-ups replaced. False: one finds no row, or there is no such column.
static bool expand(struct lookups *t, const char *text, size_t size, int depth, struct str *out)
{
    str_add(out, "");
    for (const char *p = text, *end = text + size; p < end;) {
        size_t n = 0;
        while (p + n < end && (isalnum((unsigned char)p[n]) || p[n] == '_' || (n && p[n] == '.'))) n++;
        if (n && p + n < end && p[n] == '[') {
            const char *close = closing(p + n);
            const int column = view_column(t->view, arena_strndup(t->view->arena, p, n));
            if (column < 0 || !close || close >= end || depth == DEEPEST) return false;
            if (!look_up(t, column, p + n + 1, (size_t)(close - p) - n - 1, depth, out)) return false;
            if (!depth) t->lone = t->lone == -1 ? column : -2;
            p = close + 1;
        } else {
            str_add_bytes(out, p, n ? n : 1);
            p += n ? n : 1;
        }
    }
    return true;
}

// Nothing but one look-up, or the least or largest of one.
static bool is_lone(const char *text)
{
    text += strspn(text, " ");
    if (strncmp(text, "min(", 4) == 0 || strncmp(text, "max(", 4) == 0) text += 4;
    while (isalnum((unsigned char)*text) || *text == '_' || *text == '.') text++;
    const char *close = *text == '[' ? closing(text) : NULL;
    return close && !close[1 + strspn(close + 1, " )")];
}

// How far the result may be off, by each of its cells; a condition that no longer holds is off without end.
static double spread(const struct lookups *t, struct expr *e, const struct value *result)
{
    double sum = 0, at, there;
    const bool number = value_number(*result, &at) && result->kind != VALUE_BOOL;
    for (size_t i = 0; i < t->count; i++) {
        double most = 0;
        for (int end = 0; end < 2 && !isnan(t->cells[i].lo); end++) {
            struct value v;
            if (!evaluate(t, e, SIZE_MAX, i, end ? t->cells[i].hi : t->cells[i].lo, &v)) return INFINITY;
            if (!number && !value_equal(v, *result)) return INFINITY;
            if (number && value_number(v, &there)) most = fmax(most, fabs(there - at));
        }
        sum += most * most; // they are off independently
    }
    return sqrt(sum);
}

static bool compute(struct lookups *t, const char *text, size_t size, struct value *result, double *off)
{
    LOCAL(str_release) struct str s = {0};
    t->count = 0, t->lone = -1;
    struct expr *e = expand(t, text, size, 0, &s) ? compiled(t, s.text) : NULL;
    const bool good = e && evaluate(t, e, SIZE_MAX, SIZE_MAX, 0, result);
    if (good) *off = spread(t, e, result);
    if (e) expr_free(e);
    return good;
}

static bool put(struct lookups *t, const char *text, size_t size, struct str *s)
{
    struct value v;
    double off, x;
    if (!compute(t, text, size, &v, &off)) return false;
    if (v.kind == VALUE_TEXT) return str_add(s, v.text), true;
    if (!value_number(v, &x) || isinf(off)) return false;
    const bool lone = t->lone >= 0 && is_lone(arena_strndup(t->view->arena, text, size));
    const double bytes = lone ? chart_axes_bytes(&t->view->columns[t->lone]) : 0;
    if (bytes > 0) quantity_add(x * bytes, off * bytes, 3, "B", s);
    else quantity_add(x, off, lone || (x > 0.9 && x < 1.2) ? 3 : 2, lone ? t->view->columns[t->lone].unit : "", s);
    return true;
}

static bool sentence(struct lookups *t, const char *says, struct str *s)
{
    for (const char *p = says; *p;) {
        const size_t n = strcspn(p, "{");
        str_add_bytes(s, p, n);
        p += n;
        if (!*p) break;
        const char *end = strchr(p, '}');
        if (!end || !put(t, p + 1, (size_t)(end - p) - 1, s)) return false;
        p = end + 1;
    }
    return s->size > 0;
}

static bool applies(struct lookups *t, const char *when)
{
    struct value v;
    double off;
    return !when || (compute(t, when, strlen(when), &v, &off) && holds(&v) && off == 0);
}

bool told_answer(const struct view *v, const struct question *q, struct str *s)
{
    struct looked_up cells[CELLS_MOST];
    struct lookups t = {.view = v, .question = q, .cells = cells};
    bool told = false;
    if (!q->answer_count) return false;
    t.box = sandbox_new(&(struct sandbox_limits){0});
    for (size_t i = 0; i < q->answer_count && !told; i++) {
        LOCAL(str_release) struct str one = {0};
        told = q->answers[i].says.text && applies(&t, q->answers[i].when.text) &&
            sentence(&t, q->answers[i].says.text, &one);
        if (told) str_add(s, one.text);
    }
    sandbox_free(t.box);
    return told;
}
