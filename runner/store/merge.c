// Joins shards: finds them, has them compared and sorted, writes the whole, says what is missing.
// SPDX-License-Identifier: MIT
#include "store/merge.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/beside.h"
#include "base/clock.h"
#include "base/file.h"
#include "spec/columns.h"
#include "store/aside.h"
#include "store/row_lines.h"
#include "store/runfile.h"
#include "store/sources.h"
#include "store/swap.h"

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
    LOCAL(str_release) struct str line = {0};
    va_list args;
    va_start(args, fmt);
    str_vaddf(&line, fmt, args);
    va_end(args);
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
