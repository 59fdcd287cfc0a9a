// Lines: a marker for each row, a line between neighbours that both have a number, the name of each line at its right
// end.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "measure/result.h"
#include "page/draw.h"
#include "page/markup.h"
#include "page/spread.h"

enum { LABEL_GAP = 16, DENSE = 64 };

static bool labelled(const struct picture *p) { return p->panel->count > 1 && p->chart->panel_count == 1; }
static size_t label_most(const struct picture *p) { return p->wide ? 30 : 18; }

double draw_lines_margin(const struct picture *p)
{
    double widest = 0;
    if (!labelled(p)) return 10;
    for (size_t i = 0; i < p->panel->count; i++)
        widest = fmax(widest, draw_text_width(p->panel->series[i].name, label_most(p)));

    return widest + 32;
}

// A point without a number ends the line: its place is not known.
static void line(struct picture *p, const struct series *s)
{
    bool open = false;
    str_add(p->out, "<path class=\"line\" d=\"");
    for (size_t i = 0; i < s->count; i++) {
        const struct mark *m = &s->marks[i];
        if (!isnan(m->y))
            str_addf(p->out, "%c%.1f %.1f", open ? 'L' : 'M', scale_at(&p->x, m->x), scale_at(&p->y, m->y));
        open = !isnan(m->y);
    }
    str_add(p->out, "\"/>\n");
}

static void markers(struct picture *p, const struct series *s, bool hollow)
{
    double radius = s->count > DENSE ? 1.6 : p->wide ? 4.2 : 3.4;
    for (size_t i = 0; i < s->count; i++) {
        const struct mark *m = &s->marks[i];
        if (isnan(m->y) || (p->view->status[m->row] == STATUS_IMPRECISE) != hollow) continue;
        double x = scale_at(&p->x, m->x), y = scale_at(&p->y, m->y);
        str_add(p->out, "<g>");
        draw_title(p, s, m);
        draw_whisker(p, m, x);
        draw_marker(p->out, s->colour, x, y, radius, hollow);
        str_addf(p->out, "<circle class=\"touch\" cx=\"%.1f\" cy=\"%.1f\" r=\"9\"/></g>\n", x, y);
    }
}

// How many marks without a number stand at that x in the series before this one, and in this one before this mark.
static size_t level(const struct panel *panel, size_t series, size_t mark)
{
    size_t n = 0;
    double x = panel->series[series].marks[mark].x;
    for (size_t s = 0; s <= series; s++)
        for (size_t i = 0; i < (s == series ? mark : panel->series[s].count); i++)
            n += panel->series[s].marks[i].x == x && isnan(panel->series[s].marks[i].y);
    return n;
}

static void label(struct picture *p, const struct series *s, double from_x, double from_y, double y)
{
    double x = p->area.right + 4;
    str_addf(p->out, "<g class=\"s%zu\">", s->colour + 1);
    if (fabs(from_y - y) > 2 || x - from_x > 24)
        str_addf(p->out, "<path class=\"leader\" d=\"M%.1f %.1fL%.1f %.1fH%.1f\"/>", from_x + 6, from_y, x, y, x + 4);
    draw_marker(p->out, s->colour, x + 11, y, 3.6, false);
    str_addf(p->out, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">", x + 19, y + 4);
    if (markup_length(s->name) > label_most(p))
        str_add(p->out, "<title>"), markup_text(p->out, s->name), str_add(p->out, "</title>");
    markup_cut(p->out, s->name, label_most(p));
    str_add(p->out, "</text></g>\n");
}

static void labels(struct picture *p)
{
    double at[CHART_SERIES], from_x[CHART_SERIES], from_y[CHART_SERIES];
    size_t n = p->panel->count;
    for (size_t i = 0; i < n; i++) {
        const struct series *s = &p->panel->series[i];
        from_x[i] = p->area.right;
        at[i] = from_y[i] = p->area.bottom - 9;
        for (size_t k = 0; k < s->count; k++)
            if (!isnan(s->marks[k].y))
                from_x[i] = scale_at(&p->x, s->marks[k].x), at[i] = from_y[i] = scale_at(&p->y, s->marks[k].y);
    }
    spread(at, n, LABEL_GAP, p->area.top, p->area.bottom - 4);
    for (size_t i = 0; i < n; i++) label(p, &p->panel->series[i], from_x[i], from_y[i], at[i]);
}

void draw_lines(struct picture *p)
{
    const struct panel *panel = p->panel;
    for (int layer = 0; layer < 3; layer++) // lines below all markers, the important marks on top
        for (size_t s = 0; s < panel->count; s++) {
            str_addf(p->out, "<g class=\"s%zu\">\n", panel->series[s].colour + 1);
            if (!layer) line(p, &panel->series[s]);
            else markers(p, &panel->series[s], layer == 2);
            str_add(p->out, "</g>\n");
        }
    for (size_t s = 0; s < panel->count; s++)
        for (size_t i = 0; i < panel->series[s].count; i++)
            if (isnan(panel->series[s].marks[i].y))
                draw_missing(p, &panel->series[s], &panel->series[s].marks[i],
                    scale_at(&p->x, panel->series[s].marks[i].x), level(panel, s, i));
    if (labelled(p)) labels(p);
}
