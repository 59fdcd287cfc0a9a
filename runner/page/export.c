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

// A report's rows for other programs: for each point its last row. JSON Lines, one JSON array, or CSV without what is
// for gpuexp alone. In JSON a number is a number and an empty cell null.

enum rows_form { FORM_LINES, FORM_LIST, FORM_CSV };
struct writing_rows {
    enum rows_form form;
    FILE *out;
    struct json list;
    char **head; // of CSV: the first report's columns
    size_t head_count;
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

static void cells_line(struct writing_rows *w, const char *const *texts, const struct cells *cells, size_t count)
{
    LOCAL(str_release) struct str s = {0};
    for (size_t c = 0; c < count; c++) cells_add(&s, texts ? texts[c] : cells_text(cells, c));
    cells_end(&s);
    say_bytes(w->out, s.text, s.size);
}

static void row(struct writing_rows *w, const struct table *t, const struct cells *cells)
{
    if (w->form == FORM_CSV) {
        cells_line(w, NULL, cells, t->column_count);
    } else if (w->form == FORM_LIST) {
        object(&w->list, t, cells);
        json_close(&w->list);
    } else {
        struct json j = json_begin(w->out, true);
        object(&j, t, cells);
        json_end(&j);
    }
}

// One table has one head.
static bool same_head(struct writing_rows *w, const struct table *t, struct diags *d)
{
    if (w->form != FORM_CSV) return true;
    if (!w->head) {
        w->head = mem_alloc((t->column_count + 1) * sizeof *w->head);
        for (size_t c = 0; c < t->column_count; c++) w->head[c] = strdup(t->columns[c]);
        w->head_count = t->column_count;
        cells_line(w, (const char *const *)t->columns, NULL, t->column_count);
        return true;
    }
    bool same = t->column_count == w->head_count;
    for (size_t c = 0; c < t->column_count && same; c++) same = strcmp(t->columns[c], w->head[c]) == 0;
    return same ||
        diag_user(d, (struct where){.file = t->path}, "write each by itself",
            "has other columns than the first report");
}

static bool report(const char *path, struct writing_rows *w, struct diags *d)
{
    LOCAL(table_close) struct table t = {0};
    struct keys k;
    keys_init(&k);
    bool ok = table_open(&t, path, d) && same_head(w, &t, d) && keys_columns(&k, &t, d);
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

// A report begins like the rows that are made of one; its rows end in their checksums.
static bool is_no_report(const char *path, struct diags *d)
{
    LOCAL(table_close) struct table t = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    const bool is = file_exists(path) && table_open(&t, path, &ignored) && t.checked;
    return !is ||
        diag_user(d, (struct where){.file = path}, "name another file with -o", "is a report: it is not written over");
}

static bool write_rows(enum rows_form form, enum beside beside, const struct html_options *o, char output[4096],
    struct diags *d)
{
    const bool print = o->output && strcmp(o->output, "-") == 0;
    struct file_write file = {.stream = stdout};
    output[0] = '\0';
    if (!print &&
        (!export_path(o, beside, output, d) || !file_is_form(output, beside_table[beside].begins, d) ||
            !is_no_report(output, d) || !file_write_begin(&file, output, d)))
        return false;
    struct writing_rows w = {.form = form, .out = file.stream};
    if (form == FORM_LIST) w.list = json_begin(w.out, false), json_list(&w.list, NULL);
    bool ok = true;
    for (size_t i = 0; i < o->count && ok; i++) ok = report(o->reports[i], &w, d);
    if (form == FORM_LIST) json_end(&w.list);
    for (size_t c = 0; c < w.head_count; c++) free(w.head[c]);
    free(w.head);
    if (print) return ok;
    if (ok && ferror(w.out)) ok = diag_system(d, NULL, "cannot write %s: %s", output, strerror(errno));
    return file_write_end(&file, ok, d);
}

static bool plain_lines(const struct html_options *o, char output[4096], struct diags *d)
{
    return write_rows(FORM_LINES, BESIDE_JSON_LINES, o, output, d);
}

static bool plain_list(const struct html_options *o, char output[4096], struct diags *d)
{
    return write_rows(FORM_LIST, BESIDE_LIST, o, output, d);
}

static bool plain_csv(const struct html_options *o, char output[4096], struct diags *d)
{
    return write_rows(FORM_CSV, BESIDE_ROWS, o, output, d);
}

const struct choice export_formats[] = {
    {"html", "a page with charts and tables, in one file that needs nothing else"},
    {"svg", "its charts as one picture, for light and dark"},
    {"md", "a Markdown table of the axes and of what the chart draws"},
    {"csv", "the rows that count, without what is for gpuexp alone"},
    {"json", "a JSON array with an object for each row that counts"},
    {"jsonl", "JSON Lines: an object for each row that counts, with the columns as keys"},
    {NULL, NULL},
};
static bool (*const writers[])(const struct html_options *, char[4096], struct diags *) = {
    html_write, picture_write, picture_markdown, plain_csv, plain_list, plain_lines};
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
    const char *kept = form == BESIDE_ROWS && !o->output ? NULL : beside_named(path, false);
    if (kept)
        return diag_user(d, (struct where){.file = path}, "name another file with -o",
            "may not end in %s, as what a run keeps beside its report", kept);
    for (size_t i = 0; i < o->count; i++)
        if (strcmp(path, o->reports[i]) == 0)
            return diag_user(d, (struct where){.file = path}, "name another file with -o",
                "is a report to be read: it is not overwritten");
    return true;
}
