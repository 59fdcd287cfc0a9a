// What a picture shows as a table, for those who do not see it and for those who want the numbers.
// SPDX-License-Identifier: MIT
#include <math.h>

#include "page/draw.h"
#include "page/markup.h"
#include "page/quantity.h"

enum { ROWS_MOST = 120 };

static void cell(const char *element, const char *text, bool number, struct str *out)
{
    str_addf(out, "<%s%s>", element, number ? " class=\"n\"" : "");
    markup_text(out, text);
    str_addf(out, "</%s>", element);
}

static void head(const struct view *v, const struct chart *c, struct str *out)
{
    const char *along = *c->x_name ? c->x_name : "point";
    str_add(out, "<thead><tr>");
    if (c->panel_count > 1) cell("th", c->panels_by, false, out);
    if (*c->by) cell("th", c->by, false, out);
    cell("th", along, false, out);
    for (size_t f = 0; f < c->facet_count; f++) {
        const struct view_column *y = &v->columns[c->facets[f].column];
        cell("th", *y->unit ? arena_printf(v->arena, "%s, %s", y->name, y->unit) : y->name, true, out);
    }
    str_add(out, "</tr></thead>\n");
}

static void row(const struct view *v, const struct chart *c, const struct panel *p, const struct series *s,
    const struct mark *m, struct str *out)
{
    str_add(out, "<tr>");
    if (c->panel_count > 1) cell("td", p->name, false, out);
    if (*c->by) cell("td", c->kind == CHART_HEAT ? c->names[s->colour] : s->name, false, out);
    cell("td", c->kind == CHART_BARS ? c->categories[(size_t)m->x] : v->rows[m->row][c->x], false, out);
    for (size_t f = 0; f < c->facet_count; f++) {
        const double lo = c->facets[f].y_lo[m->row], hi = c->facets[f].y_hi[m->row];
        char room[32];
        const char *text = view_good(v, m->row) ? quantity_shown(v->rows[m->row][c->facets[f].column], room)
                                                : v->rows[m->row][v->status_column];
        cell("td", isnan(lo) ? text : arena_printf(v->arena, "%s (%.5g to %.5g)", text, lo, hi), true, out);
    }
    str_add(out, "</tr>\n");
}

void draw_table(const struct view *v, const struct chart *c, struct str *out)
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
