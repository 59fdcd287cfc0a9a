// Finds the rows of one point in two reports.
// SPDX-License-Identifier: MIT
#include "store/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "spec/columns.h"

static void add_value(const struct pairs_side *side, size_t i, const char *value, struct str *s)
{
    if (*value) str_addf(s, " %s=%s", side->t.columns[side->names[i]], value);
}

void pairs_name(const struct pairs *p, const struct pairs_side *side, const struct cells *cells, struct str *s)
{
    str_clear(s);
    if (side->experiment >= 0) str_add(s, cells_text(cells, (size_t)side->experiment));
    str_add(s, ":");
    for (size_t i = 0; i < side->name_count; i++)
        if (!p || p->varies[i]) add_value(side, i, cells_text(cells, side->names[i]), s);
}

bool pairs_constants(const struct pairs *p, struct str *s)
{
    for (size_t i = 0; i < p->old.name_count; i++)
        if (!p->varies[i] && p->first[i]) add_value(&p->old, i, p->first[i], s);
    return s->size > 0;
}

static size_t word(struct pairs_words *w, const char *text)
{
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->items[i], text) == 0) return i;
    if (w->count == 1000) return w->count; // no axis that a person reads
    mem_grow(&w->items, &w->room, w->count + 1, sizeof *w->items);
    w->items[w->count] = str_copy(text);
    return w->count++;
}

void pairs_axes(struct pairs *p, const struct pairs_side *side, const struct cells *cells, double axes[PAIRS_AXES])
{
    size_t n = 0;
    for (size_t i = 0; i < side->name_count && n < PAIRS_AXES; i++) {
        if (!p->varies[i]) continue;
        const char *text = cells_text(cells, side->names[i]);
        if (!value_number(table_value(text), &axes[n])) axes[n] = (double)word(&p->words[n], text);
        n++;
    }
    while (n < PAIRS_AXES) axes[n++] = 0;
}

static void look_for_varying(struct pairs *p, const struct pairs_side *side, const struct cells *cells)
{
    for (size_t i = 0; i < side->name_count; i++) {
        const char *text = cells_text(cells, side->names[i]);
        if (!p->first[i]) p->first[i] = str_copy(text);
        else if (!p->varies[i]) p->varies[i] = strcmp(p->first[i], text) != 0;
    }
}

static uint64_t point_of(const struct pairs_side *side, const struct cells *cells)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    hash_text(&h, side->experiment >= 0 ? cells_text(cells, (size_t)side->experiment) : "");
    for (size_t i = 0; i < side->name_count; i++) hash_text(&h, cells_text(cells, side->names[i]));
    hash_final(h, out);
    return out[0];
}

static bool find_columns(struct pairs_side *side, struct diags *d)
{
    const struct table *t = &side->t;
    side->status = table_column(t, "status");
    side->experiment = table_column(t, "experiment");
    for (int c = 0; c < COLUMN_COUNT; c++) side->columns[c] = table_column(t, column_table[c].name);
    side->names = mem_alloc((t->column_count + 1) * sizeof *side->names);
    return (side->status >= 0 && table_column(t, "kernel") >= 0) ||
        diag_user(d, (struct where){.file = t->path}, NULL,
            "is not a report of gpuexp: it has no columns `kernel` and `status`");
}

// Two reports of one kernel each may be held against each other; where a report has several, they are an axis. A large
// report is looked at here and there: its rows are read once only.
static bool has_kernels(struct table *t)
{
    enum { LOOKED_AT = 4096 };
    const size_t at = (size_t)table_column(t, "kernel"), step = t->count / LOOKED_AT + 1;
    struct diags ignored = {0}; // who reads the rows says it
    char *first = NULL;
    bool found = false;
    for (size_t i = 0; i < t->count && !found;
         i += i + step < t->count || i + 1 == t->count ? step : t->count - 1 - i) {
        const struct cells *cells = table_front(t, i, at + 1, &ignored);
        if (!cells) break;
        if (!first) first = str_copy(cells_text(cells, at));
        found = strcmp(first, cells_text(cells, at)) != 0;
    }
    free(first);
    diags_clear(&ignored);
    return found;
}

// The values that both have, wherever they stand: in one order for both.
static void find_names(struct pairs *p)
{
    const bool several = has_kernels(&p->old.t) || has_kernels(&p->new.t);
    for (int i = table_column(&p->old.t, "kernel") + !several; i < p->old.status; i++) {
        const int other = table_column(&p->new.t, p->old.t.columns[i]);
        if (other < 0 || p->new.name_count == p->new.t.column_count) continue;
        p->old.names[p->old.name_count++] = (size_t)i;
        p->new.names[p->new.name_count++] = (size_t)other;
    }
}

