// Puts a chart together: which kind fits the axes, which factor gets colours, dashes and panels. Rows that are on no
// line of the first chart and make lines of their own along another column have a chart of their own.
// SPDX-License-Identifier: MIT
#include "page/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"
#include "page/chart_fill.h"
#include "spec/columns.h"
#include "spec/words.h"

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

static struct chart_traits chart_traits_of(const struct view *v, const struct charts *all, bool roofline)
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

enum { PANELS_MOST = 6, LEVELS_OF_HEAT = 30, ROWS_OF_HEAT = 36, COLUMNS_OF_HEAT = 120 };

struct wish_found { // columns and words of the wish, found
    int x, by, panels;
    int y[CHART_FACETS];
    size_t y_count;
    int kind; // enum chart_kind, -1: what fits
    const char *log;
};

// A column that was asked for by name; -1 where none was, or after diags.
static int named(const struct view *v, const char *name, struct diags *d)
{
    int c = name ? view_column(v, name) : -1;
    if (c >= 0 || !name) return c;
    const char **names = arena_alloc(v->arena, (v->column_count + 1) * sizeof *names), *near;
    for (size_t i = 0; i < v->column_count; i++) names[i] = v->columns[i].name;
    near = str_nearest(name, names);
    diag_user(d, (struct where){.file = v->path}, near ? arena_printf(v->arena, "did you mean `%s`?", near) : NULL,
        "has no column `%s`", name);
    return -1;
}

static const char *word(const struct choice *all, const char *what, const char *given, struct diags *d)
{
    LOCAL(str_release) struct str s = {0};
    if (!given || choice_find(all, given) >= 0) return given;
    for (const struct choice *c = all; c->word; c++) str_addf(&s, "%s%s", s.size ? ", " : "known: ", c->word);
    diag_user(d, (struct where){0}, s.text, "a chart has no %s `%s`", what, given);
    return NULL;
}

static bool find_wanted(const struct view *v, const struct chart_wish *wish, struct wish_found *w, struct diags *d)
{
    const size_t before = d->count;
    *w = (struct wish_found){
        .x = named(v, wish->x, d), .by = named(v, wish->by, d), .panels = named(v, wish->panels, d)};
    char *names = arena_strdup(v->arena, wish->y ? wish->y : ""), *rest = names;
    for (char *name; (name = strtok_r(rest, ", ", &rest)) && w->y_count < CHART_FACETS;)
        w->y[w->y_count++] = named(v, name, d);
    const char *kind = word(words_chart_kinds, "kind", wish->kind, d);
    w->kind = kind ? choice_find(words_chart_kinds, kind) : -1;
    w->log = word(words_logs, "logarithmic axis", wish->log, d);
    return d->count == before;
}

static void set_x(struct view *v, struct chart *c, int x, const struct rows *rows, const char *log)
{
    LOCAL(mem_drop) double *numbers = mem_alloc((rows->count + 1) * sizeof *numbers);
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const double at = view_number(v, rows->items[i], x);
        if (!isnan(at)) numbers[n++] = at;
    }
    qsort(numbers, n, sizeof *numbers, stats_rising);
    for (size_t i = 0; i < n; i++)
        if (!kept || numbers[i] != numbers[kept - 1]) numbers[kept++] = numbers[i];
    c->x = x;
    c->x_unit = chart_axes_bytes(&v->columns[x]);
    c->x_kind = scale_for(numbers, kept);
    if (log)
        c->x_kind = !strchr(log, 'x') || strcmp(log, "none") == 0 ? SCALE_LINEAR
            : c->x_kind == SCALE_LINEAR                           ? SCALE_LOG10
                                                                  : c->x_kind;
    if (c->x_unit > 0 && c->x_kind == SCALE_LOG10) c->x_kind = SCALE_LOG2;
    c->x_name = v->columns[x].name;
}

static bool has(const struct factor *f, int column)
{
    for (size_t i = 0; i < f->column_count; i++)
        if (f->columns[i] == column) return true;
    return false;
}

static void drop(struct factor *all, size_t *count, size_t which)
{
    memmove(&all[which], &all[which + 1], (--*count - which) * sizeof *all);
}

