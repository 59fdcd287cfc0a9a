// Joins shards: finds them, has them compared and sorted, writes the whole, says what is missing.
// SPDX-License-Identifier: MIT
#include "store/merge.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/beside.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/lookup.h"
#include "spec/columns.h"
#include "store/aside.h"
#include "store/head.h"
#include "store/row_lines.h"
#include "store/runfile.h"
#include "store/spool.h"
#include "store/swap.h"
#include "store/table.h"

struct source {
    char *path, *host;      // host: of its runs
    unsigned shard, shards; // 0: not a shard
    uint32_t shape;
    bool has_facts;
    double first, last;  // its rows were measured then: seconds, not before and not after
    size_t left, broken; // of its last run
    int fd;              // -1: its rows are in the spool
};

struct source_shape { // what a header decides
    char **columns;   // a last `host` left out
    size_t column_count;
    bool has_host; // its rows end in a host already
};

struct source_row {         // one row
    uint32_t point, source; // point from 1
    uint64_t offset, text;  // text: a hash of its cells, the host left out
    uint32_t size;
    uint8_t status;
    char key[17];
};

struct sources {
    struct source *items;
    size_t count;
    bool has_output; // the first is the merged report of before
    bool many;       // too many to keep them open
    struct source_shape *shapes;
    size_t shape_count;
    const struct source_shape *shape; // of the merged report
    struct source_row *rows;
    size_t row_count, row_room;
    struct lookup taken; // key and source of rows whose lines beside the report count
    struct spool spool;
    char *facts;      // the text of the first run file
    const char *from; // whose it is
    bool of_output;   // the merged report's
    struct str runs;  // the entries of all, each once
    struct lookup run_seen;
    char *runs_before; // those of the merged report
    size_t strangers;  // rows that the plan no longer has: left out
    size_t replaced;   // measured rows of the merged report that do not stay as they are
    size_t stay;       // of the others, those that a shard has with other values, not known to be later
};

// The files that are merged: what their run files say, and the place of every row. Each is read once, from begin to
// end; of many files the rows go into one temporary file, so that none stays open. For merging only.

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

// `count`: how many there will be. Begin with the merged report, where there is one.
static bool sources_begin(struct sources *all, size_t count, struct lock *l, const char *output, struct diags *d)
{
    *all = (struct sources){.many = count > OPEN_MOST, .spool.fd = -1};
    all->items = mem_alloc((count + 1) * sizeof *all->items);
    return !all->many || spool_begin(&all->spool, l, output, d);
}

static bool sources_add(struct sources *all, const char *path, bool mixed, struct diags *d)
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

static void sources_release(struct sources *all)
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

// All are added. False: their columns are of several plans, or rows cannot be written aside.
static bool sources_end(struct sources *all, const char *output, struct diags *d)
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

// The rows are of several hosts: each is to say of which.
static bool sources_hosts(const struct sources *all)
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

// In plan order, the row that counts of each point. A measured one before a failed one. A row of the merged report
// stays unless another was measured after it for sure. Of shards the later file. False: a point was measured in two
// ways.
static bool sources_sort(struct sources *all, bool mixed, struct diags *d)
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

static bool sources_lines_count(const struct sources *all, const char *key, size_t source)
{
    size_t at = 0, row;
    const uint64_t hash = lines_of(key, source);
    while ((row = lookup_next(&all->taken, hash, &at)) != LOOKUP_NONE && strcmp(all->rows[row].key, key) != 0) {}
    return row != LOOKUP_NONE;
}

// The record of a row, its LF included; valid until the next call. NULL: cannot be read (errno).
static const char *sources_text(struct sources *all, const struct source_row *p)
{
    const int fd = all->items[p->source].fd;
    return spool_text_of(&all->spool, fd < 0 ? all->spool.fd : fd, p->offset, p->size);
}

bool merge_shard_name(const char *path, unsigned *shard, unsigned *shards, char report[4096])
{
    size_t n = strlen(path);
    int used = 0;
    *shard = *shards = 0;
    if (n < 12 || strcmp(path + n - 4, ".csv") != 0) return false;
    const char *dot = path + n - 4;
    while (dot > path && dot[-1] != '.' && dot[-1] != '/') dot--;
    if (dot == path || dot[-1] != '.' || sscanf(dot, "%u-of-%u.csv%n", shard, shards, &used) != 2 || dot[used] ||
        !*shard || *shard > *shards) {
        *shard = *shards = 0;
        return false;
    }
    snprintf(report, 4096, "%.*scsv", (int)(dot - path), path);
    return true;
}

