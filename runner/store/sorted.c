// Sorts the rows of a report by their point in the plan; of several rows with one key the last is kept.
// SPDX-License-Identifier: MIT
#include "store/sorted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "store/swap.h"

struct row_at {
    size_t point, row; // point SIZE_MAX: not in the plan
};

static int by_point(const void *a, const void *b)
{
    const struct row_at *x = a, *y = b;
    if (x->point != y->point) return x->point < y->point ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

// The row with another point number: the cell is replaced, the others stay as they are.
static void renumber(const struct cells *row, size_t column, size_t point, bool checked, struct str *out)
{
    const size_t start = out->size;
    char number[32] = "";
    if (point != SIZE_MAX) snprintf(number, sizeof number, "%zu", point);
    for (size_t i = 0; i < cells_count(row); i++) cells_add(out, i == column ? number : cells_text(row, i));
    if (checked) cells_seal(out, start);
    else cells_end(out);
}

static bool add_row(struct table *t, const struct row_at *p, size_t column, struct str *out, bool *changed,
    struct diags *d)
{
    char number[32] = "";
    size_t size;
    const char *text;
    const struct cells *row = table_row(t, p->row, d);
    if (!row) return false;
    if (p->point != SIZE_MAX) snprintf(number, sizeof number, "%zu", p->point);
    text = table_text(t, p->row, &size);
    if (!text) return table_row(t, p->row, d) != NULL; // which says why
    if (strcmp(cells_text(row, column), number) == 0) {
        str_add_bytes(out, text, size);
    } else {
        *changed = true;
        renumber(row, column, p->point, t->checked, out);
    }
    return true;
}

// The keys of the file as it is now: in the order of `rows`.
static void follow(struct keys *k, const struct row_at *rows, size_t count)
{
    struct keys now;
    keys_init(&now);
    for (size_t i = 0; i < count; i++) {
        const struct key_row *old = &k->rows[rows[i].row];
        keys_add(&now, old->key, k->devices[old->device], old->measured)->point = old->point;
    }
    keys_free(k);
    *k = now;
}

bool sorted_rewrite(struct lock *l, const char *path, struct keys *k, bool *changed, int *fd, struct diags *d)
{
    LOCAL(table_close) struct table t = {0};
    LOCAL(str_release) struct str out = {0};
    struct row_at *rows = NULL;
    const char *header;
    size_t count = 0, size;
    int column;
    bool ok = table_open(&t, path, d);
    if (!ok) goto done;
    column = table_column(&t, "point");
    if (t.count != k->count || column < 0) {
        ok = diag_system(d, "something else has written to it; look at it before you run again",
            "%s has %zu rows, not the %zu of this run", path, t.count, k->count);
        goto done;
    }
    rows = mem_alloc((t.count + 1) * sizeof *rows);
    for (size_t i = 0; i < t.count; i++)
        if (keys_find(k, k->rows[i].key) == &k->rows[i])
            rows[count++] = (struct row_at){k->rows[i].point ? k->rows[i].point : SIZE_MAX, i};
    qsort(rows, count, sizeof *rows, by_point);
    mem_grow(&out.text, &out.room, t.size + 1, 1);
    header = table_text(&t, SIZE_MAX, &size);
    if (!header) {
        ok = diag_system(d, "run it again", "cannot read the first line of %s again", path);
        goto done;
    }
    str_add_bytes(&out, header, size);
    *changed = count != t.count || t.whole != t.size;
    for (size_t i = 0; i < count && ok; i++) {
        *changed = *changed || rows[i].row != i;
        ok = add_row(&t, &rows[i], (size_t)column, &out, changed, d);
    }
    *changed = *changed && ok;
    if (*changed && (ok = swap_text(l, path, out.text, out.size, fd, d))) follow(k, rows, count);
done:
    free(rows);
    return ok;
}
