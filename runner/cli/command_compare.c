// `gpuexp compare OLD.csv NEW.csv`: the same points of two reports side by side. Two times differ only where their
// confidence intervals do not overlap; counts are exact, so every difference counts.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "base/hash.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "store/table.h"
#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct side { // one report: which row each point has; the rows themselves stay in the file
    struct table t;
    uint64_t *points; // of each row, the hash of its experiment and values
    bool *met;        // the other report has that point
    uint32_t *slots;  // open addressing over the points: 0, or a row's number + 1
    size_t slot_count;
    int *names; // columns that identify a point: the experiment's own values in both files
    size_t name_count;
    int experiment, status, columns[COLUMN_COUNT]; // -1: no such column
    char *device;
};

static char *copy(const char *text)
{
    struct str s = {0};
    str_add(&s, text);
    return str_take(&s);
}

// "stride: stride=32 memory=device"
static void add_point(const struct side *side, const struct cells *cells, struct str *s)
{
    str_clear(s);
    if (side->experiment >= 0) str_add(s, cells_text(cells, (size_t)side->experiment));
    str_add(s, ":");
    for (size_t i = 0; i < side->name_count; i++) {
        const char *value = cells_text(cells, (size_t)side->names[i]);
        if (!*value) continue;
        str_add(s, " ");
        str_add(s, side->t.columns[side->names[i]]);
        str_add(s, "=");
        str_add(s, value);
    }
}

static bool find_columns(struct side *side, const struct side *other, struct diags *d)
{
    const struct table *t = &side->t;
    int kernel = table_column(t, "kernel");
    side->status = table_column(t, "status");
    if (side->status < 0 || kernel < 0)
        return diag_user(d, (struct where){.file = t->path}, NULL,
            "is not a report of gpuexp: it has no columns `kernel` and `status`");
    side->experiment = table_column(t, "experiment");
    for (int c = 0; c < COLUMN_COUNT; c++) side->columns[c] = table_column(t, column_table[c].name);
    side->names = mem_alloc((t->column_count + 1) * sizeof *side->names);
    for (int i = kernel + 1; i < side->status; i++)
        if (table_column(&other->t, t->columns[i]) >= 0) side->names[side->name_count++] = i;
    return true;
}

// The slot of a point: where its row stands, or would stand.
static uint32_t *slot_of(const struct side *side, uint64_t point)
{
    size_t i = (size_t)point & (side->slot_count - 1);
    while (side->slots[i] && side->points[side->slots[i] - 1] != point) i = (i + 1) & (side->slot_count - 1);
    return &side->slots[i];
}

static bool read_side(struct side *side, const struct side *other, struct diags *d)
{
    struct table *t = &side->t;
    struct str name = {0};
    bool ok = find_columns(side, other, d);
    int device = ok ? table_column(t, "device") : -1;
    for (side->slot_count = 64; side->slot_count < 2 * t->count;) side->slot_count *= 2;
    side->slots = mem_alloc(side->slot_count * sizeof *side->slots);
    side->points = mem_alloc((t->count + 1) * sizeof *side->points);
    side->met = mem_alloc(t->count + 1);
    for (size_t i = 0; i < t->count && ok; i++) {
        const struct cells *cells = table_row(t, i, d);
        struct hash h;
        uint64_t hash[2];
        ok = cells != NULL;
        if (!ok) break;
        if (!side->device && device >= 0) side->device = copy(cells_text(cells, (size_t)device));
        add_point(side, cells, &name);
        hash_init(&h);
        hash_text(&h, name.text);
        hash_final(h, hash);
        side->points[i] = hash[0];
        uint32_t *slot = slot_of(side, hash[0]);
        if (*slot)
            ok = diag_user(d, (struct where){.file = t->path},
                "the columns that both files have do not tell its points apart", "has several rows of one point: %s",
                name.text);
        *slot = (uint32_t)i + 1;
    }
    str_release(&name);
    return ok;
}

