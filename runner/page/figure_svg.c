// Rectangles and texts; colours that stand out on light and dark ground.
// SPDX-License-Identifier: MIT
#include "page/figure_svg.h"

#include "base/say.h"

static const char *const colours[CELL_KINDS] = {"none", "#2f7ebc", "#c9d3dc", "#d1495b", "#e0a030", "#5a9a5a"};

static void add_escaped(struct str *s, const char *text)
{
    for (; *text; text++) {
        if (*text == '<') str_add(s, "&lt;");
        else if (*text == '>') str_add(s, "&gt;");
        else if (*text == '&') str_add(s, "&amp;");
        else str_addf(s, "%c", *text);
    }
}

static void add_text(struct str *s, double x, double y, const char *kind, const char *text)
{
    str_addf(s, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, kind);
    add_escaped(s, text);
    str_add(s, "</text>\n");
}

static void add_row(const struct figure *f, const struct figure_row *r, double y, double width, struct str *s)
{
    const double left = 84;
    add_text(s, left - 8, y + 10, "label", r->label);
    double end = left;
    for (int k = 0; k < f->columns; k++) {
        const double x = left + k * width + (f->group ? k / f->group * 4 : 0);
        end = x + width;
        if (r->cells[k] == CELL_NONE) continue;
        str_addf(s, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" fill=\"%s\"/>\n", x, y, width - 1,
            colours[r->cells[k]]);
        if (r->marks[k] && (k == 0 || r->marks[k - 1] != r->marks[k])) {
            const char mark[2] = {r->marks[k], '\0'};
            add_text(s, x + 2, y + 10, "mark", mark);
        }
    }
    if (*r->note) add_text(s, end + 10, y + 10, "note", r->note);
}

double figure_svg(const struct figure *f, double y, struct str *s)
{
    const double width = f->columns > 40 ? 8 : 13;
    add_text(s, 10, y + 22, "title", f->title);
    add_text(s, 10, y + 40, "note", f->note);
    y += 52;
    for (int i = 0; i < f->count; i++, y += 15) add_row(f, &f->rows[i], y, width, s);
    double x = 84;
    y += 6;
    for (int k = 1; k < CELL_KINDS; k++) {
        if (!f->legend[k]) continue;
        str_addf(s, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x, y, colours[k]);
        add_text(s, x + 18, y + 10, "note", f->legend[k]);
        x += 260;
        if (x > FIGURE_WIDTH - 200) x = 84, y += 18;
    }
    return y + (x > 84 ? 18 : 0) + 12;
}

void figure_svg_print(const struct str *elements, double height, FILE *out)
{
    say(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\">\n"
        "<style>text{font:12px sans-serif;fill:#333}.title{font-weight:bold;font-size:13px}.label{text-anchor:end}"
        ".mark{font-size:10px;fill:#fff}.note{fill:#555}</style>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
        FIGURE_WIDTH, height, FIGURE_WIDTH, height);
    say_bytes(out, elements->text, elements->size);
    say(out, "</svg>\n");
}
