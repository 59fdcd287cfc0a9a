// Bars: lying, so that there is room for their names; a group for each category, a bar for each series, a column for
// each facet. Where numbers span decades a length would say nothing: then a dot on a logarithmic axis.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "page/draw.h"
#include "page/markup.h"

enum { NAME_MOST = 42, TOP = 40, GAP = 10, NUMBER_ROOM = 58, NAME_ROOM = 15 };

static size_t name_most(const struct picture *p)
{
    return p->chart->facet_count > 2 ? NAME_MOST - 10 : p->wide ? NAME_MOST : NAME_MOST / 2;
}

static double widest_name(const struct picture *p)
{
    double widest = 0;
    for (size_t i = 0; i < p->chart->category_count; i++)
        widest = fmax(widest, draw_text_width(p->chart->categories[i], name_most(p)));
    return widest;
}

// In a narrow picture names that would be cut have a line of their own, above their bars.
static double room_above(const struct picture *p)
{
    bool cut = false;
    for (size_t i = 0; i < p->chart->category_count; i++)
        cut = cut || markup_length(p->chart->categories[i]) > name_most(p);
    return cut && p->chart->narrow ? NAME_ROOM : 0;
}

static double bar_height(const struct picture *p)
{
    return p->chart->name_count <= 1 ? 18 : p->chart->name_count <= 3 ? 15 : 12;
}

static double row_height(const struct picture *p)
{
    return room_above(p) + bar_height(p) * (double)p->chart->name_count + (p->chart->name_count > 1 ? 12 : 8);
}

// The lines that cross the picture from above; NAN: there is none.
static double line_of_peak(const struct picture *p)
{
    return draw_peak_fits(p->facet) && p->facet->peak <= p->y.hi ? scale_at(&p->y, p->facet->peak) : (double)NAN;
}
static double line_of_one(const struct picture *p)
{
    return p->facet->beside_one && p->y.lo <= 1 && p->y.hi >= 1 ? scale_at(&p->y, 1) : (double)NAN;
}

static void axis(struct picture *p)
{
    LOCAL(str_release) struct str s = {0};
    double end = -1e9;
    for (size_t i = 0; i < p->y_ticks.count; i++) {
        double at = scale_at(&p->y, p->y_ticks.at[i]);
        str_clear(&s);
        ticks_label(&p->y_ticks, i, &s);
        str_addf(p->out, "<path class=\"%s\" d=\"M%.1f %.1fV%.1f\"/>", i ? "grid" : "axis", at, p->area.top - 6,
            p->area.bottom);
        const double half = draw_text_width(s.text, 40) / 2;
        if (at - half > end + 6) draw_text(p, "tick", "middle", at, p->area.bottom + 16, s.text), end = at + half;
    }
    draw_text(p, "unit", "start", p->area.left, 13, draw_unit(p->view, p->facet));
    if (!isnan(line_of_one(p))) {
        const double at = line_of_one(p);
        str_addf(p->out, "<path class=\"peak\" d=\"M%.1f %.1fV%.1f\"/>", at, p->area.top - 8, p->area.bottom);
        draw_text(p, "peak", "middle", at, p->area.top - 11, "baseline");
    }
    if (!isnan(line_of_peak(p))) {
        const double at = line_of_peak(p);
        str_clear(&s);
        str_addf(&s, "peak %.5g GB/s", p->facet->peak);
        str_addf(p->out, "<path class=\"peak\" d=\"M%.1f %.1fV%.1f\"/>", at, p->area.top - 8, p->area.bottom);
        draw_text(p, "peak", "end", fmin(at + 30, p->area.right + NUMBER_ROOM - 10), p->area.top - 11, s.text);
    }
}

// Of many bars the thin ones have no number beside them: hovering says it.
static void number(struct picture *p, const struct mark *m, double end, double y)
{
    LOCAL(str_release) struct str s = {0};
    const double at = p->facet->y[m->row];
    if (isnan(at) && view_good(p->view, m->row)) str_add(&s, "\xE2\x80\x93");
    else if (isnan(at)) str_add(&s, p->view->rows[m->row][p->view->status_column]);
    else ticks_number(at / p->facet->one, &s);
    const double lines[] = {line_of_peak(p), line_of_one(p)}, width = draw_text_width(s.text, 9);
    double x = end + 7;
    for (size_t i = 0; i < 2; i++) // behind a line that would strike it through
        if (lines[i] > x - 3 && lines[i] < x + width + 3) x = lines[i] + 6;
    draw_name(p, isnan(at) && !view_good(p->view, m->row) ? "number bad" : "number", "start", x, y + 4, s.text, 9);
}

