// Marks of the first chart's first picture, compared: the least with the largest; along the axis, or from one line to
// another.
// SPDX-License-Identifier: MIT
#include "page/answer.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "lua/sandbox.h"
#include "measure/result.h"
#include "page/chart_axes.h"
#include "page/quantity.h"
#include "spec/columns.h"

// Each NAME[CONDITION] is replaced by names of the cells that it means; the expression is then one of these names. Each
// cell is moved to the ends of its interval, one after the other: so it is known how far the result may be off.

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

static const double same = 1.03; // numbers that differ by less are called the same along a curve

struct drawn { // one mark
    const struct panel *panel;
    const struct series *series;
    const struct mark *mark;
    double y, lo, hi; // lo, hi: y itself where there is no interval
};
struct comparing {
    const struct view *view;
    const struct chart *chart;
    const struct facet *facet;
    const struct view_column *y;
    double bytes;  // what one of y is, of sizes; 0
    bool forecast; // y is none that was measured or counted
    bool placed;   // marks of lines compete along the axis, too: each is named with its place there
    double work;   // a time of less work than this is none to compare with; NAN: the work is not asked
    struct str *out;
};

static double work_of(const struct comparing *c, size_t row)
{
    return view_number(c->view, row, view_column(c->view, column_table[COLUMN_USEFUL_BYTES].name));
}

static struct drawn spot_of(const struct comparing *c, const struct panel *p, const struct series *s, size_t i)
{
    const size_t r = s->marks[i].row;
    struct drawn at = {p, s, &s->marks[i], c->facet->y[r], c->facet->y_lo[r], c->facet->y_hi[r]};
    if (isnan(at.lo)) at.lo = at.hi = at.y;
    if (work_of(c, r) < c->work) at.y = NAN;
    return at;
}

static void value(const struct comparing *c, const struct drawn *at)
{
    const double off = (at->hi - at->lo) / 2;
    if (c->bytes > 0) quantity_add(at->y * c->bytes, off * c->bytes, 3, "B", c->out);
    else if (c->forecast) quantity_add(at->y, 0, 2, c->y->unit, c->out); // its interval is no error of reading
    else quantity_add(at->y, off, 3, c->y->unit, c->out);
}

static void value_within(const struct comparing *c, const struct drawn *at)
{
    value(c, at);
    if (!(at->hi > at->lo)) return;
    str_add(c->out, " (");
    quantity_add(at->lo, 0, 2, c->y->unit, c->out);
    str_add(c->out, " to ");
    quantity_add(at->hi, 0, 2, c->y->unit, c->out);
    str_add(c->out, ")");
}

// "5.8 times": how large `a` is beside `b`.
static void times(const struct comparing *c, const struct drawn *a, const struct drawn *b)
{
    const double ratio = a->y / b->y, off = ratio * hypot((a->hi - a->lo) / 2 / a->y, (b->hi - b->lo) / 2 / b->y);
    if (ratio >= 10000) str_add(c->out, "more than ten thousand");
    else quantity_add(ratio, c->forecast ? 0 : off, ratio < 1.2 ? 3 : 2, "", c->out);
    str_add(c->out, " times");
}

static void place_along(const struct comparing *c, const struct drawn *at)
{
    const struct chart *chart = c->chart;
    if (chart->kind == CHART_BARS || chart->kind == CHART_HEAT || chart->x < 0) return;
    str_addf(c->out, "%s ", chart->x_name);
    if (chart->x_unit > 0) units_print_bytes(at->mark->x * chart->x_unit, c->out);
    else ticks_number(at->mark->x, c->out);
}

static void part(const struct comparing *c, size_t *count, const char *text)
{
    if (*text) str_addf(c->out, "%s%s", (*count)++ ? ", " : "", text);
}

