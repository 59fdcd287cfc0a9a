// Pairs the rows, sorts them by what differs, and measures again what is unsure.
// SPDX-License-Identifier: MIT
#include "study/comparing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/beside.h"
#include "base/file.h"
#include "base/hash.h"
#include "device/device.h"
#include "plan/load.h"
#include "spec/columns.h"
#include "spec/contract.h"
#include "store/report.h"
#include "store/runfile.h"

// A time is told to be another where the interval of the ratio says so and it matters (measure/verdict.h); counts are
// exact, so every difference counts.

static void add_number(struct str *s, double v)
{
    if (v == floor(v) && fabs(v) < 1e15) str_add_int(s, (int64_t)v);
    else str_add_short(s, v);
}

// Of the counts those that are the same in every run: not what hardware alone counts, and not their ratios, which only
// follow.
bool differing_exact(int column)
{
    return column_table[column].group == COLUMNS_ACCESS && !column_table[column].digits;
}

const char *differing_text(const struct pairs_side *side, const struct cells *cells, int column)
{
    return side->columns[column] < 0 ? "" : cells_text(cells, (size_t)side->columns[column]);
}

static double number_of(const struct pairs_side *side, const struct cells *cells, int column)
{
    double x;
    return value_number(table_value(differing_text(side, cells, column)), &x) ? x : NAN;
}

static struct timing timing_of(const struct pairs_side *side, const struct cells *cells)
{
    return (struct timing){number_of(side, cells, COLUMN_TIME_US), number_of(side, cells, COLUMN_TIME_LO_US),
        number_of(side, cells, COLUMN_TIME_HI_US), number_of(side, cells, COLUMN_CONTEXTS)};
}

// There may be a million of them: str_addf would take most of the time.
static void add_ratio(double old, double new, const struct ratio *r, struct str *s)
{
    str_add(s, "  ");
    str_add_fixed(s, old, 3);
    str_add(s, " us -> ");
    str_add_fixed(s, new, 3);
    str_add(s, " us, x");
    str_add_fixed(s, r->value, 4);
    if (!isfinite(r->low)) {
        str_add(s, " (no interval)");
        return;
    }
    str_add(s, " (");
    str_add_fixed(s, r->low, 4);
    str_add(s, " to ");
    str_add_fixed(s, r->high, 4);
    str_add(s, ")");
}

static enum kind add_times(const struct pair *p, struct ratio *r, struct str *s)
{
    static const enum kind kinds[] = {
        [VERDICT_SAME] = SAME, [VERDICT_FASTER] = FASTER, [VERDICT_SLOWER] = SLOWER, [VERDICT_UNSURE] = UNSURE};
    const struct timing old = timing_of(p->a, p->old), new = timing_of(p->b, p->new);
    *r = verdict_ratio(&old, &new);
    if (isnan(r->value)) return SAME;
    if (s) add_ratio(old.us, new.us, r, s);
    return kinds[verdict_of(r, p->threshold)];
}

static void add_count(int column, double x, double y, struct str *s)
{
    str_add(s, "  ");
    str_add(s, column_table[column].name);
    str_add(s, " ");
    add_number(s, x);
    str_add(s, " -> ");
    add_number(s, y);
    if (!(x > 0)) return;
    str_add(s, " (x");
    str_add_short(s, y / x);
    str_add(s, ")");
}

static bool differing_counts(const struct pair *p)
{
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (differing_exact(c) && strcmp(differing_text(p->a, p->old, c), differing_text(p->b, p->new, c)) != 0)
            return true;
    return false;
}

enum kind differing(const struct pair *p, struct ratio *r, struct str *times, struct str *s)
{
    const char *was = cells_text(p->old, (size_t)p->a->status), *is = cells_text(p->new, (size_t)p->b->status);
    enum kind kind = add_times(p, r, times);
    // `imprecise` says how well a time is known, which its interval says too.
    if (strcmp(was, is) != 0 && !(status_has_numbers(status_find(was)) && status_has_numbers(status_find(is)))) {
        if (s) str_addf(s, "  status %s -> %s", was, is);
        kind = CHANGED;
    }
    for (int c = 0; p->counts && c < COLUMN_COUNT; c++) {
        if (!differing_exact(c) || strcmp(differing_text(p->a, p->old, c), differing_text(p->b, p->new, c)) == 0)
            continue;
        double x = number_of(p->a, p->old, c), y = number_of(p->b, p->new, c);
        if (isnan(x) || isnan(y) || x == y) continue;
        if (s) add_count(c, x, y, s);
        if (kind != SLOWER) kind = CHANGED;
    }
    return kind;
}

