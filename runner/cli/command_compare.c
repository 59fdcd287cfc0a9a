// `gpuexp compare OLD.csv NEW.csv`: the same points of two reports side by side, the worst first; in the terminal, as
// JSON or as a page. What differs of a point says study/comparing.h.
// SPDX-License-Identifier: MIT
#include "base/beside.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "cli/verdicts.h"
#include "page/compare_page.h"
#include "page/html.h"
#include "spec/columns.h"
#include "study/comparing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct showing {
    const struct comparison *of;
    struct json *json;             // NULL: as text
    struct compared_point *points; // NULL: no page is written
    struct arena *arena;           // of their texts
    size_t filled;
};

static const struct {
    const char *word, *class; // class: of the page
    enum term_colour colour;
} kinds[KINDS] = {[SAME] = {"same", "plain", TERM_DIM},
    [FASTER] = {"faster", "ok", TERM_GREEN},
    [SLOWER] = {"slower", "wrong", TERM_RED},
    [CHANGED] = {"changed", "wrong", TERM_YELLOW},
    [UNSURE] = {"unsure", "imprecise", TERM_YELLOW},
    [MISSING] = {"missing", "wrong", TERM_RED},
    [NEW] = {"new", "skipped", TERM_PLAIN}};

static void both(struct json *j, const char *name, const char *was, const char *is)
{
    json_list(j, name);
    json_value(j, NULL, table_value(was));
    json_value(j, NULL, table_value(is));
    json_close(j);
}

// "0", or "0 -> 1" where another GPU measured it; "" where one was alone.
static void add_gpus(const struct comparison *c, const size_t gpus[2], struct str *s)
{
    for (int i = 0; i < 2 && (gpus[0] || gpus[1]); i++)
        if (!i || gpus[0] != gpus[1]) str_addf(s, "%s%s", i ? " -> " : "", gpus[i] ? c->names[gpus[i]] : "?");
}

static void print_gpus(struct json *j, const struct comparison *c, const size_t gpus[2])
{
    if (gpus[0] || gpus[1]) both(j, "gpu", c->names[gpus[0]], c->names[gpus[1]]);
}

