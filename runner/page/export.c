// The table of forms. A new one is a row in each of the two lists, and a file that writes it.
// SPDX-License-Identifier: MIT
#include "page/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/say.h"
#include "spec/columns.h"
#include "store/keys.h"

// A report's rows for other programs: for each point its last row. JSON Lines, or one JSON array: a number is a number
// and an empty cell null.

struct writing_rows {
    bool lines;
    FILE *out;
    struct json list;
};

static void object(struct json *j, const struct table *t, const struct cells *cells)
{
    json_object(j, NULL);
    for (size_t c = 0; c < t->column_count; c++) {
        const char *cell = cells_text(cells, c);
        bool text = false; // a key is a text, also where it looks like a number
        for (const struct text_column *x = column_texts; x->name; x++)
            text |= strcmp(x->name, t->columns[c]) == 0 && strcmp(x->name, "point") != 0;
        if (!*cell) json_text(j, t->columns[c], NULL);
        else if (text) json_text(j, t->columns[c], cell);
        else json_value(j, t->columns[c], table_value(cell));
    }
}

static void row(struct writing_rows *w, const struct table *t, const struct cells *cells)
{
    struct json line = w->lines ? json_begin(w->out, true) : (struct json){0}, *to = w->lines ? &line : &w->list;
    object(to, t, cells);
    if (w->lines) json_end(to);
    else json_close(to);
}

static bool report(const char *path, struct writing_rows *w, struct diags *d)
{
    LOCAL(table_close) struct table t = {0};
    struct keys k;
    keys_init(&k);
    bool ok = table_open(&t, path, d) && keys_columns(&k, &t, d);
    const int point = ok ? table_column(&t, "point") : -1;
    for (size_t i = 0; ok && i < t.count; i++) {
        const struct cells *cells = table_row(&t, i, d);
        ok = cells != NULL;
        if (ok) keys_add_row(&k, cells);
    }
    for (size_t i = 0; ok && i < t.count; i++) {
        const struct cells *cells = table_row(&t, i, d);
        ok = cells != NULL;
        if (!ok) break;
        if (point >= 0 && !*cells_text(cells, (size_t)point)) continue;               // the plan no longer has it
        if (k.rows[i].key[0] && keys_find(&k, k.rows[i].key) != &k.rows[i]) continue; // a later row replaces it
        row(w, &t, cells);
    }
    keys_free(&k);
    return ok;
}

static bool write_rows(bool lines, enum beside beside, const struct html_options *o, char output[4096], struct diags *d)
{
    const bool print = o->output && strcmp(o->output, "-") == 0;
    struct file_write file = {.stream = stdout};
    output[0] = '\0';
    if (!print &&
        (!export_path(o, beside, output, d) || !file_is_form(output, beside_table[beside].begins, d) ||
            !file_write_begin(&file, output, d)))
        return false;
    struct writing_rows w = {.lines = lines, .out = file.stream};
    if (!lines) w.list = json_begin(w.out, false), json_list(&w.list, NULL);
    bool ok = true;
    for (size_t i = 0; i < o->count && ok; i++) ok = report(o->reports[i], &w, d);
    if (!lines) json_end(&w.list);
    if (print) return ok;
    if (ok && ferror(w.out)) ok = diag_system(d, NULL, "cannot write %s: %s", output, strerror(errno));
    return file_write_end(&file, ok, d);
}

static bool plain_lines(const struct html_options *o, char output[4096], struct diags *d)
{
    return write_rows(true, BESIDE_JSON_LINES, o, output, d);
}

static bool plain_list(const struct html_options *o, char output[4096], struct diags *d)
{
    return write_rows(false, BESIDE_LIST, o, output, d);
}

const struct choice export_formats[] = {
    {"html", "a page with charts and tables, in one file that needs nothing else"},
    {"svg", "its charts as one picture, for light and dark"},
    {"md", "a Markdown table of the axes and of what the chart draws"},
    {"json", "a JSON array with an object for each row that counts"},
    {"jsonl", "JSON Lines: an object for each row that counts, with the columns as keys"},
    {NULL, NULL},
};
static bool (*const writers[])(const struct html_options *, char[4096], struct diags *) = {
    html_write, picture_write, picture_markdown, plain_list, plain_lines};
_Static_assert(sizeof writers / sizeof *writers + 1 == sizeof export_formats / sizeof *export_formats, "one for each");

bool export_write(const char *format, const struct html_options *o, char output[4096], struct diags *d)
{
    const int i = format ? choice_find(export_formats, format) : 0;
    return i >= 0 && writers[i](o, output, d);
}

bool export_path(const struct html_options *o, enum beside form, char path[4096], struct diags *d)
{
    LOCAL(mem_drop) char *beside = beside_path(o->reports[0], form);
    snprintf(path, 4096, "%s", o->output ? o->output : beside);
    const char *kept = beside_named(path, false);
    if (kept)
        return diag_user(d, (struct where){.file = path}, "name another file with -o",
            "may not end in %s, as what a run keeps beside its report", kept);
    for (size_t i = 0; i < o->count; i++)
        if (strcmp(path, o->reports[i]) == 0)
            return diag_user(d, (struct where){.file = path}, "name another file with -o",
                "is a report to be read: it is not overwritten");
    return true;
}
