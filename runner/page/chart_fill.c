// Rows into series, panels and categories; the ends of the axes.
// SPDX-License-Identifier: MIT
#include "page/chart_fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/quantity.h"
#include "spec/columns.h"

enum { NAME_MOST = 26, MANY = 10000 }; // letters beside a bar
#define HALF_DECADES 31.6227766        /* 1.5 decades: less than that is seen on a linear axis too */

static int of(const struct view *v, enum column c) { return view_column(v, column_table[c].name); }

// A rate of 0 is of work that the kernel does not do: a chain of loads has no bandwidth.
static bool is_rate(int known) { return known == COLUMN_GBPS || known == COLUMN_GFLOPS; }

static bool is_exact(int known)
{
    return known >= 0 && (column_table[known].group == COLUMNS_ACCESS || column_table[known].group == COLUMNS_COMPILER);
}

void chart_fill_facets(struct view *v, struct chart *c, const int *columns, size_t count)
{
    const char *log = c->log;
    const size_t bytes = (v->row_count + 1) * sizeof(double);
    c->facet_count = count;
    for (size_t i = 0; i < count; i++) {
        struct facet *f = &c->facets[i];
        *f = (struct facet){.column = columns[i],
            .lo = INFINITY,
            .hi = -INFINITY,
            .unit = v->columns[columns[i]].unit,
            .one = 1,
            .exact = is_exact(v->columns[columns[i]].known),
            .beside_one = strcmp(v->columns[columns[i]].name, "speedup") == 0,
            .peak = NAN};
        f->y = arena_alloc(v->arena, bytes), f->y_lo = arena_alloc(v->arena, bytes);
        f->y_hi = arena_alloc(v->arena, bytes);
        for (size_t r = 0; r < v->row_count; r++) {
            f->y[r] = view_good(v, r) ? view_number(v, r, f->column) : (double)NAN;
            if (f->y[r] == 0 && is_rate(v->columns[f->column].known)) f->y[r] = NAN;
            f->y_lo[r] = f->y_hi[r] = NAN;
            if (!isnan(f->y[r])) view_interval(v, r, f->column, &f->y_lo[r], &f->y_hi[r]);
            if (v->columns[f->column].known == COLUMN_GBPS)
                f->peak = fmax(f->peak, view_number(v, r, of(v, COLUMN_PEAK_GBPS)));
        }
    }
    c->x_lo = INFINITY, c->x_hi = -INFINITY;
    if (log && strcmp(log, "none") != 0 && strchr(log, 'y'))
        for (size_t i = 0; i < count; i++) c->facets[i].kind = SCALE_LOG10;
}

// What the axes hold once every row is in, and whether they are logarithmic.
static void close_facets(struct view *v, struct chart *c, const bool *drawn)
{
    for (size_t i = 0; i < c->facet_count; i++) {
        struct facet *f = &c->facets[i];
        double least = INFINITY;
        for (size_t r = 0; r < v->row_count; r++) {
            if (!drawn[r] || isnan(f->y[r])) continue;
            f->whiskers = f->whiskers || !isnan(f->y_lo[r]);
            f->lo = fmin(f->lo, fmin(f->y[r], f->y_lo[r]));
            f->hi = fmax(f->hi, fmax(f->y[r], f->y_hi[r]));
            if (f->y[r] > 0) least = fmin(least, f->y[r]);
        }
        if (f->hi < f->lo) f->lo = f->hi = NAN;
        if (f->hi >= MANY) {
            f->unit = quantity_unit(f->hi, f->unit, &f->one);
            if (least < f->one / 10) f->unit = v->columns[f->column].unit, f->one = 1;
        }
        const bool wide = f->lo > 0 && f->hi >= HALF_DECADES * f->lo;
        if (f->kind == SCALE_LOG10 && isinf(least)) f->kind = SCALE_LINEAR;
        else if (f->kind == SCALE_LINEAR && !c->log && wide) f->kind = SCALE_LOG10;
        if (f->kind == SCALE_LOG10 && !(f->lo > 0)) f->lo = least;
        f->dots = f->kind == SCALE_LOG10;
        for (size_t r = 0; r < v->row_count && f->kind == SCALE_LOG10; r++)
            if (drawn[r] && f->y[r] <= 0) f->y[r] = NAN, c->off_axis++;
    }
    for (size_t r = 0; r < v->row_count; r++) {
        if (!drawn[r]) continue;
        c->imprecise += v->status[r] == STATUS_IMPRECISE;
        c->skipped += v->status[r] == STATUS_SKIPPED;
        c->bad += !view_good(v, r) && v->status[r] != STATUS_SKIPPED;
    }
}

