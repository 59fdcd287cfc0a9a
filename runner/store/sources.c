// Reads what is to be merged, compares it, and puts its rows in one order.
// SPDX-License-Identifier: MIT
#include "store/sources.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "measure/result.h"
#include "store/head.h"
#include "store/merge.h"
#include "store/older.h"
#include "store/runfile.h"

enum { WINDOW = 1 << 18 };

static char *copy(const char *s)
{
    struct str t = {0};
    str_add(&t, s);
    return str_take(&t);
}

// Every host that a shard ran on: usually one; a requeued one may have moved.
static char *hosts_of(const char *facts)
{
    struct str hosts = {0};
    size_t runs = facts ? runfile_runs(facts) : 0;
    for (size_t i = 0; i < runs; i++) {
        char *host = runfile_get(facts, "host", (int)i - (int)runs);
        if (host && !(hosts.text && strstr(hosts.text, host))) str_addf(&hosts, "%s%s", hosts.size ? " " : "", host);
        free(host);
    }
    return str_take(&hosts);
}

static bool index_rows(struct sources *all, struct table *t, uint32_t source, struct diags *d)
{
    int point = table_column(t, "point"), key = table_column(t, "key"), status = table_column(t, "status");
    if (point < 0 || key < 0 || status < 0)
        return diag_user(d, (struct where){.file = t->path}, NULL,
            "is not a report: it needs the columns point, key and status");
    mem_grow(&all->rows, &all->row_room, all->row_count + t->count + 1, sizeof *all->rows);
    for (size_t i = 0; i < t->count; i++) {
        const struct cells *row = table_row(t, i, d);
        size_t size;
        const char *number;
        if (!row) return false;
        table_text(t, i, &size);
        number = cells_text(row, (size_t)point);
        if (!*number) {
            all->strangers++;
            continue;
        }
        struct placed *p = &all->rows[all->row_count++];
        *p = (struct placed){.point = (uint32_t)strtoul(number, NULL, 10),
            .source = source,
            .offset = table_offset(t, i),
            .size = (uint32_t)size,
            .status = (uint8_t)status_find(cells_text(row, (size_t)status))};
        memccpy(p->key, cells_text(row, (size_t)key), 0, sizeof p->key - 1);
    }
    return true;
}

bool sources_add(struct sources *all, const char *path, struct diags *d)
{
    char report[4096];
    struct table t;
    all->items = mem_resize(all->items, (all->count + 1) * sizeof *all->items);
    struct source *s = &all->items[all->count];
    *s = (struct source){.path = copy(path), .fd = -1, .facts = runfile_read(path)};
    s->host = hosts_of(s->facts);
    merge_shard_name(path, &s->shard, &s->shards, report);
    bool ok = table_open(&t, path, d) && index_rows(all, &t, (uint32_t)all->count, d);
    all->count++;
    s->columns = t.columns;
    s->column_count = t.column_count;
    t.columns = NULL;
    s->checked = t.checked;
    if (ok && s->column_count && strcmp(s->columns[s->column_count - 1], "host") == 0) {
        s->has_host = true;
        free(s->columns[--s->column_count]);
    }
    table_close(&t);
    if (ok && (s->fd = open(path, O_RDONLY | O_CLOEXEC)) < 0) return diag_system(d, NULL, "cannot open %s", path);
    return ok;
}

void sources_release(struct sources *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct source *s = &all->items[i];
        for (size_t c = 0; c < s->column_count; c++) free(s->columns[c]);
        free(s->columns);
        free(s->map);
        free(s->path);
        free(s->facts);
        free(s->host);
        free(s->window);
        if (s->fd >= 0) close(s->fd);
    }
    free(all->items);
    free(all->rows);
    *all = (struct sources){0};
}

void sources_last_first(struct sources *all)
{
    struct source last = all->items[all->count - 1];
    memmove(all->items + 1, all->items, (all->count - 1) * sizeof *all->items);
    all->items[0] = last;
    for (size_t i = 0; i < all->row_count; i++)
        all->rows[i].source = all->rows[i].source == all->count - 1 ? 0 : all->rows[i].source + 1;
}

