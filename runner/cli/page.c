// Reads a report, chooses what to draw, and writes the page.
// SPDX-License-Identifier: MIT
#include "cli/page.h"

#include "base/file.h"
#include "cli/chart.h"
#include "report/table.h"
#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SERIES = 24, MOST_ROWS = 5000 };

struct page {
    struct arena *arena;
    struct table table;
    const char ***cells; // [row][column]
    size_t rows, columns;
    size_t own, status; // the experiment's own columns: own ... status - 1
    bool *filled, *varies;
    size_t x, y;
};

static bool read_cells(struct page *p, struct diags *d)
{
    int kernel = table_column(&p->table, "kernel"), status = table_column(&p->table, "status");
    if (kernel < 0 || status < 0)
        return diag_user(d, (struct where){.file = p->table.path}, NULL,
                         "is no report of gpuexp: it has no columns `kernel` and `status`");
    p->own = (size_t)kernel + 1;
    p->status = (size_t)status;
    p->rows = p->table.count;
    p->columns = p->table.column_count;
    p->cells = arena_alloc(p->arena, (p->rows + 1) * sizeof *p->cells);
    p->filled = arena_alloc(p->arena, p->columns);
    p->varies = arena_alloc(p->arena, p->columns);
    for (size_t r = 0; r < p->rows; r++) {
        const struct cells *row = table_row(&p->table, r, d);
        if (!row) return false;
        p->cells[r] = arena_alloc(p->arena, p->columns * sizeof **p->cells);
        for (size_t c = 0; c < p->columns; c++) {
            p->cells[r][c] = arena_strdup(p->arena, cells_text(row, c));
            p->filled[c] |= *p->cells[r][c] != '\0';
            p->varies[c] |= strcmp(p->cells[r][c], p->cells[0][c]) != 0;
        }
    }
    return true;
}

static double number(const char *cell)
{
    double v;
    struct value value = table_value(cell);
    return (value.kind == VALUE_INT || value.kind == VALUE_REAL) && value_number(value, &v) ? v : NAN;
}

static bool is_numeric(const struct page *p, size_t column)
{
    for (size_t r = 0; r < p->rows; r++)
        if (isnan(number(p->cells[r][column]))) return false;
    return p->rows > 0;
}

// The values of a column, each once, in the order of the file; at most `most`.
static size_t distinct(const struct page *p, size_t column, const char **values, size_t most)
{
    size_t n = 0;
    for (size_t r = 0; r < p->rows; r++) {
        size_t k = 0;
        while (k < n && strcmp(values[k], p->cells[r][column]) != 0) k++;
        if (k == n && n < most) values[n++] = p->cells[r][column];
    }
    return n;
}

static bool column_named(const struct page *p, const char *name, size_t *column, struct diags *d)
{
    int c = table_column(&p->table, name);
    const char *near = c < 0 ? str_nearest(name, (const char *const *)p->table.columns) : NULL;
    if (c < 0)
        return diag_user(d, (struct where){.file = p->table.path},
                         near ? arena_printf(p->arena, "did you mean `%s`?", near) : NULL, "has no column `%s`", name);
    *column = (size_t)c;
    return true;
}

static void choose_x(struct page *p)
{
    const char *values[256];
    size_t best = 0;
    p->x = (size_t)table_column(&p->table, "point");
    for (size_t c = p->own; c < p->status; c++) {
        if (!p->varies[c]) continue;
        size_t n = distinct(p, c, values, 256) * 2 + is_numeric(p, c); // a number before a name that has as many values
        if (n > best) {
            best = n;
            p->x = c;
        }
    }
}

// Time and bandwidth first, then what the experiment derived, then the counts; one that says something about the points, if any.
static void choose_y(struct page *p)
{
    static const char *const known[] = {"gbps", "gflops", "time_us", NULL};
    size_t candidates[256], n = 0, counts = (size_t)table_column(&p->table, "counts");
    for (const char *const *k = known; *k; k++)
        if (table_column(&p->table, *k) >= 0) candidates[n++] = (size_t)table_column(&p->table, *k);
    for (size_t c = counts + 1; c < p->columns && n < 200; c++) candidates[n++] = c;
    for (int c = COLUMN_SECTORS_PER_REQUEST; c <= COLUMN_LANES_PER_ACCESS; c++)
        if (column_table[c].digits && table_column(&p->table, column_table[c].name) >= 0)
            candidates[n++] = (size_t)table_column(&p->table, column_table[c].name);
    candidates[n++] = (size_t)table_column(&p->table, "ld_sectors");
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++)
            if (candidates[i] < p->columns && p->filled[candidates[i]] && (pass || p->varies[candidates[i]])) {
                p->y = candidates[i];
                return;
            }
    p->y = p->status + 1;
}

