// The parts of a report's section, one function each, in the order of the list below. A new part is a function and a
// place in that list; it adds nothing where it has nothing to say.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/result.h"
#include "page/html.h"
#include "page/markup.h"

enum { SAMPLED_POINTS = 2 };

void html_counts(const struct sheet *sheet, struct str *s)
{
    const struct view *v = &sheet->view;
    const struct run_facts *f = &sheet->facts;
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
        str_addf(s, " <span class=\"status unverified\">%lu expectation%s not checked</span>", f->unchecked,
            f->unchecked == 1 ? "" : "s");
    str_add(s, "</p>\n");
}

// `that` when `when`: what stands between the signs is code.
static void with_code(const char *text, struct str *s)
{
    bool code = false;
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, "`");
        LOCAL(str_release) struct str part = {0};
        str_add_bytes(&part, p, n);
        if (n) markup_text(s, part.text);
        p += n;
        if (*p != '`') continue;
        str_add(s, code ? "</code>" : "<code>");
        code = !code;
        p++;
    }
    if (code) str_add(s, "</code>");
}

static void header(const struct sheet *sheet, struct str *s)
{
    const struct view *v = &sheet->view;
    str_add(s, "<header>\n");
    html_element(s, sheet->number == 1 ? "h1" : "h2", NULL, sheet_title(sheet));
    if (sheet->question.question) html_element(s, "p", "question", sheet->question.question);
    if (sheet->answer) {
        str_add(s, "<h2 class=\"answer\">");
        with_code(sheet->answer, s);
        str_add(s, "</h2>");
    } else html_element(s, "h2", "unseen", "Results"); // for who goes from heading to heading
    str_add(s, "\n");
    html_counts(sheet, s);
    str_add(s, "</header>\n");
    if (v->step > 1)
        str_addf(s,
            "<p class=\"why\">%zu rows are too many for a page: charts and table show one of every %zu, the last, and "
            "the "
            "first %d more that are not ok. The counts above are of all rows.</p>\n",
            v->total, v->step, VIEW_BAD);
}

// Rows that went well and have no number in the first column: a latency is of some tests, a rate of the others.
static bool has_gaps(const struct view *v, const struct chart *c)
{
    for (size_t i = 0; i < v->row_count && c->kind == CHART_BARS; i++)
        if (view_good(v, i) && isnan(c->facets[0].y[i])) return true;
    return false;
}

// The first chart with all of its columns: they were asked for, or each row has a number in one of them.
static bool whole_first(const struct sheet *sheet)
{
    const struct chart *c = &sheet->charts.items[0];
    return c->kind == CHART_SAMPLES || sheet->charts.asked > 1 || has_gaps(&sheet->view, c);
}

static void pictures(const struct sheet *sheet, struct str *s)
{
    if (sheet->charts.why_none) {
        html_element(s, "p", "why", sheet->charts.why_none);
        return;
    }
    if (!sheet->charts.count) return;
    str_add(s, "<div class=\"charts\">\n");
    struct chart one = sheet->charts.items[0]; // what it is about alone
    if (!whole_first(sheet)) one.facet_count = 1;
    draw_chart(&sheet->view, &one, s);
    str_add(s, "</div>\n");
}

// What else the charts have: the other columns over the same axis, and rows that are on no line of the first.
static void more_pictures(const struct sheet *sheet, struct str *s)
{
    const struct charts *all = &sheet->charts;
    if (all->why_none || !all->count || all->items[0].kind == CHART_SAMPLES) return;
    const bool whole = all->items[0].facet_count == 1 || whole_first(sheet);
    if (all->count == 1 && whole) return;
    html_fold("More charts", false, s);
    str_add(s, "<div class=\"charts\">\n");
    for (size_t i = 0; i < all->count; i++) {
        struct chart c = all->items[i];
        if (!i && whole) continue;
        if (!i && c.kind != CHART_LINES) memmove(c.facets, c.facets + 1, --c.facet_count * sizeof *c.facets);
        draw_chart(&sheet->view, &c, s);
    }
    str_add(s, "</div>\n</details>\n");
}

// What somebody who looked at all rows wrote, on the device that he had.
static void found(const struct sheet *sheet, struct str *s)
{
    LOCAL(mem_drop) char *text = found_before_text(&sheet->question.found, true);
    if (!text) return;
    html_fold("What was found before, in full", false, s);
    html_element(s, "p", "found", text);
    str_add(s, "\n</details>\n");
}