// Which line, bar or cell it is: "padded, block 32x8".
static void who(const struct comparing *c, const struct drawn *at)
{
    const struct chart *chart = c->chart;
    size_t n = 0;
    if (c->placed) {
        place_along(c, at);
        n++;
    }
    if (chart->kind == CHART_BARS) part(c, &n, chart->categories[(size_t)at->mark->x]);
    if (chart->kind == CHART_HEAT)
        part(c, &n, arena_printf(c->view->arena, "%s %s", chart->x_name, chart->categories[(size_t)at->mark->x]));
    part(c, &n, chart->kind == CHART_HEAT ? chart->names[at->series->colour] : at->series->name);
    part(c, &n, at->panel->name);
    if (!n) place_along(c, at);
}

static bool differ(const struct drawn *large, const struct drawn *small)
{
    return large->lo > small->hi && large->y > 1.005 * small->y;
}

static bool better_smaller(const struct comparing *c)
{
    return c->y->known >= 0 && column_table[c->y->known].better == BETTER_SMALLER;
}

// Others that may be as good as the best one: the nearest of them, and how many.
static bool rivals(const struct comparing *c, const struct drawn *best, bool turned)
{
    size_t n = 0;
    struct drawn near = *best;
    for (size_t p = 0; p < c->chart->panel_count; p++)
        for (size_t s = 0; s < c->chart->panels[p].count; s++)
            for (size_t i = 0; i < c->chart->panels[p].series[s].count; i++) {
                const struct drawn at = spot_of(c, &c->chart->panels[p], &c->chart->panels[p].series[s], i);
                if (isnan(at.y) || at.mark == best->mark) continue;
                if (turned ? differ(&at, best) : differ(best, &at)) continue;
                if (!n++ || fabs(at.y - best->y) < fabs(near.y - best->y)) near = at;
            }
    if (!n) return false;
    const bool counted = !(best->hi > best->lo);
    if (counted) str_add(c->out, n == 1 ? ", and so has " : ", and so have ");
    else str_addf(c->out, "; %s cannot tell ", c->forecast ? "a forecast" : "the measurement");
    who(c, &near);
    if (n > 1) str_addf(c->out, " and %zu other%s", n - 1, n > 2 ? "s" : "");
    if (!counted) str_add(c->out, " from it");
    return true;
}

// Of all that are drawn, the best may have rivals.
static void compare(const struct comparing *c, const struct drawn *large, const struct drawn *small, bool all)
{
    const bool turned = better_smaller(c);
    const struct drawn *first = turned ? small : large, *second = turned ? large : small;
    who(c, first);
    str_addf(c->out, turned ? " has the least %s, " : " has the most %s, ", c->y->name);
    value(c, first);
    str_add(c->out, all && rivals(c, first, turned) ? ". " : "; ");
    who(c, second);
    str_add(c->out, " has ");
    value(c, second);
    if (small->y > 0) {
        str_add(c->out, turned ? ", " : ": ");
        times(c, large, small);
        str_add(c->out, turned ? " as much" : " less");
    }
    str_add(c->out, ".");
}

// The largest ratio along one line, from line to line at one place, and over all.
struct extremes {
    struct drawn least, most;
    double ratio;
    bool known;
};

static void widen(struct extremes *e, const struct drawn *at)
{
    if (isnan(at->y)) return;
    if (!e->known || at->y < e->least.y) e->least = *at;
    if (!e->known || at->y > e->most.y) e->most = *at;
    e->known = true;
    e->ratio = e->least.y > 0 ? e->most.y / e->least.y : e->most.y > e->least.y ? INFINITY : 1;
}

static struct extremes over_all(const struct comparing *c)
{
    struct extremes all = {0};
    for (size_t p = 0; p < c->chart->panel_count; p++)
        for (size_t s = 0; s < c->chart->panels[p].count; s++)
            for (size_t i = 0; i < c->chart->panels[p].series[s].count; i++) {
                const struct drawn at = spot_of(c, &c->chart->panels[p], &c->chart->panels[p].series[s], i);
                widen(&all, &at);
            }
    return all;
}

