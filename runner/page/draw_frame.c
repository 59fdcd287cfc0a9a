// The frame of lines: axes, grid, the names of knees and limits; facets below each other over one x axis.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "page/draw.h"

enum { UNIT_ROOM = 26, GUIDE_ROOM = 15, AXIS_ROOM = 44 };

// Where the numbers are far above it, they are of a cache.
bool draw_peak_fits(const struct facet *f)
{
    return !isnan(f->peak) && f->hi >= 0.4 * f->peak && f->hi <= 1.02 * f->peak;
}

// Bars are compared by their length, so their axis begins at 0. Lines that differ by little need an axis without empty
// space below them.
bool draw_from_nothing(const struct chart *c, const struct facet *f)
{
    const double hi = draw_peak_fits(f) ? fmax(f->hi, f->peak) : f->hi;
    return f->kind == SCALE_LINEAR &&
        (c->kind == CHART_BARS || !(f->lo >= (f->beside_one ? 0.3 : 0.6) * hi) || f->lo == f->hi);
}

void draw_range(const struct chart *c, const struct facet *f, double *lo, double *hi)
{
    const bool zero = draw_from_nothing(c, f);
    *lo = zero ? fmin(0, f->lo) : f->lo;
    *hi = zero ? fmax(0, f->hi) : f->hi;
    if (isnan(f->lo)) *lo = 0, *hi = 1;
    if (draw_peak_fits(f)) *hi = fmax(*hi, f->peak);
}

static void y_axis(struct picture *p)
{
    for (size_t i = 0; i < p->y_ticks.count; i++) {
        LOCAL(str_release) struct str s = {0};
        double at = scale_at(&p->y, p->y_ticks.at[i]);
        str_addf(p->out, "<path class=\"%s\" d=\"M%.1f %.1fH%.1f\"/>", i ? "grid" : "axis", p->area.left, at,
            p->area.right);
        ticks_label(&p->y_ticks, i, &s);
        draw_text(p, "tick", "end", p->area.left - 8, at + 4, s.text);
    }
    draw_text(p, "unit", "start", 0, p->area.top - 13, draw_unit(p->view, p->facet));
}

static const char *x_title(const struct picture *p)
{
    return p->chart->x < 0 ? p->chart->x_name : draw_named(p->view, p->chart->x, p->view->columns[p->chart->x].unit);
}

static void x_axis(struct picture *p, bool last)
{
    double end = -1e9;
    for (size_t i = 0; i < p->x_ticks.count; i++) {
        LOCAL(str_release) struct str s = {0};
        double at = scale_at(&p->x, p->x_ticks.at[i]);
        if (at < p->area.left - 1 || at > p->area.right + 1) continue;
        ticks_label(&p->x_ticks, i, &s);
        str_addf(p->out, "<path class=\"axis\" d=\"M%.1f %.1fv5\"/>", at, p->area.bottom);
        const double half = draw_text_width(s.text, 40) / 2;
        if (last && at - half > end + 6)
            draw_text(p, "tick", "middle", at, p->area.bottom + 18, s.text), end = at + half;
    }
    if (last) draw_text(p, "name", "middle", (p->area.left + p->area.right) / 2, p->height - 6, x_title(p));
}

static bool is_here(const struct picture *p, const struct guide *g, int facet)
{
    return (g->facet < 0 || g->facet == facet) && (isnan(g->x) || (g->x >= p->chart->x_lo && g->x <= p->chart->x_hi));
}

// The names of places along x stand above the picture, each in a line of its own.
static size_t rows_of_guides(const struct picture *p, int facet)
{
    size_t n = 0;
    for (size_t i = 0; i < p->chart->guide_count; i++)
        n += !isnan(p->chart->guides[i].x) && is_here(p, &p->chart->guides[i], facet) && !facet;
    return n;
}

// The lowest stands in the unit's line. Where the picture is narrow, they stand above the unit, from its left end.
static double guide_room(const struct picture *p, int facet)
{
    const double rows = (double)rows_of_guides(p, facet);
    return rows > 0 ? GUIDE_ROOM * (p->chart->narrow ? rows : rows - 1) + 2 : 0;
}

static double marks_in(const struct picture *p, double left, double right, double top, double bottom)
{
    double count = 0;
    for (size_t k = 0; k < p->panel->count; k++)
        for (size_t i = 0; i < p->panel->series[k].count; i++) {
            const struct mark *m = &p->panel->series[k].marks[i];
            const double x = scale_at(&p->x, m->x), y = scale_at(&p->y, p->facet->y[m->row]);
            count += x >= left && x <= right && y >= top && y <= bottom;
        }
    return count;
}

static void level_line(struct picture *p, double y, const char *text, bool right)
{
    const double at = scale_at(&p->y, y);
    str_addf(p->out, "<path class=\"peak\" d=\"M%.1f %.1fH%.1f\"/>", p->area.left, at, p->area.right);
    double under = at < p->area.top + 12 ? 15 : -5; // the axis's name stands above
    const double width = draw_text_width(text, 80) + 12, from = at + under - 12, to = at + under + 6;
    const double on_left = marks_in(p, p->area.left, p->area.left + width, from, to),
                 on_right = marks_in(p, p->area.right - width, p->area.right, from, to);
    if (on_left != on_right) right = on_left > on_right; // where it covers fewer points
    // Or none: above the line, far from the axis's name.
    if (on_left > 0 && on_right > 0 && !rows_of_guides(p, 0)) right = true, under = -5;
    draw_text(p, "peak", right ? "end" : "start", right ? p->area.right - 6 : p->area.left + 6, at + under, text);
}

