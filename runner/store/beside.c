// Appends lines as one write; puts them in order at the end.
// SPDX-License-Identifier: MIT
#include "store/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/lookup.h"
#include "store/report.h"
#include "store/swap.h"
#include "store/table.h"

const char *const beside_suffixes[BESIDE_TABLES + 1] = {".launches.csv", ".samples.csv", NULL};

enum { KEY = 16 };

bool beside_named(const char *path)
{
    const size_t n = strlen(path);
    for (const char *const *s = beside_suffixes; *s; s++)
        if (n > strlen(*s) && strcmp(path + n - strlen(*s), *s) == 0) return true;
    return false;
}

char *beside_path(const struct beside *b, const char *report) { return report_beside(report, b->suffix); }

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
static bool drop_torn(int fd)
{
    enum { PIECE = 65536 };
    off_t size = lseek(fd, 0, SEEK_END);
    char *piece = mem_alloc(PIECE), *end = NULL;
    char last = 0;
    bool ok = true;
    if (size > 0 && (pread(fd, &last, 1, size - 1) != 1 || last != '\n')) {
        while (ok && size > 0 && !end) {
            const off_t from = size > PIECE ? size - PIECE : 0;
            ok = pread(fd, piece, (size_t)(size - from), from) == size - from;
            if (ok) end = memrchr(piece, '\n', (size_t)(size - from));
            size = end ? from + (end - piece) + 1 : from;
        }
        ok = ok && ftruncate(fd, size) == 0;
    }
    free(piece);
    return ok;
}

// A full disk takes a part first, and says why of the rest only; what it took is dropped as a torn line.
static bool write_lines(int fd, const struct str *lines)
{
    for (size_t done = 0; done < lines->size;) {
        const ssize_t n = write(fd, lines->text + done, lines->size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

bool beside_add(const struct beside *b, struct lock *l, const char *report, const struct str *lines, struct diags *d)
{
    char *path = beside_path(b, report);
    struct str all = {0};
    b->head(&all);
    int fd = lock_held(l, d) ? open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC) : -1;
    const bool ours = fd >= 0 && is_ours(fd, &all) && drop_torn(fd);
    bool ok = ours && write_lines(fd, lines) && (!b->synced || fdatasync(fd) == 0);
    if (ours && !ok)
        diag_system(d, "make room and run again: the rows that are there are whole", "cannot write %s: %s", path,
            strerror(errno));
    if (!ours && !diags_errors(d)) {
        str_add_bytes(&all, lines->text, lines->size);
        ok = swap_text(l, path, all.text, all.size, NULL, d);
    }
    if (fd >= 0) close(fd);
    str_release(&all);
    free(path);
    return ok;
}

struct line_beside {
    const char *text;
    size_t size;
    uint64_t number;
};
struct lines_of { // a key
    char key[KEY + 1];
    struct line_beside *items;
    size_t count, room;
};
struct gathered {
    struct lines_of *items;
    size_t count, room;
    struct lookup by_key;
    char **texts; // of the files
    size_t text_count, text_room;
};

static struct lines_of *lines_with(struct gathered *g, const char *key, bool make)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    hash_text(&h, key);
    hash_final(h, out);
    size_t at = 0, n;
    while ((n = lookup_next(&g->by_key, out[0], &at)) != LOOKUP_NONE)
        if (strcmp(g->items[n].key, key) == 0) return &g->items[n];
    if (!make) return NULL;
    mem_grow(&g->items, &g->room, g->count + 1, sizeof *g->items);
    struct lines_of *new = &g->items[g->count];
    *new = (struct lines_of){0};
    snprintf(new->key, sizeof new->key, "%s", key);
    lookup_add(&g->by_key, out[0], g->count++);
    return new;
}

static void take_line(struct gathered *g, const struct beside *b, const char *text, size_t size)
{
    char key[KEY + 1];
    uint64_t number = 0;
    if (size <= KEY + 2 || text[KEY] != ',' || !cells_sealed(text, size)) return;
    snprintf(key, sizeof key, "%.*s", KEY, text);
    const char *p = text + KEY;
    for (int i = 0; i < b->numbers && *p == ','; i++) {
        char *end;
        number = number << 32 | (uint32_t)strtoul(p + 1, &end, 10);
        p = end;
    }
    struct lines_of *to = lines_with(g, key, true);
    while (to->count && to->items[to->count - 1].number >= number) to->count--; // it was written again
    mem_grow(&to->items, &to->room, to->count + 1, sizeof *to->items);
    to->items[to->count++] = (struct line_beside){text, size, number};
}

static bool gather(struct gathered *g, const struct beside *b, const char *path, const struct str *header,
    struct diags *d)
{
    struct table t = {0};
    size_t size;
    if (!file_exists(path)) return true;
    const bool whole = !b->synced || table_open(&t, path, d); // it says which line was changed
    table_close(&t);
    char *text = whole ? file_read(path, SIZE_MAX / 2, &size, d) : NULL;
    if (!text) return false;
    mem_grow(&g->texts, &g->text_room, g->text_count + 1, sizeof *g->texts);
    g->texts[g->text_count++] = text;
    const bool ours = size >= header->size && memcmp(text, header->text, header->size) == 0;
    const char *at = ours ? text + header->size : text + size, *end;
    for (; (end = memchr(at, '\n', (size_t)(text + size - at))); at = end + 1)
        take_line(g, b, at, (size_t)(end + 1 - at));
    return true;
}

// Of none of its rows is there a line any more: the file goes.
static bool write_ordered(struct gathered *g, const char *path, const char *report, const struct str *header,
    struct lock *l, struct diags *d)
{
    struct table t;
    struct swap s = {0};
    size_t written = 0;
    bool ok = table_open(&t, report, d) && swap_begin(&s, l, path, d);
    const bool begun = ok;
    const int key = ok ? table_column(&t, "key") : -1;
    ok = ok && fwrite(header->text, 1, header->size, s.file) == header->size;
    for (size_t i = 0; ok && key >= 0 && i < t.count; i++) {
        const struct cells *row = table_front(&t, i, (size_t)key + 1, d);
        const struct lines_of *from = row ? lines_with(g, cells_text(row, (size_t)key), false) : NULL;
        ok = row != NULL;
        for (size_t k = 0; ok && from && k < from->count; k++, written++)
            ok = fwrite(from->items[k].text, 1, from->items[k].size, s.file) == from->items[k].size;
    }
    table_close(&t);
    if (begun && !ok && !diags_errors(d))
        diag_system(d, "make room and run again: the rows that are there are whole", "cannot write %s: %s", path,
            strerror(errno));
    if (!begun) return false;
    if (!swap_end(&s, ok && written, NULL, d) && written) return false;
    if (ok && !written && lock_held(l, d)) unlink(path);
    return ok;
}

bool beside_order(const struct beside *b, struct lock *l, const char *report, const char *const *reports,
    struct diags *d)
{
    struct gathered g = {0};
    struct str header = {0};
    char *path = beside_path(b, report);
    bool ok = true;
    b->head(&header);
    for (size_t i = 0; ok && reports[i]; i++) {
        char *from = beside_path(b, reports[i]);
        ok = gather(&g, b, from, &header, d);
        free(from);
    }
    if (ok && g.count) ok = write_ordered(&g, path, report, &header, l, d);
    for (size_t i = 0; i < g.count; i++) free(g.items[i].items);
    for (size_t i = 0; i < g.text_count; i++) free(g.texts[i]);
    free(g.texts);
    free(g.items);
    lookup_release(&g.by_key);
    str_release(&header);
    free(path);
    return ok;
}