static struct extremes along_one(const struct comparing *c)
{
    struct extremes best = {0};
    for (size_t p = 0; p < c->chart->panel_count; p++)
        for (size_t s = 0; s < c->chart->panels[p].count; s++) {
            struct extremes line = {0};
            for (size_t i = 0; i < c->chart->panels[p].series[s].count; i++) {
                const struct drawn at = spot_of(c, &c->chart->panels[p], &c->chart->panels[p].series[s], i);
                widen(&line, &at);
            }
            if (line.known && (!best.known || line.ratio > best.ratio)) best = line;
        }
    return best;
}

static struct extremes between(const struct comparing *c)
{
    struct extremes best = {0};
    const struct chart *chart = c->chart;
    for (size_t p = 0; p < chart->panel_count; p++)
        for (size_t s = 0; s < chart->panels[p].count; s++)
            for (size_t i = 0; i < chart->panels[p].series[s].count; i++) {
                struct extremes there = {0}; // at this x, of all lines
                for (size_t q = 0; q < chart->panel_count; q++)
                    for (size_t t = 0; t < chart->panels[q].count; t++)
                        for (size_t k = 0; k < chart->panels[q].series[t].count; k++) {
                            const struct drawn at = spot_of(c, &chart->panels[q], &chart->panels[q].series[t], k);
                            if (at.mark->x == chart->panels[p].series[s].marks[i].x) widen(&there, &at);
                        }
                if (there.known && (!best.known || there.ratio > best.ratio)) best = there;
            }
    return best;
}

// Where a curve that was level begins to change, or ends to: of five marks and more, three of which are level.
static void bend(const struct comparing *c, const struct drawn *of)
{
    const struct series *s = of->series;
    size_t n = 0, head = 0, tail = 0;
    LOCAL(mem_drop) struct drawn *all = mem_alloc((s->count + 1) * sizeof *all);
    for (size_t i = 0; i < s->count; i++) {
        all[n] = spot_of(c, of->panel, s, i);
        n += isnan(all[n].y) ? 0 : 1;
    }
    for (double lo = INFINITY, hi = 0; head < n; head++) {
        lo = fmin(lo, all[head].y), hi = fmax(hi, all[head].y);
        if (!(hi <= same * lo)) break;
    }
    for (double lo = INFINITY, hi = 0; tail < n; tail++) {
        lo = fmin(lo, all[n - 1 - tail].y), hi = fmax(hi, all[n - 1 - tail].y);
        if (!(hi <= same * lo)) break;
    }
    if (n >= 5 && head >= 3 && head < n) {
        str_add(c->out, "; up to ");
        place_along(c, &all[head - 1]);
        str_add(c->out, " it hardly changes");
    } else if (n >= 5 && tail >= 3 && tail < n) {
        str_add(c->out, "; from ");
        place_along(c, &all[n - tail]);
        str_add(c->out, " on it hardly changes");
    }
}

static void curve(const struct comparing *c, const struct extremes *e)
{
    const bool rises = e->most.mark->x > e->least.mark->x;
    const struct drawn *from = rises ? &e->least : &e->most, *to = rises ? &e->most : &e->least;
    if (*from->series->name) str_addf(c->out, "%s: ", from->series->name);
    str_addf(c->out, "%s %s from ", c->y->name, rises ? "rises" : "falls");
    value(c, from);
    str_add(c->out, " at ");
    place_along(c, from);
    str_add(c->out, " to ");
    value(c, to);
    str_add(c->out, " at ");
    place_along(c, to);
    if (e->least.y > 0) {
        str_add(c->out, ", ");
        times(c, &e->most, &e->least);
        str_add(c->out, rises ? " as much" : " less");
    }
    bend(c, from);
    str_add(c->out, ".");
}

// Of what changes from line to line at one place.
static void lines_apart(const struct comparing *c, const struct extremes *e, bool first)
{
    if (!first) str_add(c->out, " ");
    str_add(c->out, "At ");
    place_along(c, &e->least);
    str_add(c->out, ", ");
    compare(c, &e->most, &e->least, false);
}

