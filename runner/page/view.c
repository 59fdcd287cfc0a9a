// Reads a report for the page, and finds out what each of its columns is.
// SPDX-License-Identifier: MIT
#include "page/view.h"

#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/result.h"
#include "page/html.h"
#include "spec/columns.h"
#include "store/keys.h"

static void view_describe(struct view *, const char *const *names, const bool *value, size_t count);

enum { NAMES_MOST = 64 };

// False: it is nil, or has an error there.
static bool row_value(const struct view *v, struct expr *e, size_t row, struct value *result)
{
    struct value args[NAMES_MOST];
    size_t n = 0;
    LOCAL(diags_clear) struct diags ignored = {0};
    for (const char *const *name = expr_names(e); *name; name++) {
        const int column = view_column(v, *name);
        if (n == NAMES_MOST) return false;
        args[n++] = column >= 0 ? table_value(v->rows[row][column]) : (struct value){0};
    }
    return expr_eval(e, args, v->arena, result, &ignored) && result->kind != VALUE_NONE;
}

bool row_holds(const struct view *v, struct expr *e, size_t row)
{
    struct value is;
    return row_value(v, e, row, &is) && !(is.kind == VALUE_BOOL && !is.b);
}

static void derive(struct view *v, struct sandbox *box, const struct question_derived *d)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    const char **texts = arena_alloc(v->arena, (v->row_count + 1) * sizeof *texts);
    struct expr *e = expr_new(box, d->expression, (struct where){0}, &ignored);
    for (size_t i = 0; i < v->row_count; i++) {
        struct value is;
        LOCAL(str_release) struct str s = {0};
        if (e && row_value(v, e, i, &is)) value_print(is, &s);
        texts[i] = s.size ? arena_strdup(v->arena, s.text) : "";
    }
    if (e) expr_free(e), view_add(v, d->name, "", texts);
}

void row_value_derive(struct view *v, const struct question *q)
{
    struct sandbox *box = NULL;
    for (size_t i = 0; i < q->derived_count; i++) {
        if (view_column(v, q->derived[i].name) >= 0) continue;
        if (!box) box = sandbox_new(&(struct sandbox_limits){0});
        derive(v, box, &q->derived[i]);
    }
    if (box) sandbox_free(box);
}

// Several reports of one experiment as one view: of two devices, of before and after.

static bool view_join(struct view *all, const struct view *const *views, const char *const *names, size_t count)
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

static const char *const *keep_row(struct view *v, const struct cells *cells)
{
    const char **row = arena_alloc(v->arena, v->column_count * sizeof *row);
    for (size_t c = 0; c < v->column_count; c++) row[c] = arena_strdup(v->arena, cells_text(cells, c));
    return row;
}

// What is the same in all rows, shown or not.
static void compare_row(struct view *v, const struct cells *cells, struct str *first, bool is_first)
{
    for (size_t c = 0; c < v->column_count; c++) {
        const char *text = cells_text(cells, c);
        if (is_first) {
            str_add(&first[c], text);
            v->columns[c].same = v->columns[c].empty = true;
        }
        if (*text) v->columns[c].empty = false;
        if (v->columns[c].same && strcmp(text, first[c].text) != 0) v->columns[c].same = false;
    }
}

enum { LEFT_OUT = 255, ODD = 254 };

// Reads all rows once: which of them count, and how they ended.
static bool look_through(struct view *v, struct table *t, uint8_t *told, struct diags *d)
{
    struct keys k;
    LOCAL(mem_drop) struct str *first = mem_alloc(v->column_count * sizeof *first);
    int point = table_column(t, "point");
    keys_init(&k);
    bool ok = keys_columns(&k, t, d);
    for (size_t i = 0; i < t->count && ok; i++) {
        const struct cells *cells = table_row(t, i, d);
        ok = cells != NULL;
        if (!ok) break;
        keys_add_row(&k, cells);
        const enum status status = status_find(cells_text(cells, (size_t)v->status_column));
        told[i] = status == STATUS_COUNT ? ODD : (uint8_t)status;
        if (point >= 0 && !*cells_text(cells, (size_t)point)) told[i] = LEFT_OUT;
        else compare_row(v, cells, first, !v->total++);
    }
    for (size_t i = v->total = 0; i < t->count && ok; i++) {
        if (k.rows[i].key[0] && keys_find(&k, k.rows[i].key) != &k.rows[i]) told[i] = LEFT_OUT;
        if (told[i] == LEFT_OUT) v->left_out++;
        else if (v->total++, told[i] == ODD) v->odd++;
        else v->statuses[told[i]]++;
    }
    for (size_t c = 0; c < v->column_count; c++) str_release(&first[c]);
    keys_free(&k);
    return ok;
}

