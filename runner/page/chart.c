// Chooses what to draw: first the bandwidth (else the time, else a count), then the columns that explain it.
// SPDX-License-Identifier: MIT
#include "page/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/result.h"
#include "page/chart_axes.h"
#include "spec/columns.h"

enum { EXTRAS = 3, FEW_BARS = 8, LIST_ROWS = 40 };

// Is there a number in some good row, and do the numbers differ?
static bool has_numbers(const struct view *v, int column, bool varying)
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

static int known(const struct view *v, enum column c) { return view_column(v, column_table[c].name); }

// A count of accesses that differs between the rows: the usual ones first, in this order, then any other.
static int first_access(const struct view *v)
{
    static const enum column usual[] = {COLUMN_LD_REQUESTS, COLUMN_LD_SECTORS, COLUMN_ST_REQUESTS, COLUMN_ST_SECTORS,
        COLUMN_ATOMIC_REQUESTS, COLUMN_ATOMIC_SECTORS, COLUMN_LOCAL_REQUESTS, COLUMN_LOCAL_SECTORS,
        COLUMN_SHARED_REQUESTS, COLUMN_SHARED_WAVEFRONTS, COLUMN_BANK_CONFLICTS};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (has_numbers(v, known(v, usual[i]), true)) return known(v, usual[i]);
    for (size_t c = 0; c < v->column_count; c++) {
        int known = v->columns[c].known;
        if (known >= 0 && column_table[known].group == COLUMNS_ACCESS && has_numbers(v, (int)c, true)) return (int)c;
    }
    return -1;
}

static int first_added(const struct view *v)
{
    for (size_t c = 0; c < v->column_count; c++)
        if (v->columns[c].added && has_numbers(v, (int)c, true)) return (int)c;
    return -1;
}

static int main_column(const struct view *v)
{
    int c;
    if (has_numbers(v, c = known(v, COLUMN_GBPS), false)) return c;
    if (has_numbers(v, c = known(v, COLUMN_TIME_US), false)) return c;
    if (has_numbers(v, c = known(v, COLUMN_SECTORS_PER_REQUEST), true)) return c;
    if ((c = first_access(v)) >= 0 || (c = first_added(v)) >= 0) return c;
    c = known(v, COLUMN_SECTORS_PER_REQUEST);
    return has_numbers(v, c, false) ? c : -1;
}

// How far the number in a cell may be from the exact one, because of rounding.
static double rounding(const struct view *v, size_t row, int column)
{
    const char *point = strchr(v->rows[row][column], '.');
    return point ? 0.5 * pow(10, -(double)strspn(point + 1, "0123456789")) : 0;
}

// Two columns that are the same picture but for their scale (efficiency and gbps): one factor, within rounding and half
// a percent, serves all rows.
static bool proportional(const struct view *v, int a, int b)
{
    double lo = 0, hi = INFINITY;
    for (size_t i = 0; i < v->row_count; i++) {
        double x = view_number(v, i, a), y = view_number(v, i, b);
        if (!view_good(v, i) || isnan(x) || isnan(y)) continue;
        double x_off = rounding(v, i, a), y_off = rounding(v, i, b);
        if (x < 0 || y < 0) return false;
        lo = fmax(lo, 0.995 * fmax(0, y - y_off) / (x + x_off));
        if (x > x_off) hi = fmin(hi, 1.005 * (y + y_off) / (x - x_off));
        if (x == 0 && y > y_off) return false;
    }
    return lo <= hi;
}

static void add_column(const struct view *v, int column, int *columns, size_t *count)
{
    if (*count > EXTRAS || !has_numbers(v, column, true)) return;
    for (size_t i = 0; i < *count; i++)
        if (columns[i] == column || proportional(v, columns[i], column)) return;
    columns[(*count)++] = column;
}

static size_t choose_columns(const struct view *v, int columns[EXTRAS + 1])
{
    static const enum column explaining[] = {COLUMN_GFLOPS, COLUMN_SECTORS_PER_REQUEST, COLUMN_BANK_CONFLICTS};
    size_t count = 0;
    columns[0] = main_column(v);
    if (columns[0] < 0) return 0;
    count = 1;
    for (size_t i = 0; i < sizeof explaining / sizeof explaining[0]; i++)
        add_column(v, known(v, explaining[i]), columns, &count);
    for (size_t c = 0; c < v->column_count; c++)
        if (v->columns[c].added) add_column(v, (int)c, columns, &count);
    return count;
}

// The interval is one of the time; for a rate its ends change places.
static void interval(const struct view *v, const struct chart *ch, struct mark *m)
{
    int column = v->columns[ch->y].known;
    double time = view_number(v, m->row, known(v, COLUMN_TIME_US));
    double lo = view_number(v, m->row, known(v, COLUMN_TIME_LO_US)),
           hi = view_number(v, m->row, known(v, COLUMN_TIME_HI_US));
    m->lo = m->hi = NAN;
    if (isnan(time) || !(lo > 0) || !(hi >= lo)) return;
    if (column == COLUMN_TIME_US) m->lo = lo, m->hi = hi;
    if (column == COLUMN_GBPS || column == COLUMN_GFLOPS) m->lo = m->y * time / hi, m->hi = m->y * time / lo;
}

