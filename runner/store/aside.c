// Both files are written whole and swapped in: at every moment each row is in one of them at least.
// SPDX-License-Identifier: MIT
#include "store/aside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/beside.h"
#include "base/file.h"
#include "base/hash.h"
#include "spec/columns.h"
#include "store/row_lines.h"
#include "store/swap.h"

// Names of earlier reports that are kept: the oldest is .bak, the newest has the highest number.

struct kept_set { // the report and what was measured and stands beside it
    char *paths[1 + BESIDE_COUNT];
    size_t count;
};

static struct kept_set set_of(const char *report)
{
    struct kept_set s = {.paths = {str_copy(report)}, .count = 1};
    for (enum beside b = 0; b < BESIDE_COUNT; b++)
        if (beside_table[b].is & BESIDE_KEPT) s.paths[s.count++] = beside_path(report, b);
    return s;
}

static void kept_name(struct str *s, const char *path, int n)
{
    str_clear(s);
    str_addf(s, "%s.bak", path);
    if (n > 1) str_addf(s, ".%d", n);
}

static bool is_there(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static bool is_taken(struct str *name, const struct kept_set *s, int n)
{
    bool taken = false;
    for (size_t i = 0; i < s->count; i++) {
        kept_name(name, s->paths[i], n);
        taken |= is_there(name->text);
    }
    return taken;
}

// Each gets the name of the one before it. What fails here fails again, with its sentence, when the last name is used.
static void let_oldest_go(const struct kept_set *s, struct diags *d)
{
    LOCAL(str_release) struct str from = {0}, to = {0};
    for (size_t i = 0; i < s->count; i++) {
        kept_name(&to, s->paths[i], 1);
        if (unlink(to.text) == 0 && i == 0)
            diag_add(d, DIAG_WARNING, (struct where){0}, NULL,
                "%s, the oldest of %d earlier reports that are kept, is removed", to.text, ASIDE_MOST_KEPT);
        for (int n = 2; n <= ASIDE_MOST_KEPT; n++) {
            kept_name(&from, s->paths[i], n);
            kept_name(&to, s->paths[i], n - 1);
            if (rename(from.text, to.text) != 0 && errno != ENOENT) break;
        }
    }
}

// There are file systems without second names: there it is a copy.
static bool keep(struct lock *l, const char *path, const char *as, struct diags *d)
{
    size_t size;
    if (link(path, as) == 0 || errno == ENOENT) return true;
    if (errno == EEXIST) return diag_system(d, "run it again", "somebody else made %s meanwhile", as);
    struct stat st;
    if (lstat(path, &st) != 0 && errno == ENOENT) return true; // whatever the link failed of, nothing is to be kept
    LOCAL(mem_drop) char *text = file_read(path, SIZE_MAX / 2, &size, d);
    return text && swap_text(l, as, text, size, NULL, d);
}

bool aside_keep(struct lock *l, const char *report, bool leave, char as[4200], struct diags *d)
{
    struct kept_set s = set_of(report);
    LOCAL(str_release) struct str to = {0};
    bool ok = true, any = false;
    int n = 1;
    for (size_t i = 0; i < s.count; i++) any |= i != 1 && is_there(s.paths[i]); // a run file alone has measured nothing
    while (any && n <= ASIDE_MOST_KEPT && is_taken(&to, &s, n)) n++;
    if (n > ASIDE_MOST_KEPT) let_oldest_go(&s, d), n = ASIDE_MOST_KEPT;
    for (size_t i = 0; any && ok && i < s.count; i++) {
        kept_name(&to, s.paths[i], n);
        if (as && !i) snprintf(as, 4200, "%s", to.text);
        ok = keep(l, s.paths[i], to.text, d);
    }
    // They are kept; the report that replaces this one has none yet, and replaces the run file itself.
    for (size_t i = 2; any && leave && ok && i < s.count; i++)
        if (unlink(s.paths[i]) != 0 && errno != ENOENT)
            ok = diag_system(d, "run it again", "cannot remove %s: %s", s.paths[i], strerror(errno));
    for (size_t i = 0; i < s.count; i++) free(s.paths[i]);
    return ok;
}

#define HASH_COLUMN "kernel_hash"

struct moving {
    struct aside *ask;
    const struct keys *keys;
    struct table from, old; // the report; what was put aside before
    bool has_old;
    char **columns; // of both together, of which none is the checksum
    size_t count;
    struct str out;    // the file to be
    size_t *starts;    // of each of its rows
    size_t rows, room; // room of `starts`
    struct lookup seen;
};

static bool goes(const struct keys *k, size_t row)
{
    const struct key_row *last = keys_find(k, k->rows[row].key);
    return !last || !last->point;
}

static void add_column(struct moving *m, char *name)
{
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->columns[i], name) == 0) return;
    m->columns[m->count++] = name;
}

static void join_columns(struct moving *m)
{
    static char hash[] = HASH_COLUMN;
    m->columns = mem_alloc((m->from.column_count + m->old.column_count + 2) * sizeof *m->columns);
    for (size_t i = 0; m->has_old && i < m->old.column_count; i++) add_column(m, m->old.columns[i]);
    for (size_t i = 0; i < m->from.column_count; i++) add_column(m, m->from.columns[i]);
    add_column(m, hash);
}