static bool same_series(const struct page *p, size_t a, size_t b)
{
    for (size_t c = p->own; c < p->status; c++)
        if (c != p->x && p->varies[c] && strcmp(p->cells[a][c], p->cells[b][c]) != 0) return false;
    return true;
}

static const char *series_name(const struct page *p, size_t row)
{
    struct str s = {0};
    for (size_t c = p->own; c < p->status; c++)
        if (c != p->x && p->varies[c]) str_addf(&s, "%s%s = %s", s.size ? ", " : "", p->table.columns[c], p->cells[row][c]);
    const char *name = arena_strdup(p->arena, s.text ? s.text : "");
    str_release(&s);
    return name;
}

// The interval of a time is in the file; that of a rate is what the same work would give at either end of it.
static void interval(const struct page *p, size_t row, struct chart_point *point)
{
    int time = table_column(&p->table, "time_us"), lo = table_column(&p->table, "time_lo_us"),
        hi = table_column(&p->table, "time_hi_us");
    const char *y = p->table.columns[p->y];
    bool rate = strcmp(y, "gbps") == 0 || strcmp(y, "gflops") == 0;
    point->lo = point->hi = NAN;
    if (time < 0 || lo < 0 || hi < 0 || !(rate || (size_t)time == p->y)) return;
    double t = number(p->cells[row][time]), shortest = number(p->cells[row][lo]), longest = number(p->cells[row][hi]);
    point->lo = rate ? point->y * t / longest : shortest;
    point->hi = rate ? point->y * t / shortest : longest;
}

static int by_x(const void *a, const void *b)
{
    double x = ((const struct chart_point *)a)->x, y = ((const struct chart_point *)b)->x;
    return x < y ? -1 : x > y;
}

static void add_chart(struct page *p, const char *title, struct str *s)
{
    const char *labels[256];
    bool numeric = is_numeric(p, p->x);
    size_t label_count = numeric ? 0 : distinct(p, p->x, labels, 256), first[MOST_SERIES];
    struct chart_series series[MOST_SERIES];
    struct chart chart = {title,      p->table.columns[p->x], p->table.columns[p->y], series, 0, numeric ? NULL : labels,
                          label_count};
    for (size_t r = 0; r < p->rows; r++) {
        size_t k = 0;
        while (k < chart.count && !same_series(p, first[k], r)) k++;
        if (k < chart.count || k == MOST_SERIES) continue;
        struct chart_point *points = arena_alloc(p->arena, (p->rows - r) * sizeof *points);
        size_t n = 0;
        for (size_t q = r; q < p->rows; q++) {
            if (!same_series(p, r, q)) continue;
            size_t label = 0;
            while (label < label_count && strcmp(labels[label], p->cells[q][p->x]) != 0) label++;
            if (!numeric && label == label_count) continue; // more names than a chart can show
            points[n] = (struct chart_point){numeric ? number(p->cells[q][p->x]) : (double)label, number(p->cells[q][p->y]),
                                             NAN, NAN};
            interval(p, q, &points[n++]);
        }
        qsort(points, n, sizeof *points, by_x);
        first[chart.count] = r;
        series[chart.count++] = (struct chart_series){series_name(p, r), points, n};
    }
    chart_svg(&chart, s);
}

static void add_cell(const char *tag, const char *text, struct str *s)
{
    str_addf(s, "<%s>", tag);
    chart_escape(text, s);
    str_addf(s, "</%s>", tag);
}

static void add_table(const struct page *p, struct str *s)
{
    size_t key = (size_t)table_column(&p->table, "key"), shown = p->rows < MOST_ROWS ? p->rows : MOST_ROWS;
    str_add(s, "<div class=\"wide\"><table>\n<tr>");
    for (size_t c = 0; c < p->columns; c++)
        if (p->varies[c] && c != key) add_cell("th", p->table.columns[c], s);
    str_add(s, "</tr>\n");
    for (size_t r = 0; r < shown; r++) {
        const char *status = p->cells[r][p->status];
        bool bad = strcmp(status, "wrong") == 0 || strcmp(status, "failed") == 0 || strcmp(status, "timeout") == 0;
        str_add(s, bad ? "<tr class=\"bad\">" : "<tr>");
        for (size_t c = 0; c < p->columns; c++)
            if (p->varies[c] && c != key) add_cell("td", p->cells[r][c], s);
        str_add(s, "</tr>\n");
    }
    str_add(s, "</table></div>\n");
    if (shown < p->rows) str_addf(s, "<p>%zu more rows are in the report.</p>\n", p->rows - shown);
}

