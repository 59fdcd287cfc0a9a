// Header and row, cell by cell in the same order, and what to say when a file's header is another.
// SPDX-License-Identifier: MIT
#include "store/head.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "measure/result.h"
#include "spec/columns.h"

static const char ways_out[] =
    "start over with --fresh (the old file is kept as .bak), or write another report: -o FILE";

static bool shown(const struct report_head *h, size_t name)
{
    return strcmp(h->names[name], "device") != 0 && strcmp(h->names[name], "kernel") != 0;
}

static size_t kernel_at(const struct report_head *h)
{
    for (size_t i = 0; i < h->name_count; i++)
        if (strcmp(h->names[i], "kernel") == 0) return i;
    return SIZE_MAX;
}

const char *head_kernel(const struct report_head *h, const struct value *values)
{
    const size_t at = kernel_at(h);
    return at != SIZE_MAX && values[at].kind == VALUE_TEXT ? values[at].text : h->kernel;
}

void head_text(const struct report_head *h, struct str *s)
{
    char name[80];
    for (const char *const *c = (const char *const[]){"experiment", "point", "key", "device", "kernel", NULL}; *c; c++)
        cells_add(s, *c);
    for (size_t i = 0; i < h->name_count; i++)
        if (shown(h, i)) cells_add(s, h->names[i]);
    cells_add(s, "status");
    cells_add(s, "reason");
    for (int i = 0; i < COLUMN_COUNT; i++) cells_add(s, column_table[i].name);
    for (int i = 0; h->both && i < COLUMN_COUNT; i++) {
        snprintf(name, sizeof name, "sim_%s", column_table[i].name);
        if (column_has_sim(i)) cells_add(s, name);
    }
    cells_add(s, "counts");
    for (size_t i = 0; i < h->report_count; i++) cells_add(s, h->reports[i]);
    for (size_t i = 0; i < h->derived_count; i++) cells_add(s, h->derived[i]);
    if (h->host) cells_add(s, COLUMN_HOST);
    cells_add(s, COLUMN_CHECKSUM);
    cells_end(s);
}

void head_number(double x, int digits, struct str *s)
{
    char text[400];
    if (!isfinite(x)) return;
    if (digits < 0) {
        value_print(value_real(x), s);
        return;
    }
    snprintf(text, sizeof text, "%.*f", digits, x);
    // Five significant digits at least, where so few places would lose them: 0.00 GB/s is none.
    if (digits && x != 0 && fabs(strtod(text, NULL) - x) > 1e-9 * fabs(x)) {
        const int wanted = 4 - (int)floor(log10(fabs(x)));
        if (wanted > digits) snprintf(text, sizeof text, "%.*f", wanted < 300 ? wanted : 300, x);
    }
    str_add(s, text[0] == '-' && !strpbrk(text, "123456789") ? text + 1 : text); // no -0.000
}

static void add_number(struct str *s, double x, int digits, struct str *scratch)
{
    str_clear(scratch);
    head_number(x, digits, scratch);
    cells_add(s, scratch->text);
}

// A row is one line: line breaks in a text are replaced.
static void add_line(struct str *s, struct str *text)
{
    for (size_t i = 0; i < text->size; i++)
        if ((unsigned char)text->text[i] < ' ') text->text[i] = ' ';
    cells_add(s, text->text);
}

static void add_value(struct str *s, struct value v, struct str *scratch)
{
    str_clear(scratch);
    if (v.kind != VALUE_REAL || isfinite(v.r)) value_print(v, scratch);
    add_line(s, scratch);
}

static void add_sentence(struct str *s, const char *text, struct str *scratch)
{
    str_clear(scratch);
    str_add(scratch, text);
    add_line(s, scratch);
}

