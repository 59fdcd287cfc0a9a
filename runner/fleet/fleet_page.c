// What is wrong first, then every GPU's speeds, then what the devices told of themselves.
// SPDX-License-Identifier: MIT
#include "fleet/fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "fleet/nights.h"
#include "page/html.h"
#include "page/markup.h"
#include "page/strip.h"

// A row a GPU, a cell a test: a line through its nights, with a gap where the driver became another.

enum { WIDTH = 132, HEIGHT = 40, MARGIN = 5, DRAWN = 60 };

static const struct gpu *night(const struct gpu *g, size_t i) { return i < g->night_count ? &g->nights[i] : g; }

// The quickest of all its nights, whatever the driver.
static double best_us(const struct gpu *g, size_t test)
{
    double best = NAN;
    for (size_t i = 0; i <= g->night_count; i++) {
        const struct gpu_test *t = &night(g, i)->tests[test];
        if (t->time.us > 0 && t->point == g->tests[test].point) best = fmin(best, t->time.us);
    }
    return best;
}

static double speed(const struct gpu *g, size_t i, size_t test, double best)
{
    const struct gpu_test *t = &night(g, i)->tests[test];
    return t->time.us > 0 && t->point == g->tests[test].point ? best / t->time.us : (double)NAN;
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

// A line for each GPU and test through its nights, as a part of the fleet's page; nothing where none has several.
static void nights_picture(const struct fleet *f, struct str *s)
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

static void cell(struct str *s, const char *name, const char *class, const char *text)
{
    str_addf(s, "<%s%s%s%s>", name, class ? " class=\"" : "", class ? class : "", class ? "\"" : "");
    markup_text(s, text);
    str_addf(s, "</%s>", name);
}

static void findings(const struct fleet *f, struct str *s)
{
    size_t ill = 0, untested = 0;
    for (size_t i = 0; i < f->count; i++) ill += f->gpus[i].finding_count > 0;
    for (const char **node = f->untested; node && *node; node++) untested++;
    str_addf(s,
        "<header><h1>health</h1>\n<p class=\"counts\"><span><b>%zu</b> GPU%s</span> <span class=\"status ok\">%zu "
        "well</span>",
        f->count, f->count == 1 ? "" : "s", f->count - ill);
    if (ill) str_addf(s, " <span class=\"status wrong\">%zu not</span>", ill);
    if (untested)
        str_addf(s, " <span class=\"status wrong\">%zu node%s not tested</span>", untested, untested == 1 ? "" : "s");
    str_add(s, "</p></header>\n");
    if (!ill && !untested) return;
    str_add(s, "<h2 class=\"part\">Findings</h2>\n<ul class=\"claims\">\n");
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < f->gpus[i].finding_count; k++) {
            str_add(s, "<li class=\"wrong\">");
            markup_text(s, f->gpus[i].name);
            str_add(s, ": ");
            markup_text(s, f->gpus[i].findings[k]);
            str_add(s, "</li>\n");
        }
    for (const char **node = f->untested; node && *node; node++) {
        str_add(s, "<li class=\"wrong\">");
        markup_text(s, *node);
        str_add(s, ": not tested</li>\n");
    }
    str_add(s, "</ul>\n");
}

// "4282 GB/s, 99.8 % of the reference, 100.1 % of the others, more than 57 % of them"
static void add_test(struct str *s, const struct fleet_test *about, const struct gpu_test *t)
{
    LOCAL(str_release) struct str text = {0};
    if (t->status && !isnan(t->value)) {
        units_print_figure(t->value, &text);
        str_addf(&text, " %s", about->unit);
    } else if (t->status) str_add(&text, t->status);
    if (t->status && isfinite(t->reference_speed)) str_addf(&text, ", %.1f %%", 100 * t->reference_speed);
    if (t->status && isfinite(t->fleet_speed)) str_addf(&text, ", %.1f %% (%.0f)", 100 * t->fleet_speed, t->percentile);
    cell(s, "td", "n", text.text ? text.text : "");
}

static void speeds(const struct fleet *f, struct str *s)
{
    str_add(s,
        "<h2 class=\"part\">Speeds</h2>\n<p class=\"about\">What was measured; of the reference of its model; of the "
        "median of the "
        "other GPUs of its model here, and in brackets how many % of them are slower. What cannot be compared is left "
        "out.</p>\n");
    str_addf(s,
        "<div class=\"scroll\" tabindex=\"0\"><table "
        "style=\"--n:%zu\">\n<thead><tr><th>gpu</th><th>model</th><th>measured</th>",
        f->test_count + 3);
    for (size_t t = 0; t < f->test_count; t++) cell(s, "th", "n", f->tests[t].name);
    str_add(s, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < f->count; i++) {
        const struct gpu *g = &f->gpus[i];
        str_add(s, "<tr>");
        cell(s, "td", g->finding_count ? "status wrong" : "status ok", g->name);
        cell(s, "td", NULL, g->driver && *g->driver ? g->driver : g->model);
        cell(s, "td", NULL, g->date);
        for (size_t t = 0; t < f->test_count; t++) add_test(s, &f->tests[t], &g->tests[t]);
        str_add(s, "</tr>\n");
    }
    str_add(s, "</tbody>\n</table></div>\n");
    for (size_t i = 0; i < f->reference_count; i++) {
        str_add(s, "<p class=\"never\">Reference of ");
        markup_text(s, f->references[i].model);
        str_add(s, ": ");
        markup_text(s, f->references[i].path);
        str_add(s, "</p>\n");
    }
}

