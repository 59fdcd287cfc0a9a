// What stands around the pictures of a chart: heading, legend, and the meaning of the signs.
// SPDX-License-Identifier: MIT
#include "page/draw.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "page/markup.h"
#include "page/quantity.h"
#include "spec/columns.h"
#include "spec/words.h"

// What a picture shows as a table, for those who do not see it and for those who want the numbers.

enum { ROWS_MOST = 200, FURTHER_MOST = 4 };

static void cell(const char *element, const char *text, bool number, struct str *out)
{
    str_addf(out, "<%s%s>", element, number ? " class=\"n\"" : "");
    markup_text(out, text);
    str_addf(out, "</%s>", element);
}

// Values that differ between rows and that neither the axis nor a series tells: rows of one place would look alike.
static size_t further(const struct view *v, const struct chart *c, int columns[FURTHER_MOST])
{
    size_t n = 0;
    for (int i = 0; i < (int)v->column_count && n < FURTHER_MOST; i++) {
        const struct view_column *one = &v->columns[i];
        if (!one->value || one->same || i == c->x || strcmp(one->name, "device") == 0) continue;
        if (text_has_word(c->by, one->name) || text_has_word(c->panels_by, one->name)) continue;
        if (!text_has_word(c->x_name, one->name)) columns[n++] = i;
    }
    return n;
}

static void head(const struct view *v, const struct chart *c, struct str *out)
{
    int more[FURTHER_MOST];
    const char *along = *c->x_name ? c->x_name : "point";
    str_add(out, "<thead><tr>");
    if (c->panel_count > 1) cell("th", c->panels_by, false, out);
    if (*c->by) cell("th", c->by, false, out);
    cell("th", along, false, out);
    for (size_t i = 0, n = further(v, c, more); i < n; i++) cell("th", v->columns[more[i]].name, false, out);
    for (size_t f = 0; f < c->facet_count; f++) {
        const struct view_column *y = &v->columns[c->facets[f].column];
        cell("th", *y->unit ? arena_printf(v->arena, "%s, %s", y->name, y->unit) : y->name, true, out);
    }
    str_add(out, "</tr></thead>\n");
}

static void row(const struct view *v, const struct chart *c, const struct panel *p, const struct series *s,
    const struct mark *m, struct str *out)
{
    int more[FURTHER_MOST];
    str_add(out, "<tr>");
    if (c->panel_count > 1) cell("td", p->name, false, out);
    if (*c->by) cell("td", c->kind == CHART_HEAT ? c->names[s->colour] : s->name, false, out);
    cell("td", c->kind == CHART_BARS ? c->categories[(size_t)m->x] : v->rows[m->row][c->x], false, out);
    for (size_t i = 0, n = further(v, c, more); i < n; i++) cell("td", v->rows[m->row][more[i]], false, out);
    for (size_t f = 0; f < c->facet_count; f++) {
        const double lo = c->facets[f].y_lo[m->row], hi = c->facets[f].y_hi[m->row];
        char room[32];
        const char *text = view_good(v, m->row) ? quantity_shown(v->rows[m->row][c->facets[f].column], room)
                                                : v->rows[m->row][v->status_column];
        cell("td", isnan(lo) ? text : arena_printf(v->arena, "%s (%.5g to %.5g)", text, lo, hi), true, out);
    }
    str_add(out, "</tr>\n");
}

// The numbers of the picture
static void draw_table(const struct view *v, const struct chart *c, struct str *out)
{
    size_t count = 0;
    str_add(out,
        "<details class=\"data\">\n<summary>As a table</summary>\n<div class=\"scroll small\" "
        "tabindex=\"0\"><table>\n");
    head(v, c, out);
    str_add(out, "<tbody>\n");
    for (size_t p = 0; p < c->panel_count; p++)
        for (size_t s = 0; s < c->panels[p].count; s++)
            for (size_t i = 0; i < c->panels[p].series[s].count; i++)
                if (count++ < ROWS_MOST)
                    row(v, c, &c->panels[p], &c->panels[p].series[s], &c->panels[p].series[s].marks[i], out);
    str_add(out, "</tbody>\n</table></div>\n");
    if (count > ROWS_MOST)
        str_addf(out, "<p class=\"never\">The first %d of %zu; all rows stand below.</p>\n", ROWS_MOST, count);
    str_add(out, "</details>\n");
}

