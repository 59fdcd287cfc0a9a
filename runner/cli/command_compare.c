// `gpuexp compare OLD.csv NEW.csv`: the same points of two reports side by side. Two times differ only where their
// confidence intervals do not overlap; counts are exact, so every difference counts.
// SPDX-License-Identifier: MIT
#include "base/units.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "store/table.h"
#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct entry {   // one row of a report
    char *point; // its experiment and values: "stride: stride=32 memory=device"
    char *status;
    double columns[COLUMN_COUNT];
    bool met;
};
struct side {
    struct entry *rows; // sorted by point
    size_t count;
    char *device;
};

static char *copy(const char *text)
{
    struct str s = {0};
    str_add(&s, text);
    return str_take(&s);
}

static int by_point(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->point, ((const struct entry *)b)->point);
}

// The experiment's own values are the columns between `kernel` and `status`; those in both files identify a point.
static char *name_of(const struct table *t, const struct cells *cells, const struct table *other)
{
    struct str s = {0};
    int experiment = table_column(t, "experiment"), last = table_column(t, "status");
    str_addf(&s, "%s:", experiment >= 0 ? cells_text(cells, (size_t)experiment) : "");
    for (int i = table_column(t, "kernel") + 1; i < last; i++) {
        const char *value = cells_text(cells, (size_t)i);
        if (table_column(other, t->columns[i]) >= 0 && *value) str_addf(&s, " %s=%s", t->columns[i], value);
    }
    return str_take(&s);
}

static bool read_side(struct table *t, const struct table *other, struct side *side, struct diags *d)
{
    int status = table_column(t, "status"), device = table_column(t, "device"), at[COLUMN_COUNT];
    if (status < 0 || table_column(t, "kernel") < 0)
        return diag_user(d, (struct where){.file = t->path}, NULL,
            "is not a report of gpuexp: it has no columns `kernel` and `status`");
    for (int c = 0; c < COLUMN_COUNT; c++) at[c] = table_column(t, column_table[c].name);
    side->rows = mem_alloc((t->count + 1) * sizeof *side->rows);
    for (size_t i = 0; i < t->count; i++) {
        const struct cells *cells = table_row(t, i, d);
        struct entry *e = &side->rows[side->count];
        if (!cells) return false;
        side->count++;
        e->point = name_of(t, cells, other);
        e->status = copy(cells_text(cells, (size_t)status));
        if (!side->device && device >= 0) side->device = copy(cells_text(cells, (size_t)device));
        for (int c = 0; c < COLUMN_COUNT; c++)
            if (at[c] < 0 || !value_number(table_value(cells_text(cells, (size_t)at[c])), &e->columns[c]))
                e->columns[c] = NAN;
    }
    if (side->count) qsort(side->rows, side->count, sizeof *side->rows, by_point);
    for (size_t i = 1; i < side->count; i++)
        if (strcmp(side->rows[i - 1].point, side->rows[i].point) == 0)
            return diag_user(d, (struct where){.file = t->path},
                "the columns that both files have do not tell its points apart", "has several rows of one point: %s",
                side->rows[i].point);
    return true;
}

static void free_side(struct side *side)
{
    for (size_t i = 0; i < side->count; i++) {
        free(side->rows[i].point);
        free(side->rows[i].status);
    }
    free(side->rows);
    free(side->device);
}

enum verdict_kind { SAME, FASTER, SLOWER, CHANGED };

static void add_number(struct str *s, double v)
{
    if (v == floor(v) && fabs(v) < 1e15) str_addf(s, "%.0f", v);
    else str_addf(s, "%.4g", v);
}

// Of the counts those that are the same in every run: not what hardware alone counts, and not their ratios, which only
// follow.
static bool exact(int column) { return column_table[column].group == COLUMNS_ACCESS && !column_table[column].digits; }

