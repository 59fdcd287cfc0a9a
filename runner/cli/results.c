// Chooses the columns that matter and prints them as a table.
// SPDX-License-Identifier: MIT
#include "cli/results.h"

#include "base/text.h"
#include "cli/term.h"
#include "measure/result.h"
#include "store/table.h"
#include "spec/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 40, MOST_COLUMNS = 64, DIFFERING = 3 };

static bool asks_nothing(const struct experiment *e) { return !e->derive_count && !e->expect_count; }

// What is shown where nothing is asked, as long as it differs from row to row; else the first counts that do.
static bool is_usual(const char *name)
{
    static const char *const usual[] = {"sectors_per_request", "ld_sectors", "st_sectors"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(usual[i], name) == 0) return true;
    return false;
}

static bool is_counted(const char *name)
{
    const int c = column_find(name);
    return c >= 0 && column_table[c].group == COLUMNS_ACCESS;
}

// The columns that the file asks about: those that its expressions name, and those that they make.
static bool is_asked(const struct experiment *e, const char *name)
{
    static const char *const always[] = {"time_us", "gbps", "gflops", "model_us", "model_limit"};
    if (asks_nothing(e) && is_counted(name)) return true; // some of them: drop_equal
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(always[i], name) == 0) return true;
    for (size_t i = 0; i < e->derive_count; i++)
        if (strcmp(e->derive[i].name, name) == 0 || text_has_word(e->derive[i].expr.text, name)) return true;
    for (size_t i = 0; i < e->expect_count; i++)
        if (text_has_word(e->expect[i].that.text, name) ||
            (e->expect[i].when.text && text_has_word(e->expect[i].when.text, name)))
            return true;
    for (size_t i = 0; i < e->kernel->report_count; i++)
        if (strcmp(e->kernel->reports[i].name, name) == 0) return true;
    return false;
}

struct shown {
    size_t columns[MOST_COLUMNS], count;
    int width[MOST_COLUMNS];
    bool filled[MOST_COLUMNS], varies[MOST_COLUMNS], axis[MOST_COLUMNS];
};

static void choose(const struct experiment *e, const struct table *t, struct shown *s)
{
    int kernel = table_column(t, "kernel"), status = table_column(t, "status"), counts = table_column(t, "counts");
    for (int c = kernel + !experiment_is_axis(e, "kernel"); c < (int)t->column_count && s->count < MOST_COLUMNS; c++) {
        const char *name = t->columns[c];
        bool own = c < status;
        // After the counts stand the kernel's own reports, what `derive` makes and what a script adds.
        const bool made = counts >= 0 && c > counts;
        if (c != status && !made && !(own ? experiment_is_axis(e, name) || e->script : is_asked(e, name))) continue;
        s->width[s->count] = term_text_width(name);
        s->axis[s->count] = own;
        s->columns[s->count++] = (size_t)c;
    }
}

// A forecast in three digits: the report has more, and none of those is known.
static const char *shown_text(const struct table *t, size_t column, const char *text, char room[32])
{
    const int c = column_find(t->columns[column]);
    double x;
    if (c < 0 || column_table[c].group != COLUMNS_EXPECTED || strcmp(column_table[c].unit, "us") != 0) return text;
    if (!value_number(table_value(text), &x) || !(x > 0)) return text;
    const double step = pow(10, floor(log10(x)) - 2);
    snprintf(room, 32, "%.*f", x < 1 ? 3 : x < 10 ? 2 : x < 100 ? 1 : 0, round(x / step) * step);
    return room;
}

static bool measure_columns(struct table *t, size_t rows, struct shown *s, struct diags *d)
{
    uint64_t first[MOST_COLUMNS] = {0};
    for (size_t r = 0; r < rows; r++) {
        const struct cells *cells = table_row(t, r, d);
        if (!cells) return false;
        for (size_t i = 0; i < s->count; i++) {
            char room[32];
            const char *text = shown_text(t, s->columns[i], cells_text(cells, s->columns[i]), room);
            int w = term_text_width(text);
            bool usual = strcmp(t->columns[s->columns[i]], "status") == 0 && status_find(text) == STATUS_OK;
            if (w > s->width[i]) s->width[i] = w;
            s->filled[i] |= w > 0 && !usual; // where all rows are ok, the column is not needed
            const uint64_t hash = hash_short(text, strlen(text));
            if (!r) first[i] = hash;
            s->varies[i] |= hash != first[i];
        }
    }
    return true;
}