static int by_shard(const void *a, const void *b)
{
    unsigned i, n, j, m;
    char report[4096];
    merge_shard_name(*(char *const *)a, &i, &n, report);
    merge_shard_name(*(char *const *)b, &j, &m, report);
    return n != m ? (n < m ? -1 : 1) : i < j ? -1 : i > j;
}

char **merge_shards(const char *report, struct diags *d)
{
    const char *slash = strrchr(report, '/');
    LOCAL(str_release) struct str folder = {0}, path = {0};
    char **list = mem_alloc(sizeof *list), whole[4096];
    size_t count = 0, room = 1;
    unsigned shard, shards;
    if (slash) str_add_bytes(&folder, report, (size_t)(slash + 1 - report));
    DIR *dir = opendir(slash ? folder.text : ".");
    int why = dir || errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    errno = 0;
    for (struct dirent *e; dir && (e = readdir(dir)); errno = 0) {
        str_clear(&path);
        str_addf(&path, "%s%s", slash ? folder.text : "", e->d_name);
        if (!merge_shard_name(path.text, &shard, &shards, whole) || strcmp(whole, report) != 0) continue;
        mem_grow(&list, &room, count + 2, sizeof *list);
        list[count++] = str_take(&path);
    }
    list[count] = NULL;
    if (dir) why = errno, closedir(dir);
    if (count) qsort(list, count, sizeof *list, by_shard);
    if (!why) return list;
    diag_system(d, "run it again", "cannot look for the shards of %s: %s", report, strerror(why));
    merge_shards_free(list);
    return NULL;
}

void merge_shards_free(char **list)
{
    for (size_t i = 0; list && list[i]; i++) free(list[i]);
    free(list);
}

struct inputs {
    char **paths; // NULL-terminated
    size_t count, room;
};

static void add_input(struct inputs *in, const char *path)
{
    mem_grow(&in->paths, &in->room, in->count + 2, sizeof *in->paths);
    in->paths[in->count++] = str_copy(path);
    in->paths[in->count] = NULL;
}

// The shards to merge and the file to write. A report's own name stands for the shards beside it.
static bool find_inputs(const struct merge_options *o, struct inputs *in, char output[4096], struct diags *d)
{
    unsigned shard, shards;
    bool ok = true;
    for (size_t i = 0; i < o->input_count && ok; i++) {
        const char *path = o->inputs[i];
        if (merge_shard_name(path, &shard, &shards, output)) {
            add_input(in, path);
            continue;
        }
        char *stem = beside_with(path, ".csv"), **list = merge_shards(stem, d);
        ok = list != NULL;
        if (list && !list[0])
            ok = diag_user(d, (struct where){.file = path}, "run with --shard i/n first, or name the shards' files",
                "has no shards beside it");
        for (size_t s = 0; ok && list[s]; s++) add_input(in, list[s]);
        snprintf(output, 4096, "%s", stem);
        merge_shards_free(list);
        free(stem);
    }
    if (o->output) snprintf(output, 4096, "%s", o->output);
    const char *taken = beside_named(output, true);
    if (ok && taken)
        ok = diag_user(d, (struct where){.file = output}, "name another file with -o",
            "cannot be a report: what ends in %s stands beside one", taken);
    return ok;
}

// Numbers in a list, "1, 4, 7-9": the first few ranges.
struct ranges {
    struct str text;
    size_t named, count;
};

static void add_range(struct ranges *r, size_t from, size_t to)
{
    r->count += to - from;
    if (to == from) return;
    if (r->named++ < 8)
        str_addf(&r->text, to - from == 1 ? "%s%zu" : "%s%zu-%zu", r->text.size ? ", " : "", from, to - 1);
    else if (r->named == 9) str_add(&r->text, ", ...");
}