static void bar(struct picture *p, const struct series *s, const struct mark *m, double y)
{
    const double at = p->facet->y[m->row], zero = p->facet->dots ? p->area.left : scale_at(&p->y, fmax(0, p->y.lo)),
                 end = isnan(at) ? zero : scale_at(&p->y, at), height = bar_height(p) - 2;
    const bool hollow = p->view->status[m->row] == STATUS_IMPRECISE && !p->facet->exact;
    double far = fmax(end, zero);
    if (!isnan(at) && p->facet->dots) {
        str_addf(p->out, "<path class=\"stem\" d=\"M%.1f %.1fH%.1f\"/>", zero, y, end);
        draw_whisker(p, p->facet->y_lo[m->row], p->facet->y_hi[m->row], y, true);
        draw_marker(p->out, s->colour, end, y, 4.2, hollow);
    } else if (!isnan(at)) {
        str_addf(p->out, "<rect class=\"bar%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\"/>",
            hollow ? " hollow" : "", fmin(end, zero), y - height / 2, fmax(fabs(end - zero), 1), height);
        draw_whisker(p, p->facet->y_lo[m->row], p->facet->y_hi[m->row], y, true);
    }
    if (!isnan(p->facet->y_hi[m->row])) far = fmax(far, scale_at(&p->y, p->facet->y_hi[m->row]));
    number(p, m, far, y);
}

// Above bars they lie on the axes' lines.
static void names(struct picture *p)
{
    const bool above = room_above(p) > 0;
    for (size_t i = 0; i < p->chart->category_count; i++) {
        const double row = p->area.top + row_height(p) * (double)i;
        const char *name = p->chart->categories[i];
        if (above) draw_name(p, "label lone", "start", p->area.left + 4, row + 14, name, NAME_MOST);
        else draw_name(p, "label", "end", p->area.left - 10, row + row_height(p) / 2 + 4, name, name_most(p));
    }
}

static void column(struct picture *p)
{
    const struct panel *panel = p->panel;
    axis(p);
    if (p->facet == p->chart->facets) names(p);
    for (int touch = 0; touch < 2; touch++)
        for (size_t s = 0; s < panel->count; s++) {
            const struct series *series = &panel->series[s];
            const double offset =
                ((double)series->colour - (double)(p->chart->name_count - 1) / 2) * bar_height(p) + room_above(p) / 2;
            str_addf(p->out, "<g class=\"s%zu\">\n", series->colour + 1);
            for (size_t i = 0; i < series->count; i++) {
                const double y = p->area.top + row_height(p) * (series->marks[i].x + 0.5) + offset;
                if (!touch) bar(p, series, &series->marks[i], y);
                else
                    draw_tip(p, series, &series->marks[i], (p->area.left + p->area.right) / 2, y,
                        p->area.right - p->area.left + NUMBER_ROOM, bar_height(p));
            }
            str_add(p->out, "</g>\n");
        }
}

void draw_bars(struct picture *p)
{
    const struct chart *c = p->chart;
    const bool above = room_above(p) > 0;
    const double left = above ? 8 : widest_name(p) + 14, first = c->facet_count > 1 ? 1.25 : 1;
    p->width = draw_width(p);
    p->area.top = TOP;
    p->area.bottom = TOP + row_height(p) * (double)c->category_count;
    p->height = p->area.bottom + 26;
    const double one = (p->width - left) / ((double)c->facet_count - 1 + first);
    double at = left;
    for (size_t f = 0; f < c->facet_count; f++) {
        double lo, hi;
        p->facet = &c->facets[f];
        p->area.left = at + (f ? GAP : 0);
        at += f ? one : one * first;
        p->area.right = at - NUMBER_ROOM;
        draw_range(c, p->facet, &lo, &hi);
        const double bytes = chart_axes_bytes(&p->view->columns[p->facet->column]);
        const size_t most = (size_t)fmax(3, (p->area.right - p->area.left) / 62);
        ticks_make(&p->y_ticks, p->facet->kind, lo, hi, most);
        if (bytes > 0) ticks_make_bytes(&p->y_ticks, p->facet->kind, lo, hi, most, bytes);
        p->y_ticks.one = p->facet->one;
        p->y = (struct scale){p->facet->kind, p->y_ticks.lo, p->y_ticks.hi, p->area.left, p->area.right};
        column(p);
    }
}
