// Charts as one SVG file that needs nothing else: the question, and each chart with its legend and its key below.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "base/beside.h"
#include "base/embed.h"
#include "page/draw.h"
#include "page/markup.h"

enum { WIDTH = 940, MARGIN = 24, GAP = 28, LINE = 18, LETTERS = 860 };

struct canvas {
    struct str *out;
    double y; // the next free line
};

static void line(struct canvas *c, const char *class, const char *text)
{
    c->y += LINE;
    str_addf(c->out, "<text class=\"%s\" x=\"%d\" y=\"%.1f\">", class, MARGIN, c->y);
    markup_text(c->out, text);
    str_add(c->out, "</text>\n");
}

// A text over as many lines as it needs.
static void paragraph(struct canvas *c, const char *class, const char *text, double width)
{
    struct str part = {0};
    for (const char *p = text; *p;) {
        const size_t word = strcspn(p, " ");
        struct str tried = {0};
        if (part.size) str_addf(&tried, "%s ", part.text);
        str_add_bytes(&tried, p, word);
        if (part.size && draw_text_width(tried.text, 1000) > width) {
            line(c, class, part.text);
            str_clear(&part);
            str_add_bytes(&part, p, word);
            str_release(&tried);
        } else {
            str_release(&part);
            part = tried;
        }
        p += word + (p[word] == ' ');
    }
    if (part.size) line(c, class, part.text);
    str_release(&part);
}

static void legend(const struct chart *chart, struct canvas *c)
{
    double x = MARGIN;
    if (!draw_has_legend(chart)) return;
    c->y += 8;
    for (size_t i = 0; i < chart->name_count + (chart->dash_count > 1 ? chart->dash_count : 0); i++) {
        const bool dash = i >= chart->name_count;
        const char *name = dash ? chart->dash_names[i - chart->name_count] : chart->names[i];
        const double width = 34 + draw_text_width(name, 60) + 20;
        if (x + width > WIDTH && x > MARGIN) x = MARGIN, c->y += LINE + 4;
        str_addf(c->out, "<g class=\"s%zu\" transform=\"translate(%.1f %.1f)\">", dash ? 8 : i + 1, x, c->y);
        draw_sign(chart, i, dash ? i - chart->name_count : 0, c->out);
        str_add(c->out, "<text class=\"label\" x=\"34\" y=\"11\">");
        markup_text(c->out, name);
        str_add(c->out, "</text></g>\n");
        x += width;
    }
    c->y += LINE;
}

static void pictures(const struct view *v, const struct chart *chart, struct canvas *c)
{
    const bool wide = draw_is_wide(chart);
    struct chart still = *chart;
    double row = 0;
    still.still = true;
    for (size_t i = 0; i < chart->panel_count; i++) {
        LOCAL(str_release) struct str drawn = {0};
        double width, height, x = wide || i % 2 == 0 ? MARGIN : MARGIN + WIDTH / 2.0 + 14;
        draw_panel(v, &still, &chart->panels[i], wide, &width, &height, &drawn);
        const double scale = (wide ? WIDTH : WIDTH / 2.0 - 14) / width, name = *chart->panels[i].name ? LINE : 0;
        if (wide || i % 2 == 0) c->y += row, row = 0;
        if (name > 0) {
            str_addf(c->out, "<text class=\"unit\" x=\"%.1f\" y=\"%.1f\">", x, c->y + 14);
            markup_text(c->out, chart->panels[i].name);
            str_add(c->out, "</text>\n");
        }
        str_addf(c->out,
            "<svg class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" viewBox=\"0 0 %.0f %.0f\">\n",
            draw_kind(chart), x, c->y + name + 6, width * scale, height * scale, width, height);
        str_add_bytes(c->out, drawn.text, drawn.size);
        str_add(c->out, "</svg>\n");
        row = fmax(row, height * scale + name + 10);
    }
    c->y += row;
}

static void style(const char *name, struct str *out)
{
    const struct embedded *text = embed_find(name);
    if (text) str_add_bytes(out, text->text, text->size);
}

void draw_alone(const struct view *v, const struct charts *all, const char *title, struct str *out)
{
    LOCAL(str_release) struct str body = {0}, said = {0};
    struct canvas c = {&body, 10};
    paragraph(&c, "title", title, LETTERS * 0.62);
    for (size_t i = 0; i < all->count; i++) {
        c.y += 8;
        paragraph(&c, "name", draw_heading(v, &all->items[i]), LETTERS);
        legend(&all->items[i], &c);
        pictures(v, &all->items[i], &c);
        str_clear(&said);
        draw_key(v, &all->items[i], &said);
        if (said.size) paragraph(&c, "key", said.text, LETTERS);
        c.y += i + 1 < all->count ? GAP : 0;
    }
    if (all->why_none) paragraph(&c, "name", all->why_none, LETTERS);
    str_add(out, beside_table[BESIDE_PICTURE].begins);
    str_addf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\">\n<style>\n",
        WIDTH + 2 * MARGIN, c.y + 16, WIDTH + 2 * MARGIN);
    style("runner/page/colours.css", out);
    style("runner/page/chart.css", out);
    str_add(out, "</style>\n<title>");
    markup_text(out, title);
    str_addf(out, "</title>\n<rect class=\"paper\" width=\"%d\" height=\"%.0f\"/>\n", WIDTH + 2 * MARGIN, c.y + 16);
    str_add_bytes(out, body.text ? body.text : "", body.size);
    str_add(out, "</svg>\n");
}
