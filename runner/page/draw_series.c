// The series of one facet: a marker for each row, a line between neighbours that both have a number, the name of each
// at the right end. What can be touched lies on top of all.
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "page/draw.h"
#include "spec/columns.h"

// Neighbours that touch become one group. A group is placed at the mean of the places that its members want; groups
// that touch become one.

struct label_group {
    double sum; // of the places that its members want, each minus its offset in the group
    size_t count;
    double first; // the place of the first of them
};

struct label_want {
    double want;
    size_t number;
};

static int by_want(const void *a, const void *b)
{
    const struct label_want *x = a, *y = b;
    if (x->want != y->want) return x->want < y->want ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static double clamp(double x, double lo, double hi) { return x > hi ? hi : x < lo ? lo : x; }

void spread(double *at, size_t count, double gap, double lo, double hi)
{
    if (!count) return;
    if (count > 1 && gap * (double)(count - 1) > hi - lo) gap = (hi - lo) / (double)(count - 1);
    LOCAL(mem_drop) struct label_want *wants = mem_alloc(count * sizeof *wants);
    LOCAL(mem_drop) struct label_group *groups = mem_alloc(count * sizeof *groups);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) wants[i] = (struct label_want){at[i], i};
    qsort(wants, count, sizeof *wants, by_want);
    for (size_t i = 0; i < count; i++) {
        struct label_group g = {.sum = wants[i].want, .count = 1};
        for (;;) {
            g.first = clamp(g.sum / (double)g.count, lo, hi - gap * (double)(g.count - 1));
            if (!n || groups[n - 1].first + gap * (double)groups[n - 1].count <= g.first) break;
            const struct label_group *before = &groups[--n]; // its members come first: those of g move by as many gaps
            g.sum += before->sum - gap * (double)before->count * (double)g.count;
            g.count += before->count;
        }
        groups[n++] = g;
    }
    for (size_t k = 0, i = 0; k < n; k++)
        for (size_t j = 0; j < groups[k].count; j++, i++) at[wants[i].number] = groups[k].first + gap * (double)j;
}

enum { LABEL_GAP = 16, DENSE = 64, LABELS_MOST = 40, LONE_LETTERS = 30 };

static bool draw_labelled(const struct picture *p)
{
    return p->panel->count > 1 && p->chart->panel_count == 1 && !p->chart->narrow;
}
static size_t label_most(const struct picture *p) { return p->wide ? 30 : 18; }

// One mark beside the lines of others has its name at its side, not at the end of a line that is not there.
static bool is_alone(const struct picture *p, const struct series *s)
{
    bool lines = false;
    if (s->lone || s->count != 1 || p->chart->panel_count > 1) return s->lone;
    for (size_t i = 0; i < p->panel->count; i++) lines = lines || p->panel->series[i].count > 1;
    return lines && s->marks[0].x < p->chart->x_hi;
}

// "half2, up to 62.9 TFLOP/s"
static const char *label_text(const struct picture *p, const struct series *s)
{
    return s->roof ? arena_printf(p->view->arena, "%s%s%s", s->name, *s->name ? ": " : "", s->roof) : s->name;
}

double draw_labels_margin(const struct picture *p)
{
    double widest = 0;
    if (!draw_labelled(p)) return 10;
    for (size_t i = 0; i < p->panel->count; i++)
        if (!is_alone(p, &p->panel->series[i]))
            widest = fmax(widest, draw_text_width(label_text(p, &p->panel->series[i]), label_most(p)));
    return widest + 50;
}

// A point without a number ends the line: its place is not known.
static void line(struct picture *p, const struct series *s)
{
    bool open = false;
    const int known = p->view->columns[p->facet->column].known;
    const bool expected = known >= 0 && column_table[known].group == COLUMNS_EXPECTED; // not measured: dashed
    str_addf(p->out, "<path class=\"line d%zu\" d=\"", expected && !s->dash ? (size_t)1 : s->dash);
    for (size_t i = 0; i < s->count; i++) {
        const double y = p->facet->y[s->marks[i].row];
        if (!isnan(y))
            str_addf(p->out, "%c%.1f %.1f", open ? 'L' : 'M', scale_at(&p->x, s->marks[i].x), scale_at(&p->y, y));
        open = !isnan(y);
    }
    str_add(p->out, "\"/>\n");
}

static void markers(struct picture *p, const struct series *s, bool hollow)
{
    double radius = s->count > DENSE ? 1.6 : p->wide ? 4.2 : 3.4;
    for (size_t i = 0; i < s->count; i++) {
        const struct mark *m = &s->marks[i];
        const double y = p->facet->y[m->row];
        if (isnan(y) || (p->view->status[m->row] == STATUS_IMPRECISE && !p->facet->exact) != hollow) continue;
        const double x = scale_at(&p->x, m->x);
        draw_whisker(p, p->facet->y_lo[m->row], p->facet->y_hi[m->row], x, false);
        draw_marker(p->out, s->lone ? 3 : s->colour, x, scale_at(&p->y, y), s->lone ? radius + 1 : radius, hollow);
    }
}

// How many marks without a number stand at that x in the series before this one, and in this one before this mark.
static size_t level(const struct picture *p, size_t series, size_t mark)
{
    size_t n = 0;
    double x = p->panel->series[series].marks[mark].x;
    for (size_t s = 0; s <= series; s++)
        for (size_t i = 0; i < (s == series ? mark : p->panel->series[s].count); i++)
            n += p->panel->series[s].marks[i].x == x && !view_good(p->view, p->panel->series[s].marks[i].row);
    return n;
}

