// What every picture has: frame, axes, grid and legend.
// SPDX-License-Identifier: MIT
#include "page/draw.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "measure/result.h"
#include "page/markup.h"
#include "spec/columns.h"

double draw_text_width(const char *text, size_t most)
{
    double width = 0;
    for (const char *p = text; *p && most; p++) {
        if (((unsigned char)*p & 0xC0) == 0x80) continue;
        most--;
        width += strchr("ijl.,:;|!'() ", *p) ? 3.6 : strchr("mwMW_%", *p) ? 9.6 : 6.9;
    }
    return width;
}

void draw_marker(struct str *s, size_t colour, double x, double y, double r, bool hollow)
{
    double k = r * 0.9, t = r * 1.15;
    str_addf(s, "<path class=\"mark%s\" d=\"", hollow ? " hollow" : "");
    switch (colour % 5) { // five shapes and eight colours: no pair repeats
    case 0:
        str_addf(s, "M%.1f %.1fa%.1f %.1f 0 1 0 %.1f 0a%.1f %.1f 0 1 0 %.1f 0z", x - r, y, r, r, 2 * r, r, r, -2 * r);
        break;
    case 1: str_addf(s, "M%.1f %.1fh%.1fv%.1fh%.1fz", x - k, y - k, 2 * k, 2 * k, -2 * k); break;
    case 2: str_addf(s, "M%.1f %.1fl%.1f %.1fh%.1fz", x, y - t, t, 1.8 * t, -2 * t); break;
    case 3:
        str_addf(s, "M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz", x, y - 1.2 * t, t, 1.2 * t, -t, 1.2 * t, -t, -1.2 * t);
        break;
    case 4: str_addf(s, "M%.1f %.1fl%.1f %.1fh%.1fz", x, y + t, t, -1.8 * t, -2 * t); break;
    }
    str_add(s, "\"/>");
}

static void heading(const struct view *v, const struct chart *c, struct str *out)
{
    str_add(out, "<h3>");
    markup_text(out, v->columns[c->y].name);
    str_add(out, c->list ? " <span>of each point" : " <span>over ");
    if (!c->list) markup_text(out, v->columns[c->x].name);
    if (!c->list && *c->by) str_add(out, " by "), markup_text(out, c->by);
    if (!c->list && *c->panels_by) str_add(out, ", for each "), markup_text(out, c->panels_by);
    str_add(out, "</span></h3>\n");
}

static void add_cell(struct picture *p, size_t row, int column)
{
    if (column < 0 || !*p->view->rows[row][column]) return;
    markup_text(p->out, p->view->rows[row][column]);
}

void draw_title(struct picture *p, const struct series *s, const struct mark *m)
{
    const struct view *v = p->view;
    const struct view_column *y = &v->columns[p->chart->y];
    str_add(p->out, "<title>");
    if (p->chart->list) markup_text(p->out, p->chart->labels[m->row]);
    else markup_text(p->out, v->columns[p->chart->x].name), str_add(p->out, " "), add_cell(p, m->row, p->chart->x);
    for (int i = 0; i < 2; i++) {
        const char *name = i ? p->panel->name : s->name;
        if (*name) str_add(p->out, ", "), markup_text(p->out, name);
    }
    str_add(p->out, ": ");
    if (!isnan(m->y)) {
        add_cell(p, m->row, p->chart->y);
        str_addf(p->out, " %s", *y->unit ? y->unit : "");
        if (!*y->unit) markup_text(p->out, y->name);
        if (!isnan(m->lo)) str_addf(p->out, " (%.4g to %.4g)", m->lo, m->hi);
    }
    if (v->status[m->row] != STATUS_OK) {
        if (!isnan(m->y)) str_add(p->out, ", ");
        add_cell(p, m->row, v->status_column);
    }
    if (v->reason >= 0 && *v->rows[m->row][v->reason]) {
        str_add(p->out, ": ");
        add_cell(p, m->row, v->reason);
    }
    str_add(p->out, "</title>");
}

void draw_whisker(struct picture *p, const struct mark *m, double x)
{
    if (isnan(m->lo)) return;
    double lo = scale_at(&p->y, m->lo), hi = scale_at(&p->y, m->hi);
    str_addf(p->out, "<path class=\"whisker\" d=\"M%.1f %.1fh7m-3.5 0V%.1fm-3.5 0h7\"/>", x - 3.5, hi, lo);
}

void draw_missing(struct picture *p, const struct series *s, const struct mark *m, double x, size_t level)
{
    bool skipped = p->view->status[m->row] == STATUS_SKIPPED, good = view_good(p->view, m->row);
    double y = p->area.bottom - 9 - 12 * (double)level;
    str_addf(p->out, "<g class=\"missing %s\">", skipped || good ? "skipped" : "bad");
    draw_title(p, s, m);
    if (skipped || good) str_addf(p->out, "<path d=\"M%.1f %.1fh8\"/>", x - 4, y);
    else str_addf(p->out, "<path d=\"M%.1f %.1fl8 8m0 -8l-8 8\"/>", x - 4, y - 4);
    str_addf(p->out, "<rect class=\"touch\" x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"12\"/></g>\n", x - 7, y - 6);
}

