// A report where there are no pictures: what a page would draw first as bars or blocks, and the rows as a table of what
// the experiment asks about.
// SPDX-License-Identifier: MIT
#include "page/html.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "page/draw.h"
#include "spec/columns.h"
#include "store/table.h"

enum { BARS_MOST = 40, NAME_MOST = 30, NUMBER = 8, ROOM_LEAST = 8 };

// How much of the whole the number is, as an eye would see it on the axis of the page.
static double share(const struct facet *f, double y)
{
    if (f->kind == SCALE_LOG10) return f->hi > f->lo ? log(y / f->lo) / log(f->hi / f->lo) : 1;
    return f->hi > 0 ? y / f->hi : 0;
}

static void add_name(const char *name, int columns, struct str *s)
{
    const size_t bytes = text_cut(name, columns);
    str_add_bytes(s, name, bytes);
    for (int w = text_width(name) < columns ? text_width(name) : columns; w < columns; w++) str_add(s, " ");
}

// Eighths of a column.
static void add_bar(double part, int columns, struct str *s)
{
    const int eighths = (int)lround(fmax(0, fmin(1, part)) * 8 * columns);
    for (int i = 0; i < eighths / 8; i++) str_add(s, "\xE2\x96\x88");
    if (eighths % 8) str_addf(s, "\xE2\x96%c", 0x90 - eighths % 8);
    if (!eighths) str_add(s, "\xE2\x96\x8F");
}

static const char *name_of(const struct sheet *sheet, const struct chart *c, const struct series *s,
    const struct mark *m)
{
    struct arena *a = sheet->view.arena;
    const char *along = c->kind == CHART_BARS ? c->categories[(size_t)m->x]
                                              : arena_printf(a, "%s %s", c->x_name, sheet->view.rows[m->row][c->x]);
    return *s->name ? arena_printf(a, "%s, %s", along, s->name) : along;
}

static void bars(const struct sheet *sheet, const struct chart *c, int width, struct str *out)
{
    const struct facet *f = &c->facets[0];
    int name = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < c->panels[0].count; k++)
            for (size_t i = 0; i < c->panels[0].series[k].count; i++) {
                const struct mark *m = &c->panels[0].series[k].marks[i];
                const char *text = name_of(sheet, c, &c->panels[0].series[k], m);
                const int wide = text_width(text) < NAME_MOST ? text_width(text) : NAME_MOST;
                if (!pass && wide > name) name = wide;
                const int room = width - name - NUMBER - 6;
                if (!pass || isnan(f->y[m->row]) || room < ROOM_LEAST) continue;
                str_add(out, "  ");
                add_name(text, name, out);
                str_add(out, "  ");
                add_bar(share(f, f->y[m->row]), room, out);
                str_add(out, " ");
                ticks_number(f->y[m->row] / f->one, out);
                str_add(out, "\n");
            }
}

// The numbers of a series in so many columns, each the mean of those that fall into it.
static void blocks(const struct facet *f, const struct series *s, int columns, struct str *out)
{
    for (int k = 0; k < columns && (size_t)k < s->count; k++) {
        const size_t n = (size_t)columns < s->count ? (size_t)columns : s->count, from = (size_t)k * s->count / n,
                     to = ((size_t)k + 1) * s->count / n;
        double sum = 0;
        size_t known = 0;
        for (size_t i = from; i < to; i++)
            if (!isnan(f->y[s->marks[i].row])) sum += share(f, f->y[s->marks[i].row]), known++;
        if (!known) str_add(out, " ");
        else str_addf(out, "\xE2\x96%c", 0x81 + (int)fmin(7, fmax(0, floor(sum / (double)known * 8))));
    }
}

static void lines(const struct chart *c, int width, struct str *out)
{
    int name = 0;
    for (size_t k = 0; k < c->panels[0].count; k++) {
        const int wide = text_width(c->panels[0].series[k].name);
        if (wide > name) name = wide < NAME_MOST ? wide : NAME_MOST;
    }
    if (width - name - 6 < ROOM_LEAST) return;
    for (size_t k = 0; k < c->panels[0].count; k++) {
        str_add(out, "  ");
        add_name(c->panels[0].series[k].name, name, out);
        str_add(out, name ? "  " : "");
        blocks(&c->facets[0], &c->panels[0].series[k], width - name - 6, out);
        str_add(out, "\n");
    }
}