static void add_constants(const struct page *p, struct str *s)
{
    size_t key = (size_t)table_column(&p->table, "key");
    str_add(s, "<h2>The same for all points</h2>\n<dl>\n");
    for (size_t c = 0; c < p->columns; c++) {
        if (p->varies[c] || !p->filled[c] || c == key) continue;
        add_cell("dt", p->table.columns[c], s);
        add_cell("dd", p->cells[0][c], s);
        str_add(s, "\n");
    }
    str_add(s, "</dl>\n");
}

// What stands beside the report, x.run.yaml: how it was made.
static void add_run(const char *report, struct str *s)
{
    struct str path = {0};
    struct diags ignored = {0};
    size_t n = strlen(report);
    str_add_bytes(&path, report, n > 4 && strcmp(report + n - 4, ".csv") == 0 ? n - 4 : n);
    str_add(&path, ".run.yaml");
    char *text = file_read(path.text, 1 << 20, NULL, &ignored);
    if (text) {
        str_add(s, "<details><summary>How it was made</summary><pre>");
        chart_escape(text, s);
        str_add(s, "</pre></details>\n");
    }
    free(text);
    str_release(&path);
    diags_clear(&ignored);
}

static void add_head(const char *title, struct str *s)
{
    str_add(s, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    chart_escape(title, s);
    str_add(
        s,
        "</title>\n<style>\n"
        ":root{color-scheme:light dark;--ink:#222;--dim:#777;--grid:#ddd;--paper:#fff;--bad:#b00020}\n"
        "@media(prefers-color-scheme:dark){:root{--ink:#ddd;--dim:#999;--grid:#333;--paper:#161616;--bad:#ff7b7b}}\n"
        "body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:960px;margin:2em auto;"
        "padding:0 1em}\nh1{margin-bottom:0}h2{font-size:1.05em;margin-top:2em}svg{width:100%;height:auto;margin-top:1em}\n"
        "svg text{font-size:12px;fill:var(--ink)}svg "
        ".name{fill:var(--dim)}.grid{stroke:var(--grid)}.axis{stroke:var(--dim)}\n"
        "polyline{fill:none;stroke-width:2}g line{stroke-width:2}g text{stroke:none}\n"
        ".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
        "td,th{padding:.2em .7em;text-align:right;border-bottom:1px solid "
        "var(--grid);white-space:nowrap}th{color:var(--dim)}\n"
        ".bad td{color:var(--bad)}dl{display:grid;grid-template-columns:max-content auto;gap:.1em 1.2em}dt{color:var(--dim)}"
        "dd{margin:0}pre{overflow-x:auto}\n");
    static const char *const colours[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                          "#66ccee", "#aa3377", "#999933", "#ee8866"};
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        str_addf(s, ".c%zu{stroke:%s}.c%zu circle{fill:%s}\n", i, colours[i], i, colours[i]);
    str_add(s, "</style></head><body>\n<h1>");
    chart_escape(title, s);
    str_add(s, "</h1>\n");
}

bool page_html(const char *report, const char *x, const char *y, struct str *s, struct diags *d)
{
    struct page p = {.arena = arena_new()};
    bool good = table_open(&p.table, report, d) && read_cells(&p, d);
    if (good && !p.rows) good = diag_user(d, (struct where){.file = report}, NULL, "has no rows");
    if (good) {
        choose_x(&p);
        choose_y(&p);
        if (x) good = column_named(&p, x, &p.x, d);
        if (y) good &= column_named(&p, y, &p.y, d);
    }
    if (good) {
        int experiment = table_column(&p.table, "experiment");
        const char *title = experiment >= 0 ? p.cells[0][experiment] : report;
        add_head(title, s);
        add_chart(&p, title, s);
        add_table(&p, s);
        add_constants(&p, s);
        add_run(report, s);
        str_add(s, "</body></html>\n");
    }
    table_close(&p.table);
    arena_free(p.arena);
    return good;
}
