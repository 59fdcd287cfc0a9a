// A folder of reports as a book: its index, by theme in the order in which one should read them, with each question,
// a small picture and what came of it.
// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/text.h"
#include "page/export.h"
#include "page/markup.h"
#include "spec/experiment.h"
#include "spec/themes.h"

enum { SIGN_LETTERS = 34 };
#define CHAPTER_MEMORY ((uint64_t)4 << 30) // at most, of one that looks at large points

struct chapter { // one report
    char *path, *theme, *asks, *link;
    struct str entry;
    size_t place, step;       // of its theme, and its own within
    const struct chapter *of; // whose question it asks of other values; NULL: a question of its own
};
struct book {
    struct chapter *items;
    size_t count, room;
};

static int by_theme(const void *a, const void *b)
{
    const struct chapter *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    if (x->step != y->step) return x->step < y->step ? -1 : 1;
    return strcmp(x->path, y->path);
}

static bool list(const char *folder, struct book *b, struct diags *d)
{
    DIR *dir = opendir(folder);
    if (!dir) return diag_system(d, NULL, "cannot read %s: %s", folder, strerror(errno));
    for (struct dirent *e; (e = readdir(dir));) {
        LOCAL(str_release) struct str path = {0};
        if (!text_ends(e->d_name, ".csv")) continue;
        str_addf(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", e->d_name);
        if (view_is_report(path.text)) {
            mem_grow(&b->items, &b->room, b->count + 1, sizeof *b->items);
            b->items[b->count++] = (struct chapter){.path = str_take(&path)};
        }
    }
    closedir(dir);
    return b->count || diag_user(d, (struct where){.file = folder}, NULL, "has no report in it");
}

// What the colours of a small picture mean; of signs that a style draws, for they are many.
static void signs(const struct chart *c, struct str *s)
{
    if (c->kind == CHART_HEAT || c->name_count * c->dash_count < 2) return;
    str_addf(s, "<ul class=\"signs%s\">", c->kind == CHART_BARS && !c->facets[0].dots ? " filled" : "");
    for (size_t i = 0; i < c->name_count + (c->dash_count > 1 ? c->dash_count : 0); i++) {
        const bool dash = i >= c->name_count;
        const char *name = dash ? c->dash_names[i - c->name_count] : c->names[i];
        if (!*name) continue;
        str_addf(s, "<li class=\"%c%zu%s\">", dash ? 'd' : 's', dash ? i - c->name_count : i + 1,
            dash ? "" : draw_faded(c, i));
        markup_cut(s, name, SIGN_LETTERS);
        str_add(s, "</li>");
    }
    str_add(s, "</ul>\n");
}

static void thumbnail(const struct sheet *sheet, struct str *s)
{
    const struct chart *c = sheet->charts.items;
    double width, height;
    LOCAL(str_release) struct str drawn = {0};
    if (sheet->charts.why_none || !sheet->charts.count || !c->panel_count) return;
    struct chart small = *c; // what it is about alone
    small.facet_count = 1;
    small.narrow = small.bare = true;
    draw_panel(&sheet->view, &small, &small.panels[0], false, &width, &height, &drawn);
    str_addf(s, "<svg class=\"%s\" viewBox=\"0 0 %.0f %.0f\" aria-hidden=\"true\">\n", draw_kind(c), width, height);
    str_add_bytes(s, drawn.text, drawn.size);
    str_add(s, "</svg>\n");
    signs(&small, s);
}

// A chapter's name: the report's file without its ending.
static const char *name_of(const struct chapter *c)
{
    const char *slash = strrchr(c->path, '/');
    return slash ? slash + 1 : c->path;
}

static void link_to(const char *href, const char *text, size_t length, struct str *s)
{
    LOCAL(str_release) struct str shown = {0};
    str_add_bytes(&shown, text, length);
    str_add(s, "<a href=\"");
    markup_text(s, href);
    str_add(s, "\">");
    markup_text(s, shown.text);
    str_add(s, "</a>");
}

static void entry(const struct sheet *sheet, const struct chapter *c, struct str *s)
{
    const char *name = name_of(c);
    str_add(s, "<article>\n<h3>");
    link_to(c->link, name, strlen(name) - 4, s); // without .csv
    str_add(s, "</h3>\n");
    if (sheet->question.question) html_element(s, "p", "asks", sheet->question.question);
    if (sheet->answer) html_element(s, "p", "found", sheet->answer);
    html_counts(sheet, c->link, s);
    thumbnail(sheet, s);
    str_add(s, "</article>\n");
}

static void path_of_page(const struct chapter *c, const char *index, struct str *path)
{
    LOCAL(mem_drop) char *folder = strdup(index);
    str_addf(path, "%s/%.*s.html", dirname(folder), (int)strlen(name_of(c)) - 4, name_of(c));
}

static bool read_chapter(struct chapter *c, const char *index, const struct html_options *o, struct diags *d)
{
    LOCAL(sheet_release) struct sheet sheet = {0};
    LOCAL(str_release) struct str path = {0};
    path_of_page(c, index, &path);
    const bool ok = sheet_read(&sheet, c->path, &o->wish, d);
    if (ok) {
        const char *link = html_link(index, path.text, sheet.view.arena);
        c->link = strdup(link ? link : path.text);
        c->theme = strdup(sheet.question.theme ? sheet.question.theme : "");
        c->asks = strdup(sheet.question.question ? sheet.question.question : "");
        LOCAL(str_release) struct str name = {0};
        str_addf(&name, "%.*s", (int)strlen(name_of(c)) - 4, name_of(c));
        c->place = theme_place(c->theme), c->step = theme_step(c->theme, name.text);
        entry(&sheet, c, &c->entry);
    }
    return ok;
}

// `stride_small` asks what `stride` asks, of other values: it stands on that one's page.
static void find_doubles(struct book *b)
{
    for (size_t i = 0; i < b->count; i++)
        for (size_t k = 0; k < b->count; k++) {
            struct chapter *c = &b->items[i];
            const char *name = name_of(&b->items[k]);
            const size_t length = strlen(name) - 4;
            if (i != k && *c->asks && strcmp(c->asks, b->items[k].asks) == 0 &&
                strncmp(name_of(c), name, length) == 0 && name_of(c)[length] == '_')
                c->of = &b->items[k];
        }
}

// From question to question: the one before, the theme, the one behind; and the same question asked of other values.
static void lead(const struct book *b, const struct chapter *c, const char *index, struct str *s)
{
    const struct chapter *own = c->of ? c->of : c, *before = NULL, *behind = NULL;
    LOCAL(str_release) struct str home = {0};
    for (size_t i = 0; i < b->count; i++) {
        const struct chapter *other = &b->items[i];
        if (other->of || other == own) continue;
        if (other < own) before = other;
        if (other > own && !behind) behind = other;
    }
    LOCAL(mem_drop) char *copy = strdup(index);
    str_addf(&home, "%s", basename(copy));
    str_add(s, "<nav class=\"lead\">");
    link_to(home.text, "All questions", 13, s);
    if (*own->theme) html_element(s, "span", NULL, own->theme);
    if (before) str_add(s, "<span>before: "), link_to(before->link, name_of(before), strlen(name_of(before)) - 4, s);
    if (before) str_add(s, "</span>");
    if (behind) str_add(s, "<span>next: "), link_to(behind->link, name_of(behind), strlen(name_of(behind)) - 4, s);
    if (behind) str_add(s, "</span>");
    for (size_t i = 0; i < b->count; i++) {
        const struct chapter *other = &b->items[i];
        if (other == c || (other->of != own && other != own)) continue;
        str_add(s, "<span>the same question: ");
        link_to(other->link, name_of(other), strlen(name_of(other)) - 4, s);
        str_add(s, "</span>");
    }
    str_add(s, "</nav>\n");
}

static bool write_chapter(const struct book *b, const struct chapter *c, const char *index,
    const struct html_options *o, struct diags *d)
{
    LOCAL(str_release) struct str path = {0}, way = {0};
    char output[4096];
    path_of_page(c, index, &path);
    lead(b, c, index, &way);
    const char *const one[] = {c->path};
    const struct html_options each = {.reports = one,
        .count = 1,
        .output = path.text,
        .wish = o->wish,
        .look = o->look,
        .context = o->context,
        .lead = way.text};
    return html_write(&each, output, d);
}

// Looking at a report's points takes a processor, and some memory.
static size_t at_once(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const uint64_t room = machine_data_memory() / CHAPTER_MEMORY, most = processors > 1 ? (uint64_t)processors : 1;
    return (size_t)(room < 1 ? 1 : room < most ? room : most);
}

struct book_writing {
    const struct book *book;
    const char *index;
    const struct html_options *how;
};

static bool write_one(const void *context, size_t which)
{
    const struct book_writing *w = context;
    const struct chapter *c = &w->book->items[which];
    LOCAL(diags_clear) struct diags d = {0};
    if (w->how->page) w->how->page(which + 1, w->book->count, c->path);
    const bool ok = write_chapter(w->book, c, w->index, w->how, &d);
    diags_print(&d, stderr);
    return ok;
}

// Each page in a process of its own, so that a long one holds up no other.
static bool write_chapters(const struct book *b, const char *index, const struct html_options *o, struct diags *d)
{
    const struct book_writing all = {b, index, o};
    return apart_each(write_one, &all, b->count, at_once()) ||
        diag_user(d, (struct where){.file = index}, NULL, "a page of the book could not be written");
}

static void theme(const struct book *b, const char *name, const char *teaches, struct str *s)
{
    size_t count = 0;
    for (size_t i = 0; i < b->count; i++) {
        bool listed = false;
        for (const struct theme *t = themes; t->name && !*name; t++) listed |= strcmp(t->name, b->items[i].theme) == 0;
        if (b->items[i].of || (*name ? strcmp(b->items[i].theme, name) != 0 : listed)) continue;
        if (!count++) {
            str_addf(s, "<section id=\"%s\">\n<header>\n", *name ? name : "others");
            html_element(s, "h2", NULL, *name ? name : "others");
            html_element(s, "p", "question", teaches);
            str_add(s, "</header>\n<div class=\"book\">\n");
        }
        str_add_bytes(s, b->items[i].entry.text, b->items[i].entry.size);
    }
    if (count) str_add(s, "</div>\n</section>\n");
}

static bool has_theme(const struct book *b, const char *name)
{
    for (size_t i = 0; i < b->count; i++)
        if (strcmp(b->items[i].theme, name) == 0) return true;
    return false;
}

static bool has_report(const struct book *b, const char *experiment)
{
    const size_t n = strlen(experiment);
    for (size_t i = 0; i < b->count; i++)
        if (strncmp(name_of(&b->items[i]), experiment, n) == 0 && strcmp(name_of(&b->items[i]) + n, ".csv") == 0)
            return true;
    return false;
}

// Questions that nobody has measured an answer to: neither their files say one, nor has the book a report.
static void unanswered(const struct book *b, struct str *s)
{
    LOCAL(file_list_drop) char **names = file_list("experiments", ".yaml");
    size_t count = 0;
    for (char **name = names; *name; name++) {
        LOCAL(diags_clear) struct diags ignored = {0};
        LOCAL(experiments_free) struct experiments all = {0};
        LOCAL(mem_drop) char *path = file_find("experiments", *name, ".yaml");
        if (path) experiments_load(path, NULL, 0, &all, &ignored);
        for (size_t i = 0; i < all.count; i++) {
            const struct experiment *e = all.items[i];
            if (!experiment_unmeasured(e) || has_report(b, e->name)) continue;
            if (!count++) str_add(s, "<section id=\"unanswered\">\n<h2>Not measured yet</h2>\n<ul>\n");
            str_add(s, "<li>"), html_element(s, "b", NULL, e->name), str_add(s, " ");
            if (e->question) markup_text(s, e->question);
            str_add(s, "</li>\n");
        }
    }
    if (count) str_add(s, "</ul>\n</section>\n");
}

bool book_write(const char *folder, const struct html_options *o, char output[4096], struct diags *d)
{
    struct book b = {0};
    LOCAL(str_release) struct str s = {0};
    bool ok = list(folder, &b, d);
    snprintf(output, 4096, o->output ? "%s" : "%s/index.html", o->output ? o->output : folder);
    ok = ok && file_make_folders(output, d);
    for (size_t i = 0; i < b.count && ok; i++) ok = read_chapter(&b.items[i], output, o, d);
    if (ok) qsort(b.items, b.count, sizeof *b.items, by_theme);
    if (ok) find_doubles(&b);
    ok = ok && write_chapters(&b, output, o, d);
    if (ok) {
        html_head(folder, &s);
        str_add(&s, "<nav>");
        for (const struct theme *t = themes; t->name; t++)
            if (has_theme(&b, t->name)) str_addf(&s, "<a href=\"#%s\">%s</a> ", t->name, t->name);
        str_add(&s, "</nav>\n<main>\n<h1>Questions and answers</h1>\n");
        for (const struct theme *t = themes; t->name; t++) theme(&b, t->name, t->teaches, &s);
        theme(&b, "", "Reports of no theme of the catalogue.", &s);
        unanswered(&b, &s);
        str_add(&s, "</main>\n");
        html_feet(folder, &s);
        ok = file_write_over(output, s.text, s.size, beside_table[BESIDE_PAGE].begins, d);
    }
    for (size_t i = 0; i < b.count; i++) {
        free(b.items[i].path);
        free(b.items[i].theme);
        free(b.items[i].asks);
        free(b.items[i].link);
        str_release(&b.items[i].entry);
    }
    free(b.items);
    return ok;
}
