// x is the column of numbers along which most rows lie in lines; columns that follow from others are not counted again;
// those that vary together are one factor.
// SPDX-License-Identifier: MIT
#include "page/chart_axes.h"

#include "base/text.h"
#include "spec/settings.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_LEVELS = 4, LINE_ROWS = 3 };

struct chart_axis {
    int column;
    bool numeric;
    struct levels levels;
    size_t used; // levels that the rows have
};

static size_t used_levels(const struct rows *r, const struct levels *l)
{
    LOCAL(mem_drop) bool *seen = mem_alloc(l->count + 1);
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++) n += !seen[l->of_row[r->items[i]]], seen[l->of_row[r->items[i]]] = true;
    return n;
}

// Does each level of `b` have one level of `a`?
static bool follows(const struct rows *r, const struct levels *a, const struct levels *b)
{
    LOCAL(mem_drop) size_t *map = mem_alloc((b->count + 1) * sizeof *map);
    bool same = true;
    for (size_t i = 0; i < r->count && same; i++) {
        size_t *to = &map[b->of_row[r->items[i]]], level = a->of_row[r->items[i]] + 1;
        same = !*to || *to == level;
        *to = level;
    }
    return same;
}

static struct chart_axis *twin_of(const struct rows *r, struct chart_axis *axes, size_t n, const struct chart_axis *a)
{
    for (size_t k = 0; k < n; k++)
        if (axes[k].used == a->used && follows(r, &a->levels, &axes[k].levels)) return &axes[k];
    return NULL;
}

static size_t varying(struct view *v, const struct rows *r, struct chart_axis axes[AXES_MOST])
{
    size_t n = 0;
    for (int c = 0; c < (int)v->column_count && n < AXES_MOST; c++) {
        struct chart_axis *a = &axes[n];
        if (v->columns[c].same || (!v->columns[c].value && c != v->device)) continue;
        *a = (struct chart_axis){.column = c, .numeric = v->columns[c].numeric};
        view_levels(v, c, &a->levels);
        bool unknown = false; // a point that no device began has no value: that is not another value
        for (size_t l = 0; l < a->levels.count && c == v->device; l++) unknown = unknown || !*a->levels.texts[l];
        a->used = used_levels(r, &a->levels);
        struct chart_axis *twin = twin_of(r, axes, n, a); // the same under another name: axes that move in step
        if (twin && a->numeric && !twin->numeric && a->used >= LINE_LEVELS) *twin = *a;
        n += a->used - unknown > 1 && !twin;
    }
    return n;
}

struct tuple {
    const struct levels *const *levels;
    size_t count, row;
};

static int by_levels(const void *a, const void *b)
{
    const struct tuple *x = a, *y = b;
    for (size_t i = 0; i < x->count; i++) {
        size_t p = x->levels[i]->of_row[x->row], q = x->levels[i]->of_row[y->row];
        if (p != q) return p < q ? -1 : 1;
    }
    return 0;
}

// Numbers rows by their levels: equal ones, equal numbers; in the order of the levels.
static size_t number(struct view *v, const struct rows *r, const struct levels *const *levels, size_t count,
    size_t *of_row, size_t *rows)
{
    LOCAL(mem_drop) struct tuple *tuples = mem_alloc((r->count + 1) * sizeof *tuples);
    size_t n = 0;
    (void)v;
    for (size_t i = 0; i < r->count; i++) tuples[i] = (struct tuple){levels, count, r->items[i]};
    if (r->count) qsort(tuples, r->count, sizeof *tuples, by_levels);
    for (size_t i = 0; i < r->count; i++) {
        if (!i || by_levels(&tuples[i - 1], &tuples[i]) != 0) rows[n++] = tuples[i].row;
        of_row[tuples[i].row] = n - 1;
    }
    return n;
}

// The rows that lie in lines along the axis, of at least LINE_ROWS different places each. `on` may be NULL.
static size_t in_lines(struct view *v, const struct rows *r, const struct chart_axis *axes, size_t count, size_t x,
    bool *on)
{
    const struct levels *others[AXES_MOST];
    size_t n = 0, *group = mem_alloc((v->row_count + 1) * sizeof *group),
           *first = mem_alloc((r->count + 1) * sizeof *first), *places = mem_alloc((r->count + 1) * sizeof *places);
    for (size_t i = 0; i < count; i++) // a number that follows from x is not another line
        if (i != x && !(axes[i].numeric && follows(r, &axes[i].levels, &axes[x].levels))) others[n++] = &axes[i].levels;
    const size_t groups = number(v, r, others, n, group, first), levels = axes[x].levels.count;
    bool *seen = mem_alloc(groups * levels + 1);
    for (size_t i = 0; i < r->count; i++) {
        bool *at = &seen[group[r->items[i]] * levels + axes[x].levels.of_row[r->items[i]]];
        places[group[r->items[i]]] += !*at && *v->rows[r->items[i]][axes[x].column];
        *at = true;
    }
    size_t rows = 0;
    for (size_t i = 0; i < r->count; i++) {
        const bool is = places[group[r->items[i]]] >= LINE_ROWS;
        rows += is;
        if (on) on[r->items[i]] = is;
    }
    free(group), free(first), free(places), free(seen);
    return rows;
}