// Takes the factor with the most or the fewest levels, or the one that has the column, out of the list.
static struct factor *taken(struct view *v, struct factor *all, size_t *count, int column, bool most, size_t limit)
{
    size_t best = *count;
    for (size_t i = 0; i < *count; i++) {
        if (column >= 0 && !has(&all[i], column)) continue;
        if (limit && all[i].count > limit) continue;
        if (best == *count || (most ? all[i].count > all[best].count : all[i].count < all[best].count)) best = i;
    }
    if (best == *count) return NULL;
    struct factor *f = arena_copy(v->arena, &all[best], sizeof *f);
    drop(all, count, best);
    return f;
}

static void join_all(struct view *v, const struct rows *rows, struct factor *all, size_t *count, size_t most)
{
    while (*count > most) {
        size_t a = 0, b = 1; // the two smallest
        for (size_t i = 2; i < *count; i++) {
            const size_t larger = all[a].count > all[b].count ? a : b;
            if (all[i].count < all[larger].count) *(larger == a ? &a : &b) = i;
        }
        const size_t first = a < b ? a : b, second = a < b ? b : a;
        chart_axes_join(v, rows, &all[first], &all[second]);
        drop(all, count, second);
    }
}

// Lines that were asked for have one row at each place: what else differs between the rows makes no line of its own.
static bool one_a_place(struct view *v, const struct axes_choice *axes, const struct layout *l)
{
    const struct rows *r = &axes->on;
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < i; k++) {
            const size_t a = r->items[i], b = r->items[k];
            if (l->colour->level[a] != l->colour->level[b] || (l->panel && l->panel->level[a] != l->panel->level[b]))
                continue;
            if (view_number(v, a, axes->x) == view_number(v, b, axes->x)) return false;
        }
    return true;
}

static bool as_asked(struct view *v, const struct axes_choice *axes, const struct wish_found *w, struct layout *l)
{
    const int columns[] = {w->by, w->panels};
    struct factor **const to[] = {&l->colour, &l->panel};
    *l = (struct layout){0};
    for (int i = 0; i < 2; i++) {
        if (columns[i] < 0 || columns[i] == axes->x) continue;
        *to[i] = arena_alloc(v->arena, sizeof **to[i]);
        chart_axes_factor(v, &axes->on, &columns[i], 1, *to[i]);
    }
    return l->colour && one_a_place(v, axes, l);
}

// Colours for one factor, dashes for a second with few values, else panels; what is left shares the colours.
static void lay_lines(struct view *v, const struct axes_choice *axes, const struct wish_found *w, struct layout *l)
{
    struct factor all[AXES_MOST];
    size_t count = axes->factor_count;
    memcpy(all, axes->factors, sizeof all);
    if (w->by >= 0 && as_asked(v, axes, w, l)) return;
    *l = (struct layout){0};
    if (w->panels >= 0) l->panel = taken(v, all, &count, w->panels, true, 0);
    if (w->by >= 0) l->colour = taken(v, all, &count, w->by, true, 0);
    if (!l->panel && count + !!l->colour > 2) l->panel = taken(v, all, &count, -1, false, PANELS_MOST);
    join_all(v, &axes->on, all, &count, l->colour ? 1 : 2);
    if (!l->colour && count) l->colour = taken(v, all, &count, -1, true, 0);
    if (!count) return;
    const bool few = all[0].count <= CHART_DASHES && l->colour->count <= CHART_SERIES &&
        all[0].count * l->colour->count <= (l->panel ? 6 : 8);
    if (few) l->dash = taken(v, all, &count, -1, true, 0);
    else if (!l->panel && all[0].count <= PANELS_MOST) l->panel = taken(v, all, &count, -1, true, 0);
    else chart_axes_join(v, &axes->on, l->colour, &all[0]);
}

// Neighbours of an axis of numbers share a level, so that at most so many are left.
static void join_neighbours(struct view *v, const struct rows *rows, struct factor *f, size_t most)
{
    const size_t count = f->count;
    if (count <= most || f->column_count != 1 || !f->number) return;
    f->row = arena_copy(v->arena, f->row, count * sizeof *f->row);
    for (size_t i = 0; i < rows->count; i++) {
        size_t *level = &f->level[rows->items[i]];
        *level = *level * LEVELS_OF_HEAT / count;
    }
    for (size_t i = 0; i < LEVELS_OF_HEAT; i++) f->row[i] = f->row[(i * count + LEVELS_OF_HEAT - 1) / LEVELS_OF_HEAT];
    f->count = LEVELS_OF_HEAT;
}

