// Pairs the rows, sorts them by what differs, and measures again what is unsure.
// SPDX-License-Identifier: MIT
#include "study/comparing.h"

#include "base/hash.h"
#include "device/device.h"
#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
