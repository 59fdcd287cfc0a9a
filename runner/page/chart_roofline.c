// A roofline: arithmetic over operations for each byte, below what the points themselves reach of both.
// SPDX-License-Identifier: MIT
#include <math.h>

#include "page/chart_axes.h"
#include "page/chart_fill.h"
#include "spec/columns.h"

static int of(const struct view *v, enum column c) { return view_column(v, column_table[c].name); }

static double intensity(const struct view *v, size_t row)
{
    const double flops = view_number(v, row, of(v, COLUMN_GFLOPS)), bytes = view_number(v, row, of(v, COLUMN_GBPS));
    return view_good(v, row) && flops > 0 && bytes > 0 ? flops / bytes : (double)NAN;
}

// The column that says it already, -1: none.
static int same_column(const struct view *v)
{
    for (int c = 0; c < (int)v->column_count; c++) {
        bool same = v->columns[c].added && v->columns[c].numeric;
        for (size_t i = 0; i < v->row_count && same; i++) {
            const double want = intensity(v, i), x = view_number(v, i, c);
            same = isnan(want) || fabs(x - want) <= 0.02 * want;
        }
        if (same) return c;
    }
    return -1;
}

static int new_column(struct view *v)
{
    const char **texts = arena_alloc(v->arena, (v->row_count + 1) * sizeof *texts);
    for (size_t i = 0; i < v->row_count; i++)
        texts[i] = view_number(v, i, of(v, COLUMN_GFLOPS)) == 0 ? "0" // no arithmetic at all
            : isnan(intensity(v, i))                            ? ""
                                                                : arena_printf(v->arena, "%.4g", intensity(v, i));
    return view_add(v, "flops_per_byte", "gflops / gbps: operations for each useful byte", texts);
}

bool chart_roofline(struct view *v, int *x, int *columns, size_t *count)
{
    double lo = INFINITY, hi = 0;
    if (of(v, COLUMN_GFLOPS) < 0 || of(v, COLUMN_GBPS) < 0) return false;
    for (size_t i = 0; i < v->row_count; i++) lo = fmin(lo, intensity(v, i)), hi = fmax(hi, intensity(v, i));
    if (!(hi >= 10 * lo)) return false;
    *x = same_column(v);
    if (*x < 0) *x = new_column(v);
    columns[0] = of(v, COLUMN_GFLOPS), columns[1] = of(v, COLUMN_GBPS);
    *count = 2;
    return true;
}

static double most(const struct view *v, const struct series *s, enum column column)
{
    double best = 0;
    for (size_t i = 0; i < s->count; i++)
        if (view_good(v, s->marks[i].row)) best = fmax(best, view_number(v, s->marks[i].row, of(v, column)));
    return best;
}

// Roofs of memory that are one line have one name: "4.01 to 4.13 TB/s".
static const char *name_slope(struct view *v, double lo, double hi)
{
    return hi < 1.001 * lo ? arena_printf(v->arena, "memory: %.3g TB/s", hi / 1000)
                           : arena_printf(v->arena, "memory: %.3g to %.3g TB/s", lo / 1000, hi / 1000);
}

void chart_roofline_ceilings(struct view *v, struct chart *c)
{
    double lo = INFINITY, hi = 0;
    struct guide *first = NULL;
    for (size_t i = 0; c->panel_count == 1 && i < c->panels[0].count && i < 4; i++) {
        struct series *s = &c->panels[0].series[i];
        const double flops = most(v, s, COLUMN_GFLOPS), bytes = most(v, s, COLUMN_GBPS);
        if (s->lone || !(flops > 0) || !(bytes > 0) || c->guide_count == CHART_GUIDES) continue;
        struct guide *g = &c->guides[c->guide_count++];
        *g = (struct guide){.facet = 0,
            .x = NAN,
            .y = NAN,
            .at = {0, flops},
            .slope = {bytes, 0},
            .aside = true,
            .text = arena_printf(v->arena, "%s%smeasured: %.4g GB/s, %.3g TFLOP/s", s->name, *s->name ? ", " : "",
                bytes, flops / 1000)};
        s->roof = arena_printf(v->arena, "%.3g TFLOP/s", flops / 1000);
        const bool near = bytes < 1.25 * fmin(lo, bytes) && bytes > 0.8 * fmax(hi, bytes);
        if (!first || !near) first = g, lo = INFINITY, hi = 0;
        lo = fmin(lo, bytes), hi = fmax(hi, bytes);
        first->rising = name_slope(v, lo, hi);
        if (c->guide_count < CHART_GUIDES)
            c->guides[c->guide_count++] = (struct guide){.facet = -1,
                .x = flops / bytes,
                .y = NAN,
                .text = arena_printf(v->arena, "%s%sridge at %.3g", s->name, *s->name ? ": " : "", flops / bytes)};
    }
}
