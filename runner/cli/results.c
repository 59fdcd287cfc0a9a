// Chooses the columns that matter and prints them as a table.
// SPDX-License-Identifier: MIT
#include "cli/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/str.h"
#include "base/text.h"
#include "cli/term.h"
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
    const size_t bytes = term_text_cut(name, columns);
    str_add_bytes(s, name, bytes);
    for (int w = term_text_width(name) < columns ? term_text_width(name) : columns; w < columns; w++) str_add(s, " ");
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
                const int wide = term_text_width(text) < NAME_MOST ? term_text_width(text) : NAME_MOST;
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
        const int wide = term_text_width(c->panels[0].series[k].name);
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
        const bool fits = ranges.size && term_text_width(out->text + begin) + term_text_width(ranges.text) <= width;
        if (fits) str_add_bytes(out, ranges.text, ranges.size);
        else if (ranges.size && term_text_width(ranges.text) <= width)
            str_addf(out, "\n  %s", ranges.text + 2); // a line of its own: no scale, no picture
        str_add(out, "\n");
        str_add_bytes(out, drawn.text, drawn.size);
    }
}

void plot_print(const char *report, FILE *out)
{
    LOCAL(sheet_release) struct sheet sheet = {0};
    LOCAL(str_release) struct str s = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    const struct chart_wish wish = {0};
    if (!term_is_live(out)) return;
    if (sheet_read(&sheet, report, &wish, &ignored)) plot_add(&sheet, term_width(out), &s);
    if (s.size) {
        term_paint(out, TERM_CYAN);
        say_bytes(out, s.text, s.size);
        term_paint(out, TERM_PLAIN);
    }
}

void summary_statuses(const size_t status[STATUS_COUNT], FILE *out)
{
    const char *gap = "";
    for (int i = 0; i < STATUS_COUNT; i++) {
        if (!status[i]) continue;
        say(out, "%s", gap);
        term_say(out, status_is_bad((enum status)i) ? TERM_RED : TERM_PLAIN, "%zu %s", status[i], status_names[i]);
        gap = ", ";
    }
    if (!*gap) say(out, "no rows");
}

void summary_claims(size_t holding, size_t broken, size_t unchecked)
{
    const size_t all = holding + broken + unchecked;
    if (!all) return;
    if (holding == all) {
        say(stdout, "; every expectation ");
        term_say(stdout, TERM_GREEN, "holds");
        return;
    }
    if (broken == all) {
        say(stdout, "; ");
        term_say(stdout, TERM_RED, "%zu expectation%s broken", all, all == 1 ? "" : "s");
        return;
    }
    say(stdout, "; of %zu expectation%s %zu hold%s", all, all == 1 ? "" : "s", holding, holding == 1 ? "s" : "");
    if (broken) say(stdout, ", "), term_say(stdout, TERM_RED, "%zu broken", broken);
    if (unchecked) say(stdout, ", "), term_say(stdout, TERM_YELLOW, "%zu not checked", unchecked);
}

void summary_claim(bool broken, struct where at, const char *line)
{
    LOCAL(str_release) struct str text = {0};
    str_addf(&text, "%s:%d: %s", at.file ? at.file : "", at.line, line);
    term_paint(stderr, broken ? TERM_RED : TERM_YELLOW);
    term_paragraph(stderr, 0, text.text);
    term_paint(stderr, TERM_PLAIN);
}

enum { MOST_ROWS = 40, MOST_COLUMNS = 64, DIFFERING = 3 };

static bool asks_nothing(const struct experiment *e) { return !e->derive_count && !e->expect_count; }

// What is shown where nothing is asked, as long as it differs from row to row; else the first counts that do.
static bool is_usual(const char *name)
{
    static const char *const usual[] = {"sectors_per_request", "ld_sectors", "st_sectors"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(usual[i], name) == 0) return true;
    return false;
}

static bool is_counted(const char *name)
{
    const int c = column_find(name);
    return c >= 0 && column_table[c].group == COLUMNS_ACCESS;
}

