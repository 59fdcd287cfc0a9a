// Joins shards: finds them, has them compared and sorted, writes the whole, says what is missing.
// SPDX-License-Identifier: MIT
#include "store/merge.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "store/each_launch.h"
#include "store/samples.h"
#include "store/older.h"
#include "store/report.h"
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
    struct str folder = {0}, path = {0};
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
    str_release(&folder);
    str_release(&path);
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

// The shards to merge and the file to write. A report's own name stands for the shards beside it.
static bool find_inputs(const struct merge_options *o, struct sources *all, char output[4096], struct diags *d)
{
    unsigned shard, shards;
    bool ok = true;
    for (size_t i = 0; i < o->input_count && ok; i++) {
        const char *path = o->inputs[i];
        if (merge_shard_name(path, &shard, &shards, output)) {
            ok = sources_add(all, path, d);
            continue;
        }
        char *stem = report_beside(path, ".csv"), **list = merge_shards(stem, d);
        ok = list != NULL;
        if (list && !list[0])
            ok = diag_user(d, (struct where){.file = path}, "run with --shard i/n first, or name the shards' files",
                "has no shards beside it");
        for (size_t s = 0; ok && list[s]; s++) ok = sources_add(all, list[s], d);
        snprintf(output, 4096, "%s", stem);
        merge_shards_free(list);
        free(stem);
    }
    if (o->output) snprintf(output, 4096, "%s", o->output);
    return ok;
}

static void say_missing(const struct sources *all, struct merge_summary *s, void (*say)(void *, const char *),
    void *context)
{
    struct str line = {0};
    size_t named = 0, next = 1, i = 0;
    while (next <= s->points) {
        size_t from = next;
        while (i < all->row_count && all->rows[i].point < next) i++;
        size_t to = i < all->row_count ? all->rows[i].point : s->points + 1;
        next = to + 1;
        if (to == from) continue;
        s->missing += to - from;
        if (named++ < 8) str_addf(&line, to - from == 1 ? "%s%zu" : "%s%zu-%zu", line.size ? ", " : "", from, to - 1);
        else if (named == 9) str_add(&line, ", ...");
    }
    if (s->missing && say) {
        struct str whole = {0};
        str_addf(&whole, "missing: %zu of %zu points (%s)", s->missing, s->points, line.text);
        say(context, whole.text);
        str_release(&whole);
    }
    str_release(&line);
}

// Shards that should be there, by their own names, and those whose last run left points.
static void say_shards(const struct sources *all, void (*say)(void *, const char *), void *context)
{
    struct str line = {0};
    unsigned shards = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct source *s = &all->items[i];
        if (s->shards > shards) shards = s->shards;
        char *left = s->facts && s->shards ? runfile_get(s->facts, "left", -1) : NULL;
        str_clear(&line);
        if (s->shards && !s->facts)
            str_addf(&line, "%s: no run file beside it; only its columns and keys were compared", s->path);
        else if (left && strcmp(left, "0") != 0) str_addf(&line, "%s: its last run left %s points", s->path, left);
        if (line.size) say(context, line.text);
        free(left);
    }
    for (unsigned n = 1; n <= shards; n++) {
        bool there = false;
        for (size_t i = 0; i < all->count; i++) there = there || all->items[i].shard == n;
        str_clear(&line);
        str_addf(&line, "shard %u of %u: no file", n, shards);
        if (!there) say(context, line.text);
    }
    str_release(&line);
}

// A row of a report with the columns of the merged one, the host where that is asked for, and its checksum. False: it
// is not CSV.
static bool add_row(const struct sources *all, const struct source *s, const char *record, size_t size, bool hosts,
    struct cells *cells, struct str *row)
{
    str_clear(row);
    if (s->map) {
        if (!cells_parse(cells, record, size)) return false;
        older_row(cells, s->map, all->column_count, row);
        if (s->has_host) cells_add(row, cells_text(cells, s->column_count));
    } else if (s->checked) {
        str_add_bytes(row, record, cells_unsealed(record, size));
    } else {
        str_add_bytes(row, record, size - 1);
        str_add(row, ",");
    }
    if (hosts && !s->has_host) cells_add(row, s->host);
    cells_seal(row, 0);
    return true;
}

static bool write_rows(struct sources *all, bool hosts, FILE *f)
{
    struct str row = {0};
    struct cells *cells = cells_new();
    for (size_t i = 0; i < all->column_count; i++) cells_add(&row, all->columns[i]);
    if (hosts) cells_add(&row, "host");
    cells_add(&row, COLUMN_CHECKSUM);
    cells_end(&row);
    bool ok = fwrite(row.text, row.size, 1, f) == 1;
    for (size_t i = 0; i < all->row_count && ok; i++) {
        const struct placed *p = &all->rows[i];
        const char *text = sources_text(all, p);
        ok = text && add_row(all, &all->items[p->source], text, p->size, hosts, cells, &row) &&
            fwrite(row.text, row.size, 1, f) == 1;
    }
    cells_free(cells);
    str_release(&row);
    return ok;
}

