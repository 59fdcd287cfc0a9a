// First what the script works on; then what the file makes for its claims; then the times that claims name; then what
// the kernel reports and the file derives; then arithmetic, bandwidth or time; then the counts that claims name.
// SPDX-License-Identifier: MIT

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "page/chart_fill.h"
#include "page/view.h"
#include "spec/columns.h"

// How many times as fast each row is as the one that it is held against: the row for which `against` holds and whose
// other values are the same. Values that are the same in all such rows tell no two of them apart, and are not compared.

static bool varies(const struct view *v, const struct rows *base, size_t column)
{
    for (size_t i = 1; i < base->count; i++)
        if (strcmp(v->rows[base->items[i]][column], v->rows[base->items[0]][column]) != 0) return true;
    return false;
}

// The row of `base` that has the same values; SIZE_MAX: none.
static size_t beside(const struct view *v, const struct rows *base, size_t row)
{
    for (size_t i = 0; i < base->count; i++) {
        bool same = true;
        for (size_t c = 0; c < v->column_count && same; c++)
            same =
                !v->columns[c].value || !varies(v, base, c) || strcmp(v->rows[row][c], v->rows[base->items[i]][c]) == 0;
        if (same) return base->items[i];
    }
    return SIZE_MAX;
}

bool chart_against(struct view *v, const char *text)
{
    const int time = view_column(v, column_table[COLUMN_TIME_US].name);
    LOCAL(diags_clear) struct diags ignored = {0};
    struct rows base = {arena_alloc(v->arena, (v->row_count + 1) * sizeof *base.items), 0};
    if (time < 0 || !v->columns[time].numeric || view_column(v, "speedup") >= 0) return false;
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct expr *e = expr_new(box, text, (struct where){0}, &ignored);
    for (size_t i = 0; i < v->row_count && e; i++)
        if (view_good(v, i) && row_holds(v, e, i)) base.items[base.count++] = i;
    if (e) expr_free(e);
    sandbox_free(box);
    const char **texts[3];
    for (int k = 0; k < 3; k++) texts[k] = arena_alloc(v->arena, (v->row_count + 1) * sizeof **texts);
    for (size_t i = 0; i < v->row_count; i++) {
        const size_t b = beside(v, &base, i);
        double at[3] = {NAN, NAN, NAN}, lo, hi, of_lo, of_hi;
        if (b != SIZE_MAX && view_good(v, i)) {
            view_interval(v, i, time, &lo, &hi);
            view_interval(v, b, time, &of_lo, &of_hi);
            at[0] = view_number(v, b, time) / view_number(v, i, time);
            if (b != i) at[1] = of_lo / hi, at[2] = of_hi / lo;
        }
        for (int k = 0; k < 3; k++) texts[k][i] = isnan(at[k]) ? "" : arena_printf(v->arena, "%.6g", at[k]);
    }
    view_add(v, "speedup", arena_printf(v->arena, "times as fast as where %s", text), texts[0]);
    view_add(v, "speedup_lo", "", texts[1]);
    view_add(v, "speedup_hi", "", texts[2]);
    return base.count > 0;
}

enum { DEEPEST = 8, ADDED_MOST = 3, SHOWN_MOST = 3 };

bool chart_columns_has_numbers(const struct view *v, int column, bool varying)
{
    double first = NAN;
    if (column < 0 || !v->columns[column].numeric) return false;
    for (size_t i = 0; i < v->row_count; i++) {
        double y = view_good(v, i) ? view_number(v, i, column) : NAN;
        if (isnan(y)) continue;
        if (!varying || (!isnan(first) && y != first)) return true;
        first = y;
    }
    return false;
}

static int of(const struct view *v, enum column c) { return view_column(v, column_table[c].name); }

// It hardly varies: a picture of it alone says little.
static bool nearly_same(const struct view *v, int column)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < v->row_count; i++) {
        const double y = view_good(v, i) ? view_number(v, i, column) : (double)NAN;
        if (!isnan(y)) lo = fmin(lo, y), hi = fmax(hi, y);
    }
    return lo > 0 && hi <= 1.05 * lo;
}

