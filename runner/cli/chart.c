// Lays out axes, marks, lines and a legend.
// SPDX-License-Identifier: MIT
#include "cli/chart.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 440, LEFT = 84, TOP = 40, BOTTOM = 64, TICKS = 24, COLOURS = 8 };

void chart_escape(const char *text, struct str *s)
{
    for (; *text; text++) {
        switch (*text) {
        case '<': str_add(s, "&lt;"); break;
        case '>': str_add(s, "&gt;"); break;
        case '&': str_add(s, "&amp;"); break;
        case '"': str_add(s, "&quot;"); break;
        default: str_add_bytes(s, text, 1);
        }
    }
}

bool chart_is_log(double lo, double hi) { return lo > 0 && hi / lo >= 30; }

size_t chart_ticks(double lo, double hi, bool log, double *ticks, size_t most)
{
    size_t n = 0;
    if (log) { // powers of 2, every k-th where they are many
        double first = floor(log2(lo) + 1e-9), last = ceil(log2(hi) - 1e-9), step = 1;
        while ((last - first) / step > 12) step *= 2;
        for (double e = ceil(first / step) * step; e <= last && n < most; e += step)
            if (exp2(e) >= lo * 0.999 && exp2(e) <= hi * 1.001) ticks[n++] = exp2(e);
        return n;
    }
    double span = hi > lo ? hi - lo : 1, rough = span / 6, power = pow(10, floor(log10(rough)));
    double step = rough / power > 5 ? 10 * power : rough / power > 2 ? 5 * power : rough / power > 1 ? 2 * power : power;
    for (double k = ceil(lo / step - 1e-9); k * step <= hi + span * 1e-9 && n < most; k++)
        ticks[n++] = k * step + 0.0; // not -0
    return n;
}

struct axis {
    double lo, hi, from, to; // values; pixels
    bool log;
};

static double place(const struct axis *a, double v)
{
    double share = a->log ? (log(v) - log(a->lo)) / (log(a->hi) - log(a->lo)) : (v - a->lo) / (a->hi - a->lo);
    return a->from + share * (a->to - a->from);
}

static void widen(struct axis *a, double v)
{
    if (isnan(v)) return;
    if (isnan(a->lo) || v < a->lo) a->lo = v;
    if (isnan(a->hi) || v > a->hi) a->hi = v;
}

// What the legend needs at the right: about 7 units a letter.
static double right_end(const struct chart *c)
{
    size_t longest = 0;
    for (size_t i = 0; i < c->count; i++)
        if (strlen(c->series[i].name) > longest) longest = strlen(c->series[i].name);
    return WIDTH - (longest ? 52 + 7.0 * (double)(longest < 48 ? longest : 48) : 20);
}

static void fit(const struct chart *c, struct axis *x, struct axis *y)
{
    *x = (struct axis){NAN, NAN, LEFT, right_end(c), false};
    *y = (struct axis){NAN, NAN, HEIGHT - BOTTOM, TOP, false};
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < c->series[i].count; k++) {
            const struct chart_point *p = &c->series[i].points[k];
            widen(x, p->x);
            widen(y, p->y);
            widen(y, p->lo);
            widen(y, p->hi);
        }
    if (isnan(x->lo)) *x = (struct axis){0, 1, x->from, x->to, false};
    if (isnan(y->lo)) *y = (struct axis){0, 1, y->from, y->to, false};
    x->log = !c->x_labels && chart_is_log(x->lo, x->hi);
    y->log = chart_is_log(y->lo, y->hi);
    if (c->x_labels) *x = (struct axis){-0.5, (double)c->x_label_count - 0.5, x->from, x->to, false};
    if (!y->log && y->lo > 0) y->lo = 0; // lengths are compared from zero
    if (y->log) y->lo /= 1.2;
    y->hi = y->log ? y->hi * 1.2 : y->hi + (y->hi - y->lo) * 0.05;
    if (x->hi <= x->lo) x->hi = x->lo + 1;
    if (y->hi <= y->lo) y->hi = y->lo + 1;
}

