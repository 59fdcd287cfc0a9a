// `gpuexp compare OLD.csv NEW.csv`: the same points of two reports side by side, the worst first. A time is told to be
// another where the interval of the ratio says so and it matters (measure/verdict.h); counts are exact, so every
// difference counts.
// SPDX-License-Identifier: MIT
#include "cli/as_json.h"
#include "cli/commands.h"
#include "cli/remeasure.h"
#include "cli/term.h"
#include "cli/threshold.h"
#include "device/device.h"
#include "measure/result.h"
#include "measure/verdict.h"
#include "store/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The worst first.
enum kind { SLOWER, CHANGED, MISSING, UNSURE, FASTER, NEW, SAME, KINDS };

struct finding {
    enum kind kind;
    struct ratio ratio; // NAN where nothing was timed
    bool again;         // it was unsure, and measured again
    struct judging_verdict found;
    size_t place, old, new; // among all; rows, SIZE_MAX: that file has none of it
    double axes[PAIRS_AXES];
};

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
    double threshold;
};

static struct timing timing_of(const struct pairs_side *side, const struct cells *cells)
{
    return (struct timing){number_of(side, cells, COLUMN_TIME_US), number_of(side, cells, COLUMN_TIME_LO_US),
        number_of(side, cells, COLUMN_TIME_HI_US), number_of(side, cells, COLUMN_CONTEXTS)};
}

static enum kind add_times(const struct pair *p, struct ratio *r, struct str *s)
{
    static const enum kind kinds[] = {
        [VERDICT_SAME] = SAME, [VERDICT_FASTER] = FASTER, [VERDICT_SLOWER] = SLOWER, [VERDICT_UNSURE] = UNSURE};
    const struct timing old = timing_of(p->a, p->old), new = timing_of(p->b, p->new);
    *r = verdict_ratio(&old, &new);
    if (isnan(r->value)) return SAME;
    str_addf(s, "  %.3f us -> %.3f us, x%.4f", old.us, new.us, r->value);
    if (isfinite(r->low)) str_addf(s, " (%.4f to %.4f)", r->low, r->high);
    else str_add(s, " (no interval)");
    return kinds[verdict_of(r, p->threshold)];
}

static bool has_numbers(const char *status)
{
    for (int i = 0; status_names[i]; i++)
        if (strcmp(status_names[i], status) == 0) return status_has_numbers((enum status)i);
    return false;
}

// The differences of one point, as text, and their kind.
static enum kind differ(const struct pair *p, struct ratio *r, struct str *s)
{
    const char *was = cells_text(p->old, (size_t)p->a->status), *is = cells_text(p->new, (size_t)p->b->status);
    enum kind kind = add_times(p, r, s);
    // `imprecise` says how well a time is known, which its interval says too.
    if (strcmp(was, is) != 0 && !(has_numbers(was) && has_numbers(is))) {
        str_addf(s, "  status %s -> %s", was, is);
        kind = CHANGED;
    }
    for (int c = 0; c < COLUMN_COUNT; c++) {
        if (!exact(c) || strcmp(text_of(p->a, p->old, c), text_of(p->b, p->new, c)) == 0) continue;
        double x = number_of(p->a, p->old, c), y = number_of(p->b, p->new, c);
        if (isnan(x) || isnan(y) || x == y) continue;
        str_addf(s, "  %s ", column_table[c].name);
        add_number(s, x);
        str_add(s, " -> ");
        add_number(s, y);
        if (x > 0) str_addf(s, " (x%.4g)", y / x);
        if (kind != SLOWER) kind = CHANGED;
    }
    return kind;
}

