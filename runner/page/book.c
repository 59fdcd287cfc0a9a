// A folder of reports as a book: its index, by theme in the order in which one should read them, with each question,
// a small picture and what came of it.
// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "page/export.h"
#include "page/markup.h"
#include "spec/themes.h"

struct chapter { // one report
    char *path;
    struct str entry;
    char *theme;
};
struct book {
    struct chapter *items;
    size_t count, room;
};

static int by_path(const void *a, const void *b)
{
    const struct chapter *x = a, *y = b;
    return strcmp(x->path, y->path);
}

static bool list(const char *folder, struct book *b, struct diags *d)
{
    DIR *dir = opendir(folder);
    if (!dir) return diag_system(d, NULL, "cannot read %s: %s", folder, strerror(errno));
    for (struct dirent *e; (e = readdir(dir));) {
        const size_t length = strlen(e->d_name);
        struct str path = {0};
        if (length < 5 || strcmp(e->d_name + length - 4, ".csv") != 0) continue;
        str_addf(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", e->d_name);
        if (view_is_report(path.text)) {
            mem_grow(&b->items, &b->room, b->count + 1, sizeof *b->items);
            b->items[b->count++] = (struct chapter){.path = str_take(&path)};
        }
        str_release(&path);
    }
    closedir(dir);
    if (b->count) qsort(b->items, b->count, sizeof *b->items, by_path);
    return b->count || diag_user(d, (struct where){.file = folder}, NULL, "has no report in it");
}

static void thumbnail(const struct sheet *sheet, struct str *s)
{
    const struct chart *c = sheet->charts.items;
    double width, height;
    struct str drawn = {0};
    if (sheet->charts.why_none || !sheet->charts.count || !c->panel_count) return;
    struct chart small = *c; // what it is about alone
    small.facet_count = 1;
    draw_panel(&sheet->view, &small, &small.panels[0], false, &width, &height, &drawn);
    str_addf(s, "<svg class=\"%s\" viewBox=\"0 0 %.0f %.0f\" aria-hidden=\"true\">\n", draw_kind(c), width, height);
    str_add_bytes(s, drawn.text, drawn.size);
    str_add(s, "</svg>\n");
    str_release(&drawn);
}

static void entry(const struct sheet *sheet, const char *link, struct str *s)
{
    str_add(s, "<article>\n<h4><a href=\"");
    markup_text(s, link);
    str_add(s, "\">");
    const char *base = strrchr(sheet->view.path, '/');
    base = base ? base + 1 : sheet->view.path;
    markup_text(s, arena_strndup(sheet->view.arena, base, strlen(base) - 4)); // without .csv
    str_add(s, "</a></h4>\n");
    if (sheet->question.question) html_element(s, "p", "asks", sheet->question.question);
    char *found = found_before_text(&sheet->question.found, false);
    if (found) html_element(s, "p", "found", found);
    free(found);
    html_counts(sheet, s);
    thumbnail(sheet, s);
    str_add(s, "</article>\n");
}

static bool write_chapter(struct chapter *c, const char *index, const struct html_options *o, struct diags *d)
{
    struct sheet sheet;
    struct str path = {0};
    char *folder = strdup(index), *copy = strdup(c->path), *name = basename(copy), output[4096];
    str_addf(&path, "%s/%.*s.html", dirname(folder), (int)strlen(name) - 4, name);
    const char *const one[] = {c->path};
    const struct html_options each = {
        .reports = one, .count = 1, .output = path.text, .wish = o->wish, .look = o->look, .context = o->context};
    bool ok = html_write(&each, output, d) && sheet_read(&sheet, c->path, &o->wish, d);
    if (ok) {
        const char *link = html_link(index, path.text, sheet.view.arena);
        entry(&sheet, link ? link : path.text, &c->entry);
        c->theme = strdup(sheet.question.theme ? sheet.question.theme : "");
        sheet_release(&sheet);
    }
    free(folder);
    free(copy);
    str_release(&path);
    return ok;
}

static void theme(const struct book *b, const char *name, const char *teaches, struct str *s)
{
    size_t count = 0;
    for (size_t i = 0; i < b->count; i++) {
        bool listed = false;
        for (const struct theme *t = themes; t->name && !*name; t++) listed |= strcmp(t->name, b->items[i].theme) == 0;
        if (*name ? strcmp(b->items[i].theme, name) != 0 : listed) continue;
        if (!count++) {
            str_add(s, "<section>\n<header>\n");
            html_element(s, "h2", NULL, *name ? name : "others");
            html_element(s, "p", "question", teaches);
            str_add(s, "</header>\n<div class=\"book\">\n");
        }
        str_add_bytes(s, b->items[i].entry.text, b->items[i].entry.size);
    }
    if (count) str_add(s, "</div>\n</section>\n");
}

bool book_write(const char *folder, const struct html_options *o, char output[4096], struct diags *d)
{
    struct book b = {0};
    struct str s = {0};
    bool ok = list(folder, &b, d);
    snprintf(output, 4096, o->output ? "%s" : "%s/index.html", o->output ? o->output : folder);
    ok = ok && file_make_folders(output, d);
    for (size_t i = 0; i < b.count && ok; i++) ok = write_chapter(&b.items[i], output, o, d);
    if (ok) {
        html_head(folder, &s);
        str_add(&s, "<main>\n");
        for (const struct theme *t = themes; t->name; t++) theme(&b, t->name, t->teaches, &s);
        theme(&b, "", "Reports of no theme of the catalogue.", &s);
        str_add(&s, "</main>\n");
        html_feet(folder, &s);
        ok = file_write_over(output, s.text, s.size, beside_table[BESIDE_PAGE].begins, d);
    }
    for (size_t i = 0; i < b.count; i++) {
        free(b.items[i].path);
        free(b.items[i].theme);
        str_release(&b.items[i].entry);
    }
    free(b.items);
    str_release(&s);
    return ok;
}
