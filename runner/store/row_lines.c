// Reads the files once, keeps of each line where it is, and writes them row by row.
// SPDX-License-Identifier: MIT
#include "store/row_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/lookup.h"
#include "store/each_launch.h"
#include "store/samples.h"
#include "store/spool.h"
#include "store/swap.h"
#include "store/table.h"

enum { KEY = 16, NONE = UINT32_MAX };

const struct row_lines_table *const row_lines_tables[] = {&each_launch_table, &samples_table, NULL};

struct line_at {
    uint64_t offset, number;
    uint32_t size, before; // before: the key's line in front of it, or NONE
};
struct row_lines_key {
    char key[KEY + 1];
    uint32_t last; // of its lines
};
struct row_lines_found {
    const struct row_lines_table *table;
    struct row_lines_key *keys;
    struct line_at *lines;
    size_t key_count, key_room, line_count, line_room;
    struct lookup by_key;
    struct spool spool;
    int own; // one file alone is read where it is; else -1
};

static struct row_lines_key *key_of(struct row_lines_found *f, const char *key, bool make)
{
    const uint64_t hash = hash_short(key, strlen(key));
    size_t at = 0, n;
    while ((n = lookup_next(&f->by_key, hash, &at)) != LOOKUP_NONE)
        if (strcmp(f->keys[n].key, key) == 0) return &f->keys[n];
    if (!make) return NULL;
    mem_grow(&f->keys, &f->key_room, f->key_count + 1, sizeof *f->keys);
    struct row_lines_key *new = &f->keys[f->key_count];
    *new = (struct row_lines_key){.last = NONE};
    snprintf(new->key, sizeof new->key, "%s", key);
    lookup_add(&f->by_key, hash, f->key_count++);
    return new;
}

static bool key_in(const char *line, size_t size, char key[KEY + 1])
{
    if (size <= KEY + 2 || line[KEY] != ',') return false;
    snprintf(key, KEY + 1, "%.*s", KEY, line);
    return true;
}

static void take_line(struct row_lines_found *f, const char *key, const char *line, uint64_t offset, size_t size)
{
    const char *p = line + KEY;
    uint64_t number = 0;
    for (int i = 0; i < f->table->numbers && *p == ','; i++) {
        char *end;
        number = number << 32 | (uint32_t)strtoul(p + 1, &end, 10);
        p = end;
    }
    struct row_lines_key *to = key_of(f, key, true);
    while (to->last != NONE && f->lines[to->last].number >= number) to->last = f->lines[to->last].before;
    mem_grow(&f->lines, &f->line_room, f->line_count + 1, sizeof *f->lines);
    f->lines[f->line_count] = (struct line_at){offset, number, (uint32_t)size, to->last};
    to->last = (uint32_t)f->line_count++;
}

// The lines of one file that are wanted, each given to `take`.
static bool each_line(const struct row_lines_table *table, const struct row_lines_from *from, size_t i,
    bool (*take)(void *, const char *key, const char *line, uint64_t offset, size_t size), void *context,
    struct diags *d)
{
    struct kept_reader r = {.pieces.fd = -1};
    LOCAL(str_release) struct str header = {0};
    const size_t errors = diags_errors(d);
    char key[KEY + 1], *path = beside_path(from->reports[i], table->file);
    const char *line;
    size_t size;
    bool there, good = true;
    table->head(&header);
    if (kept_look(path, &there, d) && there && kept_read(&r, path, &header, d))
        while (good && (line = kept_next(&r, &size, d)))
            if (key_in(line, size, key) && (!from->wanted || from->wanted(from->context, key, i)))
                good = take(context, key, line, r.at, size);
    kept_read_close(&r);
    free(path);
    return good && diags_errors(d) == errors;
}

static bool gather_line(void *context, const char *key, const char *line, uint64_t offset, size_t size)
{
    struct row_lines_found *f = context;
    take_line(f, key, line, f->own >= 0 ? offset : spool_add(&f->spool, line, size), size);
    return true;
}

static bool is_alone(const struct row_lines_table *table, const char *report, const struct row_lines_from *from)
{
    LOCAL(mem_drop) char *path = beside_path(report, table->file), *first = beside_path(from->reports[0], table->file);
    return !from->reports[1] && strcmp(path, first) == 0;
}

