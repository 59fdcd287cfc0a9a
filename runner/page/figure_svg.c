// Rectangles and texts; colours are classes of chart.css, for light and dark.
// SPDX-License-Identifier: MIT
#include "page/figure_svg.h"

#include "base/embed.h"
#include "base/say.h"
#include "page/draw.h"
#include "page/markup.h"

static const char *const kinds[CELL_KINDS] = {"none", "used", "wasted", "clash", "second", "third"};

static void add_text(struct str *s, double x, double y, const char *kind, const char *text)
{
    str_addf(s, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, kind);
    markup_text(s, text);
    str_add(s, "</text>\n");
}

enum { LEFT = 84 };

static double place_of(const struct figure *f, int k, double width)
{
    return LEFT + k * width + (f->group ? k / f->group * 4 : 0);
}

// A letter stands on the first of its cells, above all of them.
static void add_row(const struct figure *f, const struct figure_row *r, double y, double width, struct str *s)
{
    add_text(s, LEFT - 8, y + 10, "label", r->label);
    for (int k = 0; k < f->columns; k++)
        if (r->cells[k] != CELL_NONE)
            str_addf(s, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" class=\"%s\"/>\n",
                place_of(f, k, width), y, width - 1, kinds[r->cells[k]]);
    for (int k = 0; k < f->columns; k++) {
        const char mark[2] = {r->marks[k], '\0'};
        if (r->cells[k] != CELL_NONE && r->marks[k] && (k == 0 || r->marks[k - 1] != r->marks[k]))
            add_text(s, place_of(f, k, width), y + 10, "mark", mark);
    }
    if (*r->note) add_text(s, place_of(f, f->columns - 1, width) + width + 10, y + 10, "note", r->note);
}

double figure_svg(const struct figure *f, double y, struct str *s)
{
    const double width = f->columns > 40 ? 8 : 13;
    add_text(s, 10, y + 22, "what", f->title);
    add_text(s, 10, y + 40, "note", f->note);
    y += 52;
    for (int i = 0; i < f->count; i++, y += 15) add_row(f, &f->rows[i], y, width, s);
    double x = LEFT;
    y += 6;
    for (int k = 1; k < CELL_KINDS; k++) {
        if (!f->legend[k]) continue;
        const double wide = draw_text_width(f->legend[k], 80) + 40;
        if (x > LEFT && x + wide > FIGURE_WIDTH) x = LEFT, y += 18;
        str_addf(s, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" class=\"%s\"/>\n", x, y, kinds[k]);
        add_text(s, x + 18, y + 10, "note", f->legend[k]);
        x += wide;
    }
    if (f->letters) add_text(s, x > LEFT ? x : LEFT, y + 10, "note", f->letters), x += LEFT;
    return y + (x > LEFT ? 18 : 0) + 12;
}

static void style(const char *name, struct str *s)
{
    const struct embedded *text = embed_find(name);
    if (text) str_add_bytes(s, text->text, text->size);
}

void figure_svg_print(const struct str *elements, double height, FILE *out)
{
    struct str css = {0};
    style("runner/page/colours.css", &css);
    style("runner/page/chart.css", &css);
    say(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cells\" viewBox=\"0 0 %d %.0f\" width=\"%d\" "
        "height=\"%.0f\">\n<style>\n",
        FIGURE_WIDTH, height, FIGURE_WIDTH, height);
    say_bytes(out, css.text, css.size);
    say(out, "</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n");
    say_bytes(out, elements->text, elements->size);
    say(out, "</svg>\n");
    str_release(&css);
}
