// Several reports of one experiment as one view: of two devices, of before and after.
// SPDX-License-Identifier: MIT
#include <libgen.h>
#include <string.h>

#include "page/html.h"
#include "page/markup.h"

bool view_join(struct view *all, const struct view *const *views, const char *const *names, size_t count)
{
    size_t most = 1, rows = 0;
    for (size_t i = 0; i < count; i++) most += views[i]->column_count, rows += views[i]->row_count;
    *all = (struct view){.arena = arena_new(), .path = views[0]->path, .step = 1};
    const char **columns = arena_alloc(all->arena, most * sizeof *columns);
    bool *value = arena_alloc(all->arena, most * sizeof *value);
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < views[i]->column_count; c++) {
            size_t k = 0;
            while (k < n && strcmp(columns[k], views[i]->columns[c].name) != 0) k++;
            value[k] = value[k] || views[i]->columns[c].value;
            if (k == n) columns[n++] = views[i]->columns[c].name;
        }
    all->rows = arena_alloc(all->arena, (rows + 1) * sizeof *all->rows);
    all->status = arena_alloc(all->arena, (rows + 1) * sizeof *all->status);
    const char **texts = arena_alloc(all->arena, (rows + 1) * sizeof *texts);
    for (size_t i = 0; i < count; i++)
        for (size_t r = 0; r < views[i]->row_count; r++) {
            const char **row = arena_alloc(all->arena, (n + 1) * sizeof *row);
            for (size_t k = 0; k < n; k++) {
                const int c = view_column(views[i], columns[k]);
                row[k] = c < 0 ? "" : views[i]->rows[r][c];
            }
            texts[all->row_count] = names[i];
            all->status[all->row_count] = views[i]->status[r];
            all->rows[all->row_count++] = row;
        }
    all->total = all->row_count;
    view_describe(all, columns, value, n);
    all->columns[view_add(all, "report", "which file it is from", texts)].value = true;
    all->columns[all->column_count - 1].added = false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0) return false;
    return true;
}

void html_overlay(const struct sheet *sheets, size_t count, const struct chart_wish *wish, struct str *s)
{
    struct sheet all = {.question = sheets[0].question};
    LOCAL(diags_clear) struct diags ignored = {0};
    const struct view **views = arena_alloc(sheets[0].view.arena, count * sizeof *views);
    const char **names = arena_alloc(sheets[0].view.arena, count * sizeof *names);
    for (size_t i = 0; i < count; i++) {
        const char *path = arena_strdup(sheets[0].view.arena, sheets[i].view.path), *base = basename((char *)path);
        if (strcmp(sheet_title(&sheets[i]), sheet_title(&sheets[0])) != 0) return;
        views[i] = &sheets[i].view;
        names[i] = arena_strndup(sheets[0].view.arena, base, strlen(base) > 4 ? strlen(base) - 4 : strlen(base));
    }
    for (size_t i = 1; i < count; i++)
        if (strcmp(names[i], names[0]) == 0) // one name in two folders: the whole path says which
            for (size_t k = 0; k < count; k++) names[k] = sheets[k].view.path;
    if (view_join(&all.view, views, names, count) &&
        charts_choose(&all.view, &all.question, wish, &all.charts, &ignored) && !all.charts.why_none) {
        str_add(s, "<section id=\"all\">\n<header>\n");
        html_element(s, "h2", NULL, sheet_title(&sheets[0]));
        if (all.question.question) html_element(s, "p", "question", all.question.question);
        str_addf(s, "<p class=\"counts\"><span><b>%zu</b> reports in one picture</span></p>\n</header>\n", count);
        str_add(s, "<div class=\"charts\">\n");
        for (size_t i = 0; i < all.charts.count; i++) draw_chart(&all.view, &all.charts.items[i], s);
        str_add(s, "</div>\n</section>\n");
    }
    view_release(&all.view);
}
