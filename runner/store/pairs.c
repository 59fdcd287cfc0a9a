// Finds the rows of one point in two reports.
// SPDX-License-Identifier: MIT
#include "store/pairs.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/hash.h"

void pairs_name(const struct pairs_side *side, const struct cells *cells, struct str *s)
{
    str_clear(s);
    if (side->experiment >= 0) str_add(s, cells_text(cells, (size_t)side->experiment));
    str_add(s, ":");
    for (size_t i = 0; i < side->name_count; i++) {
        const char *value = cells_text(cells, side->names[i]);
        if (!*value) continue;
        str_add(s, " ");
        str_add(s, side->t.columns[side->names[i]]);
        str_add(s, "=");
        str_add(s, value);
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

// The values that both have, wherever they stand: in one order for both.
static void find_names(struct pairs *p)
{
    for (int i = table_column(&p->old.t, "kernel") + 1; i < p->old.status; i++) {
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

static bool twice(const struct pairs_side *side, const struct cells *cells, struct diags *d)
{
    struct str name = {0};
    pairs_name(side, cells, &name);
    diag_user(d, (struct where){.file = side->t.path}, "the columns that both files have do not tell its points apart",
        "has several rows of one point: %s", name.text);
    str_release(&name);
    return false;
}

static bool read_points(struct pairs_side *side, struct diags *d)
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
        if (!i && device >= 0) {
            struct str name = {0};
            str_add(&name, cells_text(cells, (size_t)device));
            side->device = str_take(&name);
        }
        side->points[i] = point_of(side, cells);
        if (row_of(side, side->points[i]) != LOOKUP_NONE) return twice(side, cells, d);
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
    return read_points(&p->old, d) && read_points(&p->new, d);
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
    close_side(&p->old);
    close_side(&p->new);
    *p = (struct pairs){0};
}

bool pairs_next(struct pairs *p, const struct cells **old, const struct cells **new, struct diags *d)
{
    const size_t old_count = p->old.t.count, all = old_count + p->new.t.count;
    *old = *new = NULL;
    while (p->next >= old_count && p->next < all && p->new.met[p->next - old_count]) p->next++;
    if (p->next >= all) return false;
    const size_t at = p->next++;
    if (at >= old_count) return (*new = table_row(&p->new.t, at - old_count, d));
    const bool same_place = at < p->new.t.count && p->new.points[at] == p->old.points[at]; // as in most reports
    const size_t other = same_place ? at : row_of(&p->new, p->old.points[at]);
    if (other == LOOKUP_NONE) return (*old = table_row(&p->old.t, at, d));
    p->new.met[other] = true;
    return (*old = table_row(&p->old.t, at, d)) && (*new = table_row(&p->new.t, other, d));
}
