// The x axis is the numeric value with the most steps; whatever else varies makes lines; too many lines make panels.
// SPDX-License-Identifier: MIT
#include "page/chart_axes.h"

#include <stdlib.h>
#include <string.h>

enum { PANELS_MOST = 12, CATEGORIES_MOST = 40 };

struct chart_axis {
    int column;
    bool numeric;
    struct levels levels;
};

// Do the two always change together (axes that move in step)? Then one of them is enough.
static bool in_step(const struct view *v, const struct levels *a, const struct levels *b)
{
    if (a->count != b->count) return false;
    size_t *map = mem_alloc(a->count * sizeof *map);
    bool same = true;
    for (size_t i = 0; i < v->row_count && same; i++) {
        size_t *to = &map[a->of_row[i]];
        same = !*to || *to == b->of_row[i] + 1; // as many on both sides: a function one way is one both ways
        *to = b->of_row[i] + 1;
    }
    free(map);
    return same;
}

static size_t varying(struct view *v, struct chart_axis axes[AXES_MOST])
{
    size_t n = 0;
    for (int c = 0; c < (int)v->column_count && n < AXES_MOST; c++) {
        struct chart_axis *a = &axes[n];
        if (v->columns[c].same || (!v->columns[c].value && c != v->device)) continue;
        *a = (struct chart_axis){.column = c, .numeric = v->columns[c].numeric};
        view_levels(v, c, &a->levels);
        bool unknown = false; // a point that no device began has no value: that is not another value
        for (size_t l = 0; l < a->levels.count && c == v->device; l++) unknown = unknown || !*a->levels.texts[l];
        n += a->levels.count - unknown > 1;
    }
    return n;
}

// The axis of its kind with the most levels, the first of equals; NULL: none has `least`.
static struct chart_axis *longest(struct chart_axis *axes, size_t count, bool numeric, size_t least)
{
    struct chart_axis *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (axes[i].numeric == numeric && axes[i].levels.count >= (best ? best->levels.count + 1 : least))
            best = &axes[i];
    return best;
}

// Numbers rows by the levels of `axes`: equal ones, equal numbers; in the order of the levels. `rows` gets a row of
// each.
struct tuple {
    const struct chart_axis *axes;
    size_t count, row;
};

static int by_levels(const void *a, const void *b)
{
    const struct tuple *x = a, *y = b;
    for (size_t i = 0; i < x->count; i++) {
        size_t p = x->axes[i].levels.of_row[x->row], q = x->axes[i].levels.of_row[y->row];
        if (p != q) return p < q ? -1 : 1;
    }
    return 0;
}

static size_t number(struct view *v, const struct chart_axis *axes, size_t count, size_t **of_row, size_t **rows)
{
    struct tuple *tuples = mem_alloc((v->row_count + 1) * sizeof *tuples);
    size_t n = 0;
    *of_row = arena_alloc(v->arena, (v->row_count + 1) * sizeof **of_row);
    *rows = arena_alloc(v->arena, (v->row_count + 1) * sizeof **rows);
    for (size_t i = 0; i < v->row_count; i++) tuples[i] = (struct tuple){axes, count, i};
    qsort(tuples, v->row_count, sizeof *tuples, by_levels);
    for (size_t i = 0; i < v->row_count; i++) {
        if (!i || by_levels(&tuples[i - 1], &tuples[i]) != 0) (*rows)[n++] = tuples[i].row;
        (*of_row)[tuples[i].row] = n - 1;
    }
    free(tuples);
    return n;
}

// Takes out of `axes` the column by which splitting leaves few enough series in each panel, with the fewest panels.
static void split(struct view *v, struct chart_axis *axes, size_t *count, size_t most, struct axes_choice *c)
{
    size_t best = *count, *of_row, *rows;
    for (size_t i = 0; i < *count; i++) {
        struct chart_axis rest[AXES_MOST];
        size_t levels = axes[i].levels.count;
        memcpy(rest, axes, i * sizeof *axes);
        memcpy(rest + i, axes + i + 1, (*count - i - 1) * sizeof *axes);
        if (levels > PANELS_MOST || (best < *count && levels >= axes[best].levels.count)) continue;
        if (number(v, rest, *count - 1, &of_row, &rows) <= most) best = i;
    }
    if (best == *count) return;
    c->panels = axes[best].column;
    c->panel_count = number(v, &axes[best], 1, &c->panel, &c->panel_row);
    memmove(axes + best, axes + best + 1, (*count - best - 1) * sizeof *axes);
    --*count;
    c->series_count = number(v, axes, *count, &c->series, &c->series_row);
}

// The axis that fits: a number of at least three steps, else words, else two numbers.
static struct chart_axis *fitting(struct chart_axis *axes, size_t count, bool *bars)
{
    struct chart_axis *x = longest(axes, count, true, 3);
    *bars = !x;
    if (!x) x = longest(axes, count, false, 2);
    return x ? x : longest(axes, count, true, 2);
}

// A column that was asked for. If it was measured, it replaces the axis that would fit, because it follows from it.
static struct chart_axis *wanted(struct view *v, int column, struct chart_axis *axes, size_t *count,
    struct chart_axis *own, bool *bars)
{
    *own = (struct chart_axis){.column = column, .numeric = v->columns[column].numeric};
    view_levels(v, column, &own->levels);
    *bars = !own->numeric;
    for (size_t i = 0; i < *count; i++)
        if (axes[i].column == column) return &axes[i];
    bool ignored;
    struct chart_axis *replaced = fitting(axes, *count, &ignored);
    if (!replaced) return own;
    *replaced = axes[--*count];
    return own;
}

void chart_axes_choose(struct view *v, int column, size_t most, struct axes_choice *c)
{
    struct chart_axis axes[AXES_MOST], rest[AXES_MOST], own, *x;
    size_t count = varying(v, axes), rest_count = 0;
    *c = (struct axes_choice){.x = -1, .panels = -1};
    if (!v->row_count) return;
    x = column >= 0 ? wanted(v, column, axes, &count, &own, &c->bars) : fitting(axes, count, &c->bars);
    if (!x || (c->bars && x->levels.count > CATEGORIES_MOST)) return;
    c->x = x->column;
    c->x_levels = x->levels;
    c->all[c->all_count++] = c->x;
    for (size_t i = 0; i < count; i++) {
        bool said = &axes[i] == x || in_step(v, &axes[i].levels, &x->levels);
        for (size_t k = 0; k < rest_count && !said; k++) said = in_step(v, &axes[i].levels, &rest[k].levels);
        if (said) continue;
        rest[rest_count++] = axes[i];
        if (c->all_count < AXES_MOST) c->all[c->all_count++] = axes[i].column;
    }
    c->series_count = number(v, rest, rest_count, &c->series, &c->series_row);
    c->panel_count = number(v, rest, 0, &c->panel, &c->panel_row);
    if (c->series_count > most) split(v, rest, &rest_count, most, c);
    for (size_t i = 0; i < rest_count; i++) c->by[c->by_count++] = rest[i].column;
}
