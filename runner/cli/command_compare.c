// `gpuexp compare OLD.csv NEW.csv`: the same points of two reports side by side, the worst first; in the terminal, as
// JSON or as a page. What differs of a point says study/differing.h.
// SPDX-License-Identifier: MIT
#include "base/beside.h"
#include "base/file.h"
#include "cli/as_json.h"
#include "cli/commands.h"
#include "study/differing.h"
#include "study/remeasure.h"
#include "cli/term.h"
#include "cli/threshold.h"
#include "cli/verdicts.h"
#include "device/device.h"
#include "page/compare_page.h"
#include "page/html.h"
#include "store/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct finding {
    enum kind kind;
    struct ratio ratio;     // NAN where nothing was timed
    bool counts;            // some count is another: only then the whole row is read to be printed
    size_t again;           // it was unsure, and measured again: the number of its verdict, from 1
    size_t place, old, new; // among all; rows, SIZE_MAX: that file has none of it
    double axes[PAIRS_AXES];
};

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
    struct judging_verdict *again; // of those that were measured again
    size_t again_count, again_room, fronts[2];
    double threshold;
    struct json *json;             // NULL: as text
    struct compared_point *points; // NULL: no page is written
    struct arena *arena;           // of their texts
    size_t filled;
};

// How many of a row's cells are printed, where no count differs.
static size_t front(const struct pairs_side *side)
{
    static const int times[] = {COLUMN_TIME_US, COLUMN_TIME_LO_US, COLUMN_TIME_HI_US, COLUMN_CONTEXTS};
    int last = side->experiment > side->status ? side->experiment : side->status;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (side->columns[times[i]] > last) last = side->columns[times[i]];
    for (size_t i = 0; i < side->name_count; i++)
        if ((int)side->names[i] > last) last = (int)side->names[i];
    return (size_t)last + 1;
}

static bool find_all(struct comparison *c, struct diags *d)
{
    struct pair p = {&c->all->old, &c->all->new, NULL, NULL, c->threshold, false};
    c->items = mem_alloc((p.a->t.count + p.b->t.count + 1) * sizeof *c->items);
    while (pairs_next(c->all, &p.old, &p.new, d)) {
        struct finding *f = &c->items[c->count++];
        *f = (struct finding){.kind = p.old ? MISSING : NEW,
            .ratio = {NAN, NAN, NAN},
            .place = c->count,
            .old = c->all->old_row,
            .new = c->all->new_row};
        pairs_axes(c->all, p.old ? p.a : p.b, p.old ? p.old : p.new, f->axes);
        if (p.old && p.new) p.counts = f->counts = differing_counts(&p);
        if (p.old && p.new) f->kind = differing(&p, &f->ratio, NULL, NULL);
        c->counts[f->kind]++;
    }
    qsort(c->items, c->count, sizeof *c->items, by_kind);
    c->fronts[0] = front(&c->all->old), c->fronts[1] = front(&c->all->new);
    return !diags_errors(d);
}

static const enum kind kinds_found[] = {
    [VERDICT_SAME] = SAME, [VERDICT_FASTER] = FASTER, [VERDICT_SLOWER] = SLOWER, [VERDICT_UNSURE] = UNSURE};

// A kernel that has no time any more has changed.
static void decide(struct comparison *c, struct finding *f, const struct judging_verdict *v)
{
    mem_grow(&c->again, &c->again_room, c->again_count + 1, sizeof *c->again);
    c->again[c->again_count++] = *v;
    c->counts[f->kind]--;
    f->again = c->again_count;
    f->kind = isfinite(v->ratio.value) ? kinds_found[v->kind] : CHANGED;
    if (isfinite(v->ratio.low)) f->ratio = v->ratio;
    c->counts[f->kind]++;
}

