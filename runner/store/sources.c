// Reads what is to be merged, compares it, and puts its rows in one order.
// SPDX-License-Identifier: MIT
#include "store/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "measure/result.h"
#include "store/head.h"
#include "store/merge.h"
#include "store/runfile.h"

enum { OPEN_MOST = 64 };

static uint64_t hash_of(const char *bytes, size_t size, uint64_t more)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    hash_bytes(&h, bytes, size);
    hash_bytes(&h, &more, sizeof more);
    hash_final(h, out);
    return out[0];
}

static bool has_word(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = words; p && *p; p += strcspn(p, " "), p += *p == ' ')
        if (strncmp(p, word, n) == 0 && (!p[n] || p[n] == ' ')) return true;
    return false;
}

// Every host that a shard ran on: usually one; a requeued one may have moved.
static char *hosts_of(const char *facts)
{
    struct str hosts = {0};
    const char *at = NULL;
    for (char *host; facts && runfile_each(facts, "host", &at, &host); free(host))
        if (host && !has_word(hosts.text, host)) str_addf(&hosts, "%s%s", hosts.size ? " " : "", host);
    return str_take(&hosts);
}

// The cells of a row without host and checksum.
static uint64_t text_of(const struct source_shape *shape, const char *row, size_t size)
{
    size_t n = cells_unsealed(row, size);
    while (n && strchr(",\r\n", row[n - 1])) n--;
    const char *host = shape->has_host ? memrchr(row, ',', n) : NULL;
    return hash_of(row, host ? (size_t)(host - row) : n, 0);
}

static bool index_rows(struct sources *all, struct table *t, uint32_t source, struct diags *d)
{
    const struct source_shape *shape = &all->shapes[all->items[source].shape];
    const int point = table_column(t, "point"), key = table_column(t, "key"), status = table_column(t, "status");
    if (point < 0 || key < 0 || status < 0 || !t->checked)
        return diag_user(d, (struct where){.file = t->path}, NULL,
            "is not a report: it needs the columns point, key, status and " COLUMN_CHECKSUM);
    mem_grow(&all->rows, &all->row_room, all->row_count + t->count + 1, sizeof *all->rows);
    for (size_t i = 0; i < t->count; i++) {
        const struct cells *row = table_row(t, i, d);
        size_t size;
        if (!row) return false;
        const char *text = table_text(t, i, &size), *number = cells_text(row, (size_t)point);
        const uint8_t is = (uint8_t)status_find(cells_text(row, (size_t)status));
        if (!*number || !text) {
            all->strangers++;
            all->replaced += all->has_output && !source && is != STATUS_FAILED && is != STATUS_TIMEOUT;
            continue;
        }
        struct source_row *p = &all->rows[all->row_count++];
        *p = (struct source_row){.point = (uint32_t)strtoul(number, NULL, 10),
            .source = source,
            .offset = all->many ? spool_add(&all->spool, text, size) : table_offset(t, i),
            .text = text_of(shape, text, size),
            .size = (uint32_t)size,
            .status = is};
        memccpy(p->key, cells_text(row, (size_t)key), 0, sizeof p->key - 1);
    }
    return true;
}

// The header of most files is that of the one before.
static uint32_t shape_of(struct sources *all, struct table *t)
{
    char why[256];
    struct source_shape s = {.column_count = t->column_count, .has_host = table_has_host(t)};
    s.column_count -= s.has_host;
    for (uint32_t i = 0; i < all->shape_count; i++) {
        const struct source_shape *x = &all->shapes[i];
        if (x->has_host == s.has_host && !head_difference(x->columns, x->column_count, t->columns, s.column_count, why))
            return i;
    }
    s.columns = mem_alloc((s.column_count + 1) * sizeof *s.columns);
    for (size_t i = 0; i < s.column_count; i++) s.columns[i] = str_copy(t->columns[i]);
    all->shapes = mem_resize(all->shapes, (all->shape_count + 1) * sizeof *all->shapes);
    all->shapes[all->shape_count] = s;
    return (uint32_t)all->shape_count++;
}

static bool differ(struct sources *all, const struct source *b, const char *facts, const char *name, const char *shown,
    const char *hint, struct diags *d)
{
    LOCAL(mem_drop) char *x = runfile_get(all->facts, name, 0), *y = runfile_get(facts, name, 0);
    const bool differs = x && y && strcmp(x, y) != 0;
    char *in_words[2] = {runfile_get(all->facts, shown, 0), runfile_get(facts, shown, 0)};
    const bool told = in_words[0] && in_words[1] && strcmp(in_words[0], in_words[1]) != 0;
    if (differs)
        diag_user(d, (struct where){.file = b->path}, hint, "has another %s than %s: `%s`, not `%s`",
            told ? shown : name, all->from, told ? in_words[1] : y, told ? in_words[0] : x);
    free(in_words[0]);
    free(in_words[1]);
    return differs;
}

