// Bars: a group for each category, a bar for each series.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "measure/result.h"
#include "page/draw.h"
#include "page/markup.h"

enum { BAR_MOST = 64, NAME_MOST = 22 };

static double slot(const struct picture *p)
{
    return (p->area.right - p->area.left) / (double)p->chart->categories.count;
}

static const char *category(const struct chart *c, size_t i)
{
    return *c->categories.texts[i] ? c->categories.texts[i] : "(none)";
}

static double widest_name(const struct chart *c)
{
    double widest = 0;
    for (size_t i = 0; i < c->categories.count; i++) widest = fmax(widest, draw_text_width(category(c, i), NAME_MOST));

    return widest;
}

static bool slanted(const struct picture *p) { return widest_name(p->chart) > slot(p) - 6; }

double draw_bars_margin(const struct picture *p) { return slanted(p) ? widest_name(p->chart) * 0.6 : 0; }

static void names(struct picture *p)
{
    const struct chart *c = p->chart;
    bool slant = slanted(p);
    for (size_t i = 0; i < c->categories.count; i++) {
        double x = scale_at(&p->x, (double)i), y = p->area.bottom + 18;
        if (slant)
            str_addf(p->out, "<text class=\"tick\" text-anchor=\"end\" transform=\"translate(%.1f %.1f) rotate(-36)\">",
                x + 4, y - 4);
        else str_addf(p->out, "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">", x, y);
        if (markup_length(category(c, i)) > NAME_MOST)
            str_add(p->out, "<title>"), markup_text(p->out, category(c, i)), str_add(p->out, "</title>");
        markup_cut(p->out, category(c, i), NAME_MOST);
        str_add(p->out, "</text>\n");
    }
}

static void bar(struct picture *p, const struct series *s, const struct mark *m, double x, double width, bool numbered)
{
    double zero = scale_at(&p->y, fmax(0, p->y.lo)), y = scale_at(&p->y, m->y), r = fmin(3, width / 4);
    bool hollow = p->view->status[m->row] == STATUS_IMPRECISE;
    str_add(p->out, "<g>");
    draw_title(p, s, m);
    if (zero - y > r) // only the end at the value is round
        str_addf(p->out, "<path class=\"bar%s\" d=\"M%.1f %.1fV%.1fq0 %.1f %.1f %.1fh%.1fq%.1f 0 %.1f %.1fV%.1fz\"/>",
            hollow ? " hollow" : "", x - width / 2, zero, y + r, -r, r, -r, width - 2 * r, r, r, r, zero);
    else
        str_addf(p->out, "<rect class=\"bar%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
            hollow ? " hollow" : "", x - width / 2, fmin(y, zero), width, fmax(fabs(zero - y), 1));
    draw_whisker(p, m, x);
    if (numbered) {
        double top = isnan(m->hi) ? y : scale_at(&p->y, m->hi);
        str_addf(p->out, "<text class=\"number\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">", x,
            fmin(top, zero) - 6);
        ticks_number(m->y, p->out);
        str_add(p->out, "</text>");
    }
    str_add(p->out, "</g>\n");
}

void draw_bars(struct picture *p)
{
    const struct panel *panel = p->panel;
    double room = slot(p) * 0.8, step = fmin(room / (double)panel->count, BAR_MOST + 2), width = fmax(step - 2, 1);
    names(p);
    for (size_t s = 0; s < panel->count; s++) {
        const struct series *series = &panel->series[s];
        double offset = ((double)s - (double)(panel->count - 1) / 2) * step;
        str_addf(p->out, "<g class=\"s%zu\">\n", series->colour + 1);
        for (size_t i = 0; i < series->count; i++) {
            double x = scale_at(&p->x, series->marks[i].x) + offset;
            if (isnan(series->marks[i].y)) draw_missing(p, series, &series->marks[i], x, 0);
            else bar(p, series, &series->marks[i], x, width, width >= 34);
        }
        str_add(p->out, "</g>\n");
    }
}