static const char *title(const struct view *v, const struct chart *c)
{
    LOCAL(str_release) struct str s = {0};
    for (size_t i = 0; i < c->facet_count; i++)
        str_addf(&s, "%s%s", !i ? "" : i + 1 < c->facet_count ? ", " : " and ", v->columns[c->facets[i].column].name);
    return arena_strdup(v->arena, s.text);
}

static const char *subtitle(const struct view *v, const struct chart *c)
{
    LOCAL(str_release) struct str s = {0};
    if (c->kind == CHART_BARS) str_addf(&s, *c->x_name ? "of each %s" : "of the one point%s", c->x_name);
    else str_addf(&s, "over %s", c->x_name);
    if (*c->by) str_addf(&s, " by %s", c->by);
    if (*c->panels_by) str_addf(&s, ", for each %s", c->panels_by);
    return arena_strdup(v->arena, s.text);
}

const char *draw_heading(const struct view *v, const struct chart *c)
{
    return arena_printf(v->arena, "%s %s", title(v, c), subtitle(v, c));
}

const char *draw_kind(const struct chart *c) { return words_chart_kinds[c->kind].word; }

void draw_panel(const struct view *v, const struct chart *c, const struct panel *panel, bool wide, double *width,
    double *height, struct str *out)
{
    struct picture p = {.view = v, .chart = c, .panel = panel, .wide = wide, .out = out};
    switch (c->kind) {
    case CHART_LINES: draw_lines(&p); break;
    case CHART_BARS: draw_bars(&p); break;
    case CHART_HEAT: draw_heat(&p); break;
    case CHART_SAMPLES: draw_samples(&p); break;
    }
    *width = p.width;
    *height = p.height;
}

bool draw_is_wide(const struct chart *c)
{
    return c->panel_count == 1 || c->kind == CHART_BARS || c->kind == CHART_SAMPLES ||
        (c->kind == CHART_HEAT && c->category_count > 8);
}

static void svg(const struct view *v, const struct chart *c, const struct panel *panel, bool wide, struct str *out)
{
    struct str drawn = {0}; // first: how large it is, is known when it is done
    double width, height;
    draw_panel(v, c, panel, wide, &width, &height, &drawn);
    str_addf(out, "<svg class=\"%s %s\" viewBox=\"0 0 %.0f %.0f\" role=\"group\" aria-label=\"", draw_kind(c),
        c->narrow ? "narrow" : "broad", width, height);
    markup_text(out, draw_heading(v, c));
    if (*panel->name) str_add(out, ": "), markup_text(out, panel->name);
    str_add(out, "\">\n");
    str_add_bytes(out, drawn.text, drawn.size);
    str_add(out, "</svg>\n");
    str_release(&drawn);
}

// Once for a wide window and once for a narrow one; the style shows one of them. There, each column of bars has a
// picture of its own.
static void figure(const struct view *v, const struct chart *c, const struct panel *panel, struct str *out)
{
    struct chart narrow = *c;
    narrow.narrow = true;
    str_add(out, "<figure>\n");
    if (*panel->name) {
        str_add(out, "<figcaption>");
        markup_text(out, panel->name);
        str_add(out, "</figcaption>\n");
    }
    svg(v, c, panel, draw_is_wide(c), out);
    if (c->kind == CHART_BARS) narrow.facet_count = 1;
    for (size_t f = 0; c->kind != CHART_SAMPLES && f < (c->kind == CHART_BARS ? c->facet_count : 1); f++) {
        if (c->kind == CHART_BARS) narrow.facets[0] = c->facets[f];
        svg(v, &narrow, panel, false, out);
    }
    str_add(out, "</figure>\n");
}

void draw_sign(const struct chart *c, size_t colour, size_t dash, struct str *out)
{
    if (c->kind == CHART_SAMPLES) {
        draw_sample(out, (enum taken_kind)c->kinds[colour], 13, 7, 3);
        return;
    }
    if (c->kind == CHART_BARS && !c->facets[0].dots) {
        str_add(out, "<rect class=\"bar\" x=\"7\" y=\"1\" width=\"12\" height=\"12\" rx=\"2\"/>");
        return;
    }
    if (c->kind == CHART_LINES) str_addf(out, "<path class=\"line d%zu\" d=\"M0 7h26\"/>", dash);
    if (!dash) draw_marker(out, colour, 13, 7, 4.5, false);
}

const char *draw_faded(const struct chart *c, size_t colour) { return c->faded >> colour & 1 ? " faded" : ""; }

