// The two sections.
// SPDX-License-Identifier: MIT
#include "page/insight.h"

#include <math.h>
#include <string.h>

#include "page/figure_svg.h"
#include "page/html.h"
#include "page/markup.h"

static void caption(const char *points, const char *quoted, struct str *s)
{
    str_add(s, "<figcaption>");
    markup_text(s, points);
    if (quoted) str_add(s, " "), html_element(s, "code", NULL, quoted);
    str_add(s, "</figcaption>\n");
}

void insight_mechanism(const struct insight *in, struct str *s)
{
    if (!in || !in->figure_count) return;
    str_add(s,
        "<h3>How it works <span>on the simulator, at the sizes that the experiment has for it</span></h3>\n"
        "<div class=\"mechanism\">\n");
    for (size_t i = 0; i < in->figure_count; i++) {
        struct str drawn = {0};
        const struct insight_figure *f = &in->figures[i];
        const double height = figure_svg(&f->figure, 0, &drawn);
        str_add(s, "<figure class=\"card\">\n");
        caption(f->points, f->quoted, s);
        str_addf(s, "<svg class=\"cells\" viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", FIGURE_WIDTH, height);
        markup_text(s, f->figure.title);
        str_add(s, "\">\n");
        str_add_bytes(s, drawn.text, drawn.size);
        str_add(s, "</svg>\n</figure>\n");
        str_release(&drawn);
    }
    str_add(s, "</div>\n");
}