// A block has no number beside it, so the heading has them where there is room: ", 26.7 to 293 over n 1000 to 10999".
static void add_ranges(const struct view *v, const struct chart *c, struct str *out)
{
    const struct facet *f = &c->facets[0];
    str_add(out, ", ");
    ticks_number(f->lo / f->one, out);
    str_add(out, " to ");
    ticks_number(f->hi / f->one, out);
    if (c->kind != CHART_LINES) return;
    str_addf(out, " over %s ", c->x_name);
    ticks_number(c->x_lo, out);
    str_add(out, " to ");
    ticks_number(c->x_hi, out);
    if (v->step > 1) str_addf(out, ", a row in %zu", v->step);
}

void plot_add(const struct sheet *sheet, int width, struct str *out)
{
    const struct chart *c = sheet->charts.items;
    size_t marks = 0;
    LOCAL(str_release) struct str drawn = {0};
    if (sheet->charts.why_none || !sheet->charts.count || !c->panel_count || c->kind == CHART_HEAT ||
        c->kind == CHART_SAMPLES)
        return;
    for (size_t k = 0; k < c->panels[0].count; k++) marks += c->panels[0].series[k].count;
    if (marks <= BARS_MOST) bars(sheet, c, width, &drawn);
    else lines(c, width, &drawn);
    if (drawn.size) {
        LOCAL(str_release) struct str ranges = {0};
        const size_t begin = out->size;
        str_addf(out, "%s%s%s", draw_unit(&sheet->view, &c->facets[0]),
            c->facets[0].kind == SCALE_LOG10 ? ", each column a factor" : "",
            c->panel_count > 1 ? arena_printf(sheet->view.arena, ", %s", c->panels[0].name) : "");
        if (marks > BARS_MOST) add_ranges(&sheet->view, c, &ranges);
        const bool fits = ranges.size && text_width(out->text + begin) + text_width(ranges.text) <= width;
        if (fits) str_add_bytes(out, ranges.text, ranges.size);
        else if (ranges.size && text_width(ranges.text) <= width)
            str_addf(out, "\n  %s", ranges.text + 2); // a line of its own: no scale, no picture
        str_add(out, "\n");
        str_add_bytes(out, drawn.text, drawn.size);
    }
}

// The rows as a table.

enum { MOST_ROWS = 40, MOST_COLUMNS = 64, DIFFERING = 3, CELL = 32 };

struct shown { // the columns of it
    const struct sheet *sheet;
    const struct experiment *asks;
    size_t columns[MOST_COLUMNS], count;
    int width[MOST_COLUMNS];
    bool filled[MOST_COLUMNS];
};

static const struct view_column *column_of(const struct shown *s, size_t i)
{
    return &s->sheet->view.columns[s->columns[i]];
}

static bool asks_nothing(const struct experiment *e) { return !e->derive_count && !e->expect_count; }

// What is shown where nothing is asked, as long as it differs from row to row; else the first counts that do.
static bool is_usual(const struct view_column *c)
{
    return c->known == COLUMN_SECTORS_PER_REQUEST || c->known == COLUMN_LD_SECTORS || c->known == COLUMN_ST_SECTORS;
}

static bool is_counted(const struct view_column *c)
{
    return c->known >= 0 && column_table[c->known].group == COLUMNS_ACCESS;
}

// The columns that the file asks about: those that its expressions name, and those that they make.
static bool is_asked(const struct experiment *e, const struct view_column *c)
{
    static const char *const always[] = {"time_us", "gbps", "gflops", "model_us", "model_limit"};
    if (asks_nothing(e) && is_counted(c)) return true; // some of them: drop_equal
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(always[i], c->name) == 0) return true;
    for (size_t i = 0; i < e->derive_count; i++)
        if (text_has_word(e->derive[i].expr.text, c->name)) return true;
    for (size_t i = 0; i < e->expect_count; i++)
        if (text_has_word(e->expect[i].that.text, c->name) ||
            (e->expect[i].when.text && text_has_word(e->expect[i].when.text, c->name)))
            return true;
    return false;
}

// A forecast in three digits: the report has more, and none of those is known. What `derive` makes, in five.
static const char *cell_text(const struct shown *s, size_t i, size_t row, char room[CELL])
{
    enum { DIGITS = 5 };
    const char *text = s->sheet->view.rows[row][s->columns[i]];
    const int c = column_of(s, i)->known;
    double x;
    if (c < 0 && strlen(text) > 2 * DIGITS && strchr(text, '.') && value_number(table_value(text), &x)) {
        snprintf(room, CELL, fabs(x) < 1e5 ? "%.*g" : "%.*f", fabs(x) < 1e5 ? DIGITS : 0, x);
        return room;
    }
    if (c < 0 || column_table[c].group != COLUMNS_EXPECTED || strcmp(column_table[c].unit, "us") != 0) return text;
    if (!value_number(table_value(text), &x) || !(x > 0)) return text;
    const double step = pow(10, floor(log10(x)) - 2);
    snprintf(room, CELL, "%.*f", x < 1 ? 3 : x < 10 ? 2 : x < 100 ? 1 : 0, round(x / step) * step);
    return room;
}

