// The page: what stands around its sections.
// SPDX-License-Identifier: MIT
#include "page/export.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/beside.h"
#include "base/embed.h"
#include "base/file.h"
#include "page/markup.h"

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
