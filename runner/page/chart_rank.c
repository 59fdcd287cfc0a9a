// Every reason is a row: when it holds, what it weighs, and the words for it.
// SPDX-License-Identifier: MIT
#include "page/chart_rank.h"

#include "measure/stats.h"

#include <math.h>
#include <stdlib.h>

enum { LINES_FOLLOWED = 5, BARS_READ = 24, CELLS_READ = 40 };

struct reason {
    double weight;
    const char *text;
};

double chart_rank(const struct chart_traits *t, const char **why)
{
    const bool lines = t->kind == CHART_LINES, heat = t->kind == CHART_HEAT, bars = t->kind == CHART_BARS;
    const double left_out = t->rows ? 1 - (double)t->drawn / (double)t->rows : 0;
    const struct reason all[] = {
        {-40 * left_out, "it leaves rows out"},
        {lines && !t->roofline ? 5 : 0, "an axis of numbers shows where a curve bends"},
        {t->roofline ? 9 : 0, "arithmetic over bytes stands below two roofs"},
        {lines && !t->even && t->turns ? -5 : 0, "numbers that are no even steps are no curve"},
        {lines && t->lines > LINES_FOLLOWED ? -0.5 * (double)(t->lines - LINES_FOLLOWED) : 0,
            "more lines than can be followed"},
        {heat && t->lines > LINES_FOLLOWED ? 6 : 0, "two axes of many numbers each are a map"},
        {heat ? -10 * fmax(0, 0.6 - t->filled) : 0, "its cells are mostly empty"},
        {heat && t->lines > CELLS_READ ? -0.5 * (double)(t->lines - CELLS_READ) : 0,
            "more rows of cells than can be read"},
        {heat && t->lines <= LINES_FOLLOWED ? -4 : 0, "few rows of cells are better as lines"},
        {heat && t->by > 1 ? -3 : 0, "rows of cells that several columns tell apart are no axis"},
        {bars ? 2 : 0, "points that differ in words are bars"},
        {bars && t->lines > BARS_READ ? -0.1 * (double)(t->lines - BARS_READ) : 0, "more bars than can be read"},
    };
    double sum = 0;
    size_t most = 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        sum += all[i].weight;
        if (all[i].weight > all[most].weight) most = i;
    }
    *why = all[most].text;
    return sum;
}

// Even steps, or steps by one factor; a first 0 before factors is one too.
static bool is_even(const double *at, size_t n)
{
    bool added = true, times = n > 2;
    for (size_t i = 2; i < n; i++) {
        added = added && fabs((at[i] - at[i - 1]) - (at[1] - at[0])) <= 0.01 * fabs(at[i]);
        const size_t k = at[0] > 0 ? 1 : 2;
        if (i > k && at[k - 1] > 0)
            times = times && fabs(at[i] / at[i - 1] - at[k] / at[k - 1]) <= 0.01 * at[k] / at[k - 1];
    }
    return added || times;
}

// Up and down again by more than a twentieth, at a third of the places or more.
static bool goes_up_and_down(const struct facet *f, const struct series *s)
{
    size_t turns = 0;
    double way = 0, last = NAN;
    for (size_t i = 0; i < s->count; i++) {
        const double y = f->y[s->marks[i].row];
        if (isnan(y)) continue;
        if (!isnan(last) && fabs(y - last) > 0.05 * fabs(last)) {
            turns += way * (y - last) < 0;
            way = y - last;
        }
        last = y;
    }
    return s->count > 4 && 3 * turns >= s->count - 2;
}

static size_t distinct(double *at, size_t n)
{
    size_t kept = 0;
    if (n) qsort(at, n, sizeof *at, stats_rising);
    for (size_t i = 0; i < n; i++)
        if (!kept || at[i] != at[kept - 1]) at[kept++] = at[i];
    return kept;
}

struct chart_traits chart_traits_of(const struct view *v, const struct charts *all, bool roofline)
{
    const struct chart *c = &all->items[0];
    const struct facet *f = &c->facets[0];
    struct chart_traits t = {.kind = c->kind, .roofline = roofline, .by = c->by_count};
    LOCAL(mem_drop) double *at = mem_alloc((v->row_count + 1) * sizeof *at);
    size_t marks = 0, lines = 0, turning = 0;
    for (size_t r = 0; r < v->row_count; r++) {
        const double y = view_good(v, r) ? view_number(v, r, f->column) : (double)NAN;
        const bool off_axis = roofline && !(y > 0); // it is told below the picture
        t.rows += isnan(y) || off_axis ? 0 : 1;
    }
    for (size_t k = 0; k < all->count; k++)
        for (size_t p = 0; p < all->items[k].panel_count; p++)
            for (size_t s = 0; s < all->items[k].panels[p].count; s++) {
                const struct series *one = &all->items[k].panels[p].series[s];
                for (size_t i = 0; i < one->count; i++)
                    t.drawn += isnan(all->items[k].facets[0].y[one->marks[i].row]) ? 0 : 1;
                if (k) continue;
                for (size_t i = 0; i < one->count && marks < v->row_count; i++) at[marks++] = one->marks[i].x;
                lines += !one->lone;
                turning += goes_up_and_down(f, one);
            }
    const size_t places = distinct(at, marks);
    t.lines = c->kind == CHART_BARS ? c->category_count * (c->name_count ? c->name_count : 1) : c->name_count;
    if (t.drawn > t.rows || c->near) t.drawn = t.rows; // in two charts; or by the row of a neighbour
    t.filled = lines && places ? (double)marks / (double)(places * lines) : 0;
    t.even = is_even(at, places);
    t.turns = 2 * turning >= lines && lines;
    return t;
}