void head_row(const struct report_head *h, const struct row *row, struct str *s)
{
    const size_t start = s->size;
    const struct result *r = row->result;
    LOCAL(str_release) struct str scratch = {0};
    cells_add(s, h->experiment);
    add_value(s, value_int((int64_t)row->point), &scratch);
    cells_add(s, row->key);
    cells_add(s, r->device);
    cells_add(s, head_kernel(h, row->values));
    for (size_t i = 0; i < h->name_count; i++)
        if (shown(h, i)) add_value(s, row->values[i], &scratch);
    cells_add(s, status_names[r->status]);
    add_sentence(s, row->reason, &scratch);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const char *word = column_word(i, r->columns[i]);
        if (word) cells_add(s, word);
        else add_number(s, r->columns[i], column_table[i].digits, &scratch);
    }
    for (int i = 0; h->both && i < COLUMN_COUNT; i++)
        if (column_has_sim(i)) add_number(s, r->columns_sim[i], column_table[i].digits, &scratch);
    cells_add(s, r->counts);
    for (size_t i = 0; i < h->report_count; i++) add_number(s, r->reports[i], -1, &scratch);
    for (size_t i = 0; i < h->derived_count; i++) add_value(s, row->derived[i], &scratch);
    if (h->host) cells_add(s, h->host);
    cells_seal(s, start);
}

static bool among(const char *name, char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0) return true;
    return false;
}

bool head_difference(char *const *these, size_t these_count, char *const *those, size_t those_count, char why[256])
{
    for (size_t i = 0; i < these_count; i++)
        if (!among(these[i], those, those_count)) return snprintf(why, 256, "it has no column `%s`", these[i]), true;
    for (size_t i = 0; i < those_count; i++)
        if (!among(those[i], these, these_count)) return snprintf(why, 256, "it has a column `%s`", those[i]), true;
    for (size_t i = 0; i < these_count && i < those_count; i++)
        if (strcmp(these[i], those[i]) != 0) {
            snprintf(why, 256, "its column %zu is `%s`, not `%s`", i + 1, those[i], these[i]);
            return true;
        }
    return these_count != those_count &&
        (snprintf(why, 256, "it has %zu columns, not %zu", those_count, these_count), true);
}

static void parse_head(const struct report_head *h, struct cells *cells, char ***names, size_t *count)
{
    LOCAL(str_release) struct str text = {0};
    head_text(h, &text);
    cells_parse(cells, text.text, text.size);
    cells_drop(cells); // the checksum, which readers do not see
    *count = cells_count(cells);
    *names = mem_alloc((*count + 1) * sizeof **names);
    for (size_t i = 0; i < *count; i++) (*names)[i] = (char *)cells_text(cells, i);
}

bool head_same(const struct report_head *h, struct table *t, bool *other, struct diags *d)
{
    struct where at = {.file = t->path};
    struct cells *cells = cells_new();
    char **names, why[256];
    size_t count, size;
    bool same = false;
    parse_head(h, cells, &names, &count);
    bool differs = head_difference(names, count, t->columns, t->column_count, why);
    if (!differs && !t->checked) differs = snprintf(why, sizeof why, "it has no column `%s`", COLUMN_CHECKSUM) > 0;
    if (differs && other) {
        *other = true;
    } else if (differs) {
        diag_user(d, at, ways_out, "is a report of something else: %s", why);
        goto done;
    }
    if (t->count) { // experiment and kernel are the same in every row, but for an axis `kernel`
        struct cells *row = cells_new();
        const char *text = table_text(t, 0, &size), *experiment, *kernel;
        bool parsed = text && cells_parse(row, text, size) &&
            cells_count(row) == t->column_count + t->checked; // else the rows' reader says so
        experiment = cells_text(row, (size_t)table_column(t, "experiment"));
        kernel = cells_text(row, (size_t)table_column(t, "kernel"));
        if (parsed && strcmp(experiment, h->experiment) != 0)
            diag_user(d, at, ways_out, "is a report of experiment `%s`, not `%s`", experiment, h->experiment);
        else if (parsed && kernel_at(h) == SIZE_MAX && strcmp(kernel, h->kernel) != 0)
            diag_user(d, at, ways_out, "is a report of kernel `%s`, not `%s`", kernel, h->kernel);
        else same = true;
        cells_free(row);
    } else {
        same = true;
    }
done:
    free(names);
    cells_free(cells);
    return same;
}

bool head_unique(const struct report_head *h, struct diags *d)
{
    struct cells *cells = cells_new();
    char **names;
    size_t count;
    bool unique = true;
    parse_head(h, cells, &names, &count);
    for (size_t i = 1; i < count && unique; i++)
        if (among(names[i], names, i))
            unique = diag_user(d, (struct where){0}, "rename one of them",
                "two columns of the report would be named `%s`", names[i]);
    free(names);
    cells_free(cells);
    return unique;
}
