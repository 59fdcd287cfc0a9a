// Draws the rows with what charts are made of.
// SPDX-License-Identifier: MIT
#include "page/strip.h"

#include <math.h>

#include "page/draw.h"
#include "page/markup.h"

enum { NAME_MOST = 44, NAME_MOST_NARROW = 36, TOP = 34, ROW = 22, ROW_NARROW = 36, AXIS = 46 };

static size_t drawn(const struct strip *s) { return s->count < STRIP_ROWS ? s->count : STRIP_ROWS; }

// False: there is no number at all.
static bool range(const struct strip *s, double *lo, double *hi)
{
    bool any = false;
    *lo = s->centre - s->within, *hi = s->centre + s->within;
    for (size_t i = 0; i < drawn(s); i++)
        for (size_t k = 0; k < s->rows[i].count; k++) {
            const struct strip_mark *m = &s->rows[i].marks[k];
            if (!isfinite(m->value)) continue;
            any = true;
            *lo = fmin(*lo, isfinite(m->low) && m->low > 0 ? m->low : m->value);
            *hi = fmax(*hi, isfinite(m->high) ? m->high : m->value);
        }
    return any;
}

static void frame(struct picture *p, const struct strip *s)
{
    LOCAL(str_release) struct str label = {0};
    double end = -1e9;
    const double from = fmax(scale_at(&p->x, s->centre - s->within), p->area.left),
                 to = fmin(scale_at(&p->x, s->centre + s->within), p->area.right), at = scale_at(&p->x, s->centre);
    str_addf(p->out, "<rect class=\"band\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", from, p->area.top,
        to - from, p->area.bottom - p->area.top);
    for (size_t i = 0; i < p->x_ticks.count; i++) {
        const double x = scale_at(&p->x, p->x_ticks.at[i]);
        str_clear(&label);
        ticks_label(&p->x_ticks, i, &label);
        str_addf(p->out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", x, p->area.top, p->area.bottom);
        const double half = draw_text_width(label.text, 40) / 2;
        if (x - half > end + 6) draw_text(p, "tick", "middle", x, p->area.bottom + 16, label.text), end = x + half;
    }
    str_addf(p->out, "<path class=\"peak\" d=\"M%.1f %.1fV%.1f\"/>", at, p->area.top - 8, p->area.bottom);
    const double even = draw_text_width(s->even, 60) / 2 + 4;
    draw_text(p, "peak", "middle", fmax(fmin(at, p->width - even), even), p->area.top - 14, s->even);
    draw_text(p, "name", "middle", (p->area.left + p->area.right) / 2, p->height - 6,
        p->wide ? s->axis : s->axis_narrow);
}

static void mark(struct picture *p, const struct strip_mark *m, double y)
{
    if (!isfinite(m->value)) return;
    const double x = scale_at(&p->x, m->value);
    const struct scale along = p->y; // whiskers lie along x here
    str_addf(p->out, "<g class=\"s%d\">", m->bad ? 2 : 1);
    p->y = p->x;
    if (isfinite(m->low) && isfinite(m->high)) draw_whisker(p, fmax(m->low, p->x.lo), fmin(m->high, p->x.hi), y, true);
    p->y = along;
    draw_marker(p->out, m->bad, x, y, 4, false);
    str_add(p->out, "</g>\n");
    draw_touch(p, m->name, m->told, x, y, 16, ROW - 4);
}

static void scales(struct picture *p, double lo, double hi)
{
    const enum scale_kind kind = lo > 0 && hi / lo > 4 ? SCALE_LOG2 : SCALE_LINEAR;
    ticks_make(&p->x_ticks, kind, lo, hi, p->wide ? 9 : 4);
    p->x = (struct scale){kind, p->x_ticks.lo, p->x_ticks.hi, p->area.left + 10, p->area.right - 10};
}

// In a narrow picture each name stands above its row, at the left.
static void one(const struct strip *s, struct arena *a, bool narrow, double lo, double hi, struct str *out)
{
    const struct view none = {.arena = a};
    const struct chart lines = {.kind = CHART_LINES, .narrow = narrow};
    struct picture p = {.view = &none, .chart = &lines, .wide = !narrow, .out = out};
    const double row = narrow ? ROW_NARROW : ROW, middle = row - ROW / 2.0;
    double widest = 0;
    p.width = draw_width(&p);
    for (size_t i = 0; i < drawn(s) && !narrow; i++) widest = fmax(widest, draw_text_width(s->rows[i].name, NAME_MOST));
    p.area = (struct area){widest + 16, p.width - 16, TOP, TOP + row * (double)drawn(s)};
    p.height = p.area.bottom + AXIS;
    scales(&p, lo, hi);
    str_addf(out, "<svg class=\"strip %s\" viewBox=\"0 0 %.0f %.0f\" role=\"group\" aria-label=\"",
        narrow ? "narrow" : "broad", p.width, p.height);
    markup_text(out, s->about);
    str_add(out, "\">\n");
    frame(&p, s);
    for (size_t i = 0; i < drawn(s); i++) {
        const double top = TOP + row * (double)i;
        if (narrow) draw_name(&p, "label", "start", 0, top + 13, s->rows[i].name, NAME_MOST_NARROW);
        else draw_name(&p, "label", "end", p.area.left - 10, top + middle + 4, s->rows[i].name, NAME_MOST);
    }
    for (size_t i = 0; i < drawn(s); i++)
        for (size_t k = 0; k < s->rows[i].count; k++) mark(&p, &s->rows[i].marks[k], TOP + row * (double)i + middle);
    str_add(out, "</svg>\n");
}

bool strip_draw(const struct strip *s, struct arena *a, struct str *out)
{
    double lo, hi;
    if (!range(s, &lo, &hi)) return false;
    str_add(out, "<figure>\n");
    one(s, a, false, lo, hi, out);
    one(s, a, true, lo, hi, out);
    str_add(out, "</figure>\n");
    return true;
}