// One row for each cell: the first that has a number. How many the fullest cell has.
static size_t one_each(const struct view *v, int column, const struct layout *l, struct rows *rows)
{
    const size_t panels = l->panel ? l->panel->count : 1, cells = l->colour->count * l->category->count * panels;
    size_t *count = mem_alloc((cells + 1) * sizeof *count), kept = 0, most = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const size_t r = rows->items[i], panel = l->panel ? l->panel->level[r] : 0,
                     cell =
                         (panel * l->colour->count + l->colour->level[r]) * l->category->count + l->category->level[r];
        if (isnan(view_number(v, r, column)) && count[cell]) continue;
        if (++count[cell] > most) most = count[cell];
        if (count[cell] == 1) rows->items[kept++] = r;
    }
    rows->count = kept;
    free(count);
    return most;
}

static void make_lines(struct view *v, struct axes_choice *axes, const struct wish_found *w, const int *columns,
    size_t count, struct chart *c)
{
    struct layout l;
    lay_lines(v, axes, w, &l);
    set_x(v, c, axes->x, &axes->on, w->log);
    if (w->kind == CHART_HEAT && l.dash) chart_axes_join(v, &axes->on, l.colour, l.dash), l.dash = NULL;
    const bool heat = l.colour && w->kind == CHART_HEAT;
    chart_fill_facets(v, c, columns, count);
    if (!heat) {
        c->kind = CHART_LINES;
        chart_fill_lines(v, c, axes, &l);
        return;
    }
    struct factor along;
    chart_axes_factor(v, &axes->on, &axes->x, 1, &along);
    l.category = &along;
    const bool many = l.colour->count > ROWS_OF_HEAT || along.count > COLUMNS_OF_HEAT;
    struct rows rows = {arena_copy(v->arena, axes->on.items, axes->on.count * sizeof *axes->on.items), axes->on.count};
    join_neighbours(v, &rows, l.colour, ROWS_OF_HEAT);
    join_neighbours(v, &rows, &along, COLUMNS_OF_HEAT);
    if (many) c->near = one_each(v, columns[0], &l, &rows);
    c->kind = CHART_HEAT;
    c->x_kind = SCALE_LINEAR;
    chart_fill_heat(v, c, &rows, &l);
}

static void make_bars(struct view *v, const struct rows *rows, struct axes_choice *axes, const struct wish_found *w,
    const int *columns, size_t count, struct chart *c)
{
    struct layout l = {0};
    struct factor *all = axes->factors, none;
    size_t n = axes->factor_count;
    if (w->panels >= 0) l.panel = taken(v, all, &n, w->panels, true, 0);
    if (w->x >= 0) l.category = taken(v, all, &n, w->x, true, 0);
    if (w->by >= 0) l.colour = taken(v, all, &n, w->by, true, CHART_SERIES);
    if (!l.panel && n + !!l.category + !!l.colour > 2) l.panel = taken(v, all, &n, -1, false, PANELS_MOST);
    join_all(v, rows, all, &n, (size_t)(2 - !!l.category - !!l.colour > 0 ? 2 - !!l.category - !!l.colour : 1));
    if (!l.category && n) l.category = taken(v, all, &n, -1, true, 0);
    if (!l.colour && n) l.colour = taken(v, all, &n, -1, true, CHART_SERIES);
    if (!l.category) chart_axes_factor(v, rows, NULL, 0, &none), l.category = &none;
    if (n) chart_axes_join(v, rows, l.category, &all[0]);
    *c = (struct chart){.kind = CHART_BARS, .x = -1, .log = w->log, .x_name = chart_axes_columns(v, l.category)};
    chart_fill_facets(v, c, columns, count);
    chart_fill_bars(v, c, rows, &l);
}

