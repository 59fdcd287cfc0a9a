// What the experiment's script said at the end of the run, and the tables that it left beside the report.
// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/html.h"
#include "page/markup.h"
#include "base/beside.h"
#include "store/table.h"

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

void html_scripted(const struct sheet *sheet, struct str *s)
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