bool draw_has_legend(const struct chart *c)
{
    if (c->kind == CHART_SAMPLES) return c->name_count > 1;
    return c->kind != CHART_HEAT && c->name_count * c->dash_count > 1 && (c->kind == CHART_BARS || c->panel_count > 1);
}

static void legend(const struct chart *c, struct str *out)
{
    const bool always = draw_has_legend(c); // else the names stand beside the lines, where there is room
    if (!always && (c->kind != CHART_LINES || c->name_count * c->dash_count < 2)) return;
    str_addf(out, "<ul class=\"legend%s\">", always ? "" : " narrow");
    for (size_t i = 0; i < c->name_count + (c->dash_count > 1 ? c->dash_count : 0); i++) {
        const bool dash = i >= c->name_count;
        str_addf(out, "<li><svg class=\"s%zu%s\" viewBox=\"0 0 26 14\">", dash ? 8 : i + 1,
            dash ? "" : draw_faded(c, i));
        draw_sign(c, i, dash ? i - c->name_count : 0, out);
        str_add(out, "</svg>");
        markup_text(out, dash ? c->dash_names[i - c->name_count] : c->names[i]);
        str_add(out, "</li>");
    }
    str_add(out, "</ul>\n");
}

static void sentence(struct str *s, const char *text) { str_addf(s, "%s%s", s->size ? " " : "", text); }

// "upload: b, c lie on a."
static void coincident(const struct chart *c, struct str *s)
{
    for (size_t p = 0; p < c->panel_count; p++)
        for (size_t t = 0; t < c->panels[p].count; t++) {
            const struct panel *panel = &c->panels[p];
            size_t count = 0;
            for (size_t i = 0; i < panel->count; i++) {
                if (panel->series[i].same != panel->series[t].name) continue;
                if (!count) str_addf(s, "%s%s%s", s->size ? " " : "", panel->name, *panel->name ? ": " : "");
                str_addf(s, "%s%s", count++ ? ", " : "", panel->series[i].name);
            }
            if (count) str_addf(s, " %s on %s.", count == 1 ? "lies" : "lie", panel->series[t].name);
        }
}

// Some interval is longer than a mark is wide.
static bool whiskers_show(const struct view *v, const struct facet *f)
{
    enum { OF_AXIS = 60 };
    bool seen = false;
    for (size_t r = 0; r < v->row_count && f->whiskers; r++) {
        const double lo = f->y_lo[r], hi = f->y_hi[r];
        if (isnan(f->y[r]) || isnan(lo)) continue;
        if (f->kind == SCALE_LOG10) seen |= OF_AXIS * log(hi / lo) >= log(f->hi / f->lo);
        else seen |= OF_AXIS * (hi - lo) >= f->hi - fmin(f->lo, 0);
    }
    return seen;
}

