// A report as a picture or as a Markdown table: for READMEs and wikis.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "base/beside.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/say.h"
#include "base/text.h"
#include "page/draw.h"
#include "page/export.h"
#include "page/markup.h"

// Charts as one SVG file that needs nothing else: the question, and each chart with its legend and its key below.

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
        str_addf(c->out, "<g class=\"s%zu%s\" transform=\"translate(%.1f %.1f)\">", dash ? 8 : i + 1,
            dash ? "" : draw_faded(chart, i), x, c->y);
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

// Alone, with title, headings, legends and keys in the picture: for files.
static void draw_alone(const struct view *v, const struct charts *all, const char *title, struct str *out)
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

enum { MARKDOWN_COLUMNS = 16 };

// To the file, or to standard output for `-o -`.
static bool put(const struct html_options *o, enum beside form, const struct str *s, char output[4096], struct diags *d)
{
    output[0] = '\0';
    if (o->output && strcmp(o->output, "-") == 0) return say_bytes(stdout, s->text, s->size), true;
    return export_path(o, form, output, d) && file_write_over(output, s->text, s->size, beside_table[form].begins, d);
}

static const char *title_of(const struct sheet *sheet)
{
    return sheet->question.question ? sheet->question.question : sheet_title(sheet);
}

bool picture_write(const struct html_options *o, char output[4096], struct diags *d)
{
    LOCAL(sheet_release) struct sheet sheet = {0};
    LOCAL(str_release) struct str s = {0};
    if (o->count > 1)
        return diag_user(d, (struct where){.file = o->reports[1]}, "write each by itself",
            "a picture is of one report");
    bool ok = sheet_read(&sheet, o->reports[0], &o->wish, d);
    if (ok) {
        draw_alone(&sheet.view, &sheet.charts, title_of(&sheet), &s);
        ok = put(o, BESIDE_PICTURE, &s, output, d);
    }
    return ok;
}

// What would end a cell, or begin something else, is written so that it does neither.
static void words(const char *text, struct str *s)
{
    for (const char *p = text; *p; p++) {
        if (strchr("|\\`*_<>[]&", *p)) str_add(s, "\\");
        if (*p == '\n' || *p == '\r') str_add(s, " ");
        else str_add_bytes(s, p, 1);
    }
}

static void cell(const char *text, struct str *s)
{
    words(text, s);
    str_add(s, " | ");
}

// The axes, what the charts draw with its interval, and the status where one is not ok.
static size_t columns_of(const struct sheet *sheet, int columns[MARKDOWN_COLUMNS])
{
    const struct view *v = &sheet->view;
    size_t n = 0;
    for (int c = 0; c < (int)v->column_count && n < MARKDOWN_COLUMNS - 6; c++)
        if ((v->columns[c].value || c == v->device) && !v->columns[c].same) columns[n++] = c;
    for (size_t i = 0; i < sheet->charts.count && i < 1; i++)
        for (size_t f = 0; f < sheet->charts.items[i].facet_count; f++)
            columns[n++] = sheet->charts.items[i].facets[f].column;
    if (!v->columns[v->status_column].same) columns[n++] = v->status_column;
    return n;
}

static void markdown(const struct sheet *sheet, struct str *s)
{
    const struct view *v = &sheet->view;
    int columns[MARKDOWN_COLUMNS];
    const size_t n = columns_of(sheet, columns);
    str_add(s, "### ");
    words(title_of(sheet), s);
    if (sheet->answer) {
        str_add(s, "\n\n");
        words(sheet->answer, s);
    }
    str_add(s, "\n\n| ");
    for (size_t i = 0; i < n; i++) {
        const struct view_column *c = &v->columns[columns[i]];
        LOCAL(str_release) struct str name = {0};
        str_addf(&name, *c->unit ? "%s, %s" : "%s", c->name, c->unit);
        cell(name.text, s);
    }
    str_add(s, "\n|");
    for (size_t i = 0; i < n; i++) str_add(s, v->columns[columns[i]].numeric ? " ---: |" : " --- |");
    str_add(s, "\n");
    for (size_t r = 0; r < v->row_count; r++) {
        str_add(s, "| ");
        for (size_t i = 0; i < n; i++) cell(v->rows[r][columns[i]], s);
        str_add(s, "\n");
    }
    if (v->step > 1) str_addf(s, "\nOne of every %zu of %zu rows.\n", v->step, v->total);
}

bool picture_markdown(const struct html_options *o, char output[4096], struct diags *d)
{
    LOCAL(str_release) struct str s = {0};
    bool ok = true;
    str_add(&s, beside_table[BESIDE_MARKDOWN].begins);
    for (size_t i = 0; i < o->count && ok; i++) {
        LOCAL(sheet_release) struct sheet sheet = {0};
        ok = sheet_read(&sheet, o->reports[i], &o->wish, d);
        if (i) str_add(&s, "\n");
        if (ok) markdown(&sheet, &s);
        if (s.text) text_clean(s.text, false); // it may be shown by `cat`
    }
    ok = ok && put(o, BESIDE_MARKDOWN, &s, output, d);
    return ok;
}