static int best_x(struct view *v, const struct rows *r, const struct chart_axis *axes, size_t count)
{
    size_t most = 0;
    int best = -1;
    for (size_t i = 0; i < count; i++) {
        if (!axes[i].numeric || axes[i].used < LINE_LEVELS) continue;
        const size_t rows = in_lines(v, r, axes, count, i, NULL);
        if (2 * rows < r->count || rows < most) continue;
        if (rows == most && best >= 0 && axes[i].used <= axes[best].used) continue;
        best = (int)i;
        most = rows;
    }
    return best;
}

void chart_axes_factor(struct view *v, const struct rows *r, const int *columns, size_t count, struct factor *f)
{
    struct levels all[AXES_MOST];
    const struct levels *levels[AXES_MOST];
    *f = (struct factor){.column_count = count, .number = count == 1 && v->columns[columns[0]].numeric};
    for (size_t i = 0; i < count; i++) {
        f->columns[i] = columns[i];
        view_levels(v, columns[i], &all[i]);
        levels[i] = &all[i];
    }
    f->level = arena_alloc(v->arena, (v->row_count + 1) * sizeof *f->level);
    f->row = arena_alloc(v->arena, (r->count + 1) * sizeof *f->row);
    f->count = number(v, r, levels, count, f->level, f->row);
}

void chart_axes_join(struct view *v, const struct rows *r, struct factor *f, const struct factor *other)
{
    int columns[AXES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < f->column_count; i++) columns[count++] = f->columns[i];
    for (size_t i = 0; i < other->column_count && count < AXES_MOST; i++) columns[count++] = other->columns[i];
    chart_axes_factor(v, r, columns, count, f);
}

// Factors of which many combinations are missing vary together.
static void join_dependent(struct view *v, const struct rows *r, struct axes_choice *c)
{
    for (size_t i = 0; i < c->factor_count; i++)
        for (size_t k = i + 1; k < c->factor_count; k++) {
            struct factor both = c->factors[i];
            chart_axes_join(v, r, &both, &c->factors[k]);
            if (4 * both.count > 3 * c->factors[i].count * c->factors[k].count) continue;
            c->factors[i] = both;
            memmove(&c->factors[k], &c->factors[k + 1], (c->factor_count - k - 1) * sizeof *c->factors);
            c->factor_count--;
            k = i;
        }
}

static void find_factors(struct view *v, const struct rows *r, const struct chart_axis *axes, size_t count, int x,
    struct axes_choice *c)
{
    for (size_t i = 0; i < count; i++) {
        if ((int)i == x || (x >= 0 && axes[i].numeric && follows(r, &axes[i].levels, &axes[x].levels))) continue;
        if (c->factor_count < AXES_MOST) chart_axes_factor(v, r, &axes[i].column, 1, &c->factors[c->factor_count++]);
    }
    join_dependent(v, r, c);
}

static bool tells_apart(const struct axes_asked *asked, const struct chart_axis *a)
{
    return a->column == asked->by || a->column == asked->panels;
}

// A column that was asked for. If it was measured, it replaces the axis that would fit, because it follows from it; but
// none that is to tell lines or pictures apart.
static int wanted(struct view *v, const struct rows *r, const struct axes_asked *asked, struct chart_axis *axes,
    size_t *count)
{
    const int column = asked->x;
    for (size_t i = 0; i < *count; i++)
        if (axes[i].column == column) return (int)i;
    int replaced = best_x(v, r, axes, *count);
    if (replaced >= 0 && tells_apart(asked, &axes[replaced])) replaced = -1;
    for (size_t i = 0; i < *count && replaced < 0; i++)
        if (axes[i].numeric && !tells_apart(asked, &axes[i])) replaced = (int)i;
    if (replaced < 0 && *count < AXES_MOST) replaced = (int)(*count)++;
    if (replaced < 0) return -1;
    axes[replaced] = (struct chart_axis){.column = column, .numeric = v->columns[column].numeric};
    view_levels(v, column, &axes[replaced].levels);
    axes[replaced].used = used_levels(r, &axes[replaced].levels);
    return replaced;
}

