// The page: what stands around its sections.
// SPDX-License-Identifier: MIT
#include "page/html.h"

#include <ctype.h>
#include <dirent.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/beside.h"
#include "base/embed.h"
#include "base/file.h"
#include "page/answer.h"
#include "page/export.h"
#include "page/markup.h"
#include "page/view.h"
#include "store/runfile.h"
#include "store/table.h"

static const char *get(const char *text, const char *name, int run, struct arena *arena)
{
    LOCAL(mem_drop) char *value = runfile_get(text, name, run);
    return value && *value ? arena_strdup(arena, value) : NULL;
}

static unsigned long get_number(const char *text, const char *name, int run, struct arena *arena)
{
    const char *value = get(text, name, run, arena);
    return value ? strtoul(value, NULL, 10) : 0;
}

static void add(struct run_facts *f, const char *name, const char *text)
{
    if (text && f->count < FACTS_MOST) f->items[f->count++] = (struct fact){name, text};
}

// "cuda:0, NVIDIA H200, sm_90, ...": every device that took part.
static void add_devices(struct run_facts *f, const char *text, struct arena *arena)
{
    char name[32];
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "device_%d", i);
        add(f, "device", get(text, name, 0, arena));
    }
}

static int numbered(const char *text, const char *what, int run, const char *all[CLAIMS_MOST], struct arena *arena)
{
    int count = 0;
    for (; run && count < CLAIMS_MOST; count++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%d", what, count + 1);
        if (!(all[count] = get(text, name, run, arena))) break;
    }
    return count;
}

// Nothing where there is no run file: a report can be shown without it. Texts are in the arena.
// its text, or NULL
static void run_facts_read(struct run_facts *f, const char *text, struct arena *arena)
{
    *f = (struct run_facts){0};
    if (!text) return;
    int last = runfile_runs(text) ? -1 : 0;
    const char *date = last ? get(text, "finished", last, arena) : NULL;
    if (!date && last) date = get(text, "started", last, arena);
    f->points = get_number(text, "points", 0, arena);
    f->broken = last ? get_number(text, "broken", last, arena) : 0;
    f->unchecked = last ? get_number(text, "unchecked", last, arena) : 0;
    f->claim_count = numbered(text, "expectation", last, f->claims, arena);
    f->line_count = numbered(text, "script_line", last, f->lines, arena);
    add_devices(f, text, arena);
    add(f, "identity", get(text, "device_identity", 0, arena));
    add(f, "compiler", get(text, "compiler", 0, arena));
    add(f, "measure", get(text, "measure", 0, arena));
    add(f, "gpuexp", get(text, "gpuexp", 0, arena));
    add(f, "host", last ? get(text, "host", last, arena) : NULL);
    add(f, "date", date);
    add(f, "command", last ? get(text, "command", last, arena) : NULL);
}

// One report for a page: its rows, what its run file says, what its experiment asks, and what to draw of it.

const char *sheet_title(const struct sheet *s)
{
    const struct view *v = &s->view;
    int column = view_column(v, "experiment");
    if (column >= 0 && v->row_count && *v->rows[0][column]) return v->rows[0][column];
    char *path = arena_strdup(v->arena, v->path), *name = basename(path), *dot = strrchr(name, '.');
    if (dot && dot != name) *dot = '\0';
    return name;
}

bool sheet_read(struct sheet *s, const char *path, const struct chart_wish *wish, struct diags *d)
{
    *s = (struct sheet){.number = 1};
    if (!view_read(&s->view, path, d)) return false;
    LOCAL(mem_drop) char *runfile = runfile_read(path);
    run_facts_read(&s->facts, runfile, s->view.arena);
    question_read(&s->question, runfile, sheet_title(s), s->view.arena);
    row_value_derive(&s->view, &s->question);
    for (size_t i = 0; i < s->view.column_count; i++) {
        struct view_column *c = &s->view.columns[i];
        const char *unit = question_unit(&s->question, c->name), *about = question_about(&s->question, c->name);
        const int setting = setting_find(c->name);
        if (unit && !*c->unit) c->unit = unit;
        if (!about && setting >= 0) about = setting_table[setting].about;
        if (!about && c->numeric) about = question_derivation(&s->question, c->name);
        if (about && !*c->about) c->about = about;
    }
    if (!charts_choose(&s->view, &s->question, wish, &s->charts, d)) return false;
    LOCAL(str_release) struct str answer = {0};
    answer_add(&s->view, &s->question, &s->charts, &answer);
    s->answer = answer.size ? arena_strdup(s->view.arena, answer.text) : NULL;
    return true;
}