static const char *key_of(const struct remeasured *r, const struct pairs_side *side, const struct cells *cells)
{
    const char **of = arena_alloc(r->arena, (side->name_count + 1) * sizeof *of);
    struct value *values = arena_alloc(r->arena, (side->name_count + 1) * sizeof *values);
    struct str key = {0};
    for (size_t i = 0; i < side->name_count; i++) {
        of[i] = side->t.columns[side->names[i]];
        values[i] = table_value(cells_text(cells, side->names[i]));
    }
    judging_key(r->names, of, values, side->name_count, &key);
    const char *kept = arena_strdup(r->arena, key.text ? key.text : "");
    str_release(&key);
    return kept;
}

static void remeasure_begin(struct remeasured *r, const struct pairs *all, double threshold)
{
    const struct pairs_side *side = &all->new;
    size_t count = 0;
    *r = (struct remeasured){.arena = arena_new(), .judging = {.threshold = threshold}};
    r->names = arena_alloc(r->arena, (side->name_count + 1) * sizeof *r->names);
    for (size_t i = 0; i < side->name_count; i++) {
        const char *name = side->t.columns[side->names[i]];
        if (strcmp(name, "kernel") != 0 && strcmp(name, "device") != 0)
            r->names[count++] = arena_strdup(r->arena, name);
    }
}

// A point to be measured
static void remeasure_add(struct remeasured *r, const struct pairs_side *side, const struct cells *cells)
{
    mem_grow(&r->points, &r->room, r->point_count + 2, sizeof *r->points);
    r->points[r->point_count++] = key_of(r, side, cells);
    r->points[r->point_count] = NULL;
}

static bool cannot(const char *report, struct diags *d, const char *hint, const char *what)
{
    return diag_user(d, (struct where){.file = report}, hint, "its points cannot be measured again: %s", what);
}

static const char *fact(const struct remeasured *r, const char *facts, const char *name)
{
    char *value = facts ? runfile_get(facts, name, 0) : NULL;
    const char *kept = value ? arena_strdup(r->arena, value) : NULL;
    free(value);
    return kept;
}

static const char *text_of(const struct remeasured *r, const char *facts, const char *name)
{
    char *text = facts ? runfile_text(facts, name) : NULL;
    const char *kept = text ? arena_strdup(r->arena, text) : NULL;
    free(text);
    return kept;
}

// Both kernels have the place of the one that was measured (files beside it are read from there), by two paths to it.
static const char *beside(const struct remeasured *r, const char *path, const char *way)
{
    char folder[4096] = "";
    if (*path != '/' && !getcwd(folder, sizeof folder)) return NULL;
    const char *slash = strrchr(path, '/');
    const int n = slash ? (int)(slash + 1 - path) : 0;
    return arena_printf(r->arena, "%s%s%.*s%s%s", folder, *folder ? "/" : "", n, path, way, path + n);
}

static bool one_promise(const char *old, const char *new, struct diags *d)
{
    struct kernel *a = kernel_load(old, d), *b = kernel_load(new, d);
    const bool good = a && b && contract_same(a, b, d);
    if (a) kernel_free(a);
    if (b) kernel_free(b);
    return good;
}

static void add_override(struct remeasured *r, struct request *q, const char *text)
{
    mem_grow(&q->overrides, &q->override_room, q->override_count + 1, sizeof *q->overrides);
    q->overrides[q->override_count++] = (struct override){arena_strdup(r->arena, text)};
}