static void text_at(double x, double y, const char *anchor, const char *more, const char *text, struct str *s)
{
    str_addf(s, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
    chart_escape(text, s);
    str_add(s, "</text>\n");
}

static void tick_text(double v, struct str *s)
{
    str_clear(s);
    if (fabs(v) >= 1024 && fmod(v, 1024) == 0) units_print_count(v, s);
    else str_addf(s, "%.6g", v);
}

static void draw_axes(const struct chart *c, const struct axis *x, const struct axis *y, struct str *s)
{
    double ticks[TICKS];
    struct str label = {0};
    size_t n = chart_ticks(y->lo, y->hi, y->log, ticks, TICKS);
    for (size_t i = 0; i < n; i++) {
        double at = place(y, ticks[i]);
        str_addf(s, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", LEFT, at, x->to, at);
        tick_text(ticks[i], &label);
        text_at(LEFT - 8, at + 4, "end", "", label.text, s);
    }
    n = c->x_labels ? 0 : chart_ticks(x->lo, x->hi, x->log, ticks, TICKS);
    for (size_t i = 0; i < n; i++) {
        tick_text(ticks[i], &label);
        text_at(place(x, ticks[i]), HEIGHT - BOTTOM + 20, "middle", "", label.text, s);
    }
    size_t every = c->x_label_count / 12 + 1; // as many names as there is room for
    for (size_t i = 0; c->x_labels && i < c->x_label_count; i += every)
        text_at(place(x, (double)i), HEIGHT - BOTTOM + 20, "middle", "", c->x_labels[i], s);
    str_addf(s, "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", LEFT, HEIGHT - BOTTOM, x->to,
             HEIGHT - BOTTOM);
    text_at((LEFT + x->to) / 2, HEIGHT - 16, "middle", " class=\"name\"", c->x_name, s);
    text_at(LEFT, TOP - 16, "start", " class=\"name\"", c->y_name, s);
    str_release(&label);
}

// Points over names stand side by side, a series beside the next, and no line leads from name to name.
static void draw_series(const struct chart *c, size_t number, const struct axis *x, const struct axis *y, struct str *s)
{
    const struct chart_series *series = &c->series[number];
    double aside = c->x_labels ? 0.6 * ((double)number + 0.5 - (double)c->count / 2) / (double)c->count : 0;
    bool open = false;
    str_addf(s, "<g class=\"c%zu\">\n", number % COLOURS);
    for (size_t i = 0; i < series->count && !c->x_labels; i++) {
        const struct chart_point *p = &series->points[i];
        if (isnan(p->y)) continue;
        str_addf(s, "%s%.1f,%.1f", open ? " " : "<polyline points=\"", place(x, p->x), place(y, p->y));
        open = true;
    }
    if (open) str_add(s, "\"/>\n");
    for (size_t i = 0; i < series->count; i++) {
        const struct chart_point *p = &series->points[i];
        if (isnan(p->y)) continue;
        double at = place(x, p->x + aside);
        if (!isnan(p->lo) && !isnan(p->hi))
            str_addf(s, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", at, place(y, p->lo), at,
                     place(y, p->hi));
        str_addf(s, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>", at, place(y, p->y));
        chart_escape(series->name, s);
        str_addf(s, "%s%.8g</title></circle>\n", *series->name ? ": " : "", p->y);
    }
    if (*series->name) {
        double at = TOP + 18.0 * (double)number;
        str_addf(s, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x->to + 14, at, x->to + 34, at);
        text_at(x->to + 40, at + 4, "start", "", series->name, s);
    }
    str_add(s, "</g>\n");
}

void chart_svg(const struct chart *c, struct str *s)
{
    struct axis x, y;
    fit(c, &x, &y);
    str_addf(s, "<svg viewBox=\"0 0 %d %d\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\">\n<title>", WIDTH, HEIGHT);
    chart_escape(c->title, s);
    str_add(s, "</title>\n");
    draw_axes(c, &x, &y, s);
    for (size_t i = 0; i < c->count; i++) draw_series(c, i, &x, &y, s);
    str_add(s, "</svg>\n");
}