// On a narrow terminal, columns are left out: first those with the same value in every row, then those on the right.
static void fit_columns(struct shown *s, int room)
{
    int total = 0;
    for (size_t i = 0; i < s->count; i++) total += s->filled[i] ? s->width[i] + 2 : 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = s->count; i-- > 0 && total > room;) {
            if (!s->filled[i] || s->axis[i] || (pass == 0 && s->varies[i])) continue;
            s->filled[i] = false;
            total -= s->width[i] + 2;
        }
}

// What a script gives to every point alike says nothing of one.
static void drop_fixed(const struct experiment *e, const struct table *t, struct shown *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->axis[i] && !s->varies[i] && !experiment_is_axis(e, t->columns[s->columns[i]])) s->filled[i] = false;
}

// Where nothing is asked, all counts were taken: leaves the usual ones, or the first that differ where those are equal.
static void drop_equal(const struct experiment *e, const struct table *t, struct shown *s)
{
    bool usual = false, others = false;
    for (size_t i = 0; i < s->count; i++) {
        const char *name = t->columns[s->columns[i]];
        if (!s->axis[i] && s->varies[i] && is_counted(name)) *(is_usual(name) ? &usual : &others) = true;
    }
    const bool as_usual = usual || !others;
    for (size_t i = 0, left = DIFFERING; asks_nothing(e) && i < s->count; i++) {
        const char *name = t->columns[s->columns[i]];
        if (s->axis[i] || !is_counted(name)) continue;
        if (as_usual ? !is_usual(name) : !s->varies[i] || !left) s->filled[i] = false;
        else if (!as_usual) left--;
    }
}

static void print_cell(const struct shown *s, size_t i, const char *text, FILE *out)
{
    if (s->filled[i]) say(out, "  %*s%s", s->width[i] - term_text_width(text), "", text);
}

// A script adds points in the order in which it needs them: they are sorted along the first axis, to be read more
// easily. Planned points keep the plan's order.
static void order_rows(struct table *t, size_t rows, const struct shown *s, bool scripted, size_t order[MOST_ROWS],
    struct diags *d)
{
    double key[MOST_ROWS];
    for (size_t r = 0; r < rows; r++) {
        const struct cells *cells = table_row(t, r, d);
        key[r] = (double)r;
        if (scripted && cells && s->count && !value_number(table_value(cells_text(cells, s->columns[0])), &key[r]))
            scripted = false;
        size_t at = r;
        for (; scripted && at > 0 && key[order[at - 1]] > key[r]; at--) order[at] = order[at - 1];
        order[at] = r;
    }
}

void results_print(const struct experiment *e, const char *report, size_t rows, FILE *out)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(table_close) struct table t = {0};
    struct shown s = {0};
    size_t order[MOST_ROWS];
    if (!table_open(&t, report, &ignored) || t.count < rows || rows < 2 || rows > MOST_ROWS ||
        table_column(&t, "status") < 0)
        goto done;
    choose(e, &t, &s);
    if (!measure_columns(&t, rows, &s, &ignored)) goto done;
    drop_fixed(e, &t, &s);
    drop_equal(e, &t, &s);
    if (term_is_live(out)) fit_columns(&s, term_width(out));
    term_paint(out, TERM_DIM);
    for (size_t i = 0; i < s.count; i++) print_cell(&s, i, t.columns[s.columns[i]], out);
    term_paint(out, TERM_PLAIN);
    say(out, "\n");
    order_rows(&t, rows, &s, e->script != NULL, order, &ignored);
    for (size_t r = 0; r < rows; r++) {
        const struct cells *cells = table_row(&t, order[r], &ignored);
        for (size_t i = 0; i < s.count && cells; i++) {
            char room[32];
            print_cell(&s, i, shown_text(&t, s.columns[i], cells_text(cells, s.columns[i]), room), out);
        }
        say(out, "\n");
    }
done:;
}