// The meaning of the signs that the picture has, and what it leaves out: plain text.
void draw_key(const struct view *v, const struct chart *c, struct str *s)
{
    bool whiskers = false, dots = false, expected = false, exact = true;
    for (size_t i = 0; i < c->facet_count; i++) {
        exact &= c->facets[i].exact;
        const bool own = c->kind != CHART_HEAT && whiskers_show(v, &c->facets[i]),
                   model = v->columns[c->facets[i].column].known == COLUMN_MODEL_US;
        whiskers |= own && !model, expected |= own && model, dots |= c->facets[i].dots;
    }
    if (c->kind == CHART_BARS && c->ranked)
        sentence(s, v->columns[c->facets[0].column].known >= 0 ? "The best first." : "The largest first.");
    if (c->faded)
        sentence(s, "In colour: the line that reaches highest, the one that reaches lowest, and the baseline.");
    if (c->usual) str_addf(s, "%sNames give what differs from: %s.", s->size ? " " : "", c->usual);
    if (c->kind == CHART_HEAT) sentence(s, "The deeper the colour, the larger the number.");
    if (c->near) str_addf(s, " Of up to %zu rows that are near each other a cell shows one.", c->near);
    if (c->kind == CHART_SAMPLES) draw_samples_key(c, s);
    if (whiskers) sentence(s, "Whiskers: 95 % confidence interval.");
    if (expected) sentence(s, "Expected, not measured: nine of ten measured times lay within such whiskers.");
    if (dots && c->kind != CHART_HEAT)
        sentence(s, "The numbers span more than 1.5 decades: their axis is logarithmic.");
    coincident(c, s);
    for (size_t p = 0; p < c->panel_count && c->kind == CHART_LINES; p++)
        for (size_t i = 0; i < c->panels[p].count; i++)
            if (*c->panels[p].series[i].name && draw_is_empty(v, c, &c->panels[p].series[i]))
                str_addf(s, "%s%s%s%s has no number.", s->size ? " " : "", c->panels[p].name,
                    *c->panels[p].name ? ": " : "", c->panels[p].series[i].name);
    for (size_t i = 0; i < c->guide_count; i++)
        if (c->guides[i].aside) str_addf(s, "%s%s.", s->size ? " " : "", c->guides[i].text);
    if (c->imprecise && c->kind != CHART_HEAT && !exact)
        str_addf(s, "%sHollow: precision not reached (%zu).", s->size ? " " : "", c->imprecise);
    if (c->bad) str_addf(s, "%s\xC3\x97 wrong or failed, so no number (%zu).", s->size ? " " : "", c->bad);
    if (c->skipped) str_addf(s, "%s\xE2\x80\x93 skipped: cannot run here (%zu).", s->size ? " " : "", c->skipped);
    if (c->off_axis)
        str_addf(s, "%s%zu value%s of 0 or less %s no place on a logarithmic axis.", s->size ? " " : "", c->off_axis,
            c->off_axis == 1 ? "" : "s", c->off_axis == 1 ? "has" : "have");
    for (size_t i = 0; i < c->facet_count && c->kind == CHART_LINES; i++)
        if (c->facets[i].kind == SCALE_LINEAR && !isnan(c->facets[i].lo) && !draw_from_nothing(c, &c->facets[i]))
            str_addf(s, "%sThe axis of %s does not begin at 0.", s->size ? " " : "",
                v->columns[c->facets[i].column].name);
    for (size_t i = 0; i < c->facet_count && c->kind != CHART_HEAT; i++)
        if (c->facets[i].hi < c->facets[i].peak && c->facets[i].hi > 0.1 * c->facets[i].peak &&
            !draw_peak_fits(&c->facets[i]) && !isnan(c->facets[i].lo))
            str_addf(s, "%sThe memory's peak of %.5g GB/s is far above.", s->size ? " " : "", c->facets[i].peak);
    if (c->series_left_out)
        str_addf(s, "%sThe first %zu of %zu series are drawn; the table has them all.", s->size ? " " : "",
            c->name_count * c->dash_count, c->name_count * c->dash_count + c->series_left_out);
    if (c->categories_left_out)
        str_addf(s, "%sThe first %zu of %zu are drawn; the table has them all.", s->size ? " " : "", c->category_count,
            c->category_count + c->categories_left_out);
}

static void meaning(const struct view *v, int column, struct str *out)
{
    if (column < 0 || !*v->columns[column].about) return;
    str_add(out, "<p class=\"about\"><b>");
    markup_text(out, v->columns[column].name);
    str_add(out, "</b>: ");
    markup_text(out, v->columns[column].about);
    str_add(out, "</p>\n");
}

// Of the columns of a list like "each, hint".
static void meanings(const struct view *v, const char *list, struct str *out)
{
    char *names = arena_strdup(v->arena, list), *rest = names;
    for (char *name; (name = strtok_r(rest, ", ", &rest));) meaning(v, view_column(v, name), out);
}

void draw_chart(const struct view *v, const struct chart *c, struct str *out)
{
    LOCAL(str_release) struct str said = {0};
    str_add(out, "<div class=\"chart wide\">\n<h3>");
    markup_text(out, title(v, c));
    str_add(out, " <span>");
    markup_text(out, subtitle(v, c));
    str_add(out, "</span></h3>\n");
    for (size_t i = 0; i < c->facet_count; i++) meaning(v, c->facets[i].column, out);
    meaning(v, c->x, out);
    meanings(v, c->by, out);
    meanings(v, c->panels_by, out);
    legend(c, out);
    str_add(out, draw_is_wide(c) ? "<div class=\"pictures\">\n" : "<div class=\"panels\">\n");
    for (size_t i = 0; i < c->panel_count; i++) figure(v, c, &c->panels[i], out);
    str_add(out, "</div>\n");
    draw_key(v, c, &said);
    if (said.size) str_add(out, "<p class=\"key\">"), markup_text(out, said.text), str_add(out, "</p>\n");
    if (c->kind != CHART_SAMPLES) draw_table(v, c, out);
    str_add(out, "</div>\n");
}
