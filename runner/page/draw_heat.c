// Cells: a row for each value of one axis, a column for each of the other; the deeper the colour, the larger the
// number.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "page/draw.h"

enum { ROW = 26, TOP = 26, NAME_MOST = 30, GAP = 24 };

// From 0 for the least to 1 for the largest, as the eye should see it.
static double depth(const struct facet *f, double y)
{
    if (f->hi <= f->lo) return 0.5;
    return f->kind == SCALE_LOG10 ? log(y / f->lo) / log(f->hi / f->lo) : (y - f->lo) / (f->hi - f->lo);
}

// The numbers of all cells alike: with three digits; where one has no room, to a hundredth or a tenth of what they
// span; else none.
enum form { THREE_DIGITS, HUNDREDTHS, TENTHS, BARE };

static void number(const struct facet *f, enum form form, double at, struct str *s)
{
    const double step = pow(10, floor(log10((f->hi - f->lo) / f->one)) - (form == HUNDREDTHS ? 2 : 1));
    at /= f->one;
    str_clear(s);
    if (form == THREE_DIGITS || !(f->hi > f->lo)) ticks_number(at, s);
    else if (fabs(at) < step / 2) str_add(s, "0");
    else ticks_number(round(at / step) * step, s);
}

static enum form form_of(const struct picture *p, double width)
{
    LOCAL(str_release) struct str s = {0};
    int form = THREE_DIGITS;
    for (bool fits = false; form < BARE && !fits; form += !fits) {
        fits = form == THREE_DIGITS || p->facet->kind == SCALE_LINEAR;
        for (size_t k = 0; k < p->panel->count && fits; k++)
            for (size_t i = 0; i < p->panel->series[k].count && fits; i++) {
                const double at = p->facet->y[p->panel->series[k].marks[i].row];
                if (isnan(at)) continue;
                number(p->facet, (enum form)form, at, &s);
                fits = draw_text_width(s.text, 20) < width - 6;
            }
    }
    return (enum form)form;
}

// Where cells have no numbers, what the colours mean stands above them.
static void span(struct picture *p, double right)
{
    LOCAL(str_release) struct str s = {0};
    if (isnan(p->facet->lo)) return;
    ticks_number(p->facet->lo / p->facet->one, &s);
    str_add(&s, " to ");
    ticks_number(p->facet->hi / p->facet->one, &s);
    draw_text(p, "tick", "end", right, p->area.top - 12, s.text);
}

static void cell(struct picture *p, const struct mark *m, double x, double y, double width, enum form form)
{
    const double at = p->facet->y[m->row];
    LOCAL(str_release) struct str s = {0};
    if (isnan(at)) {
        draw_missing(p, m, x + width / 2, y + ROW / 2.0);
        return;
    }
    const double alpha = 0.06 + 0.9 * depth(p->facet, at); // at 0.82 either colour of letters can be read
    str_addf(p->out, "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill-opacity=\"%.3f\"/>",
        x + 1, y + 1, width - 2, ROW - 2, alpha);
    if (form != BARE) {
        number(p->facet, form, at, &s);
        draw_text(p, alpha > 0.82 ? "number deep" : "number", "middle", x + width / 2, y + ROW / 2.0 + 4, s.text);
    }
}

static const char *along(const struct picture *p, size_t i, struct str *s)
{
    const struct value v = table_value(p->chart->categories[i]);
    double x;
    str_clear(s);
    if (p->chart->x_unit > 0 && value_number(v, &x)) units_print_bytes(x * p->chart->x_unit, s);
    else if (value_number(v, &x)) ticks_number(x, s);
    else str_add(s, p->chart->categories[i]);
    return s->text ? s->text : "";
}

static void facet(struct picture *p, double left, double width, bool last)
{
    const struct chart *c = p->chart;
    LOCAL(str_release) struct str s = {0};
    double end = -1e9;
    const enum form form = form_of(p, width);
    if (form == BARE) span(p, left + width * (double)c->category_count);
    draw_text(p, "unit", "start", 0, p->area.top - 12, draw_unit(p->view, p->facet));
    for (size_t i = 0; i < c->name_count; i++)
        draw_name(p, "label", "end", left - 8, p->area.top + ROW * ((double)i + 0.5) + 4, c->names[i], NAME_MOST);
    for (size_t i = 0; i < c->category_count && last; i++) {
        const double at = left + width * ((double)i + 0.5), half = draw_text_width(along(p, i, &s), 20) / 2;
        if (at - half < end + 4) continue;
        draw_text(p, "tick", "middle", at, p->area.bottom + 16, along(p, i, &s));
        end = at + half;
    }
    for (int touch = 0; touch < 2; touch++)
        for (size_t k = 0; k < p->panel->count; k++)
            for (size_t i = 0; i < p->panel->series[k].count; i++) {
                const struct mark *m = &p->panel->series[k].marks[i];
                const double x = left + width * m->x, y = p->area.top + ROW * (double)p->panel->series[k].colour;
                if (!touch) cell(p, m, x, y, width, form);
                else draw_tip(p, &p->panel->series[k], m, x + width / 2, y + ROW / 2.0, width, ROW);
            }
}

void draw_heat(struct picture *p)
{
    const struct chart *c = p->chart;
    double left = 0;
    for (size_t i = 0; i < c->name_count; i++) left = fmax(left, draw_text_width(c->names[i], NAME_MOST));
    left += 10;
    p->width = draw_width(p);
    const double width = fmin(90, (p->width - left - 4) / (double)c->category_count),
                 tall = ROW * (double)c->name_count;
    p->height = (TOP + tall) * (double)c->facet_count + GAP * (double)(c->facet_count - 1) + 42;
    for (size_t f = 0; f < c->facet_count; f++) {
        p->facet = &c->facets[f];
        p->area.top = TOP + (TOP + tall + GAP) * (double)f;
        p->area.bottom = p->area.top + tall;
        facet(p, left, width, f + 1 == c->facet_count);
    }
    draw_text(p, "name", "middle", left + width * (double)c->category_count / 2, p->height - 6, c->x_name);
}
