// A list: a horizontal bar for each row, so that there is room for its name.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "measure/result.h"
#include "page/draw.h"
#include "page/markup.h"

enum { ROW = 30, BAR = 18, TOP = 34, NAME_MOST = 44 };

static void place(struct picture *p)
{
    const struct series *s = p->panel->series;
    double lo, hi, widest = 0;
    for (size_t i = 0; i < s->count; i++)
        widest = fmax(widest, draw_text_width(p->chart->labels[s->marks[i].row], p->wide ? NAME_MOST : NAME_MOST / 2));
    draw_range(p, &lo, &hi);
    ticks_make(&p->y_ticks, SCALE_LINEAR, lo, hi, p->wide ? 8 : 5);
    p->area = (struct area){
        .left = widest + 14, .top = TOP, .width = p->wide ? 940 : 456, .height = TOP + ROW * (double)s->count + 34};
    p->area.right = p->area.width - 52; // a number after the longest bar
    p->area.bottom = p->area.height - 34;
    p->y = (struct scale){SCALE_LINEAR, p->y_ticks.lo, p->y_ticks.hi, p->area.left, p->area.right};
}

static void axis(struct picture *p)
{
    const struct view_column *y = &p->view->columns[p->chart->y];
    struct str s = {0};
    for (size_t i = 0; i < p->y_ticks.count; i++) {
        double at = scale_at(&p->y, p->y_ticks.at[i]);
        str_clear(&s);
        ticks_label(&p->y_ticks, i, &s);
        str_addf(p->out, "<path class=\"%s\" d=\"M%.1f %.1fV%.1f\"/>", p->y_ticks.at[i] == 0 ? "axis" : "grid", at,
            p->area.top - 6, p->area.bottom);
        draw_text(p, "tick", "middle", at, p->area.bottom + 16, s.text);
    }
    draw_text(p, "unit", "end", p->area.width, p->area.bottom + 16, *y->unit ? y->unit : "");
    if (!isnan(p->chart->peak) && p->chart->peak <= p->y.hi) {
        double at = scale_at(&p->y, p->chart->peak);
        str_clear(&s);
        str_addf(&s, "peak %.5g GB/s", p->chart->peak);
        str_addf(p->out, "<path class=\"peak\" d=\"M%.1f %.1fV%.1f\"/>", at, p->area.top - 14, p->area.bottom);
        draw_text(p, "peak", "middle", at, p->area.top - 18, s.text);
    }
    str_release(&s);
}

static void number(struct picture *p, const struct mark *m, double end, double y)
{
    struct str s = {0};
    if (isnan(m->y)) str_add(&s, p->view->rows[m->row][p->view->status_column]);
    else ticks_number(m->y, &s);
    draw_text(p, isnan(m->y) ? "number bad" : "number", "start", end + 8, y + 4, s.text);
    str_release(&s);
}

static void row(struct picture *p, const struct series *s, const struct mark *m, double y)
{
    double zero = scale_at(&p->y, fmax(0, p->y.lo)), end = isnan(m->y) ? zero : scale_at(&p->y, m->y),
           far = fmax(end, zero);
    const char *name = p->chart->labels[m->row];
    size_t most = p->wide ? NAME_MOST : NAME_MOST / 2;
    str_addf(p->out, "<g>");
    draw_title(p, s, m);
    str_addf(p->out, "<text class=\"label\" text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">", p->area.left - 10, y + 4);
    markup_cut(p->out, name, most);
    str_add(p->out, "</text>");
    if (!isnan(m->y))
        str_addf(p->out, "<rect class=\"bar%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
            p->view->status[m->row] == STATUS_IMPRECISE ? " hollow" : "", fmin(end, zero), y - BAR / 2.0,
            fmax(fabs(end - zero), 1), BAR);
    if (!isnan(m->lo)) {
        double lo = scale_at(&p->y, m->lo), hi = scale_at(&p->y, m->hi);
        str_addf(p->out, "<path class=\"whisker\" d=\"M%.1f %.1fv7m0 -3.5H%.1fm0 -3.5v7\"/>", lo, y - 3.5, hi);
        far = fmax(far, hi);
    }
    number(p, m, far, y);
    str_add(p->out, "</g>\n");
}

void draw_list(struct picture *p)
{
    const struct series *s = p->panel->series;
    place(p);
    axis(p);
    str_add(p->out, "<g class=\"s1\">\n");
    for (size_t i = 0; i < s->count; i++) row(p, s, &s->marks[i], p->area.top + ROW * ((double)i + 0.5));
    str_add(p->out, "</g>\n");
}