void draw_text(struct picture *p, const char *class, const char *anchor, double x, double y, const char *text)
{
    str_addf(p->out, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, anchor, x, y);
    markup_text(p->out, text);
    str_add(p->out, "</text>\n");
}

static void y_axis(struct picture *p)
{
    const struct view_column *y = &p->view->columns[p->chart->y];
    for (size_t i = 0; i < p->y_ticks.count; i++) {
        struct str s = {0};
        double at = scale_at(&p->y, p->y_ticks.at[i]);
        str_addf(p->out, "<path class=\"%s\" d=\"M%.1f %.1fH%.1f\"/>", i ? "grid" : "axis", p->area.left, at,
            p->area.right);
        ticks_label(&p->y_ticks, i, &s);
        draw_text(p, "tick", "end", p->area.left - 8, at + 4, s.text);
        str_release(&s);
    }
    draw_text(p, "unit", "start", 0, 13, *y->unit ? y->unit : y->name);
}

static void x_axis(struct picture *p)
{
    for (size_t i = 0; i < p->x_ticks.count; i++) {
        struct str s = {0};
        double at = scale_at(&p->x, p->x_ticks.at[i]);
        if (at < p->area.left - 1 || at > p->area.right + 1) continue;
        ticks_label(&p->x_ticks, i, &s);
        str_addf(p->out, "<path class=\"axis\" d=\"M%.1f %.1fv5\"/>", at, p->area.bottom);
        draw_text(p, "tick", "middle", at, p->area.bottom + 18, s.text);
        str_release(&s);
    }
}

// The line that no point can be above, where the data is near enough to it.
static void peak_line(struct picture *p)
{
    double peak = p->chart->peak;
    if (isnan(peak) || peak > p->y.hi) return;
    struct str s = {0};
    double at = scale_at(&p->y, peak);
    str_addf(&s, "peak %.5g GB/s", peak);
    str_addf(p->out, "<path class=\"peak\" d=\"M%.1f %.1fH%.1f\"/>", p->area.left, at, p->area.right);
    draw_text(p, "peak", "start", p->area.left + 6, at - 5, s.text);
    str_release(&s);
}

static bool peak_fits(const struct chart *c) { return !isnan(c->peak) && c->y_hi >= c->peak / 5; }

// Bars are compared by their length, so their axis begins at 0. Lines that differ by little need an axis without empty
// space below them.
static bool from_nothing(const struct chart *c)
{
    double hi = peak_fits(c) ? fmax(c->y_hi, c->peak) : c->y_hi;
    return c->y_kind == SCALE_LINEAR && (c->bars || !(c->y_lo >= 0.6 * hi) || c->y_lo == c->y_hi);
}

void draw_range(struct picture *p, double *lo, double *hi)
{
    const struct chart *c = p->chart;
    *lo = from_nothing(c) ? fmin(0, c->y_lo) : c->y_lo;
    *hi = from_nothing(c) ? fmax(0, c->y_hi) : c->y_hi;
    if (isnan(c->y_lo)) *lo = 0, *hi = isnan(c->peak) ? 1 : c->peak;
    if (peak_fits(c)) *hi = fmax(*hi, c->peak);
}

static void scales(struct picture *p)
{
    const struct chart *c = p->chart;
    double lo, hi;
    draw_range(p, &lo, &hi);
    ticks_make(&p->y_ticks, c->y_kind, lo, hi, p->wide ? 7 : 6);
    double widest = 0;
    for (size_t i = 0; i < p->y_ticks.count; i++) {
        struct str s = {0};
        ticks_label(&p->y_ticks, i, &s);
        widest = fmax(widest, draw_text_width(s.text, SIZE_MAX));
        str_release(&s);
    }
    p->area = (struct area){
        .left = widest + 12, .top = 30, .width = p->wide ? 940 : 456, .height = p->wide && p->chart->first ? 400 : 280};
    p->area.right = p->area.width - (c->bars ? 8 : draw_lines_margin(p));
    p->area.bottom = p->area.height - 44 - (c->bars ? draw_bars_margin(p) : 0);
    p->y = (struct scale){c->y_kind, p->y_ticks.lo, p->y_ticks.hi, p->area.bottom, p->area.top};
    double inset = c->bars ? 0 : 14;
    p->x = (struct scale){c->x_kind, c->x_lo, c->x_hi, p->area.left + inset, p->area.right - inset};
    if (c->bars) p->x.lo = -0.5, p->x.hi = (double)c->categories.count - 0.5;
    else
        ticks_make(&p->x_ticks, c->x_kind, c->x_lo, c->x_hi,
            (size_t)fmax(0, (p->area.right - p->area.left) / (p->wide ? 62 : 54)) + 1);
}