// A row that is there already, from a run that did not get further, is not added again.
static void keep_once(struct moving *m, size_t start)
{
    const size_t size = m->out.size - start;
    const uint64_t mark = hash_short(m->out.text + start, size);
    size_t at = 0, row;
    while ((row = lookup_next(&m->seen, mark, &at)) != LOOKUP_NONE) {
        const size_t end = row + 1 < m->rows ? m->starts[row + 1] : start;
        if (end - m->starts[row] != size || memcmp(m->out.text + m->starts[row], m->out.text + start, size) != 0)
            continue;
        m->out.text[m->out.size = start] = '\0';
        return;
    }
    mem_grow(&m->starts, &m->room, m->rows + 1, sizeof *m->starts);
    m->starts[m->rows] = start;
    lookup_add(&m->seen, mark, m->rows++);
}

// The row's cell of that column; "" where it has none.
static const char *cell_of(const struct table *t, const struct cells *row, const char *column)
{
    const int c = table_column(t, column);
    return c < 0 ? "" : cells_text(row, (size_t)c);
}

static bool add_rows(struct moving *m, struct table *t, const char *hash, struct diags *d)
{
    bool ok = true;
    for (size_t r = 0; r < t->count && ok; r++) {
        if (hash && !goes(m->keys, r)) continue;
        const struct cells *row = table_row(t, r, d);
        const size_t start = m->out.size;
        ok = row != NULL;
        for (size_t i = 0; ok && i < m->count; i++) {
            const bool is_hash = hash && strcmp(m->columns[i], HASH_COLUMN) == 0;
            cells_add(&m->out, is_hash ? hash : cell_of(t, row, m->columns[i]));
        }
        if (!ok) break;
        cells_seal(&m->out, start);
        m->ask->moved += hash != NULL;
        keep_once(m, start);
    }
    return ok;
}

// The oldest rows go where there are too many.
static size_t prune(struct moving *m, size_t head)
{
    size_t first = 0;
    while (first < m->rows && m->out.size - m->starts[first] + head > m->ask->most) first++;
    if (!first) return 0;
    const size_t from = first < m->rows ? m->starts[first] : m->out.size;
    memmove(m->out.text + head, m->out.text + from, m->out.size - from + 1);
    m->out.size -= from - head;
    return first;
}

static bool write_aside(struct moving *m, struct lock *l, const char *path, struct diags *d)
{
    join_columns(m);
    for (size_t i = 0; i < m->count; i++) cells_add(&m->out, m->columns[i]);
    cells_add(&m->out, COLUMN_CHECKSUM);
    cells_end(&m->out);
    const size_t head = m->out.size;
    bool ok = (!m->has_old || add_rows(m, &m->old, NULL, d)) && add_rows(m, &m->from, m->ask->text_hash, d);
    if (!ok || !m->ask->moved) return ok;
    m->ask->dropped = prune(m, head);
    return swap_text(l, path, m->out.text, m->out.size, NULL, d);
}

// The report without them.
static bool write_rest(struct moving *m, struct lock *l, struct keys *k, int *fd, struct diags *d)
{
    struct keys now;
    LOCAL(str_release) struct str out = {0};
    size_t size;
    const char *text = m->ask->header ? m->ask->header->text : table_text(&m->from, SIZE_MAX, &size);
    if (m->ask->header) size = m->ask->header->size;
    str_add_bytes(&out, text, size);
    keys_init(&now);
    for (size_t r = 0; r < m->from.count; r++) {
        if (m->ask->header || goes(k, r)) continue; // under another header none fits
        text = table_text(&m->from, r, &size);
        str_add_bytes(&out, text, size);
        const struct key_row *row = &k->rows[r];
        keys_add(&now, row->key, k->devices[row->device], row->measured)->point = row->point;
    }
    const bool ok = swap_text(l, m->ask->path, out.text, out.size, fd, d);
    if (!ok) return keys_free(&now), false;
    keys_free(k);
    *k = now;
    return true;
}

// What is there is of earlier edits; a file of the user's own gets no rows.
static bool is_ours(const struct table *old, struct diags *d)
{
    return (old->checked && table_column(old, HASH_COLUMN) >= 0) ||
        diag_user(d, (struct where){.file = old->path}, "move it away: gpuexp adds to no file that it did not make",
            "is not where gpuexp put rows of an earlier kernel");
}

// The lines of the rows that are in the other file now, before the rows are gone from this one.
static bool take_lines(const char *report, const char *old, struct lock *l, struct diags *d)
{
    const char *const both[] = {old, report, NULL};
    bool ok = true;
    for (const struct row_lines_table *const *t = row_lines_tables; *t && ok; t++)
        ok = row_lines_order(*t, l, old, &(struct row_lines_from){.reports = both}, d);
    return ok;
}

bool aside_move(struct aside *ask, struct lock *l, struct keys *k, int *fd, struct diags *d)
{
    struct moving m = {.ask = ask, .keys = k};
    LOCAL(mem_drop) char *path = beside_path(ask->path, BESIDE_OLD);
    ask->moved = ask->dropped = 0;
    bool ok = table_open(&m.from, ask->path, d) && kept_look(path, &m.has_old, d);
    if (ok && m.has_old) ok = table_open(&m.old, path, d) && is_ours(&m.old, d);
    ok = ok && write_aside(&m, l, path, d) && (!ask->moved || take_lines(ask->path, path, l, d)) &&
        ((!ask->moved && !ask->header) || write_rest(&m, l, k, fd, d));
    if (m.has_old) table_close(&m.old);
    table_close(&m.from);
    lookup_release(&m.seen);
    str_release(&m.out);
    free(m.starts);
    free(m.columns);
    return ok;
}
