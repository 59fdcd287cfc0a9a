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

enum { LEFT = 84, PITCH = 15, SAID = 92, QUOTED = 88 };

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

// The warp's lanes; above them what a step is for.
static double add_lanes(const struct figure *f, double y, double width, struct str *s)
{
    add_text(s, LEFT - 8, y + 10, "label", "lanes");
    for (int k = 0; k < 32; k++)
        str_addf(s, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" class=\"%s\"/>\n", place_of(f, k, width),
            y, width - 1, f->steps >> k & 1 ? "lane" : "none");
    add_text(s, place_of(f, 31, width) + width + 10, y + 10, "note", "point at a row: whom it serves");
    return y + PITCH + 6;
}

// A pointer over a row, a finger on it or the keyboard shows the lanes that it serves, and what is served before.
static void add_step(const struct figure *f, int row, double lanes_y, double y, double width, struct str *s)
{
    const struct figure_row *r = &f->rows[row];
    uint32_t before = 0;
    for (int i = 0; i < row; i++) before |= f->rows[i].lanes;
    str_addf(s, "<g class=\"hit\" tabindex=\"0\" role=\"img\" aria-label=\"step %d of %d: ", row + 1, f->count);
    markup_text(s, r->label);
    str_add(s, ", ");
    markup_text(s, r->note);
    str_addf(s, "\"><rect class=\"touch\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/><g class=\"lit\">", 2,
        y - 1.5, FIGURE_WIDTH - 4, PITCH);
    for (int k = 0; k < 32; k++)
        if ((r->lanes | before) >> k & 1)
            str_addf(s, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" class=\"%s\"/>",
                place_of(f, k, width), lanes_y, width - 1, r->lanes >> k & 1 ? "used" : "second");
    str_add(s, "</g></g>\n");
}

static double add_cells(const struct figure *f, double y, struct str *s)
{
    const double width = f->columns > 40 ? 8 : 13, lanes_y = y;
    if (f->steps) y = add_lanes(f, y, width, s);
    for (int i = 0; i < f->count; i++, y += PITCH) {
        add_row(f, &f->rows[i], y, width, s);
        if (f->steps) add_step(f, i, lanes_y, y, width, s);
    }
    return y;
}

static double add_bars(const struct figure *f, double y, struct str *s)
{
    double left = LEFT;
    for (int i = 0; i < f->count; i++) {
        const double wide = draw_text_width(f->rows[i].label, sizeof f->rows[i].label) + 18;
        if (wide > left) left = wide;
    }
    const double each = (FIGURE_WIDTH - left - 4) / f->sides, most = each - SAID;
    for (int k = 0; k < f->sides && f->sides > 1; k++) add_text(s, left + k * each, y + 10, "what", f->side_names[k]);
    y += f->sides > 1 ? PITCH + 4 : 0;
    const double end = y + f->count * PITCH + 3;
    bool totals = false;
    for (int k = 0; k < f->sides; k++) {
        const struct figure_bar *b = &f->total[k];
        const double x = left + k * each + b->part * most;
        if (!(b->part >= 0)) continue;
        totals = true;
        str_addf(s, "<path class=\"total\" d=\"M%.1f %.1fV%.1f\"/>\n", x, y - 4, end);
        str_addf(s, "<text x=\"%.1f\" y=\"%.1f\" class=\"name\" text-anchor=\"%s\">", x, end + 13,
            b->part > 0.3 ? "end" : "start");
        markup_text(s, b->said);
        str_add(s, "</text>\n");
    }
    for (int i = 0; i < f->count; i++, y += PITCH) {
        const struct figure_row *r = &f->rows[i];
        if (*r->quoted) {
            y += 6;
            str_addf(s, "<text x=\"10\" y=\"%.1f\" class=\"name\">", y + 10);
            markup_text(s, r->label);
            str_add(s, "<tspan class=\"quoted\" dx=\"10\">");
            markup_cut(s, r->quoted, QUOTED);
            str_add(s, "</tspan></text>\n");
            y += 4;
            continue;
        }
        add_text(s, left - 8, y + 10, "label", r->label);
        for (int k = 0; k < f->sides; k++) {
            const struct figure_bar *b = &r->bars[k];
            const double wide = b->part * most > 1 ? b->part * most : 1;
            if (!(b->part >= 0)) continue;
            str_addf(s, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"11\" class=\"%s\"/>\n", left + k * each, y,
                wide, kinds[b->kind]);
            // Not on the line of the total, but behind it.
            const double at = left + k * each + wide + 6, line = left + k * each + f->total[k].part * most;
            const bool on_it = line > at - 4 && line < at + draw_text_width(b->said, sizeof b->said);
            add_text(s, on_it ? line + 5 : at, y + 10, "number", b->said);
        }
    }
    return y + (totals ? PITCH + 6 : 0);
}

double figure_svg(const struct figure *f, double y, struct str *s)
{
    add_text(s, 10, y + 22, "what", f->title);
    add_text(s, 10, y + 40, "note", f->note);
    y = f->sides ? add_bars(f, y + 52, s) : add_cells(f, y + 52, s);
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
    LOCAL(str_release) struct str css = {0};
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
}