static void verdict(const char *text, struct str *s)
{
    const bool bad = strncmp(text, "broken", 6) == 0, good = strncmp(text, "holds", 5) == 0;
    str_addf(s, "<li class=\"%s\">", bad ? "wrong" : good ? "ok" : "odd");
    with_code(text, s);
    str_add(s, "</li>\n");
}

// What came of each as the last run found it; of a run that did not keep that, what was claimed.
static void claims(const struct sheet *sheet, struct str *s)
{
    const struct question *q = &sheet->question;
    if (!sheet->facts.claim_count && !q->claim_count) return;
    const unsigned long bad = sheet->facts.broken;
    LOCAL(str_release) struct str title = {0};
    if (bad) str_addf(&title, "Claims: %lu broken", bad);
    else str_add(&title, sheet->facts.claim_count && !sheet->facts.unchecked ? "Claims: all hold" : "Claims");
    html_fold(title.text, bad > 0, s);
    str_add(s, "<ul class=\"claims\">\n");
    for (int i = 0; i < sheet->facts.claim_count; i++) verdict(sheet->facts.claims[i], s);
    for (size_t i = 0; i < q->claim_count && !sheet->facts.claim_count; i++) {
        str_add(s, "<li><code>");
        markup_text(s, q->claims[i]);
        str_add(s, "</code>");
        if (q->whens[i]) str_add(s, " when "), html_element(s, "code", NULL, q->whens[i]);
        str_add(s, "</li>\n");
    }
    str_add(s, "</ul>\n");
    if (!sheet->facts.claim_count)
        str_addf(s, "<p class=\"never\">The run file counts %lu broken; it does not say what came of each.</p>\n",
            sheet->facts.broken);
    str_add(s, "</details>\n");
}

static void rows(const struct sheet *sheet, struct str *s)
{
    const size_t out = sheet->view.left_out;
    html_fold(sheet->view.total == 1 ? "The row" : "All rows", false, s);
    if (sheet->link) {
        str_add(s, "<p><a class=\"file\" href=\"");
        markup_text(s, sheet->link);
        str_add(s, "\">The report, CSV</a></p>\n");
    }
    html_table(sheet, s);
    if (out)
        str_addf(s,
            "<p class=\"never\">%zu row%s of the file %s not shown: measured again since, or no longer in the "
            "plan.</p>\n",
            out, out == 1 ? "" : "s", out == 1 ? "is" : "are");
    str_add(s, "</details>\n");
}

static void measured(const struct sheet *sheet, struct str *s)
{
    const struct run_facts *f = &sheet->facts;
    if (!f->count) return;
    html_fold("Measured with", false, s);
    str_add(s, "<dl class=\"facts\">\n");
    for (int i = 0; i < f->count; i++) {
        str_add(s, "<div>");
        html_element(s, "dt", NULL, f->items[i].name);
        html_element(s, "dd", NULL, f->items[i].text);
        str_add(s, "</div>\n");
    }
    if (sheet->charts.why) {
        str_add(s, "<div><dt>chart</dt><dd>chosen because ");
        markup_text(s, sheet->charts.why);
        str_add(s, "; <code>-s chart.kind=</code> asks for another</dd></div>\n");
    }
    str_add(s, "<div><dt>again</dt><dd><code>gpuexp replay ");
    markup_text(s, sheet->view.path);
    str_add(s, "</code></dd></div>\n</dl>\n</details>\n");
}

// Where a number comes from, for who wants to see it.
static void sampled(const struct sheet *sheet, struct str *s)
{
    struct chart c;
    if (sheet->charts.count && sheet->charts.items[0].kind == CHART_SAMPLES) return;
    if (!chart_samples(&sheet->view, SAMPLED_POINTS, &c)) return;
    str_add(s, "<details>\n<summary>Samples in the order of time</summary>\n<div class=\"charts\">\n");
    draw_chart(&sheet->view, &c, s);
    str_add(s, "</div>\n</details>\n");
}

static void findings(const struct sheet *sheet, struct str *s)
{
    insight_findings(sheet->insight, sheet->view.path, s);
}

static void mechanism(const struct sheet *sheet, struct str *s) { insight_mechanism(sheet->insight, s); }

static void (*const parts[])(const struct sheet *, struct str *) = {
    header, pictures, more_pictures, findings, mechanism, claims, html_scripted, found, rows, sampled, measured};

void html_section(const struct sheet *sheet, struct str *s)
{
    str_addf(s, "<section id=\"r%zu\">\n", sheet->number);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) parts[i](sheet, s);
    str_add(s, "</section>\n");
}