// The newer report's experiment, its overrides, and both kernels.
static bool stand_in(struct remeasured *r, const char *old_report, const char *new_report, struct request *again,
    struct diags *d)
{
    const char *one;
    char *old = runfile_read(old_report), *new = runfile_read(new_report);
    const char *was = text_of(r, old, "kernel_text"), *is = text_of(r, new, "kernel_text"),
               *path = fact(r, new, "kernel_file"), *file = fact(r, new, "file"), *text = text_of(r, new, "text"),
               *script = fact(r, new, "script_file"), *script_text = text_of(r, new, "script_text"),
               *device = fact(r, new, "device_0"), *seed = fact(r, new, "seed");
    static const char judge[] = "with both kernels at hand: `gpuexp judge`";
    bool good = false;
    if (!old || !was) cannot(old_report, d, judge, "the file beside it has no text of one kernel");
    else if (!new || !is || !path || !file || !text)
        cannot(new_report, d, judge, "the file beside it has not all texts");
    else if (script && !script_text) cannot(new_report, d, judge, "the text of its script was not kept");
    else if (strcmp(was, is) == 0)
        cannot(new_report, d, "`gpuexp replay` measures one of them again, and compares",
            "both are of one text of the kernel, and what else differed then cannot be had again");
    else good = true;
    const char *first = good ? beside(r, path, "./") : NULL, *second = good ? beside(r, path, "././") : NULL;
    if (good && first && second) {
        file_stand_in(file, text);
        file_stand_in(first, was);
        file_stand_in(second, is);
        if (script) file_stand_in(script, script_text);
        again->only = fact(r, new, "experiment");
        again->files = arena_copy(r->arena, &file, sizeof file);
        again->count = 1;
        if (seed) again->seed = strtoull(seed, NULL, 10);
        if (device) add_override(r, again, arena_printf(r->arena, "device=%.*s", (int)strcspn(device, ","), device));
        for (int i = 0; (one = fact(r, new, arena_printf(r->arena, "override_%d", i))); i++)
            add_override(r, again, one);
        add_override(r, again, arena_printf(r->arena, "kernel=[\"%s\", \"%s\"]", first, second));
        add_override(r, again, arena_printf(r->arena, "measure.contexts=%d", JUDGING_CONTEXTS));
        good = one_promise(first, second, d);
    }
    free(old);
    free(new);
    return good;
}

// Of reports OLD and NEW, from the texts that their run files keep. False: why not, in diags.
static bool remeasure(struct remeasured *r, const char *old, const char *new, const struct request *of,
    const struct run_observer *told, struct diags *d)
{
    struct request again = *of;
    struct loaded all = {0};
    struct plan *plan = NULL;
    bool done = false;
    again.overrides = NULL;
    again.override_count = again.override_room = 0;
    r->judging.names = r->names;
    r->judging.points = r->points;
    char *report = beside_with(new, ".remeasured.csv");
    r->judging.report = arena_strdup(r->arena, report);
    free(report);
    if (stand_in(r, old, new, &again, d) && load_files(&again, &all, d) && all.count == 1) plan = load_plan(&all, 0, d);
    if (plan) {
        r->stopped = judging_measure(&r->judging, &again, plan, told, r->arena, d) == 75;
        r->judging.base = arena_strdup(r->arena, r->judging.base ? r->judging.base : "");
        done = !diags_errors(d);
    }
    if (plan) plan_free(plan);
    load_release(&all);
    free(again.overrides);
    return done;
}

// What was found of a point; false: nothing was.
static bool remeasure_find(const struct remeasured *r, const struct pairs_side *side, const struct cells *cells,
    struct judging_verdict *v)
{
    const char *key = key_of(r, side, cells);
    for (size_t i = 0; i < r->judging.count; i++) {
        const struct judged *x = &r->judging.items[i];
        if (strcmp(x->kernel, r->judging.base) == 0 || strcmp(x->point, key) != 0) continue;
        *v = judging_verdict(&r->judging, x);
        return v->base != NULL; // or it stopped in between
    }
    return false;
}

void remeasure_end(struct remeasured *r)
{
    judging_release(&r->judging);
    free(r->points);
    if (r->arena) arena_free(r->arena);
    *r = (struct remeasured){0};
}

// What is counted without a clock and what a GPU took have nothing in common that could be faster.
bool comparing_can(const struct pairs *p, const char *old, const char *new, struct diags *d)
{
    const char *was = p->old.device, *is = p->new.device;
    if (!was || !is || device_kind(was) == device_kind(is)) return true;
    return diag_user(d, (struct where){.file = new}, "measure both on one of them (-d)",
        "is of %s, %s of %s: one has times, the other counts alone, and they cannot be compared", is, old, was);
}

