// The page: for each report its question, what it was measured with, its charts and its rows.
// SPDX-License-Identifier: MIT
#include "page/export.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/file.h"
#include "measure/result.h"
#include "page/run_facts.h"
#include "page/markup.h"
#include "store/runfile.h"

static void element(struct str *s, const char *name, const char *class, const char *text)
{
    str_addf(s, "<%s", name);
    if (class) str_addf(s, " class=\"%s\"", class);
    str_add(s, ">");
    markup_text(s, text);
    str_addf(s, "</%s>", name);
}

static const char *title_of(const struct view *v)
{
    int column = view_column(v, "experiment");
    if (column >= 0 && v->row_count && *v->rows[0][column]) return v->rows[0][column];
    char *path = arena_strdup(v->arena, v->path), *name = basename(path), *dot = strrchr(name, '.');
    if (dot && dot != name) *dot = '\0';
    return name;
}

static void counts(const struct view *v, const struct run_facts *f, struct str *s)
{
    str_addf(s, "<p class=\"counts\"><span><b>%zu</b> point%s</span>", v->total, v->total == 1 ? "" : "s");
    for (size_t i = 0; status_names[i]; i++)
        if (v->statuses[i])
            str_addf(s, " <span class=\"status %s\">%zu %s</span>", status_names[i], v->statuses[i], status_names[i]);
    if (v->odd) str_addf(s, " <span class=\"status odd\">%zu of another status</span>", v->odd);
    if (f->points > v->total)
        str_addf(s, " <span class=\"status odd\">%zu of the plan's %lu missing</span>", f->points - v->total,
            f->points);
    if (f->broken)
        str_addf(s, " <span class=\"status wrong\">%lu expectation%s broken</span>", f->broken,
            f->broken == 1 ? "" : "s");
    if (f->unchecked)
        str_addf(s, " <span class=\"status odd\">%lu expectation%s not checked</span>", f->unchecked,
            f->unchecked == 1 ? "" : "s");
    str_add(s, "</p>\n");
}

static void claim_list(const struct run_facts *f, struct str *s)
{
    if (!f->claim_count) return;
    str_add(s, "<h3>Expectations</h3>\n<ul class=\"claims\">\n");
    for (int i = 0; i < f->claim_count; i++) {
        const bool bad = strncmp(f->claims[i], "broken", 6) == 0, good = strncmp(f->claims[i], "holds", 5) == 0;
        element(s, "li", bad ? "wrong" : good ? NULL : "odd", f->claims[i]);
        str_add(s, "\n");
    }
    str_add(s, "</ul>\n");
}

static void fact_list(const struct run_facts *f, struct str *s)
{
    if (!f->count) return;
    str_add(s, "<dl class=\"facts\">\n");
    for (int i = 0; i < f->count; i++) {
        str_add(s, "<div>");
        element(s, "dt", NULL, f->items[i].name);
        element(s, "dd", NULL, f->items[i].text);
        str_add(s, "</div>\n");
    }
    str_add(s, "</dl>\n");
}

static void add_charts(const struct view *v, const struct charts *all, struct str *s)
{
    if (all->why_none) {
        element(s, "p", "why", all->why_none);
        return;
    }
    str_add(s, "<div class=\"charts\">\n");
    for (size_t i = 0; i < all->count; i++) draw_chart(v, &all->items[i], s);
    str_add(s, "</div>\n");
}

static void section(const struct view *v, const struct charts *charts, size_t number, struct str *s)
{
    struct run_facts f;
    run_facts_read(&f, v->path, title_of(v), v->arena);
    str_addf(s, "<section id=\"r%zu\">\n<header>\n", number + 1);
    element(s, "h2", NULL, title_of(v));
    if (f.question) element(s, "p", "question", f.question);
    str_add(s, "\n");
    counts(v, &f, s);
    str_add(s, "</header>\n");
    if (v->step > 1)
        str_addf(s,
            "<p class=\"why\">%zu rows are too many for a page: charts and table show one of every %zu, and the first "
            "%d more that are not ok. The counts above are of all rows.</p>\n",
            v->total, v->step, VIEW_BAD);
    add_charts(v, charts, s);
    claim_list(&f, s);
    str_add(s, "<h3>Rows</h3>\n");
    html_table(v, s);
    if (v->left_out)
        str_addf(s,
            "<p class=\"never\">%zu row%s of the file %s not shown: measured again since, or no longer in the "
            "plan.</p>\n",
            v->left_out, v->left_out == 1 ? "" : "s", v->left_out == 1 ? "is" : "are");
    if (f.count) str_add(s, "<h3>Measured with</h3>\n");
    fact_list(&f, s);
    str_add(s, "</section>\n");
}

static void head(const struct view *views, size_t count, struct str *s)
{
    const struct embedded *style = embed_find("runner/page/html.css");
    str_add(s,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        // Whatever a report holds: nothing in the page runs, and it asks for nothing from elsewhere.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>");
    for (size_t i = 0; i < count; i++) {
        if (i) str_add(s, ", ");
        markup_text(s, title_of(&views[i]));
    }
    str_add(s, "</title>\n<style>\n");
    if (style) str_add_bytes(s, style->text, style->size);
    str_add(s, "</style>\n</head>\n<body>\n");
}

static void contents(const struct view *views, size_t count, struct str *s)
{
    if (count < 2) return;
    str_add(s, "<nav>");
    for (size_t i = 0; i < count; i++) {
        str_addf(s, "<a href=\"#r%zu\">", i + 1);
        markup_text(s, title_of(&views[i]));
        str_add(s, "</a> ");
    }
    str_add(s, "</nav>\n");
}

static void feet(const struct view *views, size_t count, struct str *s)
{
    str_add(s, "<footer>gpuexp " GPUEXP_VERSION ", from ");
    for (size_t i = 0; i < count; i++) {
        char *path = arena_strdup(views[i].arena, views[i].path);
        if (i) str_add(s, ", ");
        markup_text(s, basename(path));
    }
    str_add(s, "</footer>\n</body>\n</html>\n");
}

static void page(const struct view *views, const struct charts *charts, size_t count, struct str *s)
{
    head(views, count, s);
    contents(views, count, s);
    str_add(s, "<main>\n");
    for (size_t i = 0; i < count; i++) section(&views[i], &charts[i], i, s);
    str_add(s, "</main>\n");
    feet(views, count, s);
}

static bool choose(struct view *v, const struct chart_wish *wish, struct charts *all, struct diags *d)
{
    struct question a;
    char *runfile = runfile_read(v->path);
    question_read(&a, runfile, title_of(v), v->arena);
    free(runfile);
    return charts_choose(v, &a, wish, all, d);
}

bool html_write(const struct html_options *o, char output[4096], struct diags *d)
{
    struct view *views = mem_alloc(o->count * sizeof *views);
    struct charts *charts = mem_alloc(o->count * sizeof *charts);
    struct str s = {0};
    bool ok = export_path(o, ".html", output, d);
    for (size_t i = 0; i < o->count; i++) {
        bool good = view_read(&views[i], o->reports[i], d) && choose(&views[i], &o->wish, &charts[i], d);
        ok = ok && good;
    }
    if (ok) {
        page(views, charts, o->count, &s);
        ok = file_write(output, s.text, s.size, d);
    }
    for (size_t i = 0; i < o->count; i++) view_release(&views[i]);
    free(views);
    free(charts);
    str_release(&s);
    return ok;
}
