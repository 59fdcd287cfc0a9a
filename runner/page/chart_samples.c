// The samples of some points as a chart: which points, and what the axes must hold.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/chart.h"
#include "spec/columns.h"

struct known_row { // and how badly
    size_t row;
    double width;
};

static int widest(const void *a, const void *b)
{
    const struct known_row *x = a, *y = b;
    if (x->width != y->width) return x->width > y->width ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int by_row(const void *a, const void *b)
{
    const struct known_row *x = a, *y = b;
    return x->row < y->row ? -1 : x->row > y->row;
}

// Rows with a time, those first whose interval is widest; how many.
static size_t rows_by_width(const struct view *v, struct known_row *rows)
{
    const int time = view_column(v, column_table[COLUMN_TIME_US].name),
              low = view_column(v, column_table[COLUMN_TIME_LO_US].name),
              high = view_column(v, column_table[COLUMN_TIME_HI_US].name);
    size_t n = 0;
    for (size_t i = 0; i < v->row_count; i++) {
        const double us = view_number(v, i, time), width = view_number(v, i, high) - view_number(v, i, low);
        if (view_good(v, i) && us > 0) rows[n++] = (struct known_row){i, isnan(width) ? INFINITY : width / us};
    }
    qsort(rows, n, sizeof *rows, widest);
    return n;
}

// "n 4096, stride 2": by what it differs from other rows.
static const char *name_of(const struct view *v, size_t row)
{
    LOCAL(str_release) struct str s = {0};
    for (size_t c = 0; c < v->column_count; c++)
        if (v->columns[c].value && !v->columns[c].same && *v->rows[row][c])
            str_addf(&s, "%s%s %s", s.size ? ", " : "", v->columns[c].name, v->rows[row][c]);
    return arena_strdup(v->arena, s.size ? s.text : "");
}

static void facet_of(struct chart *c, int column, bool clock)
{
    struct facet *f = &c->facets[c->facet_count];
    *f = (struct facet){.column = column, .lo = NAN, .hi = NAN, .peak = NAN};
    for (size_t k = 0; k < c->panel_count; k++)
        for (size_t i = 0; i < c->panels[k].samples->count; i++) {
            const struct sample_kept *s = &c->panels[k].samples->items[i];
            f->lo = fmin(f->lo, clock ? s->clock_mhz : s->us), f->hi = fmax(f->hi, clock ? s->clock_mhz : s->us);
        }
    if (column >= 0 && !isnan(f->lo)) c->facet_count++;
}

static void kinds_of(const struct view *v, struct chart *c)
{
    const char **names = arena_alloc(v->arena, TAKEN_KIND_COUNT * sizeof *names);
    for (unsigned kind = 0; kind < TAKEN_KIND_COUNT; kind++) {
        size_t count = 0;
        for (size_t k = 0; k < c->panel_count; k++)
            for (size_t i = 0; i < c->panels[k].samples->count; i++)
                count += c->panels[k].samples->items[i].kind == kind;
        if (!count) continue;
        c->kinds[c->name_count] = kind;
        names[c->name_count++] = arena_printf(v->arena, "%s (%zu): %s", taken_names[kind], count, taken_about[kind]);
    }
    c->names = names;
    c->dash_count = 1;
}

bool chart_samples(const struct view *v, size_t most, struct chart *c)
{
    LOCAL(mem_drop) struct known_row *rows = mem_alloc((v->row_count + 1) * sizeof *rows);
    struct samples_of *of = arena_alloc(v->arena, (most + 1) * sizeof *of);
    const char **keys = arena_alloc(v->arena, (most + 1) * sizeof *keys);
    const int key = view_column(v, "key");
    const size_t with_time = key < 0 ? 0 : rows_by_width(v, rows), count = with_time < most ? with_time : most;
    *c = (struct chart){.kind = CHART_SAMPLES, .x = -1, .by = "", .panels_by = ""};
    c->x_name = "samples in the order of time";
    c->panels = arena_alloc(v->arena, (count + 1) * sizeof *c->panels);
    qsort(rows, count, sizeof *rows, by_row);
    for (size_t i = 0; i < count; i++) keys[i] = v->rows[rows[i].row][key];
    const bool there = count && samples_read(v->path, keys, count, of, v->arena);
    for (size_t i = 0; i < count && there; i++)
        if (of[i].count)
            c->panels[c->panel_count++] =
                (struct panel){.name = name_of(v, rows[i].row), .samples = &of[i], .row = rows[i].row};
    c->points_left_out = with_time - count;
    if (!c->panel_count) return false;
    facet_of(c, view_column(v, column_table[COLUMN_TIME_US].name), false);
    facet_of(c, view_column(v, column_table[COLUMN_CLOCK_MHZ].name), true);
    kinds_of(v, c);
    return c->facet_count > 0;
}