static void curve(struct picture *p, const struct guide *g)
{
    enum { STEPS = 60 };
    bool open = false;
    double last_x = 0, last_y = 0, third_x = 0, third_y = 0;
    str_add(p->out, "<path class=\"law\" d=\"");
    for (int i = 0; i <= STEPS; i++) {
        const double at = p->x.from + (p->x.to - p->x.from) * i / STEPS, x = scale_back(&p->x, at),
                     y = fmin(g->at[0] + g->slope[0] * x, g->at[1] + g->slope[1] * x);
        if (!(y >= p->y.lo && y <= p->y.hi)) {
            open = false;
            continue;
        }
        str_addf(p->out, "%c%.1f %.1f", open ? 'L' : 'M', at, scale_at(&p->y, y));
        last_x = at, last_y = scale_at(&p->y, y);
        if (i == STEPS / 3) third_x = last_x, third_y = last_y;
        open = true;
    }
    str_add(p->out, "\"/>");
    // Above its line, where nothing is; without the room the words below the picture say it.
    if (third_x > 0 && g->rising && third_x - 6 - draw_text_width(g->rising, 80) > p->area.left)
        draw_text(p, "law", "end", third_x - 6, third_y - 8, g->rising);
    if (last_x > 0 && *g->text && !g->aside)
        draw_text(p, "law", "end", fmin(last_x, p->area.right - 6), fmax(last_y - 8, 12), g->text);
}

static void guides(struct picture *p, int facet)
{
    size_t row = 0, levels = 0;
    for (size_t i = 0; i < p->chart->guide_count; i++) {
        const struct guide *g = &p->chart->guides[i];
        if (!is_here(p, g, facet)) continue;
        if (isnan(g->x) && isnan(g->y)) curve(p, g);
        if (isnan(g->x) && !isnan(g->y) && g->y <= p->y.hi && g->y >= p->y.lo) level_line(p, g->y, g->text, levels++);
        if (isnan(g->x)) continue;
        const double x = scale_at(&p->x, g->x),
                     y = p->area.top - (p->chart->narrow ? UNIT_ROOM + 4 : 4) - GUIDE_ROOM * (double)row;
        const bool left = x > (p->area.left + p->area.right) / 2;
        str_addf(p->out, "<path class=\"place\" d=\"M%.1f %.1fV%.1f\"/>", x, facet ? p->area.top : y - 8,
            p->area.bottom);
        if (facet) continue;
        const double width = draw_text_width(g->text, 80);
        if (left ? x - 5 - width < 0 : x + 5 + width > p->width) draw_text(p, "place", "start", 0, y, g->text);
        else draw_text(p, "place", left ? "end" : "start", x + (left ? -5 : 5), y, g->text);
        row++;
    }
    if (draw_peak_fits(p->facet) && p->facet->peak <= p->y.hi)
        level_line(p, p->facet->peak, arena_printf(p->view->arena, "peak %.5g GB/s", p->facet->peak), levels > 0);
}

static void make_ticks(const struct picture *p, const struct facet *f, struct ticks *t)
{
    double lo, hi;
    draw_range(p->chart, f, &lo, &hi);
    ticks_make(t, f->kind, lo, hi, p->wide && f == p->chart->facets ? 7 : 5);
    const double bytes = chart_axes_bytes(&p->view->columns[f->column]);
    if (bytes > 0) ticks_make_bytes(t, f->kind, lo, hi, 5, bytes);
    t->one = f->one;
}

static double widest_label(const struct picture *p)
{
    double widest = 0;
    for (size_t f = 0; f < p->chart->facet_count; f++) {
        struct ticks t;
        make_ticks(p, &p->chart->facets[f], &t);
        for (size_t i = 0; i < t.count; i++) {
            LOCAL(str_release) struct str s = {0};
            ticks_label(&t, i, &s);
            widest = fmax(widest, draw_text_width(s.text, 40));
        }
    }
    return widest;
}

static void x_scale(struct picture *p)
{
    const struct chart *c = p->chart;
    const size_t most = (size_t)fmax(0, (p->area.right - p->area.left) / (p->wide ? 70 : 60)) + 1;
    p->x = (struct scale){c->x_kind, c->x_lo, c->x_hi, p->area.left + 14, p->area.right - 14};
    if (c->x_unit > 0) ticks_make_bytes(&p->x_ticks, c->x_kind, c->x_lo, c->x_hi, most, c->x_unit);
    else ticks_make(&p->x_ticks, c->x_kind, c->x_lo, c->x_hi, most);
}

void draw_lines(struct picture *p)
{
    const struct chart *c = p->chart;
    double top = 0;
    p->width = draw_width(p);
    p->area.left = widest_label(p) + 12;
    p->area.right = p->width - draw_labels_margin(p);
    x_scale(p);
    for (size_t f = 0; f < c->facet_count; f++)
        top += UNIT_ROOM + guide_room(p, (int)f) + (f ? 120 : p->wide ? 300 : 210) + 16;
    p->height = top - 16 + AXIS_ROOM;
    top = 0;
    for (size_t f = 0; f < c->facet_count; f++) {
        p->facet = &c->facets[f];
        p->area.top = top + UNIT_ROOM + guide_room(p, (int)f);
        p->area.bottom = p->area.top + (f ? 120 : p->wide ? 300 : 210);
        make_ticks(p, p->facet, &p->y_ticks);
        p->y = (struct scale){p->facet->kind, p->y_ticks.lo, p->y_ticks.hi, p->area.bottom, p->area.top};
        str_addf(p->out, "<g class=\"facet\" data-one=\"%.0f\">\n", p->facet->one);
        y_axis(p);
        x_axis(p, f + 1 == c->facet_count);
        guides(p, (int)f);
        draw_series(p);
        str_add(p->out, "</g>\n");
        top = p->area.bottom + 16;
    }
}
