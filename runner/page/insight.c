// The two sections.
// SPDX-License-Identifier: MIT
#include "page/insight.h"

#include <math.h>
#include <string.h>

#include "page/figure_svg.h"
#include "page/html.h"
#include "page/markup.h"

static void line(const char *name, const char *text, const char *element, struct str *s)
{
    str_addf(s, "<div><dt>%s</dt><dd>", name);
    html_element(s, element, NULL, text);
    str_add(s, "</dd></div>\n");
}

static void gained(const struct insight_finding *f, struct str *s)
{
    LOCAL(str_release) struct str text = {0};
    const double most = f->advice.gain;
    if (isnan(most) && !f->advice.untold) return;
    if (isnan(most)) str_addf(&text, "not told: %s", f->advice.untold);
    else if (f->least >= 1000) str_add(&text, "more than 1000 times as fast");
    else if (most >= 1000) str_addf(&text, "some %.3g to more than 1000 times as fast", f->least);
    else if (f->least < 0.99 * most) str_addf(&text, "some %.3g to %.3g times as fast", f->least, most);
    else str_addf(&text, "some %.3g times as fast", most);
    line("gain", text.text, "span", s);
}

static void finding(const struct insight_finding *f, struct str *s)
{
    const struct advice *a = &f->advice;
    str_addf(s, "<li><b>%s</b>: ", a->rule);
    markup_text(s, a->what);
    str_add(s, "\n<dl class=\"facts\">\n");
    if (f->quoted) {
        char name[32];
        snprintf(name, sizeof name, "line %d", a->line);
        line(name, f->quoted, "code", s);
    }
    str_addf(s, "<div><dt>points%s</dt><dd>", f->count > 1 ? ", told of the first" : "");
    markup_text(s, f->named);
    if (f->count > INSIGHT_NAMED) str_addf(s, " and %zu more", f->count - INSIGHT_NAMED);
    str_add(s, "</dd></div>\n");
    if (a->why) line("why", a->why, "span", s);
    gained(f, s);
    if (a->mend) line("mend", a->mend, "span", s);
    if (a->test) {
        str_add(s, "<div><dt>test</dt><dd><code>-s &#39;");
        markup_text(s, a->test);
        str_add(s, "&#39;</code></dd></div>\n");
    }
    str_add(s, "</dl></li>\n");
}

static void caption(const char *points, const char *quoted, struct str *s)
{
    str_add(s, "<figcaption>");
    markup_text(s, points);
    if (quoted) str_add(s, " "), html_element(s, "code", NULL, quoted);
    str_add(s, "</figcaption>\n");
}

static void figures(const struct insight_figure *all, size_t count, struct str *s)
{
    str_add(s, "<div class=\"mechanism\">\n");
    for (size_t i = 0; i < count; i++) {
        LOCAL(str_release) struct str drawn = {0};
        const double height = figure_svg(&all[i].figure, 0, &drawn);
        str_add(s, "<figure class=\"card\" tabindex=\"0\">\n");
        caption(all[i].points, all[i].quoted, s);
        str_addf(s, "<svg class=\"cells\" viewBox=\"0 0 %d %.0f\" role=\"group\" aria-label=\"", FIGURE_WIDTH, height);
        markup_text(s, all[i].figure.title);
        str_add(s, "\">\n");
        str_add_bytes(s, drawn.text, drawn.size);
        str_add(s, "</svg>\n</figure>\n");
    }
    str_add(s, "</div>\n");
}

void insight_findings(const struct insight *in, const char *report, struct str *s)
{
    if (!in || !in->rows) return;
    html_fold("What limits it", false, s);
    if (in->finding_count) str_add(s, "<ol class=\"findings\">\n");
    for (size_t i = 0; i < in->finding_count; i++) finding(&in->findings[i], s);
    if (in->finding_count) str_add(s, "</ol>\n");
    if (in->cost_count) figures(in->costs, in->cost_count, s);
    str_addf(s, "<p class=\"never\">%s", in->finding_count ? "" : "No rule finds anything. ");
    if (in->looked)
        str_addf(s, "Of %zu row%s %zu %s looked at on the simulator, the rest by what the report says of them",
            in->rows, in->rows == 1 ? "" : "s", in->looked, in->looked == 1 ? "was" : "were");
    else str_add(s, "By what the report says of its rows alone: none could be looked at on the simulator");
    str_add(s, "; <code>gpuexp explain ");
    markup_text(s, report);
    str_add(s, "</code> looks at more, and tells each row's. Gains are what a model expects.</p>\n</details>\n");
}

void insight_mechanism(const struct insight *in, struct str *s)
{
    if (!in || !in->figure_count) return;
    html_fold("How it works: on the simulator, at the sizes that the experiment has for it", false, s);
    figures(in->figures, in->figure_count, s);
    str_add(s, "</details>\n");
}
