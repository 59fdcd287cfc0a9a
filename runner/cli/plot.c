// Bars and blocks of Unicode, as wide as the terminal is.
// SPDX-License-Identifier: MIT
#include "cli/plot.h"

#include "base/say.h"
#include "cli/term.h"

#include <math.h>
#include <string.h>

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
