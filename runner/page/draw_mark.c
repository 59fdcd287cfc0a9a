// What stands for one row: a shape, an interval, a place to touch and the text that it shows; and texts.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "device/profiles.h"
#include "page/draw.h"
#include "page/markup.h"
#include "page/quantity.h"
#include "spec/columns.h"

enum {
    TIPS_MOST = 700,
    TIP_LETTERS = 56,
    TIP_LETTERS_NARROW = 36,
    TIP_LINES = 4,
    WIDE = 940,
    HALF = 456,
    NARROW = 322
}; // rows of a view up to which each mark has a text that shows at once

double draw_width(const struct picture *p) { return p->chart->narrow ? NARROW : p->wide ? WIDE : HALF; }

double draw_text_width(const char *text, size_t most)
{
    double width = 0;
    for (const char *p = text; *p && most; p++) {
        if (((unsigned char)*p & 0xC0) == 0x80) continue;
        most--;
        width += strchr("ijlftr.,:;|!'() ", *p) ? 4.4
            : strchr("mwMW%<>=&+~@#", *p)       ? 11
            : (unsigned char)*p > 127           ? 12
                                                : 7.4;
    }
    return width;
}

void draw_text(struct picture *p, const char *class, const char *anchor, double x, double y, const char *text)
{
    draw_name(p, class, anchor, x, y, text, SIZE_MAX);
}

void draw_name(struct picture *p, const char *class, const char *anchor, double x, double y, const char *text,
    size_t most)
{
    str_addf(p->out, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, anchor, x, y);
    if (markup_length(text) > most) str_add(p->out, "<title>"), markup_text(p->out, text), str_add(p->out, "</title>");
    markup_cut(p->out, text, most);
    str_add(p->out, "</text>\n");
}

// Does `name` end in "_" and this unit?
static bool ends_in(const char *name, const char *unit)
{
    const size_t n = strlen(name), u = strlen(unit);
    return u && n > u + 1 && name[n - u - 1] == '_' && strcasecmp(name + n - u, unit) == 0;
}

static const char *axis_name(const struct view *v, int column)
{
    static const char *const sizes[] = {"kib", "mib", "gib"};
    const struct view_column *c = &v->columns[column];
    const char *end = ends_in(c->name, c->unit)                ? c->unit
        : strcmp(c->unit, "%") == 0 && ends_in(c->name, "pct") ? "pct"
                                                               : "";
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && chart_axes_bytes(c) > 0; i++)
        if (ends_in(c->name, sizes[i])) end = sizes[i];
    return arena_printf(v->arena, "%.*s", (int)(strlen(c->name) - strlen(end) - (*end != 0)), c->name);
}

// A name that is its own unit: "cycles", "loads_per_us" in loads/us.
static bool says_unit(const char *name, const char *unit)
{
    const char *per = strstr(name, "_per_"), *slash = strchr(unit, '/');
    if (!per || !slash) return strcmp(name, unit) == 0;
    return per - name == slash - unit && strncmp(name, unit, (size_t)(per - name)) == 0 &&
        strcmp(per + 5, slash + 1) == 0;
}

const char *draw_named(const struct view *v, int column, const char *unit)
{
    const char *name = axis_name(v, column);
    const bool told = !*unit || chart_axes_bytes(&v->columns[column]) > 0 || says_unit(name, unit); // by ticks, by name
    return told ? name : arena_printf(v->arena, "%s, %s", name, unit);
}

const char *draw_unit(const struct view *v, const struct facet *f)
{
    const struct view_column *c = &v->columns[f->column];
    const char *unit = f->unit ? f->unit : c->unit, *name = draw_named(v, f->column, unit);
    const bool expected = c->known >= 0 && column_table[c->known].group == COLUMNS_EXPECTED && v->row_count;
    const char *of = expected ? profile_of(v->rows[0][v->device])->title : "";
    return expected ? arena_printf(v->arena, "%s, expected of an %s, not measured", name, of) : name;
}

