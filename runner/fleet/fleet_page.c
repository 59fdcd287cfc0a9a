// What is wrong first, then every GPU's speeds, then what the devices told of themselves.
// SPDX-License-Identifier: MIT
#include "fleet/fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "page/html.h"
#include "page/markup.h"
#include "page/strip.h"

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
    speeds(f, s);
    facts(f, s);
    str_add(s, "</section>\n</main>\n");
    html_feet("gpuexp health", s);
}