static bool same_fact(const struct source *a, const struct source *b, const char *name, const char *hint,
    struct diags *d)
{
    char *x = a->facts ? runfile_get(a->facts, name, 0) : NULL, *y = b->facts ? runfile_get(b->facts, name, 0) : NULL;
    bool same = !x || !y || strcmp(x, y) == 0; // of a shard without a run file only columns and rows are compared
    if (!same)
        diag_user(d, (struct where){.file = b->path}, hint, "has another %s than %s: `%s`, not `%s`", name, a->path, y,
            x);
    free(x);
    free(y);
    return same;
}

// The source with the most columns has all that the others have, if they are of one plan: shards may be from before and
// after a column of gpuexp's own came.
static bool agree_on_columns(struct sources *all, struct diags *d)
{
    const struct source *newest = all->items;
    char why[256];
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].column_count > newest->column_count) newest = &all->items[i];
    all->columns = newest->columns;
    all->column_count = newest->column_count;
    for (size_t i = 0; i < all->count; i++) {
        struct source *s = &all->items[i];
        if (!head_difference(newest->columns, newest->column_count, s->columns, s->column_count, why)) continue;
        if (!older_fits(s->columns, s->column_count, newest->columns, newest->column_count))
            return diag_user(d, (struct where){.file = s->path}, NULL, "is of another plan than %s: %s", newest->path,
                why);
        s->map = older_map(s->columns, s->column_count, newest->columns, newest->column_count);
    }
    return true;
}

bool sources_agree(struct sources *all, bool mixed, struct diags *d)
{
    static const char *const always[] = {"experiment", "kernel", "kernel_hash", "points", "plan", "seed", "measure",
        "gpuexp", NULL},
                             *const unmixed[] = {"device_identity", "compiler", NULL};
    const struct source *a = all->items;
    if (!agree_on_columns(all, d)) return false;
    for (size_t i = 1; i < all->count; i++) {
        const struct source *b = &all->items[i];
        for (const char *const *f = always; *f; f++)
            if (!same_fact(a, b, *f, "shards of one plan come from the same files, options and version", d))
                return false;
        for (const char *const *f = unmixed; *f && !mixed; f++)
            if (!same_fact(a, b, *f, "--mixed joins them and says in a column `host` whose row it is", d)) return false;
    }
    return true;
}

static bool measured(const struct placed *p) { return p->status != STATUS_FAILED && p->status != STATUS_TIMEOUT; }

// Of one point, the best comes first.
static int by_point(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->point != y->point) return x->point < y->point ? -1 : 1;
    if (measured(x) != measured(y)) return measured(x) ? -1 : 1;
    if (x->source != y->source) return x->source > y->source ? -1 : 1;
    return x->offset > y->offset ? -1 : x->offset < y->offset;
}

bool sources_sort(struct sources *all, bool mixed, struct diags *d)
{
    size_t kept = 0;
    bool sorted = true;
    for (size_t i = 1; i < all->row_count && sorted; i++) sorted = by_point(&all->rows[i - 1], &all->rows[i]) <= 0;
    if (!sorted) qsort(all->rows, all->row_count, sizeof *all->rows, by_point);
    for (size_t i = 0; i < all->row_count; i++) {
        struct placed *best = kept ? &all->rows[kept - 1] : NULL, *p = &all->rows[i];
        if (!best || best->point != p->point) {
            all->rows[kept++] = *p;
        } else if (strcmp(best->key, p->key) != 0 && measured(best) && measured(p) && !mixed) {
            return diag_user(d, (struct where){.file = all->items[p->source].path},
                "they were measured in different ways: merge one of them only",
                "has another point %u than %s: key %s, not %s", p->point, all->items[best->source].path, p->key,
                best->key);
        }
    }
    all->row_count = kept;
    return true;
}

// A shard in plan order is read from begin to end; in another one the rows are read one by one.
const char *sources_text(struct sources *all, const struct placed *p)
{
    struct source *s = &all->items[p->source];
    size_t end = s->window_at + s->window_size;
    if (!s->window) s->window = mem_alloc(WINDOW);
    if (p->offset >= s->window_at && p->offset + p->size <= end) return s->window + (p->offset - s->window_at);
    bool onward = p->offset >= s->window_at && p->offset < end + WINDOW;
    size_t want = onward && p->size <= WINDOW ? WINDOW : p->size;
    if (p->size > WINDOW) s->window = mem_resize(s->window, p->size);
    ssize_t got = pread(s->fd, s->window, want, (off_t)p->offset);
    s->window_at = p->offset;
    s->window_size = got > 0 ? (size_t)got : 0;
    return s->window_size >= p->size ? s->window : NULL;
}