void chart_axes_choose(struct view *v, const struct rows *r, const struct axes_asked *want, bool no_lines,
    struct axes_choice *c)
{
    struct chart_axis axes[AXES_MOST];
    size_t count = varying(v, r, axes);
    *c = (struct axes_choice){.x = -1};
    const bool asked = want->x >= 0 && v->columns[want->x].numeric && !no_lines;
    const int x = asked ? wanted(v, r, want, axes, &count) : no_lines ? -1 : best_x(v, r, axes, count);
    bool *on = mem_alloc(v->row_count + 1);
    c->on.items = arena_alloc(v->arena, (r->count + 1) * sizeof *c->on.items);
    c->off.items = arena_alloc(v->arena, (r->count + 1) * sizeof *c->off.items);
    if (x >= 0 && !asked) in_lines(v, r, axes, count, (size_t)x, on);
    for (size_t i = 0; i < r->count; i++) {
        struct rows *to = x < 0 || asked || on[r->items[i]] ? &c->on : &c->off;
        to->items[to->count++] = r->items[i];
    }
    free(on);
    if (x >= 0) c->x = axes[x].column;
    // A lone row may have values that no line has; they are told by its name, not by one more factor of the lines.
    find_factors(v, c->off.count ? &c->on : r, axes, count, x, c);
    for (size_t i = 0; i < c->factor_count;) {
        if (c->factors[i].count > 1) i++;
        else memmove(&c->factors[i], &c->factors[i + 1], (--c->factor_count - i) * sizeof *c->factors);
    }
}

double chart_axes_bytes(const struct view_column *c)
{
    static const struct {
        const char *end;
        double bytes;
    } units[] = {{"_bytes", 1}, {"_kib", 1 << 10}, {"_mib", 1 << 20}, {"_gib", 1 << 30}};
    if (strcmp(c->unit, "B") == 0) return 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (text_ends(c->name, units[i].end)) return units[i].bytes;
    return 0;
}

bool chart_axes_in_step(struct view *v, const struct rows *r, int a, int b)
{
    struct levels x, y;
    view_levels(v, a, &x);
    view_levels(v, b, &y);
    return follows(r, &x, &y) && follows(r, &y, &x);
}

// Does it follow from a word of the factor that is named anyway?
static bool said(const struct view *v, const struct factor *f, size_t which)
{
    const int c = f->columns[which];
    for (size_t k = 0; k < f->column_count; k++) {
        const int word = f->columns[k];
        if (k == which || v->columns[word].numeric || (k > which && !v->columns[c].numeric)) continue;
        bool follows = true, varies = false;
        for (size_t a = 0; a < f->count && follows; a++)
            for (size_t b = 0; b < a && follows; b++) {
                const bool same = strcmp(v->rows[f->row[a]][word], v->rows[f->row[b]][word]) == 0;
                varies = varies || !same;
                follows = !same || strcmp(v->rows[f->row[a]][c], v->rows[f->row[b]][c]) == 0;
            }
        if (follows && varies) return true;
    }
    return false;
}

const char *chart_axes_name(const struct view *v, const struct factor *f, size_t level)
{
    LOCAL(str_release) struct str s = {0};
    for (size_t i = 0; i < f->column_count; i++) {
        const char *text = v->rows[f->row[level]][f->columns[i]], *name = v->columns[f->columns[i]].name;
        if (said(v, f, i)) continue;
        if (s.size) str_add(&s, ", ");
        if (setting_named(name) >= 0 && strchr(name, '.'))
            name = strchr(name, '.') + 1; // window.ratio: there is room for one
        if (table_value(text).kind == VALUE_TEXT && !strchr(name, '.')) str_add(&s, text);
        else str_addf(&s, "%s %s", *text ? name : "no", *text ? text : name);
    }
    return arena_strdup(v->arena, s.text ? s.text : "");
}

const char *chart_axes_columns(const struct view *v, const struct factor *f)
{
    LOCAL(str_release) struct str s = {0};
    for (size_t i = 0; i < f->column_count; i++)
        str_addf(&s, "%s%s", !i ? "" : i + 1 < f->column_count ? ", " : " and ", v->columns[f->columns[i]].name);
    return arena_strdup(v->arena, s.text ? s.text : "");
}