// The old value and the new one of the status, the times, and each count that differs.
static void print_object(const struct showing *x, const struct compared *f, const char *name, const struct pair *p)
{
    static const int times[] = {COLUMN_TIME_US, COLUMN_TIME_LO_US, COLUMN_TIME_HI_US};
    struct json *j = x->json;
    json_add(j, "{ verdict:%s point:%s", kinds[f->kind].word, name);
    if (f->again) json_bool(j, "again", true);
    print_gpus(j, x->of, f->gpus);
    if (isfinite(f->ratio.value)) json_number(j, "ratio", f->ratio.value);
    if (isfinite(f->ratio.low)) json_add(j, "ratio_low:%g ratio_high:%g", f->ratio.low, f->ratio.high);
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

static void add_point(struct showing *x, const struct compared *f, const struct pair *p, const struct str *name,
    const struct str *rest)
{
    LOCAL(str_release) struct str gpus = {0};
    add_gpus(x->of, f->gpus, &gpus);
    x->points[x->filled++] = (struct compared_point){.verdict = kinds[f->kind].word,
        .name = arena_strdup(x->arena, name->text),
        .kind = kinds[f->kind].class,
        .was_us = arena_strdup(x->arena, p->old ? differing_text(p->a, p->old, COLUMN_TIME_US) : ""),
        .is_us = arena_strdup(x->arena, p->new ? differing_text(p->b, p->new, COLUMN_TIME_US) : ""),
        .ratio = f->ratio,
        .gpus = trimmed(x->arena, &gpus),
        .rest = trimmed(x->arena, rest)};
}

static void print_finding(struct showing *x, const struct compared *f, struct str *name, struct str *text,
    struct diags *d)
{
    struct pair p = {&x->of->all->old, &x->of->all->new, NULL, NULL, x->of->threshold, f->counts};
    struct ratio unused;
    const size_t old = f->counts ? SIZE_MAX : x->of->fronts[0], new = f->counts ? SIZE_MAX : x->of->fronts[1];
    if (f->old != SIZE_MAX && !(p.old = table_front(&x->of->all->old.t, f->old, old, d))) return;
    if (f->new != SIZE_MAX && !(p.new = table_front(&x->of->all->new.t, f->new, new, d))) return;
    pairs_name(x->of->all, p.old ? p.a : p.b, p.old ? p.old : p.new, name);
    str_clear(text);
    if (x->json) {
        print_object(x, f, name->text, &p);
        return;
    }
    LOCAL(str_release) struct str times = {0};
    if (p.old && p.new) differing(&p, &unused, &times, text);
    if (f->again) add_again(&x->of->again[f->again - 1], text);
    if (x->points) {
        add_point(x, f, &p, name, text);
        return;
    }
    term_say(stdout, kinds[f->kind].colour, "%-8s", kinds[f->kind].word);
    str_add(name, times.text ? times.text : "");
    str_add(name, text->text ? text->text : "");
    str_clear(text);
    add_gpus(x->of, f->gpus, text);
    if (text->size) str_addf(name, "  gpu %s", text->text);
    str_add(name, "\n");
    say_bytes(stdout, " ", 1);
    say_bytes(stdout, name->text, name->size);
}

static void print_mean(const struct showing *x)
{
    size_t n;
    const struct ratio mean = comparing_mean(x->of, &n);
    if (n > 1) say(stdout, "geometric mean of %zu: x%.4f (%.4f to %.4f)\n", n, mean.value, mean.low, mean.high);
}

// No two GPUs are equal: which of them is behind what is slower.
static void print_by_gpu(const struct showing *x)
{
    size_t n;
    LOCAL(mem_drop) struct comparing_gpu *all = comparing_gpus(x->of, &n);
    for (size_t i = 0; i < n; i++) {
        LOCAL(str_release) struct str gpus = {0};
        add_gpus(x->of, all[i].gpus, &gpus);
        say(stdout, "gpu %s: x%.4f (%.4f to %.4f), mean of %zu\n", gpus.text ? gpus.text : "?", all[i].mean.value,
            all[i].mean.low, all[i].mean.high, all[i].count);
    }
}

static void print_all(struct showing *x, struct diags *d)
{
    LOCAL(str_release) struct str name = {0}, text = {0};
    const size_t *n = x->of->counts;
    if (pairs_constants(x->of->all, &text) && !x->json) say(stdout, "all with%s\n", text.text);
    for (size_t i = 0; i < x->of->count; i++) print_finding(x, &x->of->items[i], &name, &text, d);
    if (!x->json) print_mean(x), print_by_gpu(x);
    if (!x->json)
        say(stdout, "%zu same, %zu faster, %zu slower, %zu unsure, %zu changed, %zu missing, %zu new\n", n[SAME],
            n[FASTER], n[SLOWER], n[UNSURE], n[CHANGED], n[MISSING], n[NEW]);
}

static void write_page(struct showing *x, const struct options *o, struct diags *d)
{
    LOCAL(str_release) struct str name = {0}, text = {0}, html = {0};
    struct arena *a = x->arena = arena_new();
    LOCAL(mem_drop) char *beside = beside_path(o->operands[1], BESIDE_COMPARED);
    const char *path = options_given(o, OPTION_OUTPUT) ? o->value[OPTION_OUTPUT] : beside;
    x->points = arena_alloc(a, (x->of->count + 1) * sizeof *x->points);
    struct compare_page page = {.old = o->operands[0],
        .new = o->operands[1],
        .old_link = html_link(path, o->operands[0], a),
        .new_link = html_link(path, o->operands[1], a),
        .old_device = x->of->all->old.device,
        .new_device = x->of->all->new.device,
        .points = x->points,
        .threshold = x->of->threshold};
    page.mean = comparing_mean(x->of, &page.meant);
    pairs_constants(x->of->all, &text);
    page.constants = trimmed(a, &text);
    for (size_t i = 0; i < x->of->count; i++) print_finding(x, &x->of->items[i], &name, &text, d);
    page.count = x->filled;
    compare_page(&page, a, &html);
    if (!diags_errors(d) && file_write_over(path, html.text, html.size, beside_table[BESIDE_COMPARED].begins, d) &&
        !options_given(o, OPTION_QUIET))
        say(stdout, "%s\n", path);
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

static bool ask_again(struct comparison *c, struct remeasured *r, const struct options *o, struct diags *d)
{
    struct progress screen;
    const struct run_observer told = verdicts_observer(&screen, options_given(o, OPTION_QUIET) || options_json(o));
    const struct request request = options_request(o);
    const bool asked = options_given(o, OPTION_REMEASURE);
    const bool done = !asked || comparing_again(c, r, o->operands[0], o->operands[1], &request, &told, d);
    progress_stop(&screen);
    return done;
}

int command_compare(const struct options *o, struct diags *d)
{
    struct pairs all = {0};
    struct comparison c = {.all = &all, .threshold = options_share(o, OPTION_THRESHOLD, 0.01, d)};
    struct json j = json_begin(stdout, false);
    const bool page = options_given(o, OPTION_FORMAT) && strcmp(o->value[OPTION_FORMAT], "html") == 0,
               quiet = options_given(o, OPTION_QUIET) && !options_json(o) && !page;
    struct showing x = {.of = &c, .json = options_json(o) ? &j : NULL};
    struct remeasured again = {0};
    const bool opened = fits(o, page, d) && pairs_open(&all, o->operands[0], o->operands[1], d);
    if (opened && !isnan(c.threshold) && comparing_can(&all, o->operands[0], o->operands[1], d) &&
        comparing_all(&c, d) && ask_again(&c, &again, o, d) && !quiet) {
        const char *was = all.old.device, *is = all.new.device;
        if (page) write_page(&x, o, d);
        else if (x.json) json_add(&j, "{ old_device:%s new_device:%s points:[", was, is);
        else if (was && is && strcmp(was, is) != 0) say(stdout, "%s -> %s\n", was, is);
        if (!page) print_all(&x, d);
        if (x.json) json_end(&j);
    }
    const bool stopped = again.stopped;
    remeasure_end(&again);
    comparing_free(&c);
    pairs_close(&all);
    if (stopped) return 75;
    return c.counts[SLOWER] || c.counts[CHANGED] || c.counts[MISSING] ? 1 : 0;
}