// What a script gives to every point alike says nothing of one; nor does a status, where all rows are ok.
static void choose(struct shown *s)
{
    const struct view *v = &s->sheet->view;
    const struct experiment *e = s->asks;
    const int counts = view_column(v, "counts");
    for (size_t c = 0; c < v->column_count && s->count < MOST_COLUMNS; c++) {
        const struct view_column *is = &v->columns[c];
        // After the counts stand the kernel's own reports, what `derive` makes and what a script adds.
        const bool made = counts >= 0 && (int)c > counts, axis = experiment_is_axis(e, is->name);
        if (is->value) {
            if (!axis && !(e->script && !is->same)) continue;
        } else if ((int)c == v->status_column) {
            if (v->statuses[STATUS_OK] == v->row_count) continue;
        } else if ((int)c < v->status_column || (!made && !is_asked(e, is))) continue;
        if (is->empty) continue;
        int width = text_width(is->name);
        s->columns[s->count] = c;
        for (size_t r = 0; r < v->row_count; r++) {
            char room[CELL];
            const int w = text_width(cell_text(s, s->count, r, room));
            if (w > width) width = w;
        }
        s->filled[s->count] = true;
        s->width[s->count++] = width;
    }
}

// On a narrow terminal, columns are left out: first those with the same value in every row, then those on the right.
static void fit_columns(struct shown *s, int room)
{
    int total = 0;
    for (size_t i = 0; i < s->count; i++) total += s->filled[i] ? s->width[i] + 2 : 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = s->count; i-- > 0 && total > room;) {
            if (!s->filled[i] || column_of(s, i)->value || (pass == 0 && !column_of(s, i)->same)) continue;
            s->filled[i] = false;
            total -= s->width[i] + 2;
        }
}

// Where nothing is asked, all counts were taken: leaves the usual ones, or the first that differ where those are equal.
static void drop_equal(struct shown *s)
{
    bool usual = false, others = false;
    for (size_t i = 0; i < s->count; i++) {
        const struct view_column *c = column_of(s, i);
        if (!c->same && is_counted(c)) *(is_usual(c) ? &usual : &others) = true;
    }
    const bool as_usual = usual || !others;
    for (size_t i = 0, left = DIFFERING; asks_nothing(s->asks) && i < s->count; i++) {
        const struct view_column *c = column_of(s, i);
        if (!is_counted(c)) continue;
        if (as_usual ? !is_usual(c) : c->same || !left) s->filled[i] = false;
        else if (!as_usual) left--;
    }
}

// A script adds points in the order in which it needs them: they are sorted along the first axis, to be read more
// easily. Planned points keep the plan's order.
static void order_rows(const struct shown *s, size_t order[MOST_ROWS])
{
    const struct view *v = &s->sheet->view;
    const bool scripted = s->asks->script && s->count && column_of(s, 0)->numeric;
    const int first = s->count ? (int)s->columns[0] : -1;
    for (size_t r = 0, at; r < v->row_count; order[at] = r++)
        for (at = r; scripted && at > 0 && view_number(v, order[at - 1], first) > view_number(v, r, first); at--)
            order[at] = order[at - 1];
}

bool plot_rows(const struct sheet *sheet, const struct experiment *e, int width, struct str *head, struct str *rows)
{
    const struct view *v = &sheet->view;
    struct shown s = {.sheet = sheet, .asks = e};
    size_t order[MOST_ROWS];
    if (v->row_count < 2 || v->row_count > MOST_ROWS) return false;
    choose(&s);
    drop_equal(&s);
    if (width) fit_columns(&s, width);
    order_rows(&s, order);
    for (size_t r = 0; r <= v->row_count; r++) {
        struct str *to = r ? rows : head;
        for (size_t i = 0; i < s.count; i++) {
            char room[CELL];
            const char *text = r ? cell_text(&s, i, order[r - 1], room) : column_of(&s, i)->name;
            if (s.filled[i]) str_addf(to, "  %*s%s", s.width[i] - text_width(text), "", text);
        }
        if (r) str_add(rows, "\n");
    }
    return true;
}