static int by_x(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    if (x->x != y->x) return x->x < y->x ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static size_t level(const struct factor *f, size_t row) { return f ? f->level[row] : 0; }
static size_t count_of(const struct factor *f) { return f ? f->count : 1; }

static const char *joined(const struct view *v, const char *a, const char *b)
{
    return *a && *b ? arena_printf(v->arena, "%s, %s", a, b) : *a ? a : b;
}

static const char *name_of(const struct view *v, const struct factor *f, size_t i)
{
    return f ? chart_axes_name(v, f, i) : "";
}

static void name_factors(const struct view *v, struct chart *c, const struct layout *l)
{
    const size_t colours = count_of(l->colour) < CHART_SERIES ? count_of(l->colour) : CHART_SERIES;
    const char **names = arena_alloc(v->arena, (colours + 1) * sizeof *names),
               **dashes = arena_alloc(v->arena, (count_of(l->dash) + 1) * sizeof *dashes);
    for (size_t i = 0; i < colours; i++) names[i] = name_of(v, l->colour, i);
    for (size_t i = 0; i < count_of(l->dash); i++) dashes[i] = name_of(v, l->dash, i);
    c->names = names, c->name_count = colours;
    c->dash_names = dashes, c->dash_count = count_of(l->dash);
    c->series_left_out = (count_of(l->colour) - colours) * count_of(l->dash);
    c->by = joined(v, l->colour ? chart_axes_columns(v, l->colour) : "", l->dash ? chart_axes_columns(v, l->dash) : "");
    c->by_count = (l->colour ? l->colour->column_count : 0) + (l->dash ? l->dash->column_count : 0);
    c->panels_by = l->panel ? chart_axes_columns(v, l->panel) : "";
}

static double place(const struct view *v, const struct chart *c, const struct layout *l, size_t row)
{
    return l->category ? (double)l->category->level[row] : c->x >= 0 ? view_number(v, row, c->x) : 0;
}

// Panels of series of marks; `drawn` gets what is in them.
static void fill(struct view *v, struct chart *c, const struct rows *rows, const struct layout *l, size_t spare,
    bool *drawn)
{
    const size_t dashes = count_of(l->dash), shown = c->name_count * dashes;
    c->panel_count = count_of(l->panel);
    c->panels = arena_alloc(v->arena, c->panel_count * sizeof *c->panels);
    for (size_t p = 0; p < c->panel_count; p++) {
        struct series *all = arena_alloc(v->arena, (shown + spare + 1) * sizeof *all);
        size_t *count = mem_alloc((shown + 1) * sizeof *count), kept = 0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < rows->count; i++) {
                const size_t r = rows->items[i], colour = level(l->colour, r), s = colour * dashes + level(l->dash, r);
                const double x = place(v, c, l, r);
                if (level(l->panel, r) != p || colour >= c->name_count || isnan(x)) continue;
                if (c->x_kind != SCALE_LINEAR && !(x > 0)) {
                    c->off_axis += (size_t)pass;
                    continue;
                }
                if (!pass && !count[s]++) continue;
                if (!pass) continue;
                if (!all[s].marks)
                    all[s] = (struct series){.name = joined(v, c->names[colour], c->dash_names[level(l->dash, r)]),
                        .colour = colour,
                        .dash = level(l->dash, r),
                        .marks = arena_alloc(v->arena, count[s] * sizeof(struct mark))};
                all[s].marks[all[s].count++] = (struct mark){r, x};
                c->x_lo = fmin(c->x_lo, x), c->x_hi = fmax(c->x_hi, x);
                drawn[r] = true;
            }
        for (size_t s = 0; s < shown; s++) {
            if (all[s].count) qsort(all[s].marks, all[s].count, sizeof *all[s].marks, by_x);
            if (all[s].count) all[kept++] = all[s];
        }
        free(count);
        c->panels[p] = (struct panel){.name = name_of(v, l->panel, p), .series = all, .count = kept};
    }
}