void sheet_release(struct sheet *s) { view_release(&s->view); }

// What the experiment's script said at the end of the run, and the tables that it left beside the report.

enum { TABLES_MOST = 8, ROWS_MOST = 50 };

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Files x.NAME.csv beside x.csv that are tables of a script: letters, digits, _ and - in the name, and neither reports
// nor what a run keeps itself.
static size_t tables_beside(const char *report, char *names[TABLES_MOST])
{
    char *for_dir = strdup(report), *for_base = strdup(report), *base = for_base ? basename(for_base) : NULL;
    size_t stem = base && strlen(base) > 4 ? strlen(base) - 4 : 0, n = 0;
    DIR *dir = for_dir && stem ? opendir(dirname(for_dir)) : NULL;
    for (struct dirent *e; dir && n < TABLES_MOST && (e = readdir(dir));) {
        const size_t length = strlen(e->d_name);
        if (length < stem + 6 || strncmp(e->d_name, base, stem) != 0 || e->d_name[stem] != '.') continue;
        if (strcmp(e->d_name + length - 4, ".csv") != 0 || memchr(e->d_name + stem + 1, '.', length - stem - 5))
            continue;
        LOCAL(str_release) struct str path = {0};
        str_addf(&path, "%s/%s", for_dir, e->d_name);
        if (!beside_named(path.text, false) && !view_is_report(path.text)) names[n++] = str_take(&path);
    }
    if (dir) closedir(dir);
    free(for_dir);
    free(for_base);
    if (n) qsort(names, n, sizeof *names, by_name);
    return n;
}

static void cell(const char *text, const char *name, struct str *s)
{
    const struct value v = table_value(text);
    const bool number = v.kind == VALUE_INT || v.kind == VALUE_REAL;
    str_addf(s, "<%s%s>", name, number ? " class=\"n\"" : "");
    double x;
    if (v.kind == VALUE_REAL && value_number(v, &x)) str_addf(s, "%.6g", x);
    else markup_text(s, text);
    str_addf(s, "</%s>", name);
}

static void add_table(const char *path, size_t stem, struct str *s)
{
    LOCAL(table_close) struct table t = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    char *name = strdup(path + stem), *dot = name ? strrchr(name, '.') : NULL;
    if (dot) *dot = '\0';
    if (table_open(&t, path, &ignored) && name) {
        html_element(s, "h4", NULL, name);
        str_add(s, "<div class=\"scroll small\" tabindex=\"0\"><table>\n<thead><tr>");
        for (size_t c = 0; c < t.column_count; c++) cell(t.columns[c], "th", s);
        str_add(s, "</tr></thead>\n<tbody>\n");
        for (size_t i = 0; i < t.count && i < ROWS_MOST; i++) {
            const struct cells *cells = table_row(&t, i, &ignored);
            str_add(s, "<tr>");
            for (size_t c = 0; cells && c < t.column_count; c++) cell(cells_text(cells, c), "td", s);
            str_add(s, "</tr>\n");
        }
        str_add(s, "</tbody>\n</table></div>\n");
        if (t.count > ROWS_MOST) str_addf(s, "<p class=\"never\">The first %d of %zu rows.</p>\n", ROWS_MOST, t.count);
    }
    free(name);
}

// What its script said and found
static void html_scripted(const struct sheet *sheet, struct str *s)
{
    char *names[TABLES_MOST];
    const size_t count = tables_beside(sheet->view.path, names);
    const char *slash = strrchr(sheet->view.path, '/');
    if (!count && !sheet->facts.line_count) return;
    html_fold("What the script found", false, s);
    for (int i = 0; i < sheet->facts.line_count; i++) {
        html_element(s, "p", "said", sheet->facts.lines[i]);
        str_add(s, "\n");
    }
    for (size_t i = 0; i < count; i++) {
        const char *base = strrchr(names[i], '/');
        add_table(names[i], (size_t)(base - names[i]) + strlen(slash ? slash + 1 : sheet->view.path) - 2, s);
        free(names[i]);
    }
    str_add(s, "</details>\n");
}

// The parts of a report's section, one function each, in the order of the list below. A new part is a function and a
// place in that list; it adds nothing where it has nothing to say.

enum { SAMPLED_POINTS = 2 };