static int by_kind(const void *pa, const void *pb)
{
    const struct compared *a = pa, *b = pb;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    const bool timed = (a->kind == SLOWER || a->kind == FASTER) && a->ratio.value != b->ratio.value;
    if (timed) return a->ratio.value > b->ratio.value ? -1 : 1;
    for (int i = 0; i < PAIRS_AXES; i++)
        if (a->axes[i] != b->axes[i]) return a->axes[i] < b->axes[i] ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

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

// Its number in the list of names.
static size_t name_of(struct comparison *c, const char *text)
{
    struct hash h;
    uint64_t sum[2];
    hash_init(&h);
    hash_text(&h, text);
    hash_final(h, sum);
    for (size_t at = 0, n; (n = lookup_next(&c->by_name, sum[0], &at)) != LOOKUP_NONE;)
        if (strcmp(c->names[n], text) == 0) return n;
    mem_grow(&c->names, &c->name_room, c->name_count + 1, sizeof *c->names);
    c->names[c->name_count] = strdup(text);
    lookup_add(&c->by_name, sum[0], c->name_count);
    return c->name_count++;
}

static size_t gpu_of(struct comparison *c, const struct pairs_side *side, const struct cells *row)
{
    const size_t last = side->t.column_count - 1;
    const bool hosts = table_has_host(&side->t);
    char name[256];
    if (!row) return 0;
    const char *gpu = differing_text(side, row, COLUMN_GPU), *host = hosts ? cells_text(row, last) : "";
    snprintf(name, sizeof name, "%s%s%s", host, *host && *gpu ? " " : "", gpu);
    return name_of(c, name);
}

bool comparing_all(struct comparison *c, struct diags *d)
{
    struct pair p = {&c->all->old, &c->all->new, NULL, NULL, c->threshold, false};
    c->items = mem_alloc((p.a->t.count + p.b->t.count + 1) * sizeof *c->items);
    name_of(c, "");
    while (pairs_next(c->all, &p.old, &p.new, d)) {
        struct compared *f = &c->items[c->count++];
        *f = (struct compared){.kind = p.old ? MISSING : NEW,
            .ratio = {NAN, NAN, NAN},
            .gpus = {gpu_of(c, p.a, p.old), gpu_of(c, p.b, p.new)},
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
static void decide(struct comparison *c, struct compared *f, const struct judging_verdict *v)
{
    mem_grow(&c->again, &c->again_room, c->again_count + 1, sizeof *c->again);
    c->again[c->again_count++] = *v;
    c->counts[f->kind]--;
    f->again = c->again_count;
    f->kind = isfinite(v->ratio.value) ? kinds_found[v->kind] : CHANGED;
    if (isfinite(v->ratio.low)) f->ratio = v->ratio;
    c->counts[f->kind]++;
}

bool comparing_again(struct comparison *c, struct remeasured *r, const char *old, const char *new,
    const struct request *request, const struct run_observer *told, struct diags *d)
{
    const struct pairs_side *side = &c->all->new;
    if (!c->counts[UNSURE]) return true;
    remeasure_begin(r, c->all, c->threshold);
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].kind == UNSURE) {
            const struct cells *row = table_row(&c->all->new.t, c->items[i].new, d);
            if (row) remeasure_add(r, side, row);
        }
    if (!remeasure(r, old, new, request, told, d)) return false;
    for (size_t i = 0; i < c->count; i++) {
        struct compared *f = &c->items[i];
        struct judging_verdict found;
        const struct cells *row = f->kind == UNSURE ? table_row(&c->all->new.t, f->new, d) : NULL;
        if (row && remeasure_find(r, side, row, &found)) decide(c, f, &found);
    }
    qsort(c->items, c->count, sizeof *c->items, by_kind);
    return true;
}

struct ratio comparing_mean(const struct comparison *c, size_t *count)
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

static int by_gpus(const void *pa, const void *pb, void *names)
{
    const struct compared *a = *(const struct compared *const *)pa, *b = *(const struct compared *const *)pb;
    char *const *name = names;
    const int old = strverscmp(name[a->gpus[0]], name[b->gpus[0]]);
    return old ? old : strverscmp(name[a->gpus[1]], name[b->gpus[1]]);
}

struct comparing_gpu *comparing_gpus(const struct comparison *c, size_t *count)
{
    const struct compared **timed = mem_alloc((c->count + 1) * sizeof *timed);
    struct ratio *ratios = mem_alloc((c->count + 1) * sizeof *ratios);
    size_t n = 0, groups = 0;
    for (size_t i = 0; i < c->count; i++)
        if (isfinite(c->items[i].ratio.low)) timed[n++] = &c->items[i];
    qsort_r(timed, n, sizeof *timed, by_gpus, c->names);
    struct comparing_gpu *all = mem_alloc((n + 1) * sizeof *all);
    for (size_t i = 0, same; i < n; i += same) {
        for (same = 0; i + same < n && by_gpus(&timed[i], &timed[i + same], c->names) == 0; same++)
            ratios[same] = timed[i + same]->ratio;
        all[groups++] =
            (struct comparing_gpu){{timed[i]->gpus[0], timed[i]->gpus[1]}, verdict_mean(ratios, same), same};
    }
    free(timed);
    free(ratios);
    *count = groups > 1 ? groups : 0;
    return all;
}

void comparing_free(struct comparison *c)
{
    for (size_t i = 0; i < c->name_count; i++) free(c->names[i]);
    free(c->names);
    lookup_release(&c->by_name);
    free(c->items);
    free(c->again);
}