static void no_difference(const struct comparing *c, const struct extremes *e)
{
    if (!(e->most.y > e->least.y)) {
        str_addf(c->out, "%s is the same everywhere, ", c->y->name);
        value(c, &e->least);
    } else if (c->forecast) {
        who(c, &e->least);
        str_addf(c->out, " has the least %s, ", c->y->name);
        value_within(c, &e->least);
        str_add(c->out, "; ");
        who(c, &e->most);
        str_add(c->out, " has ");
        value_within(c, &e->most);
        str_add(c->out, ". Their intervals meet: only a measurement can tell");
    } else {
        str_addf(c->out, "%s is ", c->y->name);
        value(c, &e->least);
        str_add(c->out, " to ");
        value(c, &e->most);
        str_add(c->out, ": no difference that the measurement could tell");
    }
    str_add(c->out, ".");
}

// The most useful bytes of a mark, how many marks have them, and whether all have.
static double most_work(const struct comparing *c, size_t *having, bool *all)
{
    double most = NAN;
    *having = 0, *all = true;
    for (size_t p = 0; p < c->chart->panel_count; p++)
        for (size_t s = 0; s < c->chart->panels[p].count; s++)
            for (size_t i = 0; i < c->chart->panels[p].series[s].count; i++) {
                const double is = work_of(c, c->chart->panels[p].series[s].marks[i].row);
                if (is > most || isnan(most)) *all = *all && !*having, *having = 0, most = is;
                if (is == most) ++*having;
                else *all = false;
            }
    return most;
}

// Lines of the same work: their marks compete, also along the axis. Of other charts, times of the most work do.
static void compete(struct comparing *c)
{
    size_t having, lines = 0;
    bool all;
    const double most = most_work(c, &having, &all);
    for (size_t p = 0; p < c->chart->panel_count; p++) lines += c->chart->panels[p].count;
    if (c->y->known < 0 || isnan(most)) return;
    if (c->chart->kind == CHART_LINES)
        c->placed = all && lines > 1 && column_table[c->y->known].better != BETTER_NEITHER;
    else if (having > 1 && strcmp(c->y->unit, "us") == 0) c->work = most;
}

static void from_chart(const struct view *v, const struct chart *chart, struct str *out)
{
    const struct facet *f = &chart->facets[0];
    const struct view_column *y = &v->columns[f->column];
    struct comparing c = {v, chart, f, y, chart_axes_bytes(y), .work = NAN, .out = out};
    c.forecast = y->known >= 0 && column_table[y->known].group == COLUMNS_EXPECTED;
    compete(&c);
    const struct extremes all = over_all(&c);
    if (!all.known) return;
    if (all.least.mark == all.most.mark) {
        if (!c.forecast && !(all.least.hi > all.least.lo)) return; // one count answers nothing
        str_addf(out, "%s is ", c.y->name);
        value(&c, &all.least);
        str_add(out, ".");
    } else if (!differ(&all.most, &all.least)) {
        no_difference(&c, &all);
    } else if (chart->kind != CHART_LINES || c.placed) {
        compare(&c, &all.most, &all.least, true);
    } else {
        const struct extremes one = along_one(&c), apart = between(&c);
        const bool apart_differs = differ(&apart.most, &apart.least) && apart.ratio > 1.05;
        const bool curve_first = one.ratio >= apart.ratio || !apart_differs;
        if (!curve_first) lines_apart(&c, &apart, true);
        if (differ(&one.most, &one.least) && one.ratio > 1.05) {
            if (!curve_first) str_add(out, " ");
            curve(&c, &one);
        }
        if (curve_first && apart_differs) lines_apart(&c, &apart, false);
    }
}

// A name of a column at the beginning of a sentence keeps its small letter: it is the column's.
void answer_add(const struct view *v, const struct question *q, const struct charts *all, struct str *out)
{
    if (told_answer(v, q, out)) return;
    if (all->why_none || !all->count || all->items[0].kind == CHART_SAMPLES) return;
    from_chart(v, &all->items[0], out);
}