// In the place of the output, so that there is a whole report at every moment.
static bool write_merged(struct sources *all, struct lock *l, const char *output, bool hosts, int *fd, struct diags *d)
{
    struct swap s;
    if (!swap_begin(&s, l, output, d)) return false;
    char *buffer = mem_alloc(1 << 20);
    setvbuf(s.file, buffer, _IOFBF, 1 << 20);
    bool wrote = write_rows(all, hosts, s.file);
    if (!wrote)
        diag_system(d, "the shards are as they were; make room and merge again", "cannot write %s: %s", output,
            strerror(errno));
    wrote = swap_end(&s, wrote, fd, d);
    free(buffer);
    return wrote;
}

// The merged report's run file: the facts that all share, every shard's runs, and the merge itself.
static bool write_facts(const struct sources *all, struct lock *l, const char *output, const struct merge_summary *s,
    struct diags *d)
{
    struct runfile f;
    const char *const nothing[] = {NULL};
    const char *text = NULL;
    char now[32];
    bool ok = true;
    runfile_init(&f, output);
    f.lock = l;
    for (size_t i = 0; i < all->count; i++) {
        const struct source *x = &all->items[i];
        if (!x->facts || !x->shards) continue;
        if (!text) text = x->facts;
        runfile_follow(&f, x->facts, nothing, d);
    }
    if (text) {
        runfile_facts_of(&f, text, (const char *const[]){"shard", "shards", "shard_points", NULL});
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
        ok = runfile_write(&f, d);
    }
    runfile_release(&f);
    return ok;
}

static void summarise(const struct sources *all, struct merge_summary *s)
{
    char *points = NULL;
    for (size_t i = 0; i < all->count && !points; i++)
        if (all->items[i].facts) points = runfile_get(all->items[i].facts, "points", 0);
    s->rows = all->row_count;
    s->points = points ? strtoul(points, NULL, 10) : all->row_count ? all->rows[all->row_count - 1].point : 0;
    for (size_t i = 0; i < all->row_count; i++)
        if (all->rows[i].status < 6) s->status[all->rows[i].status]++;
    for (size_t i = 0; i < all->count; i++) {
        char *broken =
            all->items[i].facts && all->items[i].shards ? runfile_get(all->items[i].facts, "broken", -1) : NULL;
        s->shards += all->items[i].shards > 0;
        if (broken) s->broken += strtoul(broken, NULL, 10);
        free(broken);
    }
    free(points);
}

// The output's own file is ours too, whatever its name; what an earlier merge has counts, where no shard has it.
static bool take_output(struct sources *all, struct lock *l, const char *output, int *fd, struct diags *d)
{
    *fd = open(output, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (*fd < 0)
        return errno == ENOENT ||
            diag_system(d, "write elsewhere with -o", "cannot open %s: %s", output, strerror(errno));
    if (!lock_cover(l, *fd, d) || !sources_add(all, output, d)) return false;
    sources_last_first(all);
    return true;
}

// The output's own file first: what a shard has again counts.
static bool merge_tables(const struct sources *all, struct lock *l, const char *output, struct diags *d)
{
    const char **paths = mem_alloc((all->count + 2) * sizeof *paths);
    paths[0] = output;
    for (size_t i = 0; i < all->count; i++) paths[i + 1] = all->items[i].path;
    const bool ok =
        beside_order(&each_launch_table, l, output, paths, d) && beside_order(&samples_table, l, output, paths, d);
    free(paths);
    return ok;
}

int report_merge(const struct merge_options *o, struct merge_summary *s, void (*say)(void *, const char *),
    void *context, struct diags *d)
{
    struct sources all = {0};
    struct lock *lock = NULL;
    char *output = NULL;
    bool hosts = o->mixed;
    int fd = -1;
    *s = (struct merge_summary){0};
    bool ok = find_inputs(o, &all, s->output, d) && (output = file_real(s->output, d)) &&
        (lock = lock_take(output, &o->wait, d)) && take_output(&all, lock, output, &fd, d);
    for (size_t i = 0; i < all.count; i++) hosts = hosts || all.items[i].has_host;
    ok = ok && sources_agree(&all, o->mixed, d) && sources_sort(&all, o->mixed, d);
    if (ok) {
        summarise(&all, s);
        say_missing(&all, s, say, context);
        if (say) say_shards(&all, say, context);
        if (all.strangers && say) {
            char line[128];
            snprintf(line, sizeof line, "left out: %zu rows that the plan no longer has", all.strangers);
            say(context, line);
        }
        ok = write_merged(&all, lock, output, hosts, &fd, d) && merge_tables(&all, lock, output, d) &&
            write_facts(&all, lock, output, s, d);
    }
    sources_release(&all);
    if (fd >= 0) close(fd);
    lock_release(lock);
    free(output);
    if (!ok || diags_exit_status(d)) return diags_exit_status(d);
    if (s->missing) return 75;
    return status_bad(s->status) || s->broken ? 1 : 0;
}
