// A row a GPU, a cell a test: a line through its nights, with a gap where the driver became another.
// SPDX-License-Identifier: MIT
#include "fleet/nights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "page/html.h"
#include "page/markup.h"

enum { WIDTH = 132, HEIGHT = 40, MARGIN = 5, DRAWN = 60 };

static const struct gpu *night(const struct gpu *g, size_t i) { return i < g->night_count ? &g->nights[i] : g; }

// The quickest of all its nights, whatever the driver.
static double best_us(const struct gpu *g, size_t test)
{
    double best = NAN;
    for (size_t i = 0; i <= g->night_count; i++) {
        const struct gpu_test *t = &night(g, i)->tests[test];
        if (t->status && t->time.us > 0 && t->point == g->tests[test].point) best = fmin(best, t->time.us);
    }
    return best;
}

static double speed(const struct gpu *g, size_t i, size_t test, double best)
{
    const struct gpu_test *t = &night(g, i)->tests[test];
    return t->status && t->time.us > 0 && t->point == g->tests[test].point ? best / t->time.us : (double)NAN;
}

// One scale for all, so that lines can be held against each other.
static double least_speed(const struct fleet *f)
{
    double least = 1 - 2 * f->threshold;
    for (size_t g = 0; g < f->count; g++)
        for (size_t t = 0; t < f->test_count && f->gpus[g].night_count; t++) {
            const double best = best_us(&f->gpus[g], t);
            for (size_t i = 0; i <= f->gpus[g].night_count; i++) least = fmin(least, speed(&f->gpus[g], i, t, best));
        }
    return least;
}

static double y_of(double x, double least) { return MARGIN + (1 - x) / (1 - least) * (HEIGHT - 2 * MARGIN); }

static void told(const struct fleet *f, const struct gpu *n, size_t test, double x, struct str *s)
{
    LOCAL(str_release) struct str figure = {0};
    units_print_figure(n->tests[test].value, &figure);
    str_add(s, "<title>");
    markup_text(s, n->date);
    str_addf(s, ", driver %s: ", nights_driver_of(n, f->arena));
    markup_text(s, figure.text ? figure.text : "");
    str_addf(s, " %s, %.1f %% of its best</title>", f->tests[test].unit, 100 * x);
}

static void line(const struct fleet *f, const struct gpu *g, size_t test, double least, struct str *s)
{
    const double best = best_us(g, test), step = (double)(WIDTH - 2 * MARGIN) / (double)g->night_count;
    bool pen = false;
    str_addf(s, "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT,
        WIDTH, HEIGHT);
    markup_text(s, f->tests[test].name);
    str_addf(s, " over %zu nights\"><path fill=\"none\" stroke=\"var(--line)\" d=\"M0 %.1fH%d\"/>", g->night_count + 1,
        y_of(1, least), WIDTH);
    str_add(s, "<path fill=\"none\" stroke=\"var(--s1)\" stroke-width=\"1.5\" d=\"");
    for (size_t i = 0; i <= g->night_count; i++) {
        const double x = speed(g, i, test, best);
        pen = pen && i && strcmp(night(g, i)->driver, night(g, i - 1)->driver) == 0;
        if (isfinite(x)) str_addf(s, "%s%.1f %.1f", pen ? "L" : "M", MARGIN + step * (double)i, y_of(x, least));
        pen = isfinite(x);
    }
    str_add(s, "\"/>");
    for (size_t i = 0; i <= g->night_count; i++) {
        const double x = speed(g, i, test, best);
        const bool bad = i == g->night_count && g->tests[test].own_speed < 1 - f->threshold;
        if (!isfinite(x)) continue;
        str_addf(s, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"var(--%s)\">", MARGIN + step * (double)i,
            y_of(x, least), i == g->night_count ? "3.5" : "2", bad ? "bad" : "s1");
        told(f, night(g, i), test, x, s);
        str_add(s, "</circle>");
    }
    str_add(s, "</svg>");
}

static double worst(const struct fleet *f, const struct gpu *g)
{
    double least = INFINITY;
    for (size_t t = 0; t < f->test_count; t++) least = fmin(least, g->tests[t].own_speed);
    return least;
}

struct ranked {
    const struct gpu *gpu;
    double worst;
    size_t given;
};

static int by_worst(const void *pa, const void *pb)
{
    const struct ranked *a = pa, *b = pb;
    if (a->worst != b->worst) return a->worst < b->worst ? -1 : 1;
    return (a->given > b->given) - (a->given < b->given);
}

static void drivers(const struct fleet *f, struct str *s)
{
    struct nights_driver *all;
    const size_t n = nights_drivers(f, &all);
    if (!n) return;
    str_addf(s,
        "<h3 class=\"part\">Another driver: speed with it, of the speed with the one before</h3>\n<div "
        "class=\"scroll\" "
        "tabindex=\"0\"><table "
        "style=\"--n:%zu\">\n<thead><tr><th>model</th><th>driver</th><th class=\"n\">GPUs</th>",
        f->test_count + 3);
    for (size_t t = 0; t < f->test_count; t++) html_element(s, "th", "n", f->tests[t].name);
    str_add(s, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < n; i++) {
        str_add(s, "<tr>");
        html_element(s, "td", NULL, all[i].model);
        html_element(s, "td", NULL, arena_printf(f->arena, "%s to %s", all[i].from, all[i].to));
        str_addf(s, "<td class=\"n\">%zu</td>", all[i].gpus);
        for (size_t t = 0; t < f->test_count; t++)
            html_element(s, "td", "n",
                isfinite(all[i].speeds[t]) ? arena_printf(f->arena, "%.1f %%", 100 * all[i].speeds[t]) : "");
        str_add(s, "</tr>\n");
    }
    str_add(s, "</tbody>\n</table></div>\n");
}

void nights_picture(const struct fleet *f, struct str *s)
{
    struct ranked *all = arena_alloc(f->arena, (f->count + 1) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++)
        if (f->gpus[i].night_count) all[n++] = (struct ranked){&f->gpus[i], worst(f, &f->gpus[i]), i};
    if (!n) return;
    qsort(all, n, sizeof *all, by_worst);
    const double least = least_speed(f);
    str_addf(s,
        "<h2 class=\"part\">Over the nights</h2>\n<p class=\"about\">A dot a night, the last one is larger. Above is a "
        "GPU's best "
        "night in the test, below is %.1f %% of it. A gap: the driver is another. Below each line: the last night, of "
        "its best with the same driver.%s</p>\n",
        100 * least, n > DRAWN ? " Those that lost most are drawn." : "");
    str_addf(s,
        "<div class=\"scroll\" tabindex=\"0\"><table style=\"--n:%zu\">\n<thead><tr><th>gpu</th><th "
        "class=\"n\">nights</th>",
        f->test_count + 2);
    for (size_t t = 0; t < f->test_count; t++) html_element(s, "th", NULL, f->tests[t].name);
    str_add(s, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < n && i < DRAWN; i++) {
        const struct gpu *g = all[i].gpu;
        str_add(s, "<tr>");
        html_element(s, "td", g->finding_count ? "status wrong" : "status ok", g->name);
        str_addf(s, "<td class=\"n\">%zu</td>", g->night_count + 1);
        for (size_t t = 0; t < f->test_count; t++) {
            str_add(s, "<td>");
            line(f, g, t, least, s);
            if (isfinite(g->tests[t].own_speed)) str_addf(s, "<br>%.1f %%", 100 * g->tests[t].own_speed);
            str_add(s, "</td>");
        }
        str_add(s, "</tr>\n");
    }
    str_add(s, "</tbody>\n</table></div>\n");
    drivers(f, s);
}