// The rows off the lines, and those on them that differ from one of these in one column alone: they may be a sweep of
// that column.
static struct rows another_sweep(struct view *v, const struct axes_choice *first)
{
    struct rows all = {arena_alloc(v->arena, (v->row_count + 1) * sizeof *all.items), 0};
    struct axes_choice own;
    for (size_t i = 0; i < first->off.count; i++) all.items[all.count++] = first->off.items[i];
    if (all.count < 3) return (struct rows){0};
    chart_axes_choose(v, &all, &(struct axes_asked){-1, -1, -1}, false, &own);
    if (own.x < 0 || own.off.count) return (struct rows){0};
    for (size_t i = 0; i < first->on.count; i++) {
        bool beside = false;
        for (size_t k = 0; k < first->off.count && !beside; k++) {
            beside = true;
            for (int c = 0; c < (int)v->column_count && beside; c++)
                beside = !v->columns[c].value || c == own.x ||
                    strcmp(v->rows[first->on.items[i]][c], v->rows[first->off.items[k]][c]) == 0;
        }
        if (beside) all.items[all.count++] = first->on.items[i];
    }
    return all;
}

// A given column that says the same as x in bytes: footprint_kib for n.
static int physical(struct view *v, const struct question *a, const struct rows *rows, int x)
{
    if (x < 0 || chart_axes_bytes(&v->columns[x]) > 0) return x;
    for (int c = 0; c < (int)v->column_count; c++)
        if (v->columns[c].added && v->columns[c].numeric && chart_axes_bytes(&v->columns[c]) > 0 &&
            !chart_columns_measured(v, a, c) && chart_axes_in_step(v, rows, x, c))
            return c;
    return x;
}

static int scripts_x(struct view *v, const struct question *a)
{
    const int c = a->x ? view_column(v, a->x) : -1;
    return c >= 0 && v->columns[c].numeric ? c : -1;
}

// A roofline has few lines, or its ceilings are not seen; it is no answer to what is asked about a time.
static bool as_roofline(struct view *v, const struct question *a, const struct rows *rows, int *x,
    int columns[CHART_FACETS], size_t *count)
{
    struct axes_choice axes;
    int along = -1, up[CHART_FACETS];
    size_t most, lines = 1;
    const bool of_time = question_claims(a, column_table[COLUMN_TIME_US].name),
               of_rate = question_claims(a, column_table[COLUMN_GFLOPS].name);
    if ((of_time && !of_rate) || !chart_roofline(v, &along, up, &most)) return false;
    chart_axes_choose(v, rows, &(struct axes_asked){along, -1, -1}, false, &axes);
    for (size_t i = 0; i < axes.factor_count; i++) lines *= axes.factors[i].count;
    if (lines > 4) return false;
    *x = along, *count = most;
    memcpy(columns, up, sizeof up);
    return true;
}

// Of several columns that are asked for, those that a device has no number for are left out; where no GPU ran, what is
// expected of one stands for the first of its times.
static size_t with_numbers(const struct view *v, const struct wish_found *w, int columns[CHART_FACETS])
{
    const int model = view_column(v, column_table[COLUMN_MODEL_US].name);
    size_t count = 0;
    bool expected = !chart_columns_has_numbers(v, model, true);
    for (size_t i = 0; i < w->y_count; i++) {
        const int known = v->columns[w->y[i]].known;
        if (chart_columns_has_numbers(v, w->y[i], false)) {
            columns[count++] = w->y[i];
        } else if (known >= 0 && column_table[known].group == COLUMNS_TIME && !expected) {
            columns[count++] = model;
            expected = true;
        }
    }
    return count;
}

// Charts of one kind: of the rows that are on no line of the first, another.
static void draw_up(struct view *v, const struct question *a, const struct wish_found *w, int x, const int *columns,
    size_t count, bool roofline, struct charts *all)
{
    struct rows rows = {arena_alloc(v->arena, v->row_count * sizeof *rows.items), v->row_count};
    struct axes_choice axes;
    const bool words = x >= 0 && !v->columns[x].numeric;
    *all = (struct charts){.items = arena_alloc(v->arena, CHARTS_MOST * sizeof *all->items)};
    for (size_t i = 0; i < v->row_count; i++) rows.items[i] = i;
    for (size_t i = 0; i < CHARTS_MOST && rows.count; i++) {
        struct chart *c = &all->items[all->count++];
        const struct axes_asked asked = {i ? -1 : x, w->by, w->panels};
        chart_axes_choose(v, &rows, &asked, w->kind == CHART_BARS || words, &axes);
        if (axes.x < 0) {
            make_bars(v, &rows, &axes, w, columns, count, c);
            break;
        }
        const struct rows next = another_sweep(v, &axes);
        if (next.count) axes.off.count = 0;
        const int along = axes.x;
        if (w->x < 0 && !roofline) axes.x = physical(v, a, &axes.on, axes.x);
        *c = (struct chart){.x = -1, .log = w->log};
        make_lines(v, &axes, w, columns, count, c);
        chart_guides(v, c, &axes.on, along);
        if (roofline) chart_roofline_ceilings(v, c);
        rows = next;
    }
}