// The values that all rows of a series have, of columns in which others differ.
static const char *usual_name(struct view *v, const struct series *s, const struct factor *by)
{
    struct factor own = {.row = arena_alloc(v->arena, sizeof *own.row), .count = 1};
    for (size_t i = 0; i < by->column_count; i++) {
        bool same = true;
        for (size_t k = 1; k < s->count && same; k++)
            same = strcmp(v->rows[s->marks[0].row][by->columns[i]], v->rows[s->marks[k].row][by->columns[i]]) == 0;
        if (same) own.columns[own.column_count++] = by->columns[i];
    }
    own.row[0] = s->marks[0].row;
    return chart_axes_name(v, &own, 0);
}

// A row of its own beside the lines: in the panel that has its values, named by what no line has.
static void add_lone(struct view *v, struct chart *c, const struct rows *off, const struct layout *l, bool *drawn)
{
    struct factor by = {0};
    int columns[AXES_MOST];
    size_t n = 0;
    for (int i = 0; i < (int)v->column_count && n < AXES_MOST; i++)
        if (v->columns[i].value && !v->columns[i].same && i != c->x) columns[n++] = i;
    if (off->count) chart_axes_factor(v, off, columns, n, &by);
    for (size_t p = 0; off->count && p < c->panel_count; p++) // a line that had no need of a name has one beside others
        for (size_t s = 0; s < c->panels[p].count; s++)
            if (!*c->panels[p].series[s].name)
                c->panels[p].series[s].name = usual_name(v, &c->panels[p].series[s], &by);
    for (size_t i = 0; i < off->count; i++) {
        const size_t r = off->items[i];
        const double x = place(v, c, l, r);
        size_t p = 0;
        if (isnan(x) || (c->x_kind != SCALE_LINEAR && !(x > 0))) continue;
        for (size_t k = 0; l->panel && k < l->panel->count; k++) {
            bool same = true;
            for (size_t q = 0; q < l->panel->column_count; q++)
                same = same &&
                    strcmp(v->rows[r][l->panel->columns[q]], v->rows[l->panel->row[k]][l->panel->columns[q]]) == 0;
            if (same) p = k;
        }
        struct panel *to = &c->panels[p];
        struct mark *m = arena_alloc(v->arena, sizeof *m);
        *m = (struct mark){r, x};
        to->series[to->count++] = (struct series){.name = chart_axes_name(v, &by, by.level[r]),
            .colour = CHART_SERIES - 1,
            .marks = m,
            .count = 1,
            .lone = true};
        drawn[r] = true;
        c->x_lo = fmin(c->x_lo, x), c->x_hi = fmax(c->x_hi, x);
    }
}

// Series that cannot be told apart in the picture: nearer than the width of two lines at every place, in the first
// facet.
static bool together(const struct facet *f, double y, double z)
{
    if (isnan(y) || isnan(z)) return isnan(y) && isnan(z);
    if (f->kind == SCALE_LOG10) return fabs(log(y / z)) <= 0.012 * log(f->hi / f->lo);
    return fabs(y - z) <= 0.012 * (f->hi - fmin(f->lo, 0));
}

