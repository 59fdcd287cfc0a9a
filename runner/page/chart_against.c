// How many times as fast each row is as the one that it is held against: the row for which `against` holds and whose
// other values are the same. Values that are the same in all such rows tell no two of them apart, and are not compared.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "page/chart_fill.h"
#include "page/row_value.h"
#include "spec/columns.h"

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