void draw_marker(struct str *s, size_t colour, double x, double y, double r, bool hollow)
{
    double k = r * 0.9, t = r * 1.15, w = r * 0.4;
    str_addf(s, "<path class=\"mark%s\" d=\"", hollow ? " hollow" : "");
    switch (colour % 7) { // seven shapes and eight colours: no pair repeats
    case 0:
        str_addf(s, "M%.1f %.1fa%.1f %.1f 0 1 0 %.1f 0a%.1f %.1f 0 1 0 %.1f 0z", x - r, y, r, r, 2 * r, r, r, -2 * r);
        break;
    case 1: str_addf(s, "M%.1f %.1fh%.1fv%.1fh%.1fz", x - k, y - k, 2 * k, 2 * k, -2 * k); break;
    case 2: str_addf(s, "M%.1f %.1fl%.1f %.1fh%.1fz", x, y - t, t, 1.8 * t, -2 * t); break;
    case 3:
        str_addf(s, "M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz", x, y - 1.2 * t, t, 1.2 * t, -t, 1.2 * t, -t, -1.2 * t);
        break;
    case 4: str_addf(s, "M%.1f %.1fl%.1f %.1fh%.1fz", x, y + t, t, -1.8 * t, -2 * t); break;
    case 5:
        str_addf(s, "M%.1f %.1fh%.1fv%.1fh%.1fv%.1fh%.1fv%.1fh%.1fv%.1fh%.1fv%.1fh%.1fz", x - w, y - t, 2 * w, t - w,
            t - w, 2 * w, w - t, t - w, -2 * w, w - t, w - t, -2 * w, t - w);
        break;
    case 6: str_addf(s, "M%.1f %.1fl%.1f %.1fv%.1fz", x + t, y, -1.8 * t, t, -2 * t); break;
    }
    str_add(s, "\"/>");
}

void draw_whisker(struct picture *p, double lo, double hi, double at, bool lying)
{
    if (isnan(lo)) return;
    lo = scale_at(&p->y, lo), hi = scale_at(&p->y, hi);
    if (lying) str_addf(p->out, "<path class=\"whisker\" d=\"M%.1f %.1fv7m0 -3.5H%.1fm0 -3.5v7\"/>", lo, at - 3.5, hi);
    else str_addf(p->out, "<path class=\"whisker\" d=\"M%.1f %.1fh7m-3.5 0V%.1fm-3.5 0h7\"/>", at - 3.5, hi, lo);
}

void draw_missing(struct picture *p, const struct mark *m, double x, double y)
{
    const bool skipped = p->view->status[m->row] == STATUS_SKIPPED || view_good(p->view, m->row);
    str_addf(p->out, "<g class=\"missing %s\">", skipped ? "skipped" : "bad");
    if (skipped) str_addf(p->out, "<path d=\"M%.1f %.1fh8\"/>", x - 4, y);
    else str_addf(p->out, "<path d=\"M%.1f %.1fl8 8m0 -8l-8 8\"/>", x - 4, y - 4);
    str_add(p->out, "</g>\n");
}

// "n 4096, device": where the row stands in the chart.
static void identity(const struct picture *p, const struct series *s, const struct mark *m, struct str *out)
{
    const struct chart *c = p->chart;
    const char *parts[] = {NULL, s->name, p->panel->name};
    LOCAL(str_release) struct str along = {0};
    if (c->kind == CHART_BARS) str_add(&along, c->categories[(size_t)m->x]);
    else str_addf(&along, "%s %s", p->view->columns[c->x].name, p->view->rows[m->row][c->x]);
    parts[0] = along.text;
    if (c->kind == CHART_HEAT) parts[1] = c->names[s->colour];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (*parts[i]) str_addf(out, "%s%s", out->size ? ", " : "", parts[i]);
}

static void interval(double lo, double hi, struct str *out)
{
    if (fabs(hi) >= 1e5) str_addf(out, " (%.0f to %.0f)", lo, hi);
    else str_addf(out, " (%.5g to %.5g)", lo, hi);
}