static void find_coincident(const struct chart *c, struct panel *p)
{
    const struct facet *f = &c->facets[0];
    for (size_t a = 1; a < p->count; a++)
        for (size_t b = 0; b < a && !p->series[a].same; b++) {
            const struct series *s = &p->series[a], *t = &p->series[b];
            bool same = s->count == t->count && s->count >= 3 && !t->same && f->hi > f->lo;
            for (size_t i = 0; i < s->count && same; i++) {
                const double y = f->y[s->marks[i].row], z = f->y[t->marks[i].row];
                same = s->marks[i].x == t->marks[i].x && together(f, y, z);
            }
            if (same) p->series[a].same = t->name;
        }
}

// Of many lines that are held against one, those count that reach furthest up or down, and the one itself.
static void fade(struct chart *c)
{
    enum { TOLD_APART = 4 };
    const struct facet *f = &c->facets[0];
    unsigned best = 0, worst = 0, one = (1u << CHART_SERIES) - 1;
    double most = -INFINITY, least = INFINITY;
    if (!f->beside_one || c->name_count <= TOLD_APART || c->dash_count > 1) return;
    for (size_t p = 0; p < c->panel_count; p++)
        for (size_t s = 0; s < c->panels[p].count; s++)
            for (size_t i = 0; i < c->panels[p].series[s].count; i++) {
                const double y = f->y[c->panels[p].series[s].marks[i].row];
                const unsigned colour = 1u << c->panels[p].series[s].colour;
                if (y > most) most = y, best = colour;
                if (y < least) least = y, worst = colour;
                if (!isnan(y) && fabs(y - 1) > 1e-9) one &= ~colour;
            }
    c->faded = ((1u << c->name_count) - 1) & ~(best | worst | one);
}

void chart_fill_lines(struct view *v, struct chart *c, const struct axes_choice *axes, const struct layout *l)
{
    LOCAL(mem_drop) bool *drawn = mem_alloc(v->row_count + 1);
    name_factors(v, c, l);
    fill(v, c, &axes->on, l, axes->off.count, drawn);
    add_lone(v, c, &axes->off, l, drawn);
    close_facets(v, c, drawn);
    for (size_t p = 0; p < c->panel_count; p++) find_coincident(c, &c->panels[p]);
    fade(c);
}

struct ranking { // of a category
    double best;
    size_t number;
};