// Two plans differ by a hash. Where it comes from other options, these are told.
static bool other_options(const struct sources *all, const struct source *b, const char *facts, struct diags *d)
{
    LOCAL(mem_drop) char *x = runfile_options(all->facts, facts), *y = runfile_options(facts, all->facts);
    const bool told = *x || *y;
    if (told)
        diag_user(d, (struct where){.file = b->path},
            "merge those of one plan by their names: gpuexp merge SHARD... -o OTHER.csv",
            "was measured with %s, %s with %s", *y ? y : "the file's values", all->from, *x ? x : "the file's values");
    return told;
}

// Of a shard without a run file only columns and rows are compared.
static bool facts_agree(struct sources *all, const struct source *s, const char *facts, bool mixed, struct diags *d)
{
    static const char *const always[] = {
        "experiment", "kernel", "kernel_hash", "points", "plan", "seed", "measure", "gpuexp", NULL};
    static const char one_plan[] = "shards of one plan come from the same files, options and version",
                      joins[] = "--mixed joins them and says in a column `host` whose row it is";
    if (!facts) return true;
    if (!all->facts) {
        all->facts = str_copy(facts);
        all->from = s->path;
        all->of_output = all->has_output && s == all->items;
        return true;
    }
    // The plan names its devices: where these differ, people are told of them, not of a hash.
    const bool other_plan = runfile_differs(all->facts, facts, "plan");
    if ((!mixed || other_plan) && differ(all, s, facts, "device_identity", "device", other_plan ? one_plan : joins, d))
        return false;
    if (other_plan && other_options(all, s, facts, d)) return false;
    for (const char *const *f = always; *f; f++)
        if (differ(all, s, facts, *f, *f, one_plan, d)) return false;
    if (!mixed && differ(all, s, facts, "compiler", "compiler", joins, d)) return false;
    if (all->of_output) { // the shards may be of a text with other expectations: the later one counts
        free(all->facts);
        all->facts = str_copy(facts);
        all->from = s->path;
        all->of_output = false;
    }
    return true;
}

static void take_facts(struct sources *all, struct source *s, const char *facts)
{
    s->first = -INFINITY, s->last = INFINITY;
    s->has_facts = facts != NULL;
    if (!facts) return;
    LOCAL(mem_drop) char *left = runfile_get(facts, "left", -1), *broken = runfile_get(facts, "broken", -1);
    if (left) s->left = strtoul(left, NULL, 10);
    if (broken) s->broken = strtoul(broken, NULL, 10);
    s->host = hosts_of(facts);
    runfile_span(facts, &s->first, &s->last);
    if (s == all->items && all->has_output) all->runs_before = str_copy(facts);
    else runfile_take_runs(facts, &all->runs, &all->run_seen);
}

bool sources_begin(struct sources *all, size_t count, struct lock *l, const char *output, struct diags *d)
{
    *all = (struct sources){.many = count > OPEN_MOST, .spool.fd = -1};
    all->items = mem_alloc((count + 1) * sizeof *all->items);
    return !all->many || spool_begin(&all->spool, l, output, d);
}

