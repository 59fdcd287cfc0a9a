// `gpuexp compare OLD.csv NEW.csv`: the same points of two reports side by side. Two times differ only where their
// confidence intervals do not overlap; counts are exact, so every difference counts.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "cli/term.h"
#include "store/pairs.h"

#include <math.h>
#include <string.h>

enum verdict_kind { SAME, FASTER, SLOWER, CHANGED };

static void add_number(struct str *s, double v)
{
    if (v == floor(v) && fabs(v) < 1e15) str_addf(s, "%.0f", v);
    else str_addf(s, "%.4g", v);
}

// Of the counts those that are the same in every run: not what hardware alone counts, and not their ratios, which only
// follow.
static bool exact(int column) { return column_table[column].group == COLUMNS_ACCESS && !column_table[column].digits; }

static const char *text_of(const struct pairs_side *side, const struct cells *cells, int column)
{
    return side->columns[column] < 0 ? "" : cells_text(cells, (size_t)side->columns[column]);
}

static double number_of(const struct pairs_side *side, const struct cells *cells, int column)
{
    double x;
    return value_number(table_value(text_of(side, cells, column)), &x) ? x : NAN;
}

struct pair { // one point's row in each report
    const struct pairs_side *a, *b;
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
static int print_all(struct pairs *all, bool quiet, struct diags *d)
{
    size_t counts[CHANGED + 1] = {0}, only[2] = {0};
    struct str name = {0}, text = {0};
    struct pair p = {&all->old, &all->new, NULL, NULL};
    while (pairs_next(all, &p.old, &p.new, d)) {
        if (!quiet) pairs_name(p.old ? p.a : p.b, p.old ? p.old : p.new, &name);
        str_clear(&text);
        if (p.old && p.new) {
            const enum verdict_kind kind = differ(&p, &text);
            counts[kind]++;
            if (!quiet) print_line(kind, name.text, text.text ? text.text : "");
        } else {
            only[!p.old]++;
            if (!quiet) say(stdout, "%-8s %s\n", p.old ? "missing" : "new", name.text);
        }
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
    struct pairs all;
    const bool quiet = options_given(o, OPTION_QUIET);
    int status = 0;
    if (pairs_open(&all, o->operands[0], o->operands[1], d)) {
        const char *was = all.old.device, *is = all.new.device;
        if (!quiet && was && is && strcmp(was, is) != 0) say(stdout, "%s -> %s\n", was, is);
        status = print_all(&all, quiet, d);
    }
    pairs_close(&all);
    return status;
}