static bool measured(const struct view *v, const struct question *a, int column, int depth)
{
    bool sim;
    const struct view_column *c = &v->columns[column];
    const int known = column_shown(c->name, &sim);
    if (c->value || (known < 0 && !c->added)) return false;
    if (known >= 0) return column_table[known].group != COLUMNS_MODEL && column_table[known].group != COLUMNS_EXPECTED;
    const char *from = question_derivation(a, c->name);
    if (!from) return true; // the kernel or the script says it
    for (int i = 0; i < (int)v->column_count && depth < DEEPEST; i++)
        if (i != column && text_has_word(from, v->columns[i].name) && measured(v, a, i, depth + 1)) return true;
    return false;
}

bool chart_columns_measured(const struct view *v, const struct question *a, int column)
{
    return measured(v, a, column, 0);
}

// How far the number in a cell may be from the exact one, because of rounding.
static double rounding(const struct view *v, size_t row, int column)
{
    const char *point = strchr(v->rows[row][column], '.');
    return point ? 0.5 * pow(10, -(double)strspn(point + 1, "0123456789")) : 0;
}

// Two columns that are the same picture but for their scale (efficiency and gbps): one factor, within rounding and half
// a percent, serves all rows. `upside_down`: the one is the other's inverse (a time, and the rate of equal work).
static bool proportional(const struct view *v, int a, int b, bool upside_down)
{
    double lo = 0, hi = INFINITY;
    bool both = false; // some row has a number other than 0 in either
    for (size_t i = 0; i < v->row_count; i++) {
        double x = view_number(v, i, a), y = view_number(v, i, b);
        if (!view_good(v, i) || isnan(x) || isnan(y)) continue;
        double x_off = rounding(v, i, a), y_off = rounding(v, i, b);
        both = both || (x > x_off && y > y_off);
        if (x < 0 || y < 0) return false;
        if (upside_down && x > x_off) {
            const double most = 1 / (x - x_off), least = 1 / (x + x_off);
            x = (most + least) / 2;
            x_off = (most - least) / 2;
        } else if (upside_down) {
            return false;
        }
        lo = fmax(lo, 0.995 * fmax(0, y - y_off) / (x + x_off));
        if (x > x_off) hi = fmin(hi, 1.005 * (y + y_off) / (x - x_off));
        if (x == 0 && y > y_off) return false;
    }
    return both && lo <= hi;
}

struct choosing {
    const struct view *v;
    const struct question *a;
    int *columns;
    size_t count;
};

static void take(struct choosing *c, int column, bool varying)
{
    if (c->count == CHART_FACETS || !chart_columns_has_numbers(c->v, column, varying)) return;
    for (size_t i = 0; i < c->count; i++)
        if (c->columns[i] == column || proportional(c->v, c->columns[i], column, false) ||
            proportional(c->v, c->columns[i], column, true))
            return;
    c->columns[c->count++] = column;
}

// A share of the peak is better drawn as what it is a share of, below a line at the peak.
static bool is_share(const struct question *a, const char *name)
{
    const char *from = question_derivation(a, name);
    return from && text_has_word(from, column_table[COLUMN_PEAK_GBPS].name);
}

enum added { DERIVED, REPORTED }; // by the file; by the kernel or a script

static void take_added(struct choosing *c, enum added by, bool claimed)
{
    for (int i = 0; i < (int)c->v->column_count && c->count < ADDED_MOST; i++) {
        const char *name = c->v->columns[i].name;
        if (!c->v->columns[i].added || !chart_columns_measured(c->v, c->a, i) || is_share(c->a, name)) continue;
        if ((question_derivation(c->a, name) != NULL) != (by == DERIVED)) continue;
        if (text_ends(name, "_lo") || text_ends(name, "_hi")) continue;
        if (!claimed || question_claims(c->a, name)) take(c, i, true);
    }
}

static void take_claimed(struct choosing *c, bool of_time)
{
    for (int i = 0; i < (int)c->v->column_count; i++) {
        const int known = c->v->columns[i].known;
        if (known < 0 || column_table[known].group == COLUMNS_MODEL) continue;
        if (column_table[known].group == COLUMNS_EXPECTED) continue;
        if ((column_table[known].group == COLUMNS_TIME) != of_time) continue;
        if (question_claims(c->a, column_table[known].name)) take(c, i, true);
    }
}