static void touches(struct picture *p)
{
    for (size_t k = 0; k < p->panel->count; k++)
        for (size_t i = 0; i < p->panel->series[k].count; i++) {
            const struct mark *m = &p->panel->series[k].marks[i];
            const double x = scale_at(&p->x, m->x), known = p->facet->y[m->row];
            const bool missing = isnan(known);
            const double y = missing ? p->area.bottom - 9 - 12 * (double)level(p, k, i) : scale_at(&p->y, known);
            if (missing && (view_good(p->view, m->row) || level(p, k, i) > 8)) continue;
            if (missing) draw_missing(p, m, x, y);
            draw_tip(p, &p->panel->series[k], m, x, y, 16, missing ? 12 : 16);
        }
}

static void label(struct picture *p, const struct series *s, double from_x, double from_y, double y)
{
    double x = p->area.right + 4;
    str_addf(p->out, "<g class=\"s%zu%s\">", s->colour + 1, draw_faded(p->chart, s->colour));
    if (fabs(from_y - y) > 3 && x - from_x <= 30)
        str_addf(p->out, "<path class=\"leader\" d=\"M%.1f %.1fL%.1f %.1f\"/>", from_x + 8, from_y, x, y);
    if (s->count > 1) { // one mark needs no key: it stands beside its name
        str_addf(p->out, "<path class=\"line d%zu\" d=\"M%.1f %.1fh26\"/>", s->dash, x + 4, y);
        draw_marker(p->out, s->colour, x + 17, y, 3.6, false);
    }
    draw_name(p, "label", "start", x + (s->count > 1 ? 35 : 4), y + 4, label_text(p, s), label_most(p));
    str_add(p->out, "</g>\n");
}

// Where there is room, and below each other where marks lie together.
static void lone_names(struct picture *p)
{
    double at[LABELS_MOST];
    const struct series *of[LABELS_MOST];
    size_t n = 0;
    for (size_t i = 0; i < p->panel->count && n < LABELS_MOST; i++) {
        const struct series *s = &p->panel->series[i];
        const double y = is_alone(p, s) ? p->facet->y[s->marks[0].row] : (double)NAN;
        if (!isnan(y)) of[n] = s, at[n++] = scale_at(&p->y, y);
    }
    spread(at, n, LABEL_GAP, p->area.top, p->area.bottom - 4);
    for (size_t i = 0; i < n; i++) {
        const double x = scale_at(&p->x, of[i]->marks[0].x);
        const bool left = x + 14 + draw_text_width(of[i]->name, LONE_LETTERS) > p->area.right;
        draw_name(p, "label lone", left ? "end" : "start", left ? x - 12 : x + 12, at[i] + 4, of[i]->name,
            LONE_LETTERS);
    }
}

// Its points went well, and none has a number in any picture: nothing of it is drawn.
bool draw_is_empty(const struct view *v, const struct chart *c, const struct series *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (!view_good(v, s->marks[i].row)) return false;
        for (size_t f = 0; f < c->facet_count; f++)
            if (!isnan(c->facets[f].y[s->marks[i].row])) return false;
    }
    return true;
}

static void labels(struct picture *p)
{
    double at[LABELS_MOST], from_x[LABELS_MOST], from_y[LABELS_MOST];
    const struct series *of[LABELS_MOST];
    size_t n = 0;
    for (size_t i = 0; i < p->panel->count && n < LABELS_MOST; i++)
        if (!draw_is_empty(p->view, p->chart, &p->panel->series[i]) && !is_alone(p, &p->panel->series[i]))
            of[n++] = &p->panel->series[i];
    for (size_t i = 0; i < n; i++) {
        const struct series *s = of[i];
        from_x[i] = p->area.right;
        at[i] = from_y[i] = p->area.bottom - 9;
        for (size_t k = 0; k < s->count; k++)
            if (!isnan(p->facet->y[s->marks[k].row]))
                from_x[i] = scale_at(&p->x, s->marks[k].x),
                at[i] = from_y[i] = scale_at(&p->y, p->facet->y[s->marks[k].row]);
    }
    spread(at, n, LABEL_GAP, p->area.top, p->area.bottom - 4);
    for (size_t i = 0; i < n; i++) label(p, of[i], from_x[i], from_y[i], at[i]);
}

void draw_series(struct picture *p)
{
    const struct panel *panel = p->panel;
    for (int turn = 0; turn < 6; turn++) // what is faded lies below, lines below markers, the important marks on top
        for (size_t s = 0; s < panel->count; s++) {
            const char *faded = draw_faded(p->chart, panel->series[s].colour);
            const int layer = turn % 3;
            if (!*faded == (turn < 3)) continue;
            str_addf(p->out, "<g class=\"s%zu%s\">\n", panel->series[s].colour + 1, faded);
            if (!layer && !panel->series[s].lone) line(p, &panel->series[s]);
            if (layer) markers(p, &panel->series[s], layer == 2);
            str_add(p->out, "</g>\n");
        }
    if (!p->chart->narrow && p->facet == p->chart->facets) lone_names(p);
    if (draw_labelled(p) && p->facet == p->chart->facets) labels(p);
    touches(p);
}