// What is drawn up is ranked; of equals the first is taken.
static void best_of(struct view *v, const struct question *a, struct wish_found w, int x,
    const int columns[CHART_FACETS], size_t count, struct charts *all)
{
    static const enum chart_kind kinds[] = {CHART_LINES, CHART_BARS, CHART_HEAT};
    double best = -INFINITY;
    int kind = w.kind;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct charts drawn;
        const char *why;
        if (kind >= 0 && (int)kinds[i] != kind) continue;
        w.kind = (int)kinds[i];
        draw_up(v, a, &w, x, columns, count, false, &drawn);
        const struct chart_traits t = chart_traits_of(v, &drawn, false);
        const double rank = chart_rank(&t, &why);
        // Where there is no such axis, it is bars again.
        if (kind < 0 && drawn.items[0].kind != kinds[i]) continue;
        if (rank <= best) continue;
        best = rank;
        drawn.asked = all->asked;
        *all = drawn;
        all->why = kind >= 0 || v->row_count < 2 ? NULL : why;
    }
}

static bool take_roofline(struct view *v, const struct question *a, struct wish_found w, struct charts *all)
{
    struct rows rows = {arena_alloc(v->arena, (v->row_count + 1) * sizeof *rows.items), v->row_count};
    struct charts drawn;
    int x = -1, columns[CHART_FACETS];
    size_t count;
    double best = -INFINITY;
    const char *why;
    for (size_t i = 0; i < v->row_count; i++) rows.items[i] = i;
    if (!as_roofline(v, a, &rows, &x, columns, &count)) return false;
    if (all->count) {
        const struct chart_traits t = chart_traits_of(v, all, false);
        best = chart_rank(&t, &why);
    }
    if (!w.log) w.log = "xy";
    w.kind = CHART_LINES;
    draw_up(v, a, &w, x, columns, count, true, &drawn);
    const struct chart_traits t = chart_traits_of(v, &drawn, true);
    if (chart_rank(&t, &why) <= best) return false;
    *all = drawn;
    all->why = why;
    return true;
}

bool charts_choose(struct view *v, const struct question *a, const struct chart_wish *wish, struct charts *all,
    struct diags *d)
{
    struct chart_wish whole = *wish;
    struct wish_found w;
    int columns[CHART_FACETS];
    struct question own = *a;
    question_lay(&whole, &a->wish);
    const bool against = whole.against && chart_against(v, whole.against);
    question_tables(&own, chart_guides_table(v, "fit"), chart_guides_speedup(v) || against);
    a = &own;
    *all = (struct charts){0};
    // What today's file asks of a report that was made before a column was there is not asked.
    LOCAL(diags_clear) struct diags older = {0};
    if (!find_wanted(v, &whole, &w, &older) && !find_wanted(v, wish, &w, d)) return false;
    if (w.kind == CHART_SAMPLES) {
        all->items = arena_alloc(v->arena, sizeof *all->items);
        all->count = chart_samples(v, CHART_POINTS, all->items);
        if (!all->count && wish->kind)
            all->why_none = "There are no samples beside the report: a run on a GPU keeps them, in NAME.samples.csv.";
        if (all->count || all->why_none) return true;
        w.kind = -1; // a device without times: what fits
    }
    size_t count = w.y_count;
    if (!count) count = chart_columns_choose(v, a, columns);
    else all->asked = count = with_numbers(v, &w, columns);
    if (!v->row_count) all->why_none = "The report has no rows yet.";
    else if (!count || !chart_columns_has_numbers(v, columns[0], false)) all->why_none = "No row has a number to draw.";
    if (all->why_none) return true;
    const int x = w.x >= 0 ? w.x : scripts_x(v, a);
    best_of(v, a, w, x, columns, count, all);
    if (x < 0 && !w.y_count && w.kind < 0) take_roofline(v, a, w, all);
    return true;
}