static size_t row_of(const struct pairs_side *side, uint64_t point)
{
    size_t at = 0, n;
    while ((n = lookup_next(&side->by_point, point, &at)) != LOOKUP_NONE && side->points[n] != point) {}
    return n;
}

// The first rows of the new report that are of the old one's points, in its order, as all are in most reports: they are
// found without being looked up. The old one has a point once, so these have too.
static bool follows(struct pairs *p, const struct pairs_side *side, size_t row)
{
    if (side != &p->new || p->aligned != row || row >= p->old.t.count) return false;
    if (p->old.points[row] != p->new.points[row]) return false;
    p->aligned++;
    return true;
}

static bool is_there(const struct pairs *p, const struct pairs_side *side, uint64_t point)
{
    return row_of(side, point) != LOOKUP_NONE || (p->aligned && row_of(&p->old, point) < p->aligned);
}

static bool twice(const struct pairs_side *side, const struct cells *cells, struct diags *d)
{
    LOCAL(str_release) struct str name = {0};
    pairs_name(NULL, side, cells, &name);
    diag_user(d, (struct where){.file = side->t.path}, "the columns that both files have do not tell its points apart",
        "has several rows of one point: %s", name.text);
    return false;
}

static bool read_points(struct pairs *p, struct pairs_side *side, struct diags *d)
{
    struct table *t = &side->t;
    const int device = table_column(t, "device");
    size_t most = (size_t)(side->experiment > device ? side->experiment : device) + 1;
    for (size_t i = 0; i < side->name_count; i++)
        if (side->names[i] >= most) most = side->names[i] + 1;
    side->points = mem_alloc((t->count + 1) * sizeof *side->points);
    side->met = mem_alloc(t->count + 1);
    for (size_t i = 0; i < t->count; i++) {
        const struct cells *cells = table_front(t, i, most, d);
        if (!cells) return false;
        if (!i && device >= 0) side->device = str_copy(cells_text(cells, (size_t)device));
        look_for_varying(p, side, cells);
        side->points[i] = point_of(side, cells);
        if (follows(p, side, i)) continue;
        if (is_there(p, side, side->points[i])) return twice(side, cells, d);
        lookup_add(&side->by_point, side->points[i], i);
    }
    return true;
}

bool pairs_open(struct pairs *p, const char *old, const char *new, struct diags *d)
{
    *p = (struct pairs){0};
    const bool opened[] = {table_open(&p->old.t, old, d), table_open(&p->new.t, new, d)}; // both are told
    if (!opened[0] || !opened[1]) return false;
    const bool reports[] = {find_columns(&p->old, d), find_columns(&p->new, d)};
    if (!reports[0] || !reports[1]) return false;
    find_names(p);
    p->first = mem_alloc((p->old.name_count + 1) * sizeof *p->first);
    p->varies = mem_alloc(p->old.name_count + 1);
    return read_points(p, &p->old, d) && read_points(p, &p->new, d);
}

static void close_side(struct pairs_side *side)
{
    table_close(&side->t);
    lookup_release(&side->by_point);
    free(side->points);
    free(side->met);
    free(side->names);
    free(side->device);
}

void pairs_close(struct pairs *p)
{
    for (size_t i = 0; i < p->old.name_count && p->first; i++) free(p->first[i]);
    for (size_t i = 0; i < PAIRS_AXES; i++) {
        for (size_t k = 0; k < p->words[i].count; k++) free(p->words[i].items[k]);
        free(p->words[i].items);
    }
    free(p->first);
    free(p->varies);
    close_side(&p->old);
    close_side(&p->new);
    *p = (struct pairs){0};
}

bool pairs_next(struct pairs *p, const struct cells **old, const struct cells **new, struct diags *d)
{
    const size_t old_count = p->old.t.count, all = old_count + p->new.t.count;
    *old = *new = NULL;
    p->old_row = p->new_row = SIZE_MAX;
    while (p->next >= old_count && p->next < all && p->new.met[p->next - old_count]) p->next++;
    if (p->next >= all) return false;
    const size_t at = p->next++;
    if (at >= old_count) p->new_row = at - old_count;
    else p->old_row = at;
    if (at >= old_count) return (*new = table_row(&p->new.t, at - old_count, d));
    const bool same_place = at < p->new.t.count && p->new.points[at] == p->old.points[at]; // as in most reports
    const size_t other = same_place ? at : row_of(&p->new, p->old.points[at]);
    if (other == LOOKUP_NONE) return (*old = table_row(&p->old.t, at, d));
    p->new.met[other] = true;
    p->new_row = other;
    return (*old = table_row(&p->old.t, at, d)) && (*new = table_row(&p->new.t, other, d));
}
