// A report as a picture or as a Markdown table: for READMEs and wikis.
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/say.h"
#include "base/text.h"
#include "page/export.h"

enum { MARKDOWN_COLUMNS = 16 };

// To the file, or to standard output for `-o -`.
static bool put(const struct html_options *o, enum beside form, const struct str *s, char output[4096], struct diags *d)
{
    output[0] = '\0';
    if (o->output && strcmp(o->output, "-") == 0) return say_bytes(stdout, s->text, s->size), true;
    return export_path(o, form, output, d) && file_write_over(output, s->text, s->size, beside_table[form].begins, d);
}

static const char *title_of(const struct sheet *sheet)
{
    return sheet->question.question ? sheet->question.question : sheet_title(sheet);
}

bool picture_write(const struct html_options *o, char output[4096], struct diags *d)
{
    LOCAL(sheet_release) struct sheet sheet = {0};
    LOCAL(str_release) struct str s = {0};
    if (o->count > 1)
        return diag_user(d, (struct where){.file = o->reports[1]}, "write each by itself",
            "a picture is of one report");
    bool ok = sheet_read(&sheet, o->reports[0], &o->wish, d);
    if (ok) {
        draw_alone(&sheet.view, &sheet.charts, title_of(&sheet), &s);
        ok = put(o, BESIDE_PICTURE, &s, output, d);
    }
    return ok;
}

// What would end a cell, or begin something else, is written so that it does neither.
static void words(const char *text, struct str *s)
{
    for (const char *p = text; *p; p++) {
        if (strchr("|\\`*_<>[]&", *p)) str_add(s, "\\");
        if (*p == '\n' || *p == '\r') str_add(s, " ");
        else str_add_bytes(s, p, 1);
    }
}

static void cell(const char *text, struct str *s)
{
    words(text, s);
    str_add(s, " | ");
}

// The axes, what the charts draw with its interval, and the status where one is not ok.
static size_t columns_of(const struct sheet *sheet, int columns[MARKDOWN_COLUMNS])
{
    const struct view *v = &sheet->view;
    size_t n = 0;
    for (int c = 0; c < (int)v->column_count && n < MARKDOWN_COLUMNS - 6; c++)
        if ((v->columns[c].value || c == v->device) && !v->columns[c].same) columns[n++] = c;
    for (size_t i = 0; i < sheet->charts.count && i < 1; i++)
        for (size_t f = 0; f < sheet->charts.items[i].facet_count; f++)
            columns[n++] = sheet->charts.items[i].facets[f].column;
    if (!v->columns[v->status_column].same) columns[n++] = v->status_column;
    return n;
}

static void markdown(const struct sheet *sheet, struct str *s)
{
    const struct view *v = &sheet->view;
    int columns[MARKDOWN_COLUMNS];
    const size_t n = columns_of(sheet, columns);
    str_add(s, "### ");
    words(title_of(sheet), s);
    if (sheet->answer) {
        str_add(s, "\n\n");
        words(sheet->answer, s);
    }
    str_add(s, "\n\n| ");
    for (size_t i = 0; i < n; i++) {
        const struct view_column *c = &v->columns[columns[i]];
        LOCAL(str_release) struct str name = {0};
        str_addf(&name, *c->unit ? "%s, %s" : "%s", c->name, c->unit);
        cell(name.text, s);
    }
    str_add(s, "\n|");
    for (size_t i = 0; i < n; i++) str_add(s, v->columns[columns[i]].numeric ? " ---: |" : " --- |");
    str_add(s, "\n");
    for (size_t r = 0; r < v->row_count; r++) {
        str_add(s, "| ");
        for (size_t i = 0; i < n; i++) cell(v->rows[r][columns[i]], s);
        str_add(s, "\n");
    }
    if (v->step > 1) str_addf(s, "\nOne of every %zu of %zu rows.\n", v->step, v->total);
}

bool picture_markdown(const struct html_options *o, char output[4096], struct diags *d)
{
    LOCAL(str_release) struct str s = {0};
    bool ok = true;
    str_add(&s, beside_table[BESIDE_MARKDOWN].begins);
    for (size_t i = 0; i < o->count && ok; i++) {
        LOCAL(sheet_release) struct sheet sheet = {0};
        ok = sheet_read(&sheet, o->reports[i], &o->wish, d);
        if (i) str_add(&s, "\n");
        if (ok) markdown(&sheet, &s);
        if (s.text) text_clean(s.text, false); // it may be shown by `cat`
    }
    ok = ok && put(o, BESIDE_MARKDOWN, &s, output, d);
    return ok;
}