// A bandwidth that is nothing beside the memory's says nothing: a pointer chase moves a few bytes a microsecond.
static bool bandwidth_matters(const struct view *v, const struct question *a)
{
    double most = 0;
    for (size_t i = 0; i < v->row_count; i++) // what moves no bytes has a time alone
        if (!isnan(view_number(v, i, of(v, COLUMN_TIME_US))) && isnan(view_number(v, i, of(v, COLUMN_GBPS))))
            return false;
    for (size_t i = 0; i < v->row_count; i++)
        if (view_good(v, i)) {
            const double peak = view_number(v, i, of(v, COLUMN_PEAK_GBPS)),
                         gbps = view_number(v, i, of(v, COLUMN_GBPS));
            if (gbps >= 0) most = fmax(most, peak > 0 ? gbps / peak : 1);
        }
    for (size_t i = 0; i < a->derived_count; i++)
        if (text_has_word(a->derived[i].expression, column_table[COLUMN_GBPS].name)) return true;
    return most >= 0.002;
}

static void take_rate(struct choosing *c)
{
    const size_t before = c->count;
    if (chart_columns_has_numbers(c->v, of(c->v, COLUMN_GFLOPS), false) && !before) {
        double most = 0, rate = 0; // of bytes; a kernel that does one operation a word is about bytes
        for (size_t i = 0; i < c->v->row_count; i++)
            most = fmax(most, view_number(c->v, i, of(c->v, COLUMN_GFLOPS))),
            rate = fmax(rate, view_number(c->v, i, of(c->v, COLUMN_GBPS)));
        if (most > 4 * rate) take(c, of(c->v, COLUMN_GFLOPS), false);
    }
    if (c->count > before) return;
    if (bandwidth_matters(c->v, c->a)) take(c, of(c->v, COLUMN_GBPS), false);
    if (c->count == before) take(c, of(c->v, COLUMN_TIME_US), false);
    // Where no GPU ran: what is expected of one.
    const int expected = of(c->v, COLUMN_MODEL_US);
    if (c->count == before && !chart_columns_has_numbers(c->v, of(c->v, COLUMN_TIME_US), false) && expected >= 0 &&
        !nearly_same(c->v, expected))
        take(c, expected, true);
}

static bool is_asked(const struct question *a, const char *name)
{
    if (question_claims(a, name) || (a->y && strcmp(a->y, name) == 0)) return true;
    for (size_t i = 0; i < a->derived_count; i++)
        if (text_has_word(a->derived[i].expression, name) && question_claims(a, a->derived[i].name)) return true;
    return false;
}

// Is it about a number that the kernel says itself? Then a time matters only where the file names one.
static bool about_reported(const struct view *v, const struct question *a)
{
    for (int i = 0; i < (int)v->column_count; i++) {
        const char *name = v->columns[i].name;
        if (strcmp(name, "speedup") == 0) continue; // a script's, of times
        if (v->columns[i].added && !question_derivation(a, name) && is_asked(a, name) &&
            chart_columns_has_numbers(v, i, true) && !nearly_same(v, i))
            return true;
    }
    return false;
}

static bool asks_rate(const struct view *v, const struct question *a)
{
    for (int i = 0; i < (int)v->column_count; i++) {
        const int known = v->columns[i].known;
        if (known < 0 || column_table[known].group != COLUMNS_TIME) continue;
        for (size_t k = 0; k < a->derived_count; k++)
            if (text_has_word(a->derived[k].expression, column_table[known].name)) return true;
    }
    return false;
}

static bool has_time(const struct choosing *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const int known = c->v->columns[c->columns[i]].known;
        if (known >= 0 && column_table[known].group == COLUMNS_TIME) return true;
    }
    return false;
}

// Rows that have no number, or 0, in all of these columns (a latency is of some tests, a rate of the others) have one
// in another.
static void take_rest(struct choosing *c)
{
    static const enum column rates[] = {COLUMN_GBPS, COLUMN_GFLOPS, COLUMN_TIME_US};
    for (size_t k = 0; k < sizeof rates / sizeof rates[0]; k++) {
        const int column = of(c->v, rates[k]);
        bool wanted = false;
        for (size_t i = 0; i < c->v->row_count && column >= 0 && c->count && !wanted; i++) {
            wanted = view_good(c->v, i) && view_number(c->v, i, column) > 0;
            for (size_t n = 0; n < c->count && wanted; n++) wanted = !(fabs(view_number(c->v, i, c->columns[n])) > 0);
        }
        if (wanted) take(c, column, false);
    }
}

