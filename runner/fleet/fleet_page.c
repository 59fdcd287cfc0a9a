// What is wrong first, then every GPU's speeds, then what the devices told of themselves.
// SPDX-License-Identifier: MIT
#include "fleet/fleet_page.h"

#include <math.h>
#include <string.h>

#include "base/embed.h"
#include "base/units.h"
#include "page/markup.h"

static void head(struct str *s, size_t count)
{
    const struct embedded *style = embed_find("runner/page/html.css");
    str_add(s,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n");
    str_addf(s, "<title>Health of %zu GPU%s</title>\n<style>\n", count, count == 1 ? "" : "s");
    if (style) str_add_bytes(s, style->text, style->size);
    str_add(s, "</style>\n</head>\n<body>\n<main>\n<section>\n");
}

static void cell(struct str *s, const char *name, const char *class, const char *text)
{
    str_addf(s, "<%s%s%s%s>", name, class ? " class=\"" : "", class ? class : "", class ? "\"" : "");
    markup_text(s, text);
    str_addf(s, "</%s>", name);
}

static void findings(const struct fleet *f, struct str *s)
{
    size_t ill = 0;
    for (size_t i = 0; i < f->count; i++) ill += f->gpus[i].finding_count > 0;
    str_addf(s,
        "<header><h2>health</h2>\n<p class=\"counts\"><span><b>%zu</b> GPU%s</span> <span class=\"status ok\">%zu "
        "well</span>",
        f->count, f->count == 1 ? "" : "s", f->count - ill);
    if (ill) str_addf(s, " <span class=\"status wrong\">%zu not</span>", ill);
    str_add(s, "</p></header>\n");
    if (!ill) return;
    str_add(s, "<h3>Findings</h3>\n<ul class=\"claims\">\n");
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < f->gpus[i].finding_count; k++) {
            str_add(s, "<li class=\"wrong\">");
            markup_text(s, f->gpus[i].name);
            str_add(s, ": ");
            markup_text(s, f->gpus[i].findings[k]);
            str_add(s, "</li>\n");
        }
    str_add(s, "</ul>\n");
}

// "4282 GB/s, 99.8 % of the reference, 100.1 % of the others, more than 57 % of them"
static void add_test(struct str *s, const struct fleet_test *about, const struct gpu_test *t)
{
    struct str text = {0};
    if (t->status && !isnan(t->value)) {
        units_print_figure(t->value, &text);
        str_addf(&text, " %s", about->unit);
    } else if (t->status) str_add(&text, t->status);
    if (t->status && isfinite(t->reference_speed)) str_addf(&text, ", %.1f %%", 100 * t->reference_speed);
    if (t->status && isfinite(t->fleet_speed)) str_addf(&text, ", %.1f %% (%.0f)", 100 * t->fleet_speed, t->percentile);
    cell(s, "td", "n", text.text ? text.text : "");
    str_release(&text);
}

static void speeds(const struct fleet *f, struct str *s)
{
    str_add(s,
        "<h3>Speeds</h3>\n<p class=\"about\">What was measured; of the reference of its model; of the median of the "
        "other GPUs of its model here, and in brackets how many % of them are slower. What cannot be compared is left "
        "out.</p>\n<div class=\"scroll\"><table>\n<tr><th>gpu</th><th>model</th><th>measured</th>");
    for (size_t t = 0; t < f->test_count; t++) cell(s, "th", "n", f->tests[t].name);
    str_add(s, "</tr>\n");
    for (size_t i = 0; i < f->count; i++) {
        const struct gpu *g = &f->gpus[i];
        str_add(s, "<tr>");
        cell(s, "td", g->finding_count ? "status wrong" : "status ok", g->name);
        cell(s, "td", NULL, g->driver && *g->driver ? g->driver : g->model);
        cell(s, "td", NULL, g->date);
        for (size_t t = 0; t < f->test_count; t++) add_test(s, &f->tests[t], &g->tests[t]);
        str_add(s, "</tr>\n");
    }
    str_add(s, "</table></div>\n");
    for (size_t i = 0; i < f->reference_count; i++) {
        str_add(s, "<p class=\"never\">Reference of ");
        markup_text(s, f->references[i].model);
        str_add(s, ": ");
        markup_text(s, f->references[i].path);
        str_add(s, "</p>\n");
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
        "<h3>What the devices told, at the end</h3>\n<p class=\"about\">An empty cell is not "
        "known.</p>\n<div class=\"scroll\"><table>\n<tr><th>fact</th>");
    for (size_t i = 0; i < f->count; i++) cell(s, "th", "n", f->gpus[i].name);
    str_add(s, "</tr>\n");
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
    str_add(s, "</table></div>\n");
}

void fleet_page(const struct fleet *f, struct str *s)
{
    head(s, f->count);
    findings(f, s);
    speeds(f, s);
    facts(f, s);
    str_add(s, "</section>\n</main>\n</body>\n</html>\n");
}
