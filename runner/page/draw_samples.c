// The samples of one point in the order of time, the clock below on the same axis. A context has a colour and its
// number above; the median of each place in it is a dash. What lies far outside is drawn at the edge.
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"
#include "page/draw.h"
#include "spec/columns.h"

// Samples are split in two where that explains most of how they differ: by value for modes, by time for a step. Evenly
// spread numbers are explained to three quarters by such a split, those around one value to less.

enum { LEAST = 20, SIDE = 5 }; // samples; on either side of a split
static const double explained = 0.88, matters = 0.005;

struct split {
    size_t at; // the first of the second part
    double before, behind, share;
};

// The split that explains most of the squares around the mean.
static struct split best_split(const double *x, size_t n)
{
    struct split best = {0};
    double sum = 0, squares = 0, left = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    for (size_t i = 0; i < n; i++) squares += (x[i] - sum / (double)n) * (x[i] - sum / (double)n);
    for (size_t i = 1; i < n; i++) {
        left += x[i - 1];
        const double a = left / (double)i, b = (sum - left) / (double)(n - i),
                     between = (double)i * (double)(n - i) / (double)n * (b - a) * (b - a);
        if (i < SIDE || n - i < SIDE || !(squares > 0) || between / squares <= best.share) continue;
        best = (struct split){i, a, b, between / squares};
    }
    return best;
}

static bool is_split(const struct split *s)
{
    return s->share > explained && fabs(s->behind - s->before) > matters * fabs(s->before);
}

static void sentence(struct str *s) { str_add(s, s->size ? " " : ""); }

// Does each context keep to one of the modes?
static bool by_context(const struct samples_of *of, double border)
{
    enum { MOST = 64 };
    size_t slow[MOST] = {0}, all[MOST] = {0}, seen = 0;
    for (size_t i = 0; i < of->count; i++) {
        const struct sample_kept *k = &of->items[i];
        if (k->kind != TAKEN_KEPT || k->visit >= MOST) continue;
        seen += !all[k->visit]++;
        slow[k->visit] += k->us > border;
    }
    for (size_t v = 0; v < MOST; v++)
        if (10 * slow[v] > all[v] && 10 * slow[v] < 9 * all[v]) return false;
    return seen > 1;
}

static bool modes(const struct samples_of *of, const double *sorted, size_t n, struct str *s)
{
    const struct split two = best_split(sorted, n);
    if (10 * two.at < n || 10 * (n - two.at) < n || !is_split(&two)) return false;
    sentence(s);
    str_addf(s, "Two modes: %.0f %% of the samples take some %.4g us, the others %.4g%s.",
        100 * (double)two.at / (double)n, two.before, two.behind,
        by_context(of, (sorted[two.at - 1] + sorted[two.at]) / 2) ? ", each context one of them" : "");
    return true;
}

static double median(const double *x, size_t n)
{
    LOCAL(mem_drop) double *copy = mem_alloc((n + 1) * sizeof *copy);
    for (size_t i = 0; i < n; i++) copy[i] = x[i];
    if (n) qsort(copy, n, sizeof *copy, stats_rising);
    return n ? copy[n / 2] : 0;
}

// The thirds rise or fall one after the other, by more than the samples of one differ.
static void drift(const double *x, size_t n, struct str *s)
{
    const size_t third = n / 3;
    const double a = median(x, third), b = median(x + third, third), c = median(x + 2 * third, n - 2 * third);
    LOCAL(mem_drop) double *apart = mem_alloc((third + 1) * sizeof *apart);
    for (size_t i = 0; i < third; i++) apart[i] = fabs(x[i] - a);
    const double spread = median(apart, third);
    if (!((a < b && b < c) || (a > b && b > c)) || !(fabs(c - a) > 2 * spread) || !(fabs(c - a) > matters * a)) return;
    sentence(s);
    str_addf(s, "A drift: the last third takes %.2g %% %s than the first.", 100 * fabs(c / a - 1),
        c > a ? "longer" : "less");
}

static void clock_step(const struct samples_of *of, struct str *s)
{
    LOCAL(mem_drop) double *mhz = mem_alloc((of->count + 1) * sizeof *mhz);
    size_t n = 0;
    for (size_t i = 0; i < of->count; i++)
        if (of->items[i].clock_mhz > 0) mhz[n++] = of->items[i].clock_mhz;
    const struct split two = best_split(mhz, n);
    if (n >= LEAST && is_split(&two)) {
        sentence(s);
        str_addf(s, "The clock steps from %.0f to %.0f MHz at sample %zu of %zu.", two.before, two.behind, two.at + 1,
            n);
    }
}