void html_counts(const struct sheet *sheet, const char *page, struct str *s)
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
    const unsigned long counts[] = {f->broken, f->unchecked};
    static const char *const classes[] = {"wrong", "unverified"}, *const words[] = {"broken", "not checked"};
    for (int i = 0; i < 2; i++) {
        if (!counts[i]) continue;
        str_addf(s, " <a class=\"status %s\" href=\"", classes[i]);
        markup_text(s, page);
        str_addf(s, "#claims%zu\">%lu expectation%s %s</a>", sheet->number, counts[i], counts[i] == 1 ? "" : "s",
            words[i]);
    }
    str_add(s, "</p>\n");
}

// No line ends between a number and its unit.
static void with_units(char *text, struct str *s)
{
    static const char *const units[] = {"%", "B", "KiB", "MiB", "GiB", "GB/s", "TB/s", "ns", "us", "ms", "s", "times"};
    char *from = text;
    for (char *p = text; *p; p++) {
        const size_t n = strcspn(p + 1, " .,;:)");
        bool unit = false;
        if (*p != ' ' || p == text || !isdigit((unsigned char)p[-1])) continue;
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            unit |= strlen(units[i]) == n && strncmp(p + 1, units[i], n) == 0;
        if (!unit) continue;
        *p = '\0';
        markup_text(s, from);
        str_add(s, "\xC2\xA0");
        from = p + 1;
    }
    markup_text(s, from);
}

// `that` when `when`: what stands between the signs is code.
static void with_code(const char *text, struct str *s)
{
    bool code = false;
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, "`");
        LOCAL(str_release) struct str part = {0};
        str_add_bytes(&part, p, n);
        if (n) with_units(part.text, s);
        p += n;
        if (*p != '`') continue;
        str_add(s, code ? "</code>" : "<code>");
        code = !code;
        p++;
    }
    if (code) str_add(s, "</code>");
}

// Up to the full stop before a new sentence.
static size_t first_sentence(const char *text)
{
    for (const char *p = text; (p = strstr(p, ". ")); p++)
        if (isupper((unsigned char)p[2])) return (size_t)(p + 1 - text);
    return strlen(text);
}

static void header(const struct sheet *sheet, struct str *s)
{
    const struct view *v = &sheet->view;
    str_add(s, "<header>\n");
    html_element(s, sheet->number == 1 ? "h1" : "h2", NULL, sheet_title(sheet));
    if (sheet->question.question) html_element(s, "p", "question", sheet->question.question);
    if (sheet->answer) {
        const size_t first = first_sentence(sheet->answer);
        LOCAL(str_release) struct str said = {0};
        str_add(s, "<h2 class=\"answer\">");
        str_add_bytes(&said, sheet->answer, first);
        with_code(said.text, s);
        str_add(s, "</h2>");
        str_clear(&said);
        if (sheet->answer[first]) {
            str_add(s, "\n<p class=\"answer\">");
            with_code(sheet->answer + first + 1, s);
            str_add(s, "</p>");
        }
    } else html_element(s, "h2", "unseen", "Results"); // for who goes from heading to heading
    str_add(s, "\n");
    html_counts(sheet, "", s);
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
    str_addf(s, "<ul class=\"claims\" id=\"claims%zu\">\n", sheet->number);
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

// Parts of a section; the list in html.c says which there are, and in which order.
static void html_section(const struct sheet *sheet, struct str *s)
{
    str_addf(s, "<section id=\"r%zu\">\n", sheet->number);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) parts[i](sheet, s);
    str_add(s, "</section>\n");
}

void html_element(struct str *s, const char *name, const char *class, const char *text)
{
    str_addf(s, "<%s", name);
    if (class) str_addf(s, " class=\"%s\"", class);
    str_add(s, ">");
    markup_text(s, text);
    str_addf(s, "</%s>", name);
}

void html_fold(const char *title, bool open, struct str *s)
{
    str_add(s, open ? "<details open=\"open\">\n<summary>" : "<details>\n<summary>");
    markup_text(s, title);
    str_add(s, "</summary>\n");
}

static void style(const char *name, struct str *s)
{
    const struct embedded *text = embed_find(name);
    if (text) str_add_bytes(s, text->text, text->size);
}

// A page runs no script, so that sorting is done by the style: the radio button of a column is chosen, and the rows
// take their places in its order from a number of their own.
static void sorting(struct str *s)
{
    for (int i = 0; i < HTML_SORTED; i++)
        str_addf(s,
            ".scroll:has(.a%d:checked) tbody tr{order:var(--k%d)}.scroll:has(.z%d:checked) tbody tr{order:calc(-1*"
            "var(--k%d))}\n",
            i, i, i, i);
}