// "2676.35 GB/s (2674.6 to 2678.1), imprecise: time known to 4 %".
static void told(const struct picture *p, const struct mark *m, struct str *out)
{
    const struct view *v = p->view;
    const struct facet *f = p->facet;
    char room[32];
    const char *unit = v->columns[f->column].unit, *cell = quantity_shown(v->rows[m->row][f->column], room);
    if (view_good(v, m->row) && *cell) {
        str_addf(out, "%s %s", cell, *unit ? unit : v->columns[f->column].name);
        if (!isnan(f->y_lo[m->row])) interval(f->y_lo[m->row], f->y_hi[m->row], out);
    }
    if (v->status[m->row] != STATUS_OK) str_addf(out, "%s%s", out->size ? ", " : "", v->rows[m->row][v->status_column]);
    if (v->reason >= 0 && *v->rows[m->row][v->reason])
        str_addf(out, "%s%s", out->size ? ": " : "", v->rows[m->row][v->reason]);
}

// As many bytes of `text` as fit on a line: whole words, where one ends.
static size_t line_of(const char *text, size_t most)
{
    size_t word = 0, i = 0;
    for (size_t letters = 0; text[i]; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80 && letters++ == most) return word ? word : i;
        if (text[i] == ' ') word = i;
    }
    return i;
}

// The value in bold, with what is to be said of it on a line or two more; below it which row this is.
static void bubble(struct picture *p, const char *first, const char *second, double x, double y)
{
    const char *lines[TIP_LINES];
    // A picture of samples keeps its width on a telephone: what shows of it is narrow.
    const bool narrow = p->chart->narrow || p->chart->kind == CHART_SAMPLES;
    const size_t most = narrow ? TIP_LETTERS_NARROW : TIP_LETTERS;
    size_t count = 0;
    const double bold = 1.14; // wider than other letters
    double widest = draw_text_width(first, most);
    for (const char *from = second; count < TIP_LINES && *from;) {
        const size_t n = count + 1 < TIP_LINES ? line_of(from, most) : strlen(from);
        lines[count] = arena_strndup(p->view->arena, from, n);
        widest = fmax(widest, (count ? 1 : bold) * draw_text_width(lines[count], most));
        from += n + strspn(from + n, " ");
        count++;
    }
    const double width = widest * 1.04 + 18, height = 24 + 16 * (double)count,
                 left = fmin(fmax(x - width / 2, 2), fmax(p->width - width - 2, 2)),
                 top = y - height - 10 < 0 ? y + 14 : y - height - 12;
    str_addf(p->out, "<g class=\"tip\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\"/>", left,
        top, width, height);
    for (size_t i = 0; i < count; i++)
        draw_name(p, i ? "more" : "first", "start", left + 9, top + 16 * (double)(i + 1), lines[i], most);
    draw_name(p, "second", "start", left + 9, top + 16 * (double)(count + 1), first, most);
    str_add(p->out, "</g>");
}

static void touch(struct picture *p, const char *first, const char *second, double x, double y, double w, double h,
    bool plain)
{
    str_add(p->out, plain ? "<g class=\"hit\"><title>" : "<g class=\"hit\" tabindex=\"0\" role=\"img\" aria-label=\"");
    markup_text(p->out, first);
    str_add(p->out, ": ");
    markup_text(p->out, second);
    str_add(p->out, plain ? "</title>" : "\">");
    str_addf(p->out, "<rect class=\"touch\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x - w / 2,
        y - h / 2, w, h);
    if (!plain) bubble(p, first, second, x, y - h / 2 + 6);
    str_add(p->out, "</g>\n");
}

void draw_touch(struct picture *p, const char *first, const char *second, double x, double y, double w, double h)
{
    touch(p, first, second, x, y, w, h, false);
}

void draw_tip(struct picture *p, const struct series *s, const struct mark *m, double x, double y, double w, double h)
{
    LOCAL(str_release) struct str first = {0}, second = {0};
    if (p->chart->bare) return;
    identity(p, s, m, &first);
    told(p, m, &second);
    touch(p, first.text ? first.text : "", second.text ? second.text : "", x, y, w, h,
        p->view->row_count > TIPS_MOST || p->chart->still);
}