static void say_line(void (*say)(void *, const char *), void *context, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void say_line(void (*say)(void *, const char *), void *context, const char *fmt, ...)
{
    STR_FORMATTED(line, fmt);
    if (say) say(context, line.text);
}

static void say_missing(const struct sources *all, struct merge_summary *s, void (*say)(void *, const char *),
    void *context)
{
    struct ranges r = {0};
    for (size_t next = 1, i = 0; next <= s->points;) {
        const size_t from = next;
        while (i < all->row_count && all->rows[i].point < next) i++;
        const size_t to = i < all->row_count ? all->rows[i].point : s->points + 1;
        add_range(&r, from, to);
        next = to + 1;
    }
    s->missing = r.count;
    if (r.count) say_line(say, context, "missing: %zu of %zu points (%s)", s->missing, s->points, r.text.text);
    str_release(&r.text);
}

// Shards that should be there, by their own names, and those whose last run left points.
static void say_shards(const struct sources *all, void (*say)(void *, const char *), void *context)
{
    enum { SAID = 8 };
    struct ranges r = {0};
    unsigned shards = 0;
    size_t said = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct source *s = &all->items[i];
        if (s->shards > shards) shards = s->shards;
        if (!s->shards || (s->has_facts && !s->left)) continue;
        if (said++ >= SAID) continue;
        if (s->has_facts) say_line(say, context, "%s: its last run left %zu points", s->path, s->left);
        else say_line(say, context, "%s: no run file beside it; only its columns and keys were compared", s->path);
    }
    if (said > SAID) say_line(say, context, "and %zu shards more of which the like is true", said - SAID);
    LOCAL(mem_drop) bool *there = mem_alloc(shards + 2);
    for (size_t i = 0; i < all->count; i++) there[all->items[i].shard] = true;
    for (unsigned n = 1, to; n <= shards; n = to + 1) {
        for (to = n; to <= shards && !there[to]; to++) {}
        add_range(&r, n, to);
    }
    if (r.count) say_line(say, context, "shard%s %s of %u: no file", r.count == 1 ? "" : "s", r.text.text, shards);
    str_release(&r.text);
}

// A row of a report, the host where that is asked for, and its checksum.
static void add_row(const struct sources *all, const struct source *from, const char *record, size_t size, bool hosts,
    struct str *row)
{
    str_clear(row);
    str_add_bytes(row, record, cells_unsealed(record, size));
    if (hosts && !all->shapes[from->shape].has_host) cells_add(row, from->host);
    cells_seal(row, 0);
}

static bool write_rows(struct sources *all, bool hosts, FILE *f)
{
    LOCAL(str_release) struct str row = {0};
    for (size_t i = 0; i < all->shape->column_count; i++) cells_add(&row, all->shape->columns[i]);
    if (hosts) cells_add(&row, COLUMN_HOST);
    cells_add(&row, COLUMN_CHECKSUM);
    cells_end(&row);
    bool ok = fwrite(row.text, row.size, 1, f) == 1;
    for (size_t i = 0; i < all->row_count && ok; i++) {
        const struct source_row *p = &all->rows[i];
        const char *text = sources_text(all, p);
        if (text) add_row(all, &all->items[p->source], text, p->size, hosts, &row);
        ok = text && fwrite(row.text, row.size, 1, f) == 1;
    }
    return ok;
}

// In the place of the output, so that there is a whole report at every moment.
static bool write_merged(struct sources *all, struct lock *l, const char *output, bool hosts, int *fd, struct diags *d)
{
    struct swap s;
    if (!swap_begin(&s, l, output, d)) return false;
    LOCAL(mem_drop) char *buffer = mem_alloc(1 << 20);
    setvbuf(s.file, buffer, _IOFBF, 1 << 20);
    bool wrote = write_rows(all, hosts, s.file);
    if (!wrote)
        diag_system(d, "the shards are as they were; make room and merge again", "cannot write %s: %s", output,
            strerror(errno));
    wrote = swap_end(&s, wrote, fd, d);
    return wrote;
}

// The merged report's run file: the facts that all share, every shard's runs, and the merge itself.
static bool write_facts(const struct sources *all, struct lock *l, const char *output, const struct merge_summary *s,
    struct diags *d)
{
    struct runfile f;
    char now[32];
    if (!all->facts) return true;
    runfile_init(&f, output);
    f.lock = l;
    if (all->runs.size) str_add_bytes(&f.before, all->runs.text, all->runs.size);
    runfile_facts_of(&f, all->facts, (const char *const[]){"shard", "shards", "shard_points", NULL});
    runfile_factf(&f, "shard", "%d", 1);
    runfile_factf(&f, "shard_points", "%zu", s->points);
    runfile_factf(&f, "shards", "%d", 1);
    clock_date(now);
    runfile_begin(&f);
    runfile_run(&f, "started", "%s", now);
    runfile_run(&f, "end", "merged");
    runfile_run(&f, "files", "%zu", s->shards);
    runfile_run(&f, "rows", "%zu", s->rows);
    runfile_run(&f, "left", "%zu", s->missing);
    runfile_run(&f, "broken", "%zu", s->broken);
    const bool ok = runfile_write(&f, d);
    runfile_release(&f);
    return ok;
}