static int by_kind(const void *pa, const void *pb)
{
    const struct finding *a = pa, *b = pb;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    const bool timed = (a->kind == SLOWER || a->kind == FASTER) && a->ratio.value != b->ratio.value;
    if (timed) return a->ratio.value > b->ratio.value ? -1 : 1;
    for (int i = 0; i < PAIRS_AXES; i++)
        if (a->axes[i] != b->axes[i]) return a->axes[i] < b->axes[i] ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

struct comparison {
    struct pairs *all;
    struct finding *items;
    size_t count, counts[KINDS];
    double threshold;
    struct json *json; // NULL: as text
};

static bool find_all(struct comparison *c, struct diags *d)
{
    struct pair p = {&c->all->old, &c->all->new, NULL, NULL, c->threshold};
    struct str unused = {0};
    c->items = mem_alloc((p.a->t.count + p.b->t.count + 1) * sizeof *c->items);
    while (pairs_next(c->all, &p.old, &p.new, d)) {
        struct finding *f = &c->items[c->count++];
        *f = (struct finding){.kind = p.old ? MISSING : NEW,
            .ratio = {NAN, NAN, NAN},
            .place = c->count,
            .old = c->all->old_row,
            .new = c->all->new_row};
        pairs_axes(c->all, p.old ? p.a : p.b, p.old ? p.old : p.new, f->axes);
        str_clear(&unused);
        if (p.old && p.new) f->kind = differ(&p, &f->ratio, &unused);
        c->counts[f->kind]++;
    }
    str_release(&unused);
    qsort(c->items, c->count, sizeof *c->items, by_kind);
    return !diags_errors(d);
}

static const enum kind kinds_found[] = {
    [VERDICT_SAME] = SAME, [VERDICT_FASTER] = FASTER, [VERDICT_SLOWER] = SLOWER, [VERDICT_UNSURE] = UNSURE};

// A kernel that has no time any more has changed.
static void decide(struct comparison *c, struct finding *f)
{
    c->counts[f->kind]--;
    f->again = true;
    f->kind = isfinite(f->found.ratio.value) ? kinds_found[f->found.kind] : CHANGED;
    if (isfinite(f->found.ratio.low)) f->ratio = f->found.ratio;
    c->counts[f->kind]++;
}

// Measures again what is unsure, and judges by that. False after diags.
static bool ask_again(struct comparison *c, struct remeasured *r, const struct options *o, struct diags *d)
{
    const struct pairs_side *side = &c->all->new;
    if (!options_given(o, OPTION_REMEASURE) || !c->counts[UNSURE]) return true;
    remeasure_begin(r, c->all, c->threshold, options_given(o, OPTION_QUIET) || as_json(o));
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].kind == UNSURE) {
            const struct cells *row = table_row(&c->all->new.t, c->items[i].new, d);
            if (row) remeasure_add(r, side, row);
        }
    if (!remeasure(r, o, d)) return false;
    for (size_t i = 0; i < c->count; i++) {
        struct finding *f = &c->items[i];
        const struct cells *row = f->kind == UNSURE ? table_row(&c->all->new.t, f->new, d) : NULL;
        if (row && remeasure_find(r, side, row, &f->found)) decide(c, f);
    }
    qsort(c->items, c->count, sizeof *c->items, by_kind);
    return true;
}

static const char *const words[KINDS] = {[SAME] = "same",
    [FASTER] = "faster",
    [SLOWER] = "slower",
    [CHANGED] = "changed",
    [UNSURE] = "unsure",
    [MISSING] = "missing",
    [NEW] = "new"};

static void both(struct json *j, const char *name, const char *was, const char *is)
{
    json_list(j, name);
    json_value(j, NULL, table_value(was));
    json_value(j, NULL, table_value(is));
    json_close(j);
}

// The old value and the new one of the status, the times, and each count that differs.
static void print_object(struct json *j, const struct finding *f, const char *name, const struct pair *p)
{
    static const int times[] = {COLUMN_TIME_US, COLUMN_TIME_LO_US, COLUMN_TIME_HI_US};
    json_object(j, NULL);
    json_text(j, "verdict", words[f->kind]);
    json_text(j, "point", name);
    if (f->again) json_bool(j, "again", true);
    if (isfinite(f->ratio.value)) json_number(j, "ratio", f->ratio.value);
    if (isfinite(f->ratio.low)) json_number(j, "ratio_low", f->ratio.low);
    if (isfinite(f->ratio.low)) json_number(j, "ratio_high", f->ratio.high);
    if (p->old && p->new) {
        both(j, "status", cells_text(p->old, (size_t)p->a->status), cells_text(p->new, (size_t)p->b->status));
        for (size_t i = 0; i < sizeof times / sizeof *times; i++)
            both(j, column_table[times[i]].name, text_of(p->a, p->old, times[i]), text_of(p->b, p->new, times[i]));
        for (int c = 0; c < COLUMN_COUNT; c++) {
            const char *was = text_of(p->a, p->old, c), *is = text_of(p->b, p->new, c);
            if (exact(c) && strcmp(was, is) != 0) both(j, column_table[c].name, was, is);
        }
    }
    json_close(j);
}

static void add_again(const struct finding *f, struct str *s)
{
    const struct judging_verdict *v = &f->found;
    str_add(s, "; again");
    if (isfinite(v->ratio.value)) str_addf(s, " x%.4f (%.4f to %.4f)", v->ratio.value, v->ratio.low, v->ratio.high);
    else str_addf(s, ": %s", v->word);
    if (*v->reason) str_addf(s, ": %s", v->reason);
}