// Measures again what is unsure, and judges by that. False after diags.
static bool ask_again(struct comparison *c, struct remeasured *r, const struct options *o, struct diags *d)
{
    const struct pairs_side *side = &c->all->new;
    if (!options_given(o, OPTION_REMEASURE) || !c->counts[UNSURE]) return true;
    remeasure_begin(r, c->all, c->threshold);
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].kind == UNSURE) {
            const struct cells *row = table_row(&c->all->new.t, c->items[i].new, d);
            if (row) remeasure_add(r, side, row);
        }
    struct verdicts screen = {.quiet = options_given(o, OPTION_QUIET) || as_json(o)};
    const struct run_observer told = verdicts_observer(&screen);
    const struct request request = options_request(o);
    const bool done = remeasure(r, o->operands[0], o->operands[1], &request, &told, d);
    verdicts_end(&screen);
    if (!done) return false;
    for (size_t i = 0; i < c->count; i++) {
        struct finding *f = &c->items[i];
        struct judging_verdict found;
        const struct cells *row = f->kind == UNSURE ? table_row(&c->all->new.t, f->new, d) : NULL;
        if (row && remeasure_find(r, side, row, &found)) decide(c, f, &found);
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
            both(j, column_table[times[i]].name, differing_text(p->a, p->old, times[i]),
                differing_text(p->b, p->new, times[i]));
        for (int c = 0; p->counts && c < COLUMN_COUNT; c++) {
            const char *was = differing_text(p->a, p->old, c), *is = differing_text(p->b, p->new, c);
            if (differing_exact(c) && strcmp(was, is) != 0) both(j, column_table[c].name, was, is);
        }
    }
    json_close(j);
}

static void add_again(const struct judging_verdict *v, struct str *s)
{
    char text[WHY_TEXT];
    const char *reason = verdicts_reason(v, text);
    str_add(s, "; again");
    if (isfinite(v->ratio.value)) str_addf(s, " x%.4f (%.4f to %.4f)", v->ratio.value, v->ratio.low, v->ratio.high);
    else str_addf(s, ": %s", verdicts_word(v));
    if (*reason) str_addf(s, ": %s", reason);
}

static const char *trimmed(struct arena *a, const struct str *s)
{
    return s->text ? arena_strdup(a, s->text + strspn(s->text, " ;")) : "";
}

static const char *const classes[KINDS] = {[SAME] = "plain",
    [FASTER] = "ok",
    [SLOWER] = "wrong",
    [CHANGED] = "wrong",
    [UNSURE] = "imprecise",
    [MISSING] = "wrong",
    [NEW] = "skipped"};

static void add_point(struct comparison *c, const struct finding *f, const struct pair *p, const struct str *name,
    const struct str *rest)
{
    c->points[c->filled++] = (struct compared_point){.verdict = words[f->kind],
        .name = arena_strdup(c->arena, name->text),
        .kind = classes[f->kind],
        .was_us = arena_strdup(c->arena, p->old ? differing_text(p->a, p->old, COLUMN_TIME_US) : ""),
        .is_us = arena_strdup(c->arena, p->new ? differing_text(p->b, p->new, COLUMN_TIME_US) : ""),
        .ratio = f->ratio,
        .rest = trimmed(c->arena, rest)};
}

static void print_finding(struct comparison *c, const struct finding *f, struct str *name, struct str *text,
    struct diags *d)
{
    static const enum term_colour colours[KINDS] = {[SAME] = TERM_DIM,
        [FASTER] = TERM_GREEN,
        [SLOWER] = TERM_RED,
        [CHANGED] = TERM_YELLOW,
        [UNSURE] = TERM_YELLOW,
        [MISSING] = TERM_RED,
        [NEW] = TERM_PLAIN};
    struct pair p = {&c->all->old, &c->all->new, NULL, NULL, c->threshold, f->counts};
    struct ratio unused;
    const size_t old = f->counts ? SIZE_MAX : c->fronts[0], new = f->counts ? SIZE_MAX : c->fronts[1];
    if (f->old != SIZE_MAX && !(p.old = table_front(&c->all->old.t, f->old, old, d))) return;
    if (f->new != SIZE_MAX && !(p.new = table_front(&c->all->new.t, f->new, new, d))) return;
    pairs_name(c->all, p.old ? p.a : p.b, p.old ? p.old : p.new, name);
    str_clear(text);
    if (c->json) {
        print_object(c->json, f, name->text, &p);
        return;
    }
    struct str times = {0};
    if (p.old && p.new) differing(&p, &unused, &times, text);
    if (f->again) add_again(&c->again[f->again - 1], text);
    if (c->points) {
        add_point(c, f, &p, name, text);
        str_release(&times);
        return;
    }
    term_say(stdout, colours[f->kind], "%-8s", words[f->kind]);
    str_add(name, times.text ? times.text : "");
    str_add(name, text->text ? text->text : "");
    str_add(name, "\n");
    say_bytes(stdout, " ", 1);
    say_bytes(stdout, name->text, name->size);
    str_release(&times);
}