static void take_row(struct view *v, struct chart *ch, const struct axes_choice *axes, size_t row, struct series *s)
{
    struct mark m = {.row = row, .lo = NAN, .hi = NAN};
    m.x = ch->bars ? (double)axes->x_levels.of_row[row] : view_number(v, row, ch->x);
    m.y = view_good(v, row) ? view_number(v, row, ch->y) : NAN;
    if (isnan(m.x)) return;
    if (!isnan(m.y)) interval(v, ch, &m);
    ch->whiskers = ch->whiskers || !isnan(m.lo);
    ch->imprecise += v->status[row] == STATUS_IMPRECISE && !isnan(m.y);
    ch->skipped += v->status[row] == STATUS_SKIPPED;
    ch->bad += !view_good(v, row) && v->status[row] != STATUS_SKIPPED;
    ch->y_lo = fmin(ch->y_lo, fmin(m.y, m.lo));
    ch->y_hi = fmax(ch->y_hi, fmax(m.y, m.hi));
    ch->x_lo = fmin(ch->x_lo, m.x);
    ch->x_hi = fmax(ch->x_hi, m.x);
    s->marks[s->count++] = m;
}

static int by_x(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    if (x->x != y->x) return x->x < y->x ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

// "streaming, each 4": a word says what it is by itself, a number does not.
static const char *name_of(const struct view *v, const int *columns, size_t count, size_t row)
{
    struct str s = {0};
    for (size_t i = 0; i < count; i++) {
        const char *text = v->rows[row][columns[i]], *name = v->columns[columns[i]].name;
        enum value_kind kind = table_value(text).kind;
        if (i) str_add(&s, ", ");
        if (kind == VALUE_TEXT) str_add(&s, text);
        else str_addf(&s, "%s %s", *text ? name : "no", *text ? text : name);
    }
    const char *name = arena_strdup(v->arena, s.text ? s.text : "");
    str_release(&s);
    return name;
}

static struct mark *room_for(struct view *v, const struct axes_choice *axes, size_t panel, size_t series)
{
    size_t count = 0;
    for (size_t i = 0; i < v->row_count; i++) count += axes->panel[i] == panel && axes->series[i] == series;
    return arena_alloc(v->arena, count * sizeof(struct mark));
}

static void fill_panels(struct view *v, struct chart *ch, const struct axes_choice *axes)
{
    size_t shown = axes->series_count < CHART_SERIES ? axes->series_count : CHART_SERIES;
    const char **names = arena_alloc(v->arena, shown * sizeof *names);
    for (size_t s = 0; s < shown; s++) names[s] = name_of(v, axes->by, axes->by_count, axes->series_row[s]);
    ch->names = names;
    ch->name_count = shown;
    ch->series_left_out = axes->series_count - shown;
    ch->panel_count = axes->panel_count;
    ch->panels = arena_alloc(v->arena, ch->panel_count * sizeof *ch->panels);
    for (size_t p = 0; p < ch->panel_count; p++) {
        struct series *all = arena_alloc(v->arena, shown * sizeof *all);
        size_t kept = 0;
        for (size_t s = 0; s < shown; s++)
            all[s] = (struct series){.name = names[s], .colour = s, .marks = room_for(v, axes, p, s)};
        for (size_t i = 0; i < v->row_count; i++)
            if (axes->panel[i] == p && axes->series[i] < shown) take_row(v, ch, axes, i, &all[axes->series[i]]);
        for (size_t s = 0; s < shown; s++) {
            if (all[s].count) qsort(all[s].marks, all[s].count, sizeof *all[s].marks, by_x);
            if (all[s].count) all[kept++] = all[s];
        }
        ch->panels[p] = (struct panel){.name = axes->panels < 0 ? "" : name_of(v, &axes->panels, 1, axes->panel_row[p]),
            .series = all,
            .count = kept};
    }
}

static const char *list_names(const struct view *v, const int *columns, size_t count)
{
    struct str s = {0};
    for (size_t i = 0; i < count; i++)
        str_addf(&s, "%s%s", !i ? "" : i + 1 < count ? ", " : " and ", v->columns[columns[i]].name);
    const char *text = arena_strdup(v->arena, s.text ? s.text : "");
    str_release(&s);
    return text;
}

// The value that most rows have.
static const char *most_common(struct view *v, int column)
{
    struct levels l;
    view_levels(v, column, &l);
    size_t *count = mem_alloc((l.count + 1) * sizeof *count), best = 0;
    for (size_t i = 0; i < v->row_count; i++) count[l.of_row[i]]++;
    for (size_t i = 1; i < l.count; i++)
        if (count[i] > count[best]) best = i;
    free(count);
    return l.texts[best];
}

static void make_list(struct view *v, struct chart *ch, const struct axes_choice *axes)
{
    const char *common[AXES_MOST], **labels = arena_alloc(v->arena, v->row_count * sizeof *labels);
    struct str s = {0};
    struct series *all = arena_alloc(v->arena, sizeof *all);
    *all = (struct series){.name = "", .marks = arena_alloc(v->arena, v->row_count * sizeof *all->marks)};
    for (size_t c = 0; c < axes->all_count; c++) {
        common[c] = most_common(v, axes->all[c]);
        str_addf(&s, "%s%s %s", c ? ", " : "", v->columns[axes->all[c]].name, *common[c] ? common[c] : "(none)");
    }
    ch->list = true;
    ch->common = arena_strdup(v->arena, s.text);
    for (size_t i = 0; i < v->row_count; i++) {
        str_clear(&s);
        for (size_t c = 0; c < axes->all_count; c++) {
            const char *text = v->rows[i][axes->all[c]];
            if (strcmp(text, common[c]) != 0)
                str_addf(&s, "%s%s %s", s.size ? ", " : "", v->columns[axes->all[c]].name, *text ? text : "(none)");
        }
        labels[i] = arena_strdup(v->arena, s.size ? s.text : "baseline");
        take_row(v, ch, axes, i, all);
        all->marks[all->count - 1].x = (double)i;
    }
    ch->labels = labels;
    ch->panels = arena_alloc(v->arena, sizeof *ch->panels);
    *ch->panels = (struct panel){.name = "", .series = all, .count = 1};
    ch->panel_count = ch->name_count = 1;
    str_release(&s);
}

static int rising(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static enum scale_kind kind_of_x(const struct levels *l)
{
    double *numbers = mem_alloc((l->count + 1) * sizeof *numbers), x;
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++)
        if (value_number(table_value(l->texts[i]), &x)) numbers[n++] = x;
    qsort(numbers, n, sizeof *numbers, rising);
    enum scale_kind kind = scale_for(numbers, n);
    free(numbers);
    return kind;
}

static double peak_of(const struct view *v)
{
    double peak = NAN;
    for (size_t i = 0; i < v->row_count; i++) peak = fmax(peak, view_number(v, i, known(v, COLUMN_PEAK_GBPS)));
    return peak;
}

static void make_chart(struct view *v, const struct axes_choice *axes, int y, struct chart *ch)
{
    *ch = (struct chart){.x = axes->x, .y = y, .bars = axes->bars, .categories = axes->x_levels, .peak = NAN};
    ch->x_lo = ch->y_lo = INFINITY;
    ch->x_hi = ch->y_hi = -INFINITY;
    ch->by = list_names(v, axes->by, axes->by_count);
    ch->panels_by = axes->panels < 0 ? "" : v->columns[axes->panels].name;
    ch->x_kind = axes->bars ? SCALE_LINEAR : kind_of_x(&axes->x_levels);
    bool sparse = axes->bars && axes->series_count * axes->panel_count * axes->x_levels.count > 2 * v->row_count;
    if (sparse && v->row_count <= LIST_ROWS) make_list(v, ch, axes);
    else fill_panels(v, ch, axes);
    if (ch->y_hi < ch->y_lo) ch->y_lo = ch->y_hi = NAN;
    bool rate = v->columns[y].known == COLUMN_GBPS; // a share of the peak can be seen only on an axis that begins at 0
    if (!rate && !ch->bars && ch->x_kind != SCALE_LINEAR && ch->y_lo > 0 && ch->y_hi >= 100 * ch->y_lo)
        ch->y_kind = SCALE_LOG10;
    if (rate) ch->peak = peak_of(v);
}

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

static const char *why_no_axis(const struct view *v)
{
    return v->row_count == 1 ? "One point makes no line." : "No value varies in a way that makes an axis.";
}

bool charts_choose(struct view *v, const char *x, const char *y, struct charts *all, struct diags *d)
{
    struct axes_choice axes;
    int columns[EXTRAS + 1], wanted_x = named(v, x, d), wanted_y = named(v, y, d);
    size_t count = wanted_y >= 0 ? 1 : choose_columns(v, columns);
    if (wanted_y >= 0) columns[0] = wanted_y;
    *all = (struct charts){0};
    if ((x && wanted_x < 0) || (y && wanted_y < 0)) return false;
    chart_axes_choose(v, wanted_x, CHART_SERIES, &axes);
    if (!v->row_count) all->why_none = "The report has no rows yet.";
    else if (!count || !has_numbers(v, columns[0], false)) all->why_none = "No row has a number to draw.";
    else if (axes.x < 0) all->why_none = why_no_axis(v);
    if (all->why_none) return true;
    all->items = arena_alloc(v->arena, count * sizeof *all->items);
    for (size_t i = 0; i < count; i++) {
        struct chart *ch = &all->items[all->count++];
        make_chart(v, &axes, columns[i], ch);
        bool few = ch->bars && !ch->list && ch->categories.count * ch->name_count <= FEW_BARS;
        ch->first = i == 0;
        ch->wide = count == 1 || (!few && (ch->first || count == 2));
    }
    return true;
}