void samples_told(const struct samples_of *of, struct str *s)
{
    LOCAL(mem_drop)
    double *x = mem_alloc((of->count + 1) * sizeof *x), *sorted = mem_alloc((of->count + 1) * sizeof *sorted);
    size_t n = 0;
    for (size_t i = 0; i < of->count; i++)
        if (of->items[i].kind == TAKEN_KEPT && !isnan(of->items[i].us)) sorted[n] = x[n] = of->items[i].us, n++;
    if (n) qsort(sorted, n, sizeof *sorted, stats_rising);
    if (n >= LEAST && !modes(of, sorted, n, s)) drift(x, n, s);
    clock_step(of, s);
}

enum { TOP = 46, TALL = 250, CLOCK = 56, BETWEEN = 40, AXIS = 44, EDGE = 8, EACH_MOST = 100, LETTERS = 60 };

void draw_sample(struct str *s, enum taken_kind kind, double x, double y, double r)
{
    switch (kind) {
    case TAKEN_KEPT: str_addf(s, "<path class=\"dots\" d=\"M%.1f %.1fh0\" stroke-width=\"%.1f\"/>", x, y, 2 * r); break;
    case TAKEN_THROTTLED:
        str_addf(s, "<path class=\"missing bad\" d=\"M%.1f %.1fl%.1f %.1fm0 %.1fl%.1f %.1f\"/>", x - r, y - r, 2 * r,
            2 * r, -2 * r, -2 * r, 2 * r);
        break;
    case TAKEN_VERIFIED:
        str_addf(s, "<path class=\"aside\" d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\"/>", x, y - 1.4 * r, 1.4 * r,
            1.4 * r, -1.4 * r, 1.4 * r, -1.4 * r, -1.4 * r);
        break;
    case TAKEN_WARM_UP:
        str_addf(s, "<path class=\"aside\" d=\"M%.1f %.1fv%.1fm%.1f %.1fh%.1f\"/>", x, y - r, 2 * r, -r, -r, 2 * r);
        break;
    case TAKEN_BATCH:
        str_addf(s, "<path class=\"aside\" d=\"M%.1f %.1fh%.1fv%.1fh%.1fz\"/>", x - r, y - r, 2 * r, 2 * r, -2 * r);
        break;
    case TAKEN_BESIDE: str_addf(s, "<path class=\"aside\" d=\"M%.1f %.1fh%.1f\"/>", x - r, y, 2 * r); break;
    case TAKEN_KIND_COUNT: break;
    }
}

static bool same_place(const struct sample_kept *a, const struct sample_kept *b)
{
    return a->visit == b->visit && a->place == b->place;
}

// The kept ones of some samples, sorted; how many.
static size_t kept_of(const struct sample_kept *s, size_t count, double *to)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (s[i].kind == TAKEN_KEPT) to[n++] = s[i].us;
    qsort(to, n, sizeof *to, stats_rising);
    return n;
}

// An axis for all samples but those that are very far from the middle half of the ones that count: these would press
// all others flat.
static void axis_of(const struct samples_of *s, struct ticks *t)
{
    double *kept = mem_alloc((s->count + 1) * sizeof *kept), lo = INFINITY, hi = -INFINITY;
    size_t n = kept_of(s->items, s->count, kept);
    if (!n)
        for (size_t i = 0; i < s->count; i++) kept[n++] = s->items[i].us; // every one was thrown away
    qsort(kept, n, sizeof *kept, stats_rising);
    const double median = stats_median(kept, n), room = fmax(12 * (kept[n - 1 - n / 4] - kept[n / 4]), 0.02 * median);
    for (size_t i = 0; i < s->count; i++) {
        const double us = s->items[i].us;
        if (fabs(us - median) <= room) lo = fmin(lo, us), hi = fmax(hi, us);
    }
    const double margin = fmax(0.04 * (hi - lo), 0.001 * median);
    ticks_make(t, SCALE_LINEAR, fmax(lo - margin, 0), hi + margin, 7);
    free(kept);
}

static double at_edge(const struct picture *p, double y)
{
    const double at = scale_at(&p->y, y);
    return fmin(fmax(at, p->area.top + EDGE), p->area.bottom - EDGE);
}

static bool is_beyond(const struct picture *p, double y) { return y < p->y.lo || y > p->y.hi; }