static struct ratio mean_of(const struct comparison *c, size_t *count)
{
    struct ratio *ratios = mem_alloc((c->count + 1) * sizeof *ratios);
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        if (isfinite(c->items[i].ratio.low)) ratios[n++] = c->items[i].ratio;
    const struct ratio mean = verdict_mean(ratios, n);
    free(ratios);
    *count = n;
    return mean;
}

static void print_mean(const struct comparison *c)
{
    size_t n;
    const struct ratio mean = mean_of(c, &n);
    if (n > 1) say(stdout, "geometric mean of %zu: x%.4f (%.4f to %.4f)\n", n, mean.value, mean.low, mean.high);
}

static void print_all(struct comparison *c, struct diags *d)
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

static void write_page(struct comparison *c, const struct options *o, struct diags *d)
{
    struct str name = {0}, text = {0}, html = {0};
    struct arena *a = c->arena = arena_new();
    char *beside = beside_path(o->operands[1], BESIDE_COMPARED);
    const char *path = options_given(o, OPTION_OUTPUT) ? o->value[OPTION_OUTPUT] : beside;
    c->points = arena_alloc(a, (c->count + 1) * sizeof *c->points);
    struct compare_page page = {.old = o->operands[0],
        .new = o->operands[1],
        .old_link = html_link(path, o->operands[0], a),
        .new_link = html_link(path, o->operands[1], a),
        .old_device = c->all->old.device,
        .new_device = c->all->new.device,
        .points = c->points,
        .threshold = c->threshold};
    page.mean = mean_of(c, &page.meant);
    pairs_constants(c->all, &text);
    page.constants = trimmed(a, &text);
    for (size_t i = 0; i < c->count; i++) print_finding(c, &c->items[i], &name, &text, d);
    page.count = c->filled;
    compare_page(&page, a, &html);
    if (!diags_errors(d) && file_write_over(path, html.text, html.size, beside_table[BESIDE_COMPARED].begins, d) &&
        !options_given(o, OPTION_QUIET))
        say(stdout, "%s\n", path);
    free(beside);
    str_release(&name);
    str_release(&text);
    str_release(&html);
    arena_free(a);
}

static bool fits(const struct options *o, bool page, struct diags *d)
{
    if (o->command->run != command_compare) return true; // whoever else compares has written to that file
    for (int i = 0; i < 2 && options_given(o, OPTION_OUTPUT); i++)
        if (strcmp(o->operands[i], o->value[OPTION_OUTPUT]) == 0)
            return diag_user(d, (struct where){.file = o->operands[i]}, "name another file with -o",
                "is a report to be read: it is not overwritten");
    return page || !options_given(o, OPTION_OUTPUT) ||
        diag_user(d, (struct where){0}, NULL, "--output is for --format html");
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
    const bool page = options_given(o, OPTION_FORMAT) && strcmp(o->value[OPTION_FORMAT], "html") == 0,
               quiet = options_given(o, OPTION_QUIET) && !as_json(o) && !page;
    if (as_json(o)) c.json = &j;
    struct remeasured again = {0};
    const bool opened = fits(o, page, d) && pairs_open(&all, o->operands[0], o->operands[1], d);
    if (opened && !isnan(c.threshold) && comparable(o, &all, d) && find_all(&c, d) && ask_again(&c, &again, o, d) &&
        !quiet) {
        const char *was = all.old.device, *is = all.new.device;
        if (page) write_page(&c, o, d);
        else if (c.json) {
            json_object(&j, NULL);
            json_text(&j, "old_device", was);
            json_text(&j, "new_device", is);
            json_list(&j, "points");
        } else if (was && is && strcmp(was, is) != 0) say(stdout, "%s -> %s\n", was, is);
        if (!page) print_all(&c, d);
        if (c.json) json_end(&j);
    }
    const bool stopped = again.stopped;
    remeasure_end(&again);
    free(c.items);
    free(c.again);
    pairs_close(&all);
    if (stopped) return 75;
    return c.counts[SLOWER] || c.counts[CHANGED] || c.counts[MISSING] ? 1 : 0;
}