bool sources_add(struct sources *all, const char *path, bool mixed, struct diags *d)
{
    char report[4096];
    LOCAL(table_close) struct table t = {0};
    struct source *s = &all->items[all->count++];
    *s = (struct source){.path = str_copy(path), .fd = -1};
    merge_shard_name(path, &s->shard, &s->shards, report);
    const size_t errors = diags_errors(d);
    LOCAL(mem_drop) char *facts = runfile_load(path, d);
    bool ok = diags_errors(d) == errors && facts_agree(all, s, facts, mixed, d);
    if (ok) take_facts(all, s, facts);
    if (!ok) return false;
    ok = table_open(&t, path, d);
    if (ok) {
        s->shape = shape_of(all, &t);
        ok = index_rows(all, &t, (uint32_t)(s - all->items), d);
    }
    if (ok && !all->many && (s->fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return diag_system(d, NULL, "cannot open %s: %s", path, strerror(errno));
    return ok;
}

void sources_release(struct sources *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct source *s = &all->items[i];
        free(s->path);
        free(s->host);
        if (s->fd >= 0) close(s->fd);
    }
    for (size_t i = 0; i < all->shape_count; i++) {
        struct source_shape *s = &all->shapes[i];
        for (size_t c = 0; c < s->column_count; c++) free(s->columns[c]);
        free(s->columns);
    }
    free(all->shapes);
    free(all->items);
    free(all->rows);
    free(all->facts);
    free(all->runs_before);
    str_release(&all->runs);
    lookup_release(&all->run_seen);
    lookup_release(&all->taken);
    spool_release(&all->spool);
    *all = (struct sources){.spool.fd = -1};
}

static bool agree_on_columns(struct sources *all, struct diags *d)
{
    char why[256];
    all->shape = all->shapes;
    for (size_t i = 1; i < all->shape_count; i++) {
        const struct source_shape *s = &all->shapes[i];
        const struct source *of = all->items;
        if (!head_difference(all->shape->columns, all->shape->column_count, s->columns, s->column_count, why)) continue;
        while (of->shape != i) of++;
        return diag_user(d, (struct where){.file = of->path}, NULL, "is of another plan than %s: %s", all->items->path,
            why);
    }
    return true;
}

bool sources_end(struct sources *all, const char *output, struct diags *d)
{
    if (all->runs_before) runfile_take_runs(all->runs_before, &all->runs, &all->run_seen);
    return agree_on_columns(all, d) && (!all->many || spool_ended(&all->spool, output, d));
}

static bool measured(const struct source_row *p) { return p->status != STATUS_FAILED && p->status != STATUS_TIMEOUT; }

// Of one point the best comes first: measured, begun last, of the later file, further down in it.
static int by_point(const void *a, const void *b, void *context)
{
    const struct source_row *x = a, *y = b;
    const struct source *items = context;
    if (x->point != y->point) return x->point < y->point ? -1 : 1;
    if (measured(x) != measured(y)) return measured(x) ? -1 : 1;
    if (items[x->source].first != items[y->source].first)
        return items[x->source].first > items[y->source].first ? -1 : 1;
    if (x->source != y->source) return x->source > y->source ? -1 : 1;
    return x->offset > y->offset ? -1 : x->offset < y->offset;
}

// Of the rows of one point, in that order, the one that counts.
static const struct source_row *choose(struct sources *all, const struct source_row *rows, size_t count)
{
    const struct source_row *before = NULL, *other = NULL; // of the merged report; of a shard
    for (size_t i = 0; i < count && all->has_output; i++) {
        if (!rows[i].source && !before) before = &rows[i];
        if (rows[i].source && !other) other = &rows[i];
    }
    if (!before || !measured(before)) return rows;
    if (!other || !measured(other)) return before;
    if (before->text == other->text && strcmp(before->key, other->key) == 0) return other;
    if (all->items[other->source].first > all->items[0].last) return all->replaced++, other;
    return all->stay++, before;
}

static bool one_host(const struct source *s) { return s->host && *s->host && !strchr(s->host, ' '); }

bool sources_hosts(const struct sources *all)
{
    const char *first = NULL;
    bool several = false;
    for (size_t i = 0; i < all->shape_count; i++) several = several || all->shapes[i].has_host;
    for (size_t i = 0; i < all->count && !several; i++) {
        const struct source *s = &all->items[i];
        if (!s->host || !*s->host || (!i && all->has_output && !one_host(s))) continue;
        several = !one_host(s) || (first && strcmp(first, s->host) != 0);
        first = s->host;
    }
    return several;
}

// Of two files that have the same row: is it this one that says where it was measured? A shard also takes rows from
// others, of another count, which began before it.
static bool tells_host(const struct sources *all, size_t this, size_t other)
{
    const struct source *a = &all->items[this], *b = &all->items[other];
    const bool has = all->shapes[a->shape].has_host, had = all->shapes[b->shape].has_host;
    if (has != had) return has;
    if (one_host(a) != one_host(b)) return one_host(a);
    return a->first < b->first;
}

static uint64_t lines_of(const char *key, size_t source) { return hash_of(key, strlen(key), source + 1); }

bool sources_sort(struct sources *all, bool mixed, struct diags *d)
{
    size_t kept = 0, to;
    bool sorted = true;
    for (size_t i = 1; i < all->row_count && sorted; i++)
        sorted = by_point(&all->rows[i - 1], &all->rows[i], all->items) <= 0;
    if (!sorted) qsort_r(all->rows, all->row_count, sizeof *all->rows, by_point, all->items);
    for (size_t from = 0; from < all->row_count; from = to) {
        for (to = from + 1; to < all->row_count && all->rows[to].point == all->rows[from].point;) to++;
        for (size_t i = from + 1; i < to && !mixed; i++) {
            const struct source_row *p = &all->rows[i], *best = &all->rows[from];
            if (strcmp(best->key, p->key) != 0 && measured(best) && measured(p))
                return diag_user(d, (struct where){.file = all->items[p->source].path},
                    "they were measured in different ways: merge one of them only",
                    "has another point %u than %s: key %s, not %s", p->point, all->items[best->source].path, p->key,
                    best->key);
        }
        struct source_row row = *choose(all, &all->rows[from], to - from);
        for (size_t i = from; i < to; i++) { // the same row in several files: each may have its lines
            if (all->rows[i].text != row.text || strcmp(all->rows[i].key, row.key) != 0) continue;
            lookup_add(&all->taken, lines_of(row.key, all->rows[i].source), kept);
            if (tells_host(all, all->rows[i].source, row.source)) row = all->rows[i];
        }
        all->rows[kept++] = row;
    }
    all->row_count = kept;
    return true;
}

bool sources_lines_count(const struct sources *all, const char *key, size_t source)
{
    size_t at = 0, row;
    const uint64_t hash = lines_of(key, source);
    while ((row = lookup_next(&all->taken, hash, &at)) != LOOKUP_NONE && strcmp(all->rows[row].key, key) != 0) {}
    return row != LOOKUP_NONE;
}

const char *sources_text(struct sources *all, const struct source_row *p)
{
    const int fd = all->items[p->source].fd;
    return spool_text_of(&all->spool, fd < 0 ? all->spool.fd : fd, p->offset, p->size);
}