// What is counted for each access says more than its sum.
static void take_ratios(struct choosing *c)
{
    static const struct {
        enum column ratio, part;
    } all[] = {{COLUMN_SECTORS_PER_REQUEST, COLUMN_LD_SECTORS},
        {COLUMN_SHARED_LD_WAVEFRONTS_PER_REQUEST, COLUMN_SHARED_WAVEFRONTS},
        {COLUMN_LANES_PER_ACCESS, COLUMN_LANES_PER_ACCESS}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (question_claims(c->a, column_table[all[i].ratio].name) ||
            question_claims(c->a, column_table[all[i].part].name))
            take(c, of(c->v, all[i].ratio), true);
}

// How many times the least the largest is; 1: it is the same, or 0 somewhere.
static double span(const struct view *v, int column)
{
    double lo = INFINITY, hi = 0;
    for (size_t i = 0; i < v->row_count && column >= 0; i++) {
        const double y = view_good(v, i) ? view_number(v, i, column) : (double)NAN;
        if (!isnan(y)) lo = fmin(lo, y), hi = fmax(hi, y);
    }
    return lo > 0 && hi > lo ? hi / lo : 1;
}

// Sectors a read say nothing of writes: where these are what differs, they are drawn.
static bool writes_differ(const struct view *v)
{
    return chart_columns_has_numbers(v, of(v, COLUMN_LD_SECTORS), false) &&
        span(v, of(v, COLUMN_ST_SECTORS)) > span(v, of(v, COLUMN_LD_SECTORS));
}

static void take_sectors(struct choosing *c)
{
    if (writes_differ(c->v)) take(c, of(c->v, COLUMN_ST_SECTORS), true);
    take(c, of(c->v, COLUMN_SECTORS_PER_REQUEST), true);
}

// A count of accesses that differs between the rows: the usual ones first, in this order, then any other.
static void take_access(struct choosing *c)
{
    static const enum column usual[] = {COLUMN_LD_REQUESTS, COLUMN_LD_SECTORS, COLUMN_ST_REQUESTS, COLUMN_ST_SECTORS,
        COLUMN_ATOMIC_REQUESTS, COLUMN_ATOMIC_SECTORS, COLUMN_LOCAL_REQUESTS, COLUMN_LOCAL_SECTORS,
        COLUMN_SHARED_REQUESTS, COLUMN_SHARED_WAVEFRONTS, COLUMN_BANK_CONFLICTS};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0] && !c->count; i++) take(c, of(c->v, usual[i]), true);
    for (int i = 0; i < (int)c->v->column_count && !c->count; i++)
        if (c->v->columns[i].known >= 0 && column_table[c->v->columns[i].known].group == COLUMNS_ACCESS)
            take(c, i, true);
}

size_t chart_columns_choose(const struct view *v, const struct question *a, int columns[CHART_FACETS])
{
    struct choosing c = {v, a, columns, 0};
    take(&c, a->y ? view_column(v, a->y) : -1, false);
    take_added(&c, DERIVED, true);
    take_added(&c, REPORTED, true);
    take_claimed(&c, true);
    if (!has_time(&c) && (!about_reported(v, a) || asks_rate(v, a))) take_rate(&c);
    take_added(&c, REPORTED, false);
    take_added(&c, DERIVED, false);
    if (!c.count) take_rate(&c);
    take_rest(&c);
    if (writes_differ(v)) take_sectors(&c);
    take_ratios(&c);
    take_claimed(&c, false);
    if (!c.count) take_access(&c);
    take_sectors(&c);
    take(&c, of(v, COLUMN_BANK_CONFLICTS), true);
    if (!c.count) take(&c, of(v, COLUMN_SECTORS_PER_REQUEST), false);
    if (c.count > 1 && !a->y && nearly_same(v, columns[0]) && !nearly_same(v, columns[1])) {
        const int first = columns[0];
        columns[0] = columns[1], columns[1] = first;
    }
    return c.count < SHOWN_MOST ? c.count : SHOWN_MOST;
}