// A script may have added points to those that were planned.
static void summarise(const struct sources *all, struct merge_summary *s)
{
    LOCAL(mem_drop) char *points = all->facts ? runfile_get(all->facts, "points", 0) : NULL;
    const size_t last = all->row_count ? all->rows[all->row_count - 1].point : 0;
    s->rows = all->row_count;
    s->points = points ? strtoul(points, NULL, 10) : last;
    if (s->points < last) s->points = last;
    for (size_t i = 0; i < all->row_count; i++)
        if (all->rows[i].status < STATUS_COUNT) s->status[all->rows[i].status]++;
    for (size_t i = 0; i < all->count; i++) {
        s->shards += all->items[i].shards > 0;
        if (all->items[i].shards) s->broken += all->items[i].broken;
    }
}

// The output's own file is ours too, whatever its name; what it has counts.
static bool take_output(struct sources *all, struct lock *l, const char *output, bool mixed, int *fd, struct diags *d)
{
    struct kept k = {.fd = -1};
    bool ok = runfile_fits(output, d) && kept_open_file(&k, l, output, d);
    if (ok && k.fd >= 0) {
        *fd = k.fd;
        k.fd = -1;
        all->has_output = true;
        ok = lock_cover(l, *fd, d) && sources_add(all, output, mixed, d);
    }
    if (k.path) kept_close(&k);
    return ok;
}

static bool wanted(void *context, const char *key, size_t i)
{
    const struct sources *all = context;
    return sources_lines_count(all, key, i);
}

// A row's lines are of the file that it is of.
static bool merge_tables(const struct sources *all, struct lock *l, const char *output, struct diags *d)
{
    const char **paths = mem_alloc((all->count + 1) * sizeof *paths);
    bool ok = true;
    for (size_t i = 0; i < all->count; i++) paths[i] = all->items[i].path;
    const struct row_lines_from from = {.reports = paths, .wanted = wanted, .context = (void *)(uintptr_t)all};
    for (const struct row_lines_table *const *t = row_lines_tables; *t && ok; t++)
        ok = row_lines_order(*t, l, output, &from, d);
    free(paths);
    return ok;
}

static bool keep_replaced(const struct sources *all, struct lock *l, const char *output, struct diags *d,
    void (*say)(void *, const char *), void *context)
{
    char as[4200];
    if (all->stay)
        say_line(say, context,
            "%zu row%s of %s stay%s: the shards have other values, which are not known to have been measured later",
            all->stay, all->stay == 1 ? "" : "s", output, all->stay == 1 ? "s" : "");
    if (!all->replaced) return true;
    if (!aside_keep(l, output, false, as, d)) return false;
    say_line(say, context,
        "%zu row%s of %s %s replaced by what was measured later, or left out: all of it is kept as %s", all->replaced,
        all->replaced == 1 ? "" : "s", output, all->replaced == 1 ? "is" : "are", as);
    return true;
}

int report_merge(const struct merge_options *o, struct merge_summary *s, void (*say)(void *, const char *),
    void *context, struct diags *d)
{
    struct sources all = {.spool.fd = -1};
    struct inputs in = {0};
    struct lock *lock = NULL;
    char *output = NULL;
    bool hosts = o->mixed;
    int fd = -1;
    *s = (struct merge_summary){0};
    bool ok = find_inputs(o, &in, s->output, d) && (output = file_real(s->output, d)) &&
        (lock = lock_take(output, &o->wait, d)) && sources_begin(&all, in.count + 1, lock, output, d) &&
        take_output(&all, lock, output, o->mixed, &fd, d);
    for (size_t i = 0; ok && i < in.count; i++) ok = sources_add(&all, in.paths[i], o->mixed, d);
    hosts = hosts || sources_hosts(&all);
    ok = ok && sources_end(&all, output, d) && sources_sort(&all, o->mixed, d);
    if (ok) {
        summarise(&all, s);
        say_missing(&all, s, say, context);
        if (say) say_shards(&all, say, context);
        if (all.strangers) say_line(say, context, "left out: %zu rows that the plan no longer has", all.strangers);
        ok = keep_replaced(&all, lock, output, d, say, context) && write_merged(&all, lock, output, hosts, &fd, d) &&
            merge_tables(&all, lock, output, d) && write_facts(&all, lock, output, s, d);
    }
    sources_release(&all);
    merge_shards_free(in.paths);
    if (fd >= 0) close(fd);
    lock_release(lock);
    free(output);
    if (!ok || diags_exit_status(d)) return diags_exit_status(d);
    if (s->missing) return 75;
    return status_bad(s->status) || s->broken ? 1 : 0;
}
