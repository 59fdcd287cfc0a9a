// A time is told to be another where the interval of the ratio says so and it matters (measure/verdict.h); counts are
// exact, so every difference counts.
// SPDX-License-Identifier: MIT
#include "study/differing.h"

#include "measure/result.h"

#include <math.h>
#include <string.h>

static void add_number(struct str *s, double v)
{
    if (v == floor(v) && fabs(v) < 1e15) str_add_int(s, (int64_t)v);
    else str_add_short(s, v);
}

// Of the counts those that are the same in every run: not what hardware alone counts, and not their ratios, which only
// follow.
bool differing_exact(int column)
{
    return column_table[column].group == COLUMNS_ACCESS && !column_table[column].digits;
}

const char *differing_text(const struct pairs_side *side, const struct cells *cells, int column)
{
    return side->columns[column] < 0 ? "" : cells_text(cells, (size_t)side->columns[column]);
}

static double number_of(const struct pairs_side *side, const struct cells *cells, int column)
{
    double x;
    return value_number(table_value(differing_text(side, cells, column)), &x) ? x : NAN;
}

static struct timing timing_of(const struct pairs_side *side, const struct cells *cells)
{
    return (struct timing){number_of(side, cells, COLUMN_TIME_US), number_of(side, cells, COLUMN_TIME_LO_US),
        number_of(side, cells, COLUMN_TIME_HI_US), number_of(side, cells, COLUMN_CONTEXTS)};
}

// There may be a million of them: str_addf would take most of the time.
static void add_ratio(double old, double new, const struct ratio *r, struct str *s)
{
    str_add(s, "  ");
    str_add_fixed(s, old, 3);
    str_add(s, " us -> ");
    str_add_fixed(s, new, 3);
    str_add(s, " us, x");
    str_add_fixed(s, r->value, 4);
    if (!isfinite(r->low)) {
        str_add(s, " (no interval)");
        return;
    }
    str_add(s, " (");
    str_add_fixed(s, r->low, 4);
    str_add(s, " to ");
    str_add_fixed(s, r->high, 4);
    str_add(s, ")");
}

static enum kind add_times(const struct pair *p, struct ratio *r, struct str *s)
{
    static const enum kind kinds[] = {
        [VERDICT_SAME] = SAME, [VERDICT_FASTER] = FASTER, [VERDICT_SLOWER] = SLOWER, [VERDICT_UNSURE] = UNSURE};
    const struct timing old = timing_of(p->a, p->old), new = timing_of(p->b, p->new);
    *r = verdict_ratio(&old, &new);
    if (isnan(r->value)) return SAME;
    if (s) add_ratio(old.us, new.us, r, s);
    return kinds[verdict_of(r, p->threshold)];
}

static void add_count(int column, double x, double y, struct str *s)
{
    str_add(s, "  ");
    str_add(s, column_table[column].name);
    str_add(s, " ");
    add_number(s, x);
    str_add(s, " -> ");
    add_number(s, y);
    if (!(x > 0)) return;
    str_add(s, " (x");
    str_add_short(s, y / x);
    str_add(s, ")");
}

bool differing_counts(const struct pair *p)
{
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (differing_exact(c) && strcmp(differing_text(p->a, p->old, c), differing_text(p->b, p->new, c)) != 0)
            return true;
    return false;
}

enum kind differing(const struct pair *p, struct ratio *r, struct str *times, struct str *s)
{
    const char *was = cells_text(p->old, (size_t)p->a->status), *is = cells_text(p->new, (size_t)p->b->status);
    enum kind kind = add_times(p, r, times);
    // `imprecise` says how well a time is known, which its interval says too.
    if (strcmp(was, is) != 0 && !(status_has_numbers(status_find(was)) && status_has_numbers(status_find(is)))) {
        if (s) str_addf(s, "  status %s -> %s", was, is);
        kind = CHANGED;
    }
    for (int c = 0; p->counts && c < COLUMN_COUNT; c++) {
        if (!differing_exact(c) || strcmp(differing_text(p->a, p->old, c), differing_text(p->b, p->new, c)) == 0)
            continue;
        double x = number_of(p->a, p->old, c), y = number_of(p->b, p->new, c);
        if (isnan(x) || isnan(y) || x == y) continue;
        if (s) add_count(c, x, y, s);
        if (kind != SLOWER) kind = CHANGED;
    }
    return kind;
}