// Where many fall on one pixel, one is drawn there.
static void dots(struct picture *p, const struct samples_of *s, size_t from, size_t to, double radius)
{
    const bool many = s->count > 1500;
    double last_x = -1;
    char seen[TALL + CLOCK + 2];
    str_addf(p->out, "<path class=\"dots\" stroke-width=\"%.1f\" d=\"", 2 * radius);
    for (size_t i = from; i < to; i++) {
        if (s->items[i].kind != TAKEN_KEPT || is_beyond(p, s->items[i].us)) continue;
        double x = scale_at(&p->x, (double)i + 1), y = scale_at(&p->y, s->items[i].us);
        if (many) {
            x = floor(x), y = floor(y);
            if (x > last_x) memset(seen, 0, sizeof seen), last_x = x;
            char *here = &seen[(size_t)fmin(fmax(y - p->area.top, 0), TALL)];
            if (*here) continue;
            *here = 1;
        }
        str_addf(p->out, many ? "M%.0f %.0fh0" : "M%.1f %.1fh0", x, y);
    }
    str_add(p->out, "\"/>\n");
}

// A triangle that points to where it lies.
static void beyond(struct picture *p, double x, bool above)
{
    const double y = above ? p->area.top + EDGE : p->area.bottom - EDGE, tip = above ? -7 : 7;
    str_addf(p->out, "<path class=\"mark hollow\" d=\"M%.1f %.1fh8l-4 %.1fz\"/>", x - 4, y, tip);
}

static void thrown(struct picture *p, const struct samples_of *s, size_t from, size_t to, double radius)
{
    for (size_t i = from; i < to; i++) {
        const struct sample_kept *it = &s->items[i];
        const double x = scale_at(&p->x, (double)i + 1);
        if (is_beyond(p, it->us)) beyond(p, x, it->us > p->y.hi);
        if (it->kind != TAKEN_KEPT) draw_sample(p->out, it->kind, x, at_edge(p, it->us), fmax(radius, 2.2));
    }
}

static void median_of(struct picture *p, const struct samples_of *s, size_t from, size_t to, double *room)
{
    const size_t n = kept_of(s->items + from, to - from, room);
    const double median = stats_median(room, n);
    if (!n || is_beyond(p, median)) return;
    str_addf(p->out, "<path class=\"median\" d=\"M%.1f %.1fH%.1f\"/>", scale_at(&p->x, (double)from + 0.6),
        scale_at(&p->y, median), scale_at(&p->x, (double)to + 0.4));
}

static void told(const struct samples_of *s, size_t from, size_t to, double *room, struct str *out)
{
    const size_t n = kept_of(s->items + from, to - from, room);
    double low = INFINITY, high = 0;
    for (size_t i = from; i < to; i++) low = fmin(low, s->items[i].clock_mhz), high = fmax(high, s->items[i].clock_mhz);
    if (n == 1) str_addf(out, "%.6g us", room[0]);
    else if (n) str_addf(out, "median %.6g us of %zu (%.6g to %.6g)", stats_median(room, n), n, room[0], room[n - 1]);
    for (int kind = 1; kind < TAKEN_KIND_COUNT; kind++) {
        size_t count = 0;
        double last = 0;
        for (size_t i = from; i < to; i++)
            if (s->items[i].kind == (enum taken_kind)kind) count++, last = s->items[i].us;
        if (count == 1) str_addf(out, "%s%s %.6g us", out->size ? ", " : "", taken_names[kind], last);
        else if (count) str_addf(out, "%s%zu %s", out->size ? ", " : "", count, taken_names[kind]);
    }
    if (high > 0 && low < high) str_addf(out, ", at %.0f to %.0f MHz", low, high);
    else if (high > 0) str_addf(out, ", at %.0f MHz", low);
}

// Few samples can be touched each, of many a place of a context.
static void touches(struct picture *p, const struct samples_of *s, double *room)
{
    const bool each = s->count <= EACH_MOST;
    for (size_t from = 0, to; from < s->count && !p->chart->still; from = to) {
        for (to = from + 1; !each && to < s->count && same_place(&s->items[to], &s->items[from]);) to++;
        LOCAL(str_release) struct str first = {0}, second = {0};
        const double left = scale_at(&p->x, (double)from + 0.5), right = scale_at(&p->x, (double)to + 0.5);
        str_addf(&first, "context %u, place %u", s->items[from].visit, s->items[from].place);
        if (each) str_addf(&first, ", sample %zu", from + 1);
        told(s, from, to, room, &second);
        draw_touch(p, first.text, second.text, (left + right) / 2, (p->area.top + p->area.bottom) / 2, right - left,
            p->area.bottom - p->area.top);
    }
}