// The columns that the file asks about: those that its expressions name, and those that they make.
static bool is_asked(const struct experiment *e, const char *name)
{
    static const char *const always[] = {"time_us", "gbps", "gflops", "model_us", "model_limit"};
    if (asks_nothing(e) && is_counted(name)) return true; // some of them: drop_equal
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(always[i], name) == 0) return true;
    for (size_t i = 0; i < e->derive_count; i++)
        if (strcmp(e->derive[i].name, name) == 0 || text_has_word(e->derive[i].expr.text, name)) return true;
    for (size_t i = 0; i < e->expect_count; i++)
        if (text_has_word(e->expect[i].that.text, name) ||
            (e->expect[i].when.text && text_has_word(e->expect[i].when.text, name)))
            return true;
    for (size_t i = 0; i < e->kernel->report_count; i++)
        if (strcmp(e->kernel->reports[i].name, name) == 0) return true;
    return false;
}

struct shown {
    size_t columns[MOST_COLUMNS], count;
    int width[MOST_COLUMNS];
    bool filled[MOST_COLUMNS], varies[MOST_COLUMNS], axis[MOST_COLUMNS];
};

static void choose(const struct experiment *e, const struct table *t, struct shown *s)
{
    int kernel = table_column(t, "kernel"), status = table_column(t, "status"), counts = table_column(t, "counts");
    for (int c = kernel + !experiment_is_axis(e, "kernel"); c < (int)t->column_count && s->count < MOST_COLUMNS; c++) {
        const char *name = t->columns[c];
        bool own = c < status;
        // After the counts stand the kernel's own reports, what `derive` makes and what a script adds.
        const bool made = counts >= 0 && c > counts;
        if (c != status && !made && !(own ? experiment_is_axis(e, name) || e->script : is_asked(e, name))) continue;
        s->width[s->count] = term_text_width(name);
        s->axis[s->count] = own;
        s->columns[s->count++] = (size_t)c;
    }
}

// A forecast in three digits: the report has more, and none of those is known. What `derive` makes, in five.
static const char *shown_text(const struct table *t, size_t column, const char *text, char room[32])
{
    enum { DIGITS = 5 };
    const int c = column_find(t->columns[column]);
    double x;
    if (c < 0 && strlen(text) > 2 * DIGITS && strchr(text, '.') && value_number(table_value(text), &x)) {
        snprintf(room, 32, fabs(x) < 1e5 ? "%.*g" : "%.*f", fabs(x) < 1e5 ? DIGITS : 0, x);
        return room;
    }
    if (c < 0 || column_table[c].group != COLUMNS_EXPECTED || strcmp(column_table[c].unit, "us") != 0) return text;
    if (!value_number(table_value(text), &x) || !(x > 0)) return text;
    const double step = pow(10, floor(log10(x)) - 2);
    snprintf(room, 32, "%.*f", x < 1 ? 3 : x < 10 ? 2 : x < 100 ? 1 : 0, round(x / step) * step);
    return room;
}

static bool measure_columns(struct table *t, size_t rows, struct shown *s, struct diags *d)
{
    uint64_t first[MOST_COLUMNS] = {0};
    for (size_t r = 0; r < rows; r++) {
        const struct cells *cells = table_row(t, r, d);
        if (!cells) return false;
        for (size_t i = 0; i < s->count; i++) {
            char room[32];
            const char *text = shown_text(t, s->columns[i], cells_text(cells, s->columns[i]), room);
            int w = term_text_width(text);
            bool usual = strcmp(t->columns[s->columns[i]], "status") == 0 && status_find(text) == STATUS_OK;
            if (w > s->width[i]) s->width[i] = w;
            s->filled[i] |= w > 0 && !usual; // where all rows are ok, the column is not needed
            const uint64_t hash = hash_short(text, strlen(text));
            if (!r) first[i] = hash;
            s->varies[i] |= hash != first[i];
        }
    }
    return true;
}