// The differences of one point, as text, and their kind.
static enum verdict_kind differ(const struct entry *a, const struct entry *b, struct str *s)
{
    enum verdict_kind kind = SAME;
    if (strcmp(a->status, b->status) != 0) {
        str_addf(s, "  status %s -> %s", a->status, b->status);
        kind = CHANGED;
    }
    double old = a->columns[COLUMN_TIME_US], new = b->columns[COLUMN_TIME_US];
    if (!isnan(old) && !isnan(new) && old > 0) {
        bool apart = a->columns[COLUMN_TIME_HI_US] < b->columns[COLUMN_TIME_LO_US] ||
            b->columns[COLUMN_TIME_HI_US] < a->columns[COLUMN_TIME_LO_US];
        str_addf(s, "  %.3f us -> %.3f us, x%.3f%s", old, new, new / old, apart ? "" : " (intervals overlap)");
        if (apart && kind == SAME) kind = new > old ? SLOWER : FASTER;
    }
    for (int c = 0; c < COLUMN_COUNT; c++) {
        double x = a->columns[c], y = b->columns[c];
        if (!exact(c) || isnan(x) || isnan(y) || x == y) continue;
        str_addf(s, "  %s ", column_table[c].name);
        add_number(s, x);
        str_add(s, " -> ");
        add_number(s, y);
        if (x > 0) str_addf(s, " (x%.4g)", y / x);
        kind = CHANGED;
    }
    return kind;
}

static void print_line(enum verdict_kind kind, const char *point, const char *text)
{
    static const char *const words[] = {
        [SAME] = "same", [FASTER] = "faster", [SLOWER] = "slower", [CHANGED] = "changed"};
    static const enum term_colour colours[] = {
        [SAME] = TERM_DIM, [FASTER] = TERM_GREEN, [SLOWER] = TERM_RED, [CHANGED] = TERM_YELLOW};
    term_say(stdout, colours[kind], "%-8s", words[kind]);
    say(stdout, " %s  %s\n", point, text);
}

// The points of both files, then those of only one. Returns 1 where something got slower, changed or is missing.
static int print_sides(struct side *a, struct side *b, bool quiet)
{
    size_t counts[CHANGED + 1] = {0}, only[2] = {0};
    for (size_t i = 0; i < a->count; i++) {
        struct entry *other = b->count ? bsearch(&a->rows[i], b->rows, b->count, sizeof *b->rows, by_point) : NULL;
        struct str text = {0};
        if (!other) {
            only[0]++;
            if (!quiet) say(stdout, "%-8s %s\n", "missing", a->rows[i].point);
            continue;
        }
        other->met = true;
        enum verdict_kind kind = differ(&a->rows[i], other, &text);
        counts[kind]++;
        if (!quiet) print_line(kind, a->rows[i].point, text.text ? text.text : "");
        str_release(&text);
    }
    for (size_t i = 0; i < b->count; i++) {
        if (b->rows[i].met) continue;
        only[1]++;
        if (!quiet) say(stdout, "%-8s %s\n", "new", b->rows[i].point);
    }
    if (!quiet)
        say(stdout, "%zu same, %zu faster, %zu slower, %zu changed, %zu missing, %zu new\n", counts[SAME],
            counts[FASTER], counts[SLOWER], counts[CHANGED], only[0], only[1]);
    return counts[SLOWER] || counts[CHANGED] || only[0] ? 1 : 0;
}

int command_compare(const struct options *o, struct diags *d)
{
    struct table tables[2] = {0};
    struct side sides[2] = {0};
    int status = 0;
    bool good = true;
    for (int i = 0; i < 2; i++) good &= table_open(&tables[i], o->operands[i], d);
    bool opened = good;
    for (int i = 0; i < 2 && opened; i++) good &= read_side(&tables[i], &tables[1 - i], &sides[i], d);
    if (good) {
        if (!options_given(o, OPTION_QUIET) && sides[0].device && sides[1].device &&
            strcmp(sides[0].device, sides[1].device) != 0)
            say(stdout, "%s -> %s\n", sides[0].device, sides[1].device);
        status = print_sides(&sides[0], &sides[1], options_given(o, OPTION_QUIET));
    }
    for (int i = 0; i < 2; i++) {
        free_side(&sides[i]);
        table_close(&tables[i]);
    }
    return status;
}