static void free_side(struct side *side)
{
    table_close(&side->t);
    free(side->points);
    free(side->met);
    free(side->slots);
    free(side->names);
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

static const char *text_of(const struct side *side, const struct cells *cells, int column)
{
    return side->columns[column] < 0 ? "" : cells_text(cells, (size_t)side->columns[column]);
}

static double number_of(const struct side *side, const struct cells *cells, int column)
{
    double x;
    return value_number(table_value(text_of(side, cells, column)), &x) ? x : NAN;
}

struct pair { // one point's row in each report
    const struct side *a, *b;
    const struct cells *old, *new;
};

static enum verdict_kind add_times(const struct pair *p, struct str *s)
{
    double x = number_of(p->a, p->old, COLUMN_TIME_US), y = number_of(p->b, p->new, COLUMN_TIME_US);
    if (isnan(x) || isnan(y) || !(x > 0)) return SAME;
    bool apart = number_of(p->a, p->old, COLUMN_TIME_HI_US) < number_of(p->b, p->new, COLUMN_TIME_LO_US) ||
        number_of(p->b, p->new, COLUMN_TIME_HI_US) < number_of(p->a, p->old, COLUMN_TIME_LO_US);
    str_addf(s, "  %.3f us -> %.3f us, x%.3f%s", x, y, y / x, apart ? "" : " (intervals overlap)");
    return !apart ? SAME : y > x ? SLOWER : FASTER;
}

// The differences of one point, as text, and their kind.
static enum verdict_kind differ(const struct pair *p, struct str *s)
{
    enum verdict_kind kind = SAME, times;
    const char *was = cells_text(p->old, (size_t)p->a->status), *is = cells_text(p->new, (size_t)p->b->status);
    if (strcmp(was, is) != 0) {
        str_addf(s, "  status %s -> %s", was, is);
        kind = CHANGED;
    }
    times = add_times(p, s);
    if (kind == SAME) kind = times;
    for (int c = 0; c < COLUMN_COUNT; c++) {
        if (!exact(c) || strcmp(text_of(p->a, p->old, c), text_of(p->b, p->new, c)) == 0) continue;
        double x = number_of(p->a, p->old, c), y = number_of(p->b, p->new, c);
        if (isnan(x) || isnan(y) || x == y) continue;
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

// The points of both files in the order of the old one, then those of only one. The exit status: 1 where something got
// slower, changed or is missing.
static int print_sides(struct side *a, struct side *b, bool quiet, struct diags *d)
{
    size_t counts[CHANGED + 1] = {0}, only[2] = {0};
    struct str name = {0}, text = {0};
    for (size_t i = 0; i < a->t.count; i++) {
        const uint32_t *slot = slot_of(b, a->points[i]);
        struct pair p = {a, b, table_row(&a->t, i, d), *slot ? table_row(&b->t, *slot - 1, d) : NULL};
        if (!p.old || (*slot && !p.new)) break;
        add_point(a, p.old, &name);
        str_clear(&text);
        if (!*slot) {
            only[0]++;
            if (!quiet) say(stdout, "%-8s %s\n", "missing", name.text);
            continue;
        }
        b->met[*slot - 1] = true;
        enum verdict_kind kind = differ(&p, &text);
        counts[kind]++;
        if (!quiet) print_line(kind, name.text, text.text ? text.text : "");
    }
    for (size_t i = 0; i < b->t.count; i++) {
        if (b->met[i]) continue;
        const struct cells *cells = table_row(&b->t, i, d);
        if (!cells) break;
        only[1]++;
        add_point(b, cells, &name);
        if (!quiet) say(stdout, "%-8s %s\n", "new", name.text);
    }
    str_release(&name);
    str_release(&text);
    if (!quiet)
        say(stdout, "%zu same, %zu faster, %zu slower, %zu changed, %zu missing, %zu new\n", counts[SAME],
            counts[FASTER], counts[SLOWER], counts[CHANGED], only[0], only[1]);
    return counts[SLOWER] || counts[CHANGED] || only[0] ? 1 : 0;
}

int command_compare(const struct options *o, struct diags *d)
{
    struct side sides[2] = {0};
    int status = 0;
    bool good = true;
    for (int i = 0; i < 2; i++) good &= table_open(&sides[i].t, o->operands[i], d);
    bool opened = good;
    for (int i = 0; i < 2 && opened; i++) good &= read_side(&sides[i], &sides[1 - i], d);
    if (good) {
        if (!options_given(o, OPTION_QUIET) && sides[0].device && sides[1].device &&
            strcmp(sides[0].device, sides[1].device) != 0)
            say(stdout, "%s -> %s\n", sides[0].device, sides[1].device);
        status = print_sides(&sides[0], &sides[1], options_given(o, OPTION_QUIET), d);
    }
    for (int i = 0; i < 2; i++) free_side(&sides[i]);
    return status;
}
