// `gpuexp compare OLD.csv NEW.csv`: the same points of two reports side by side, the worst first; in the terminal or
// as JSON. What differs of a point says study/comparing.h.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "cli/term.h"
#include "cli/verdicts.h"
#include "spec/columns.h"
#include "study/comparing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct showing {
    const struct comparison *of;
    struct json *json; // NULL: as text
};

static const struct {
    const char *word;
    enum term_colour colour;
} kinds[KINDS] = {[SAME] = {"same", TERM_DIM},
    [FASTER] = {"faster", TERM_GREEN},
    [SLOWER] = {"slower", TERM_RED},
    [CHANGED] = {"changed", TERM_YELLOW},
    [UNSURE] = {"unsure", TERM_YELLOW},
    [MISSING] = {"missing", TERM_RED},
    [NEW] = {"new", TERM_PLAIN}};

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

static void print_finding(const struct showing *x, const struct compared *f, struct str *name, struct str *text,
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

static void print_all(const struct showing *x, struct diags *d)
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
    const bool quiet = options_given(o, OPTION_QUIET) && !options_json(o);
    const struct showing x = {.of = &c, .json = options_json(o) ? &j : NULL};
    struct remeasured again = {0};
    const bool opened = pairs_open(&all, o->operands[0], o->operands[1], d);
    if (opened && !isnan(c.threshold) && comparing_can(&all, o->operands[0], o->operands[1], d) &&
        comparing_all(&c, d) && ask_again(&c, &again, o, d) && !quiet) {
        const char *was = all.old.device, *is = all.new.device;
        if (x.json) json_add(&j, "{ old_device:%s new_device:%s points:[", was, is);
        else if (was && is && strcmp(was, is) != 0) say(stdout, "%s -> %s\n", was, is);
        print_all(&x, d);
        if (x.json) json_end(&j);
    }
    const bool stopped = again.stopped;
    remeasure_end(&again);
    comparing_free(&c);
    pairs_close(&all);
    if (stopped) return 75;
    return c.counts[SLOWER] || c.counts[CHANGED] || c.counts[MISSING] ? 1 : 0;
}