// A page of a million rows would be of no use to anybody: of many rows some are shown.
static bool keep_rows(struct view *v, struct table *t, struct diags *d)
{
    LOCAL(mem_drop) uint8_t *told = mem_alloc(t->count + 1);
    bool ok = look_through(v, t, told, d);
    size_t seen = 0, bad = 0;
    v->step = v->total / VIEW_ROWS + 1;
    v->rows = arena_alloc(v->arena, (v->total / v->step + VIEW_BAD + 2) * sizeof *v->rows);
    v->status = arena_alloc(v->arena, (v->total / v->step + VIEW_BAD + 2) * sizeof *v->status);
    for (size_t i = 0; i < t->count && ok; i++) {
        if (told[i] == LEFT_OUT) continue;
        // The last one too: an axis ends where the rows do.
        bool shown = seen++ % v->step == 0 || seen == v->total,
             good = told[i] == STATUS_OK || told[i] == STATUS_UNVERIFIED;
        if (!shown && (good || bad++ >= VIEW_BAD)) continue;
        const struct cells *cells = table_row(t, i, d);
        ok = cells != NULL;
        if (!ok) break;
        v->status[v->row_count] = told[i] == ODD ? -1 : told[i];
        v->rows[v->row_count++] = keep_row(v, cells);
    }
    return ok;
}

// What the column's name means: `sim_ld_sectors` means the same as `ld_sectors`.
static void explain(struct view_column *c)
{
    c->known = column_find(c->name);
    c->unit = c->about = "";
    bool sim;
    int same = column_shown(c->name, &sim);
    if (same >= 0) c->unit = column_table[same].unit, c->about = column_table[same].about;
    for (const struct text_column *t = column_texts; t->name && same < 0; t++)
        if (strcmp(t->name, c->name) == 0) c->about = t->about;
    c->added = !c->value && !*c->about;
}

static bool is_number(const char *cell)
{
    double x;
    struct value v = table_value(cell);
    return v.kind != VALUE_BOOL && value_number(v, &x);
}

static void look_at(struct view *v, size_t column)
{
    struct view_column *c = &v->columns[column];
    if (v->step <= 1) c->empty = c->same = true; // else all rows were looked at, also those that are not shown
    c->numeric = true;
    for (size_t i = 0; i < v->row_count; i++) {
        const char *cell = v->rows[i][column];
        if (*cell) c->empty = false;
        if (*cell && !is_number(cell)) c->numeric = false;
        if (strcmp(cell, v->rows[0][column]) != 0) c->same = false;
    }
    c->numeric = c->numeric && !c->empty;
}

static bool has_columns(const struct table *t)
{
    const int kernel = table_column(t, "kernel");
    return kernel >= 0 && table_column(t, "status") >= kernel;
}

bool view_is_report(const char *path)
{
    LOCAL(table_close) struct table t = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    return table_open(&t, path, &ignored) && has_columns(&t);
}

bool view_read(struct view *v, const char *path, struct diags *d)
{
    LOCAL(table_close) struct table t = {0};
    *v = (struct view){.arena = arena_new()};
    v->path = arena_strdup(v->arena, path);
    bool ok = table_open(&t, path, d);
    const int kernel = ok ? table_column(&t, "kernel") : -1;
    if (ok && !has_columns(&t))
        ok = diag_user(d, (struct where){.file = path}, NULL,
            "is not a report of gpuexp: it has no columns `kernel` and `status`");
    if (ok) {
        v->column_count = t.column_count;
        v->columns = arena_alloc(v->arena, t.column_count * sizeof *v->columns);
        v->status_column = table_column(&t, "status");
        v->reason = table_column(&t, "reason");
        v->device = table_column(&t, "device");
        ok = keep_rows(v, &t, d);
    }
    for (size_t c = 0; c < v->column_count && ok; c++) {
        v->columns[c].name = arena_strdup(v->arena, t.columns[c]);
        // Where there are several kernels, they are an axis.
        v->columns[c].value = (int)c >= kernel + v->columns[kernel].same && (int)c < v->status_column;
        explain(&v->columns[c]);
        look_at(v, c);
    }
    return ok;
}

// The rows of several views as one, with all their columns and an axis `report` that tells them apart. False: two have
// one name.
// once rows are there
static void view_describe(struct view *v, const char *const *names, const bool *value, size_t count)
{
    v->column_count = count;
    v->columns = arena_alloc(v->arena, (count + 1) * sizeof *v->columns);
    for (size_t c = 0; c < count; c++) {
        v->columns[c].name = names[c];
        v->columns[c].value = value[c];
        explain(&v->columns[c]);
        look_at(v, c);
    }
    v->status_column = view_column(v, "status");
    v->reason = view_column(v, "reason");
    v->device = view_column(v, "device");
}

void view_release(struct view *v)
{
    if (v->arena) arena_free(v->arena);
    *v = (struct view){0};
}