static void frame(struct picture *p, bool last, size_t count)
{
    for (size_t i = 0; i < p->y_ticks.count; i++) {
        const double at = scale_at(&p->y, p->y_ticks.at[i]);
        LOCAL(str_release) struct str s = {0};
        if (at < p->area.top - 1 || at > p->area.bottom + 1) continue;
        str_addf(p->out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", p->area.left, at, p->area.right);
        ticks_label(&p->y_ticks, i, &s);
        draw_text(p, "tick", "end", p->area.left - 8, at + 4, s.text);
    }
    str_addf(p->out, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>\n", p->area.left, p->area.bottom, p->area.right);
    for (size_t i = 0; i < p->x_ticks.count && last; i++) {
        LOCAL(str_release) struct str s = {0};
        const double number = p->x_ticks.at[i], at = scale_at(&p->x, number);
        if (number < 1 || number > (double)count || number != floor(number)) continue;
        ticks_label(&p->x_ticks, i, &s);
        str_addf(p->out, "<path class=\"axis\" d=\"M%.1f %.1fv5\"/>", at, p->area.bottom);
        draw_text(p, "tick", "middle", at, p->area.bottom + 18, s.text);
    }
    if (last) draw_text(p, "name", "middle", (p->area.left + p->area.right) / 2, p->height - 6, p->chart->x_name);
}

// The row's own number, with its interval: what all of this comes to.
static void result(struct picture *p)
{
    const struct view *v = p->view;
    const size_t row = p->panel->row;
    const double us = view_number(v, row, view_column(v, column_table[COLUMN_TIME_US].name)),
                 low = view_number(v, row, view_column(v, column_table[COLUMN_TIME_LO_US].name)),
                 high = view_number(v, row, view_column(v, column_table[COLUMN_TIME_HI_US].name));
    if (!isnan(low) && !isnan(high)) {
        const double top = scale_at(&p->y, fmin(high, p->y.hi)), bottom = scale_at(&p->y, fmax(low, p->y.lo));
        if (bottom > top)
            str_addf(p->out, "<rect class=\"band\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                p->area.left, top, p->area.right - p->area.left, fmax(bottom - top, 1));
    }
    if (is_beyond(p, us)) return;
    str_addf(p->out, "<path class=\"peak\" d=\"M%.1f %.1fH%.1f\"/>\n", p->area.left, scale_at(&p->y, us),
        p->area.right);
}

// Each context's number above, and a line where it begins.
static void contexts(struct picture *p, const struct samples_of *s, bool numbers)
{
    double end = -1e9;
    for (size_t from = 0, to; from < s->count; from = to) {
        for (to = from + 1; to < s->count && s->items[to].visit == s->items[from].visit;) to++;
        const double left = scale_at(&p->x, (double)from + 0.5), right = scale_at(&p->x, (double)to + 0.5);
        const char *name = arena_printf(p->view->arena, "%s%u", from ? "" : "context ", s->items[from].visit);
        const double half = draw_text_width(name, LETTERS) / 2, at = fmax((left + right) / 2, p->area.left + half);
        if (from) str_addf(p->out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", left, p->area.top, p->area.bottom);
        if (!numbers || at - half < end + 4) continue;
        draw_text(p, "tick", "middle", at, p->area.top - 6, name);
        end = at + half;
    }
}

static void times(struct picture *p, const struct samples_of *s, double *room)
{
    const double radius = s->count <= 60 ? 3 : s->count <= 400 ? 2 : s->count <= 1500 ? 1.4 : 0.9;
    draw_text(p, "unit", "start", 0, 14, draw_unit(p->view, p->facet));
    frame(p, p->chart->facet_count == 1, s->count);
    result(p);
    contexts(p, s, true);
    for (int layer = 0; layer < 3; layer++) // what does not count, and the medians, on top of the dots
        for (size_t from = 0, to; from < s->count; from = to) {
            for (to = from + 1; to < s->count && same_place(&s->items[to], &s->items[from]);) to++;
            str_addf(p->out, "<g class=\"s%u\">", (s->items[from].visit + 7) % CHART_SERIES + 1);
            if (layer == 0) dots(p, s, from, to, radius);
            if (layer == 1) thrown(p, s, from, to, radius);
            if (layer == 2) median_of(p, s, from, to, room);
            str_add(p->out, "</g>\n");
        }
}

// The clock goes on until it is another.
static void clocks(struct picture *p, const struct samples_of *s)
{
    bool open = false;
    draw_text(p, "unit", "start", 0, p->area.top - 10, draw_unit(p->view, p->facet));
    frame(p, true, s->count);
    contexts(p, s, false);
    str_add(p->out, "<g class=\"s8\"><path class=\"line\" d=\"");
    for (size_t i = 0; i < s->count; i++) {
        const double mhz = s->items[i].clock_mhz;
        const bool as_before =
            i && i + 1 < s->count && mhz == s->items[i - 1].clock_mhz && mhz == s->items[i + 1].clock_mhz;
        if (isnan(mhz)) open = false;
        else if (!open || !as_before)
            str_addf(p->out, "%c%.1f %.1f", open ? 'L' : 'M', scale_at(&p->x, (double)i + 1), scale_at(&p->y, mhz));
        open = !isnan(mhz);
    }
    str_add(p->out, "\"/></g>\n");
}

static void y_of(struct picture *p)
{
    p->y = (struct scale){SCALE_LINEAR, p->y_ticks.lo, p->y_ticks.hi, p->area.bottom, p->area.top};
}

static double widest_label(const struct ticks *t)
{
    double widest = 0;
    for (size_t i = 0; i < t->count; i++) {
        LOCAL(str_release) struct str s = {0};
        ticks_label(t, i, &s);
        widest = fmax(widest, draw_text_width(s.text, LETTERS));
    }
    return widest;
}

void draw_samples(struct picture *p)
{
    const struct chart *c = p->chart;
    const struct samples_of *s = p->panel->samples;
    const bool clock = c->facet_count > 1;
    LOCAL(mem_drop) double *room = mem_alloc((s->count + 1) * sizeof *room);
    p->width = 940;
    p->height = TOP + TALL + (clock ? BETWEEN + CLOCK : 0) + AXIS;
    p->area = (struct area){0, p->width - 10, TOP, TOP + TALL};
    axis_of(s, &p->y_ticks);
    y_of(p);
    p->area.left = fmax(widest_label(&p->y_ticks), clock ? draw_text_width("0000", LETTERS) : 0) + 14;
    ticks_make(&p->x_ticks, SCALE_LINEAR, 1, fmax((double)s->count, 2), s->count < 10 ? 3 : 10); // whole numbers
    p->x = (struct scale){SCALE_LINEAR, 0.5, (double)s->count + 0.5, p->area.left + 6, p->area.right - 6};
    p->facet = &c->facets[0];
    str_add(p->out, "<g class=\"facet\">\n");
    times(p, s, room);
    touches(p, s, room);
    str_add(p->out, "</g>\n");
    if (clock) {
        p->facet = &c->facets[1];
        p->area.top = TOP + TALL + BETWEEN, p->area.bottom = p->area.top + CLOCK;
        const bool same = !(p->facet->hi > p->facet->lo);
        ticks_make(&p->y_ticks, SCALE_LINEAR, p->facet->lo * (same ? 0.98 : 1), p->facet->hi * (same ? 1.02 : 1), 3);
        y_of(p);
        str_add(p->out, "<g class=\"facet\">\n");
        clocks(p, s);
        str_add(p->out, "</g>\n");
    }
}

void draw_samples_key(const struct chart *c, struct str *s)
{
    size_t outside = 0;
    double furthest = 0;
    for (size_t k = 0; k < c->panel_count; k++) {
        struct ticks t;
        axis_of(c->panels[k].samples, &t);
        for (size_t i = 0; i < c->panels[k].samples->count; i++) {
            const double us = c->panels[k].samples->items[i].us;
            if (us > t.hi || us < t.lo) outside++, furthest = fmax(furthest, us);
        }
    }
    str_add(s,
        "A colour for each context, a solid line for the median of each place in it. The dashed line is time_us, "
        "the band its 95 % confidence interval.");
    for (size_t k = 0; k < c->panel_count; k++) {
        LOCAL(str_release) struct str told = {0};
        samples_told(c->panels[k].samples, &told);
        if (told.size) str_addf(s, " %s%s%s", c->panels[k].name, *c->panels[k].name ? ": " : "", told.text);
    }
    if (outside) str_addf(s, " Triangles: %zu far outside the axis, the longest %.5g us.", outside, furthest);
    if (c->points_left_out)
        str_addf(s, " The %zu of %zu points whose time is known least are drawn.", c->panel_count,
            c->panel_count + c->points_left_out);
}
