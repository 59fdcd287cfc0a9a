// Appends the launches of a point as one write; puts them in order at the end.
// SPDX-License-Identifier: MIT
#include "store/each_launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "store/head.h"
#include "store/keys.h"
#include "store/swap.h"

char *each_launch_path(const char *report) { return report_beside(report, ".launches.csv"); }

// What is counted launch by launch.
static bool has(int column) { return column_table[column].group == COLUMNS_ACCESS; }

static void head(struct str *s)
{
    static const char *const names[] = {"key", "launch", "entry", "grid", "block", NULL};
    for (const char *const *n = names; *n; n++) cells_add(s, *n);
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (has(c)) cells_add(s, column_table[c].name);
    cells_add(s, COLUMN_CHECKSUM);
    cells_end(s);
}

static void add_size(struct str *s, const uint32_t size[3])
{
    char text[64];
    snprintf(text, sizeof text, "%ux%ux%u", size[0], size[1], size[2]);
    cells_add(s, text);
}

static void add_launch(struct str *s, const char *key, const struct job_launch *l, size_t number, const double *counts)
{
    const size_t start = s->size;
    struct str cell = {0};
    cells_add(s, key);
    str_addf(&cell, "%zu", number);
    cells_add(s, cell.text);
    cells_add(s, l->entry);
    add_size(s, l->grid);
    add_size(s, l->block);
    for (int c = 0; c < COLUMN_COUNT; c++) {
        if (!has(c)) continue;
        str_clear(&cell);
        head_number(counts[c], column_table[c].digits, &cell);
        cells_add(s, cell.text);
    }
    cells_seal(s, start);
    str_release(&cell);
}

// Does the file begin with the columns of now? One of another version is begun anew: its rows have other keys.
static bool is_ours(int fd, const struct str *header)
{
    char *begin = mem_alloc(header->size);
    const bool ours =
        pread(fd, begin, header->size, 0) == (ssize_t)header->size && memcmp(begin, header->text, header->size) == 0;
    free(begin);
    return ours;
}

// A last line that a crash tore is dropped.
static bool drop_torn(int fd, const char *path)
{
    const off_t size = lseek(fd, 0, SEEK_END);
    struct diags ignored = {0};
    struct table t;
    char last = 0;
    if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last == '\n') return true;
    const bool ok = table_open(&t, path, &ignored) && ftruncate(fd, (off_t)t.whole) == 0;
    table_close(&t);
    diags_clear(&ignored);
    return ok;
}

bool each_launch_add(struct lock *l, const char *report, const char *key, const struct job *job,
    const struct str *counts, struct diags *d)
{
    const size_t count = counts->size / (EACH_LAUNCH_COLUMNS * sizeof(double));
    char *path = each_launch_path(report);
    struct str s = {0}, header = {0};
    head(&header);
    int fd = lock_held(l, d) ? open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC) : -1;
    const bool ours = fd >= 0 && is_ours(fd, &header) && drop_torn(fd, path);
    if (!ours) str_add_bytes(&s, header.text, header.size);
    for (size_t i = 0; i < count && i < job_launches(job); i++) {
        const struct job_launch it = job_launch(job, i);
        add_launch(&s, key, &it, i + 1, (const double *)(const void *)counts->text + i * EACH_LAUNCH_COLUMNS);
    }
    bool ok = ours && write(fd, s.text, s.size) == (ssize_t)s.size && fdatasync(fd) == 0;
    if (ours && !ok)
        diag_system(d, "make room and run again: the rows that are there are whole", "cannot write %s: %s", path,
            strerror(errno));
    if (!ours && !diags_errors(d)) ok = swap_text(l, path, s.text, s.size, NULL, d);
    if (fd >= 0) close(fd);
    str_release(&s);
    str_release(&header);
    free(path);
    return ok;
}

struct counted { // the launches of one point
    char key[17];
    struct str text;
};
struct counted_points {
    struct counted *items;
    size_t count, room;
    struct lookup by_key;
};

static uint64_t hash_of(const char *key)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    hash_text(&h, key);
    hash_final(h, out);
    return out[0];
}

static struct counted *group_of(struct counted_points *g, const char *key, bool make)
{
    const uint64_t hash = hash_of(key);
    size_t at = 0, n;
    while ((n = lookup_next(&g->by_key, hash, &at)) != LOOKUP_NONE)
        if (strcmp(g->items[n].key, key) == 0) return &g->items[n];
    if (!make) return NULL;
    mem_grow(&g->items, &g->room, g->count + 1, sizeof *g->items);
    struct counted *new = &g->items[g->count];
    *new = (struct counted){0};
    snprintf(new->key, sizeof new->key, "%s", key);
    lookup_add(&g->by_key, hash, g->count++);
    return new;
}

static bool read_groups(struct counted_points *g, const char *path, const struct str *header, struct diags *d)
{
    struct table t;
    bool ok = table_open(&t, path, d);
    const int key = ok ? table_column(&t, "key") : -1, launch = ok ? table_column(&t, "launch") : -1;
    size_t size;
    const char *text = ok ? table_text(&t, SIZE_MAX, &size) : NULL;
    const bool ours = text && size == header->size && memcmp(text, header->text, size) == 0;
    for (size_t i = 0; ok && ours && i < t.count; i++) {
        const struct cells *row = table_row(&t, i, d);
        ok = row != NULL;
        if (!ok) break;
        struct counted *to = group_of(g, cells_text(row, (size_t)key), true);
        if (strcmp(cells_text(row, (size_t)launch), "1") == 0) str_clear(&to->text); // it was measured again
        text = table_text(&t, i, &size);
        str_add_bytes(&to->text, text, size);
    }
    table_close(&t);
    return ok;
}

bool each_launch_order(struct lock *l, const char *report, const char *const *reports, struct diags *d)
{
    struct counted_points g = {0};
    struct str out = {0};
    struct table t;
    char *path = each_launch_path(report);
    bool ok = true;
    head(&out);
    const size_t begin = out.size;
    for (size_t i = 0; ok && reports[i]; i++) {
        char *from = each_launch_path(reports[i]);
        if (file_exists(from)) ok = read_groups(&g, from, &out, d);
        free(from);
    }
    if (ok && g.count && (ok = table_open(&t, report, d))) {
        const int key = table_column(&t, "key");
        for (size_t i = 0; ok && key >= 0 && i < t.count; i++) {
            const struct cells *row = table_row(&t, i, d);
            const struct counted *from = row ? group_of(&g, cells_text(row, (size_t)key), false) : NULL;
            ok = row != NULL;
            if (from && from->text.size) str_add_bytes(&out, from->text.text, from->text.size);
        }
        if (ok && out.size > begin) ok = swap_text(l, path, out.text, out.size, NULL, d);
        else if (ok && lock_held(l, d)) unlink(path); // of none of its rows is there a count any more
        table_close(&t);
    }
    for (size_t i = 0; i < g.count; i++) str_release(&g.items[i].text);
    free(g.items);
    lookup_release(&g.by_key);
    str_release(&out);
    free(path);
    return ok;
}