static int by_best(const void *a, const void *b)
{
    const struct ranking *x = a, *y = b;
    if (isnan(x->best) != isnan(y->best)) return isnan(x->best) ? 1 : -1;
    if (!isnan(x->best) && x->best != y->best) return x->best < y->best ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

// Words have no order of their own: the best comes first. Numbers keep theirs.
static size_t *rank(struct view *v, struct chart *c, const struct rows *rows, const struct factor *f)
{
    const struct view_column *y = &v->columns[c->facets[0].column];
    const bool smaller = y->known >= 0 && column_table[y->known].better == BETTER_SMALLER;
    LOCAL(mem_drop) struct ranking *all = mem_alloc((f->count + 1) * sizeof *all);
    size_t *order = arena_alloc(v->arena, (f->count + 1) * sizeof *order);
    for (size_t i = 0; i < f->count; i++) all[i] = (struct ranking){NAN, i};
    for (size_t i = 0; i < rows->count; i++) {
        const double at = c->facets[0].y[rows->items[i]];
        struct ranking *r = &all[f->level[rows->items[i]]];
        r->best = fmin(r->best, smaller ? at : -at);
    }
    c->ranked = !f->number && f->count > 1;
    if (c->ranked) qsort(all, f->count, sizeof *all, by_best);
    for (size_t i = 0; i < f->count; i++) order[all[i].number] = i;
    return order;
}

// The level that most rows have.
static size_t most_common(struct view *v, const struct rows *rows, const struct levels *l)
{
    size_t *count = mem_alloc((l->count + 1) * sizeof *count), best = 0;
    (void)v;
    for (size_t i = 0; i < rows->count; i++) count[l->of_row[rows->items[i]]]++;
    for (size_t i = 1; i < l->count; i++)
        if (count[i] > count[best]) best = i;
    free(count);
    return best;
}

// Long names of things that vary one at a time say what differs from the usual.
static void shorten(struct view *v, struct chart *c, const struct rows *rows, const struct factor *f,
    const size_t *order, const char **names)
{
    struct str usual = {0}, *differs = mem_alloc((f->count + 1) * sizeof *differs);
    for (size_t k = 0; k < f->column_count; k++) {
        struct levels l;
        view_levels(v, f->columns[k], &l);
        const char *name = v->columns[f->columns[k]].name, *common = l.texts[most_common(v, rows, &l)];
        str_addf(&usual, "%s%s %s", k ? ", " : "", name, *common ? common : "(none)");
        for (size_t i = 0; i < f->count; i++) {
            const char *text = v->rows[f->row[i]][f->columns[k]];
            if (strcmp(text, common) == 0) continue;
            str_addf(&differs[i], "%s%s %s", differs[i].size ? ", " : "", name, *text ? text : "(none)");
        }
    }
    for (size_t i = 0; i < f->count; i++) {
        names[order[i]] = arena_strdup(v->arena, differs[i].size ? differs[i].text : "baseline");
        str_release(&differs[i]);
    }
    c->usual = arena_strdup(v->arena, usual.text);
    str_release(&usual);
    free(differs);
}

void chart_fill_bars(struct view *v, struct chart *c, const struct rows *rows, const struct layout *l)
{
    LOCAL(mem_drop) bool *drawn = mem_alloc(v->row_count + 1);
    struct rows kept = {arena_alloc(v->arena, (rows->count + 1) * sizeof *kept.items), 0};
    const size_t *order = rank(v, c, rows, l->category);
    const char **names = arena_alloc(v->arena, (l->category->count + 1) * sizeof *names);
    bool longs = false;
    for (size_t i = 0; i < l->category->count; i++) {
        const char *name = chart_axes_name(v, l->category, i);
        longs = longs || strlen(name) > NAME_MOST;
        names[order[i]] = *name ? name : v->rows[rows->items[0]][view_column(v, "kernel")];
    }
    if (longs && l->category->column_count > 2) shorten(v, c, rows, l->category, order, names);
    c->category_count = l->category->count < CHART_CATEGORIES ? l->category->count : CHART_CATEGORIES;
    c->categories_left_out = l->category->count - c->category_count;
    c->categories = names;
    for (size_t i = 0; i < rows->count; i++) {
        size_t *level = &l->category->level[rows->items[i]];
        *level = order[*level];
        if (*level < c->category_count) kept.items[kept.count++] = rows->items[i];
    }
    name_factors(v, c, l);
    fill(v, c, &kept, l, 0, drawn);
    close_facets(v, c, drawn);
}

void chart_fill_heat(struct view *v, struct chart *c, const struct rows *rows, const struct layout *l)
{
    LOCAL(mem_drop) bool *drawn = mem_alloc(v->row_count + 1);
    const char **names = arena_alloc(v->arena, (l->category->count + 1) * sizeof *names),
               **lines = arena_alloc(v->arena, (l->colour->count + 1) * sizeof *lines);
    for (size_t i = 0; i < l->category->count; i++) names[i] = v->rows[l->category->row[i]][c->x];
    c->categories = names, c->category_count = l->category->count;
    name_factors(v, c, l);
    for (size_t i = 0; i < l->colour->count; i++) lines[i] = chart_axes_name(v, l->colour, i);
    c->names = lines, c->name_count = l->colour->count, c->series_left_out = 0;
    fill(v, c, rows, l, 0, drawn);
    close_facets(v, c, drawn);
}