void html_head(const char *title, struct str *s)
{
    str_add(s, beside_table[BESIDE_PAGE].begins);
    str_add(s,
        "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        // Whatever a report holds: nothing in the page runs, and it asks for nothing from elsewhere.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>");
    markup_text(s, title);
    str_add(s, "</title>\n<style>\n");
    style("runner/page/colours.css", s);
    style("runner/page/chart.css", s);
    style("runner/page/html.css", s);
    sorting(s);
    str_add(s, "</style>\n</head>\n<body>\n");
}

void html_feet(const char *from, struct str *s)
{
    str_add(s, "<footer>gpuexp " GPUEXP_VERSION ", from ");
    markup_text(s, from);
    str_add(s, "</footer>\n</body>\n</html>\n");
}

static const char *folder_of(const char *path, char real[PATH_MAX], struct arena *a)
{
    return realpath(dirname(arena_strdup(a, path)), real);
}

const char *html_link(const char *page, const char *file, struct arena *a)
{
    char from[PATH_MAX], to[PATH_MAX];
    LOCAL(str_release) struct str s = {0};
    if (!folder_of(page, from, a) || !folder_of(file, to, a)) return NULL;
    size_t same = 0, up = 0; // up to the last folder that both are in
    for (size_t i = 0;; i++) {
        const bool end_a = !from[i] || from[i] == '/', end_b = !to[i] || to[i] == '/';
        if (end_a && end_b) same = i;
        if (from[i] != to[i] || !from[i]) break;
    }
    for (size_t i = same; from[i]; i++) up += from[i] == '/' && from[i + 1];
    for (size_t i = 0; i < up; i++) str_add(&s, "../");
    if (to[same]) str_addf(&s, "%s/", to + same + (to[same] == '/'));
    str_add(&s, basename(arena_strdup(a, file)));
    struct str safe = {0}; // a path in an address
    for (const char *p = s.text; *p; p++)
        if (strchr("/._-~", *p) || (*p >= '0' && *p <= '9') || (*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z'))
            str_add_bytes(&safe, p, 1);
        else str_addf(&safe, "%%%02X", (unsigned char)*p);
    const char *link = arena_strdup(a, safe.text);
    str_release(&safe);
    return link;
}

static void contents(const struct sheet *sheets, size_t count, struct str *s)
{
    if (count < 2) return;
    str_add(s, "<nav>");
    for (size_t i = 0; i < count; i++) {
        str_addf(s, "<a href=\"#r%zu\">", sheets[i].number);
        markup_text(s, sheet_title(&sheets[i]));
        str_add(s, "</a> ");
    }
    str_add(s, "</nav>\n");
}

static void page(const struct sheet *sheets, size_t count, const struct html_options *o, struct str *s)
{
    LOCAL(str_release) struct str title = {0}, from = {0};
    for (size_t i = 0; i < count; i++) {
        str_addf(&title, "%s%s", i ? ", " : "", sheet_title(&sheets[i]));
        str_addf(&from, "%s%s", i ? ", " : "", basename(arena_strdup(sheets[i].view.arena, sheets[i].view.path)));
    }
    html_head(title.text, s);
    contents(sheets, count, s);
    if (o->lead) str_add(s, o->lead);
    str_add(s, "<main>\n");
    if (count > 1) html_overlay(sheets, count, &o->wish, s);
    for (size_t i = 0; i < count; i++) html_section(&sheets[i], s);
    str_add(s, "</main>\n");
    html_feet(from.text, s);
}

bool html_write(const struct html_options *o, char output[4096], struct diags *d)
{
    LOCAL(mem_drop) struct sheet *sheets = mem_alloc(o->count * sizeof *sheets);
    LOCAL(str_release) struct str s = {0};
    bool ok = export_path(o, BESIDE_PAGE, output, d);
    for (size_t i = 0; i < o->count; i++) {
        bool good = sheet_read(&sheets[i], o->reports[i], &o->wish, d);
        sheets[i].number = i + 1;
        if (good && o->look) sheets[i].insight = o->look(o->reports[i], o->context, sheets[i].view.arena);
        if (good) sheets[i].link = html_link(output, o->reports[i], sheets[i].view.arena);
        ok = ok && good;
    }
    if (ok) {
        page(sheets, o->count, o, &s);
        ok = file_write_over(output, s.text, s.size, beside_table[BESIDE_PAGE].begins, d);
    }
    for (size_t i = 0; i < o->count; i++) sheet_release(&sheets[i]);
    return ok;
}