// On a narrow terminal, columns are left out: first those with the same value in every row, then those on the right.
static void fit_columns(struct shown *s, int room)
{
    int total = 0;
    for (size_t i = 0; i < s->count; i++) total += s->filled[i] ? s->width[i] + 2 : 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = s->count; i-- > 0 && total > room;) {
            if (!s->filled[i] || s->axis[i] || (pass == 0 && s->varies[i])) continue;
            s->filled[i] = false;
            total -= s->width[i] + 2;
        }
}

// What a script gives to every point alike says nothing of one.
static void drop_fixed(const struct experiment *e, const struct table *t, struct shown *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->axis[i] && !s->varies[i] && !experiment_is_axis(e, t->columns[s->columns[i]])) s->filled[i] = false;
}

// Where nothing is asked, all counts were taken: leaves the usual ones, or the first that differ where those are equal.
static void drop_equal(const struct experiment *e, const struct table *t, struct shown *s)
{
    bool usual = false, others = false;
    for (size_t i = 0; i < s->count; i++) {
        const char *name = t->columns[s->columns[i]];
        if (!s->axis[i] && s->varies[i] && is_counted(name)) *(is_usual(name) ? &usual : &others) = true;
    }
    const bool as_usual = usual || !others;
    for (size_t i = 0, left = DIFFERING; asks_nothing(e) && i < s->count; i++) {
        const char *name = t->columns[s->columns[i]];
        if (s->axis[i] || !is_counted(name)) continue;
        if (as_usual ? !is_usual(name) : !s->varies[i] || !left) s->filled[i] = false;
        else if (!as_usual) left--;
    }
}

static void print_cell(const struct shown *s, size_t i, const char *text, FILE *out)
{
    if (s->filled[i]) say(out, "  %*s%s", s->width[i] - term_text_width(text), "", text);
}

// A script adds points in the order in which it needs them: they are sorted along the first axis, to be read more
// easily. Planned points keep the plan's order.
static void order_rows(struct table *t, size_t rows, const struct shown *s, bool scripted, size_t order[MOST_ROWS],
    struct diags *d)
{
    double key[MOST_ROWS];
    for (size_t r = 0; r < rows; r++) {
        const struct cells *cells = table_row(t, r, d);
        key[r] = (double)r;
        if (scripted && cells && s->count && !value_number(table_value(cells_text(cells, s->columns[0])), &key[r]))
            scripted = false;
        size_t at = r;
        for (; scripted && at > 0 && key[order[at - 1]] > key[r]; at--) order[at] = order[at - 1];
        order[at] = r;
    }
}

void results_print(const struct experiment *e, const char *report, size_t rows, FILE *out)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(table_close) struct table t = {0};
    struct shown s = {0};
    size_t order[MOST_ROWS];
    if (!table_open(&t, report, &ignored) || t.count < rows || rows < 2 || rows > MOST_ROWS ||
        table_column(&t, "status") < 0)
        goto done;
    choose(e, &t, &s);
    if (!measure_columns(&t, rows, &s, &ignored)) goto done;
    drop_fixed(e, &t, &s);
    drop_equal(e, &t, &s);
    if (term_is_live(out)) fit_columns(&s, term_width(out));
    term_paint(out, TERM_DIM);
    for (size_t i = 0; i < s.count; i++) print_cell(&s, i, t.columns[s.columns[i]], out);
    term_paint(out, TERM_PLAIN);
    say(out, "\n");
    order_rows(&t, rows, &s, e->script != NULL, order, &ignored);
    for (size_t r = 0; r < rows; r++) {
        const struct cells *cells = table_row(&t, order[r], &ignored);
        for (size_t i = 0; i < s.count && cells; i++) {
            char room[32];
            print_cell(&s, i, shown_text(&t, s.columns[i], cells_text(cells, s.columns[i]), room), out);
        }
        say(out, "\n");
    }
done:;
}