static bool gather(struct row_lines_found *f, struct lock *l, const char *report, const struct row_lines_from *from,
    struct diags *d)
{
    const size_t errors = diags_errors(d);
    bool ok = true;
    if (is_alone(f->table, report, from)) {
        LOCAL(mem_drop) char *path = beside_path(report, f->table->file);
        off_t size;
        f->own = kept_open_plain(path, O_RDONLY, &size, d);
        if (f->own < 0) return diags_errors(d) == errors;
    } else {
        ok = spool_begin(&f->spool, l, report, d);
    }
    for (size_t i = 0; ok && from->reports[i]; i++) ok = each_line(f->table, from, i, gather_line, f, d);
    return ok && (f->own >= 0 || spool_ended(&f->spool, report, d));
}

static bool write_key(struct row_lines_found *f, uint32_t last, FILE *to, size_t *written)
{
    uint32_t order[64], *turned = order, count = 0;
    size_t room = 0;
    for (uint32_t at = last; at != NONE; at = f->lines[at].before) count++;
    if (count > 64) turned = NULL, mem_grow(&turned, &room, count, sizeof *turned);
    for (uint32_t at = last, i = count; at != NONE; at = f->lines[at].before) turned[--i] = at;
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++, ++*written) {
        const struct line_at *p = &f->lines[turned[i]];
        const char *line = spool_text_of(&f->spool, f->own >= 0 ? f->own : f->spool.fd, p->offset, p->size);
        const size_t size = line ? cells_unsealed(line, p->size) : 0; // the line's end may be another system's
        ok = line && fwrite(line, 1, size, to) == size && fwrite(line + size, 1, CELLS_SEAL, to) == CELLS_SEAL &&
            fputc('\n', to) != EOF;
    }
    if (turned != order) free(turned);
    return ok;
}

// Of none of its rows is there a line any more: the file goes.
static bool write_ordered(struct row_lines_found *f, const char *path, const char *report, struct lock *l,
    struct diags *d)
{
    LOCAL(table_close) struct table t = {0};
    struct swap s = {0};
    LOCAL(str_release) struct str header = {0};
    size_t written = 0;
    bool ok = table_open(&t, report, d) && swap_begin(&s, l, path, d);
    const bool begun = ok;
    const int key = ok ? table_column(&t, "key") : -1;
    f->table->head(&header);
    ok = ok && fwrite(header.text, 1, header.size, s.file) == header.size;
    for (size_t i = 0; ok && key >= 0 && i < t.count; i++) {
        const struct cells *row = table_front(&t, i, (size_t)key + 1, d);
        const struct row_lines_key *from = row ? key_of(f, cells_text(row, (size_t)key), false) : NULL;
        ok = row && (!from || write_key(f, from->last, s.file, &written));
    }
    if (begun && !ok && !diags_errors(d))
        diag_system(d, "make room and run again: the rows that are there are whole", "cannot write %s: %s", path,
            strerror(errno));
    if (!begun) return false;
    if (!swap_end(&s, ok && written, NULL, d) && written) return false;
    if (ok && !written && lock_held(l, d)) unlink(path);
    return ok;
}

bool row_lines_order(const struct row_lines_table *table, struct lock *l, const char *report,
    const struct row_lines_from *from, struct diags *d)
{
    struct row_lines_found f = {.table = table, .own = -1, .spool.fd = -1};
    LOCAL(mem_drop) char *path = beside_path(report, table->file);
    bool there, ok = kept_look(path, &there, d) && gather(&f, l, report, from, d);
    if (ok && f.key_count) ok = write_ordered(&f, path, report, l, d);
    if (f.own >= 0) close(f.own);
    spool_release(&f.spool);
    lookup_release(&f.by_key);
    free(f.keys);
    free(f.lines);
    return ok;
}

bool row_lines_open(struct kept *k, const struct row_lines_table *table, struct lock *l, const char *report,
    bool shared, struct diags *d)
{
    LOCAL(str_release) struct str header = {0};
    LOCAL(mem_drop) char *path = beside_path(report, table->file);
    table->head(&header);
    return kept_open(k, l, path, &header, shared, d);
}

struct copying {
    struct kept *to;
    struct diags *d;
};
static bool copy_line(void *context, const char *key, const char *line, uint64_t offset, size_t size)
{
    struct copying *c = context;
    (void)key, (void)offset;
    return kept_add(c->to, line, size, c->d);
}

bool row_lines_copy(const struct row_lines_table *table, const struct row_lines_from *from, struct kept *to,
    struct diags *d)
{
    struct copying c = {to, d};
    bool ok = true;
    for (size_t i = 0; ok && from->reports[i]; i++) ok = each_line(table, from, i, copy_line, &c, d);
    return ok;
}