// A row for each test, a mark for each GPU: how quick it is of the reference, or of the others.
static void picture(const struct fleet *f, bool others, struct str *s)
{
    struct strip_row *rows = arena_alloc(f->arena, (f->test_count + 1) * sizeof *rows);
    const struct strip strip = {.about = others ? "each GPU's speed, of the median of the others"
                                                : "each GPU's speed, of the reference of its model",
        .axis = others ? "speed, of the median of the other GPUs of its model" : "speed, of the reference of its model",
        .axis_narrow = others ? "speed, of the others' median" : "speed, of the reference",
        .even = others ? "as the others" : "as the reference",
        .centre = 1,
        .within = f->threshold,
        .rows = rows,
        .count = f->test_count};
    for (size_t t = 0; t < f->test_count; t++) {
        struct strip_mark *marks = arena_alloc(f->arena, (f->count + 1) * sizeof *marks);
        for (size_t i = 0; i < f->count; i++) {
            const struct gpu_test *test = &f->gpus[i].tests[t];
            const double speed = others ? test->fleet_speed : test->reference_speed;
            const bool known = test->status && isfinite(speed);
            marks[i] = (struct strip_mark){.name = arena_printf(f->arena, "%s, %s", f->tests[t].name, f->gpus[i].name),
                .told = arena_printf(f->arena, "%.5g %s, %.1f %%", test->value, f->tests[t].unit, 100 * speed),
                .value = known ? speed : (double)NAN,
                .low = NAN,
                .high = NAN,
                .bad = known && speed < 1 - f->threshold};
        }
        rows[t] = (struct strip_row){f->tests[t].name, marks, f->count};
    }
    LOCAL(str_release) struct str drawn = {0};
    if (strip_draw(&strip, f->arena, &drawn)) {
        str_add(s, "<div class=\"charts\">\n<div class=\"chart wide\">\n");
        str_add_bytes(s, drawn.text, drawn.size);
        str_addf(s,
            "<p class=\"key\">The band is %.3g %% wide to each side; what is slower than that is a finding%s.</p>\n"
            "</div>\n</div>\n",
            100 * f->threshold, others ? ", where it is also beyond four times their spread" : "");
    }
}

// A line for each fact that any of them told.
static void facts(const struct fleet *f, struct str *s)
{
    const struct condition *most = NULL;
    for (size_t i = 0; i < f->count; i++)
        if (!most || f->gpus[i].condition.count > most->count) most = &f->gpus[i].condition;
    if (!most || !most->count) return;
    str_add(s,
        "<h2 class=\"part\">What the devices told, at the end</h2>\n<p class=\"about\">An empty cell is not "
        "known.</p>\n");
    str_addf(s, "<div class=\"scroll\" tabindex=\"0\"><table style=\"--n:%zu\">\n<thead><tr><th>fact</th>",
        f->count + 1);
    for (size_t i = 0; i < f->count; i++) cell(s, "th", "n", f->gpus[i].name);
    str_add(s, "</tr></thead>\n<tbody>\n");
    for (size_t k = 0; k < most->count; k++) {
        str_add(s, "<tr><td>");
        markup_text(s, most->rows[k].name);
        str_add(s, " <small>");
        markup_text(s, most->rows[k].unit);
        str_add(s, "</small></td>");
        for (size_t i = 0; i < f->count; i++)
            cell(s, "td", "n", condition_after(&f->gpus[i].condition, most->rows[k].name));
        str_add(s, "</tr>\n");
    }
    str_add(s, "</tbody>\n</table></div>\n");
}

void fleet_page(const struct fleet *f, struct str *s)
{
    char title[64];
    snprintf(title, sizeof title, "Health of %zu GPU%s", f->count, f->count == 1 ? "" : "s");
    html_head(title, s);
    str_add(s, "<main>\n<section>\n");
    findings(f, s);
    picture(f, false, s);
    picture(f, true, s);
    nights_picture(f, s);
    speeds(f, s);
    facts(f, s);
    str_add(s, "</section>\n</main>\n");
    html_feet("gpuexp health", s);
}