static void print_finding(const struct comparison *c, const struct finding *f, struct str *name, struct str *text,
    struct diags *d)
{
    static const enum term_colour colours[KINDS] = {[SAME] = TERM_DIM,
        [FASTER] = TERM_GREEN,
        [SLOWER] = TERM_RED,
        [CHANGED] = TERM_YELLOW,
        [UNSURE] = TERM_YELLOW,
        [MISSING] = TERM_RED,
        [NEW] = TERM_PLAIN};
    struct pair p = {&c->all->old, &c->all->new, NULL, NULL, c->threshold};
    struct ratio unused;
    if (f->old != SIZE_MAX && !(p.old = table_row(&c->all->old.t, f->old, d))) return;
    if (f->new != SIZE_MAX && !(p.new = table_row(&c->all->new.t, f->new, d))) return;
    pairs_name(c->all, p.old ? p.a : p.b, p.old ? p.old : p.new, name);
    str_clear(text);
    if (c->json) {
        print_object(c->json, f, name->text, &p);
        return;
    }
    if (p.old && p.new) differ(&p, &unused, text);
    if (f->again) add_again(f, text);
    term_say(stdout, colours[f->kind], "%-8s", words[f->kind]);
    say(stdout, " %s%s\n", name->text, text->text ? text->text : "");
}

static void print_mean(const struct comparison *c)
{
    struct ratio *ratios = mem_alloc((c->count + 1) * sizeof *ratios);
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        if (isfinite(c->items[i].ratio.low)) ratios[n++] = c->items[i].ratio;
    const struct ratio mean = verdict_mean(ratios, n);
    if (n > 1) say(stdout, "geometric mean of %zu: x%.4f (%.4f to %.4f)\n", n, mean.value, mean.low, mean.high);
    free(ratios);
}

static void print_all(const struct comparison *c, struct diags *d)
{
    struct str name = {0}, text = {0};
    const size_t *n = c->counts;
    if (pairs_constants(c->all, &text) && !c->json) say(stdout, "all with%s\n", text.text);
    for (size_t i = 0; i < c->count; i++) print_finding(c, &c->items[i], &name, &text, d);
    if (!c->json) print_mean(c);
    if (!c->json)
        say(stdout, "%zu same, %zu faster, %zu slower, %zu unsure, %zu changed, %zu missing, %zu new\n", n[SAME],
            n[FASTER], n[SLOWER], n[UNSURE], n[CHANGED], n[MISSING], n[NEW]);
    str_release(&name);
    str_release(&text);
}

// What is counted without a clock and what a GPU took have nothing in common that could be faster.
static bool comparable(const struct options *o, const struct pairs *p, struct diags *d)
{
    const char *was = p->old.device, *is = p->new.device;
    if (!was || !is || device_kind(was) == device_kind(is)) return true;
    return diag_user(d, (struct where){.file = o->operands[1]}, "measure both on one of them (-d)",
        "is of %s, %s of %s: one has times, the other counts alone, and they cannot be compared", is, o->operands[0],
        was);
}

int command_compare(const struct options *o, struct diags *d)
{
    struct pairs all = {0};
    struct comparison c = {.all = &all, .threshold = options_share(o, OPTION_THRESHOLD, 0.01, d)};
    struct json j = json_begin(stdout, false);
    const bool quiet = options_given(o, OPTION_QUIET) && !as_json(o);
    if (as_json(o)) c.json = &j;
    struct remeasured again = {0};
    const bool opened = pairs_open(&all, o->operands[0], o->operands[1], d);
    if (opened && !isnan(c.threshold) && comparable(o, &all, d) && find_all(&c, d) && ask_again(&c, &again, o, d) &&
        !quiet) {
        const char *was = all.old.device, *is = all.new.device;
        if (c.json) {
            json_object(&j, NULL);
            json_text(&j, "old_device", was);
            json_text(&j, "new_device", is);
            json_list(&j, "points");
        } else if (was && is && strcmp(was, is) != 0) say(stdout, "%s -> %s\n", was, is);
        print_all(&c, d);
        if (c.json) json_end(&j);
    }
    remeasure_end(&again);
    free(c.items);
    pairs_close(&all);
    return c.counts[SLOWER] || c.counts[CHANGED] || c.counts[MISSING] ? 1 : 0;
}