int view_add(struct view *v, const char *name, const char *about, const char *const *texts)
{
    const size_t n = v->column_count;
    struct view_column *columns = arena_alloc(v->arena, (n + 1) * sizeof *columns);
    memcpy(columns, v->columns, n * sizeof *columns);
    columns[n] =
        (struct view_column){.name = name, .unit = "", .about = about, .added = true, .known = -1, .same = true};
    v->columns = columns;
    v->column_count = n + 1;
    for (size_t i = 0; i < v->row_count; i++) {
        const char **row = arena_alloc(v->arena, (n + 1) * sizeof *row);
        memcpy(row, v->rows[i], n * sizeof *row);
        row[n] = texts[i];
        v->rows[i] = row;
    }
    const size_t step = v->step;
    v->step = 1; // all that is known of it is shown
    look_at(v, n);
    v->step = step;
    return (int)n;
}

int view_column(const struct view *v, const char *name)
{
    for (size_t c = 0; c < v->column_count; c++)
        if (strcmp(v->columns[c].name, name) == 0) return (int)c;
    return -1;
}

double view_number(const struct view *v, size_t row, int column)
{
    double x;
    bool number = column >= 0 && value_number(table_value(v->rows[row][column]), &x);
    return number && fabs(x) <= 1e100 ? x
                                      : (double)NAN; // a larger one is not a measurement, and its square is infinite
}

bool view_good(const struct view *v, size_t row)
{
    return v->status[row] >= 0 && status_has_numbers((enum status)v->status[row]);
}

struct cell { // one row's, on the way to levels
    const char *text;
    double number; // NAN: none
    size_t row, level;
};

static int by_text(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : x->row < y->row ? -1 : x->row > y->row;
}

static int by_rank(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    if (isnan(x->number) != isnan(y->number)) return isnan(x->number) ? 1 : -1;
    if (!isnan(x->number) && x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

void view_levels(const struct view *v, int column, struct levels *l)
{
    size_t n = v->row_count;
    LOCAL(mem_drop)
    struct cell *cells = mem_alloc((n + 1) * sizeof *cells), *firsts = mem_alloc((n + 1) * sizeof *firsts);
    LOCAL(mem_drop) size_t *rank = mem_alloc((n + 1) * sizeof *rank);
    *l = (struct levels){.texts = arena_alloc(v->arena, (n + 1) * sizeof *l->texts),
        .of_row = arena_alloc(v->arena, (n + 1) * sizeof *l->of_row)};
    for (size_t i = 0; i < n; i++)
        cells[i] = (struct cell){.text = v->rows[i][column], .number = view_number(v, i, column), .row = i};
    if (n) qsort(cells, n, sizeof *cells, by_text);
    for (size_t i = 0; i < n; i++) {
        if (!i || strcmp(cells[i].text, cells[i - 1].text) != 0) {
            firsts[l->count] = cells[i];
            firsts[l->count].level = l->count;
            l->count++;
        }
        cells[i].level = l->count - 1;
    }
    if (n) qsort(firsts, l->count, sizeof *firsts, by_rank);
    for (size_t i = 0; i < l->count; i++) {
        l->texts[i] = firsts[i].text;
        rank[firsts[i].level] = i;
    }
    for (size_t i = 0; i < n; i++) l->of_row[cells[i].row] = rank[cells[i].level];
}

static int of(const struct view *v, enum column c) { return view_column(v, column_table[c].name); }

static int beside(const struct view *v, int column, const char *end)
{
    return view_column(v, arena_printf(v->arena, "%s%s", v->columns[column].name, end));
}

void view_interval(const struct view *v, size_t row, int column, double *lo, double *hi)
{
    const int known = v->columns[column].known, own_lo = known < 0 ? beside(v, column, "_lo") : -1,
              own_hi = known < 0 ? beside(v, column, "_hi") : -1;
    const double y = view_number(v, row, column), time = view_number(v, row, of(v, COLUMN_TIME_US)),
                 least = view_number(v, row, of(v, COLUMN_TIME_LO_US)),
                 most = view_number(v, row, of(v, COLUMN_TIME_HI_US));
    *lo = *hi = NAN;
    if (own_lo >= 0 && own_hi >= 0) *lo = view_number(v, row, own_lo), *hi = view_number(v, row, own_hi);
    if (!isnan(time) && least > 0 && most >= least) {
        if (known == COLUMN_TIME_US) *lo = least, *hi = most;
        if (known == COLUMN_GBPS || known == COLUMN_GFLOPS) *lo = y * time / most, *hi = y * time / least;
    }
    if (known == COLUMN_MODEL_US)
        *lo = view_number(v, row, of(v, COLUMN_MODEL_LO_US)), *hi = view_number(v, row, of(v, COLUMN_MODEL_HI_US));
    if (!(*lo <= y && y <= *hi)) *lo = *hi = NAN;
}