static void frame(struct picture *p)
{
    scales(p);
    y_axis(p);
    if (p->chart->bars) {
        draw_bars(p);
    } else {
        x_axis(p);
        draw_lines(p);
    }
    peak_line(p);
    draw_text(p, "name", "middle", (p->area.left + p->area.right) / 2, p->area.height - 6,
        p->view->columns[p->chart->x].name);
}

static void draw_panel(const struct view *v, const struct chart *c, const struct panel *panel, bool wide,
    struct str *out)
{
    struct str drawn = {0}; // first: how large it is, is known when it is done
    struct picture p = {.view = v, .chart = c, .panel = panel, .wide = wide, .out = &drawn};
    if (c->list) draw_list(&p);
    else frame(&p);
    str_add(out, "<figure>\n");
    if (*panel->name) {
        str_add(out, "<figcaption>");
        markup_text(out, panel->name);
        str_add(out, "</figcaption>\n");
    }
    str_addf(out, "<svg class=\"%s\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", c->bars ? "bars" : "lines",
        p.area.width, p.area.height);
    markup_text(out, v->columns[c->y].name);
    str_add(out, c->list ? " of each point" : " over ");
    if (!c->list) markup_text(out, v->columns[c->x].name);
    if (*panel->name) str_add(out, ", "), markup_text(out, panel->name);
    str_add(out, "\">\n");
    str_add_bytes(out, drawn.text, drawn.size);
    str_add(out, "</svg>\n</figure>\n");
    str_release(&drawn);
}

static void legend(const struct chart *c, struct str *out)
{
    str_add(out, "<ul class=\"legend\">");
    for (size_t i = 0; i < c->name_count; i++) {
        str_addf(out, "<li><svg class=\"s%zu\" viewBox=\"0 0 14 14\">", i + 1);
        if (c->bars) str_add(out, "<rect class=\"bar\" x=\"1\" y=\"1\" width=\"12\" height=\"12\" rx=\"2\"/>");
        else draw_marker(out, i, 7, 7, 4.5, false);
        str_add(out, "</svg>");
        markup_text(out, c->names[i]);
        str_add(out, "</li>");
    }
    str_add(out, "</ul>\n");
}

static void sentence(struct str *out, size_t *count, const char *text)
{
    str_addf(out, "%s%s", (*count)++ ? " " : "<p class=\"key\">", text);
}

// The meaning of the signs that the picture has, and what it leaves out.
static void key(const struct chart *c, struct str *out)
{
    struct str s = {0};
    size_t count = 0;
    if (c->list) {
        str_add(&s, "Names give what differs from: ");
        markup_text(&s, c->common);
        str_add(&s, ".");
        sentence(out, &count, s.text);
        str_clear(&s);
    }
    if (c->whiskers) sentence(out, &count, "Whiskers: 95 % confidence interval of the median.");
    if (c->imprecise) str_addf(&s, "Hollow: precision not reached (%zu).", c->imprecise), sentence(out, &count, s.text);
    str_clear(&s);
    if (c->bad && !c->list)
        str_addf(&s, "<span class=\"bad\">\xC3\x97</span> wrong or failed, so no number (%zu).", c->bad),
            sentence(out, &count, s.text);
    str_clear(&s);
    if (c->skipped && !c->list)
        str_addf(&s, "\xE2\x80\x93 skipped: cannot run here (%zu).", c->skipped), sentence(out, &count, s.text);
    str_clear(&s);
    if (!from_nothing(c) && c->y_kind == SCALE_LINEAR) sentence(out, &count, "The vertical axis does not begin at 0.");
    if (!isnan(c->peak) && !peak_fits(c) && !isnan(c->y_lo))
        str_addf(&s, "The memory's peak of %.5g GB/s is far above.", c->peak), sentence(out, &count, s.text);
    str_clear(&s);
    if (c->series_left_out)
        str_addf(&s, "The first %zu of %zu series are drawn; the table has them all.", c->name_count,
            c->name_count + c->series_left_out),
            sentence(out, &count, s.text);
    if (count) str_add(out, "</p>\n");
    str_release(&s);
}

void draw_chart(const struct view *v, const struct chart *c, struct str *out)
{
    const struct view_column *y = &v->columns[c->y];
    str_addf(out, "<div class=\"chart%s\">\n", c->wide || c->panel_count > 1 ? " wide" : "");
    heading(v, c, out);
    if (*y->about) str_add(out, "<p class=\"about\">"), markup_text(out, y->about), str_add(out, "</p>\n");
    if (c->name_count > 1 && (c->bars || c->panel_count > 1)) legend(c, out);
    if (c->panel_count > 1) str_add(out, "<div class=\"panels\">\n");
    for (size_t i = 0; i < c->panel_count; i++) draw_panel(v, c, &c->panels[i], c->wide && c->panel_count == 1, out);
    if (c->panel_count > 1) str_add(out, "</div>\n");
    key(c, out);
    str_add(out, "</div>\n");
}
