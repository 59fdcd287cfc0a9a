// Appends parts and finds them again. Not synced: a process that dies loses nothing by it, a machine that dies loses
// what one block of points took.
// SPDX-License-Identifier: MIT
#include "store/parts.h"

#include "base/arena.h"
#include "base/file.h"
#include "store/report.h"
#include "store/table.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"time_us", "error_us", "samples", "discarded", "clock_mhz", "rested_s"};
enum { NUMBERS = sizeof names / sizeof *names, FIRST = 2, CELLS = FIRST + NUMBERS + 2 * RESULT_REPORTS };

struct kept {
    char key[17], device[96];
    struct portion part;
};

struct parts {
    char *path;
    int fd; // -1: nothing to write yet
    struct kept *items;
    size_t count, room;
};

static void numbers_of(struct portion *p, double *to[NUMBERS])
{
    double *const from[NUMBERS] = {&p->time_us, &p->error_us, &p->samples, &p->discarded, &p->clock_mhz, &p->rested_s};
    memcpy(to, from, sizeof from);
}

static double number(const struct cells *cells, size_t i)
{
    const char *text = cells_text(cells, i);
    char *end;
    double x = strtod(text, &end);
    return end == text || *end ? NAN : x;
}

static void keep(struct parts *p, const char *key, const char *device, const struct portion *part)
{
    mem_grow(&p->items, &p->room, p->count + 1, sizeof *p->items);
    struct kept *k = &p->items[p->count++];
    snprintf(k->key, sizeof k->key, "%s", key);
    snprintf(k->device, sizeof k->device, "%s", device);
    k->part = *part;
}

static void read_row(struct parts *p, const struct cells *cells)
{
    struct portion part = {0};
    double *to[NUMBERS];
    numbers_of(&part, to);
    for (size_t i = 0; i < NUMBERS; i++) *to[i] = number(cells, FIRST + i);
    for (size_t i = 0; i < RESULT_REPORTS; i++) {
        part.reports[i] = number(cells, FIRST + NUMBERS + 2 * i);
        part.report_errors[i] = number(cells, FIRST + NUMBERS + 2 * i + 1);
    }
    if (isfinite(part.time_us)) keep(p, cells_text(cells, 0), cells_text(cells, 1), &part);
}

// What cannot be read is as good as not there: its points are measured.
static void read_all(struct parts *p)
{
    struct diags ignored = {0};
    struct table t;
    if (table_open(&t, p->path, &ignored) && t.column_count == CELLS)
        for (size_t i = 0; i < t.count; i++) {
            const struct cells *cells = table_row(&t, i, &ignored);
            if (cells) read_row(p, cells);
        }
    if (t.whole < t.size && truncate(p->path, (off_t)t.whole) != 0) {} // a torn last line
    table_close(&t);
    diags_clear(&ignored);
}

struct parts *parts_open(const char *report, bool fresh, struct diags *d)
{
    struct parts *p = mem_alloc(sizeof *p);
    *p = (struct parts){.path = report_beside(report, ".parts.csv"), .fd = -1};
    if (fresh && unlink(p->path) != 0 && errno != ENOENT) {
        diag_system(d, NULL, "cannot remove %s: %s", p->path, strerror(errno));
        parts_close(p);
        return NULL;
    }
    if (file_exists(p->path)) read_all(p);
    return p;
}

void parts_close(struct parts *p)
{
    if (!p) return;
    if (p->fd >= 0) close(p->fd);
    free(p->path);
    free(p->items);
    free(p);
}

size_t parts_find(const struct parts *p, const char *key, const char *device, struct portion *to, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < p->count && n < most; i++)
        if (strcmp(p->items[i].key, key) == 0 && strcmp(p->items[i].device, device) == 0) to[n++] = p->items[i].part;
    return n;
}

static void add_number(struct str *s, double x)
{
    char text[40] = "";
    if (isfinite(x)) snprintf(text, sizeof text, "%.17g", x);
    cells_add(s, text);
}

static void head(struct str *s)
{
    char name[32];
    cells_add(s, "key");
    cells_add(s, "device");
    for (size_t i = 0; i < NUMBERS; i++) cells_add(s, names[i]);
    for (size_t i = 0; i < RESULT_REPORTS; i++) {
        snprintf(name, sizeof name, "report_%zu", i);
        cells_add(s, name);
        snprintf(name, sizeof name, "error_%zu", i);
        cells_add(s, name);
    }
    cells_end(s);
}

static bool write_all(struct parts *p, const struct str *s, struct diags *d)
{
    for (size_t done = 0; done < s->size;) {
        ssize_t n = write(p->fd, s->text + done, s->size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return diag_system(d, "make room and run again: the rows that are there are whole", "cannot write %s: %s",
                p->path, strerror(errno));
        done += (size_t)n;
    }
    return true;
}

bool parts_add(struct parts *p, const char *key, const char *device, const struct portion *part, struct diags *d)
{
    struct str s = {0};
    struct portion copy = *part;
    double *from[NUMBERS];
    if (p->fd < 0) {
        p->fd = open(p->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        if (p->fd < 0) return diag_system(d, NULL, "cannot write %s: %s", p->path, strerror(errno));
        if (lseek(p->fd, 0, SEEK_END) == 0) head(&s);
    }
    numbers_of(&copy, from);
    cells_add(&s, key);
    cells_add(&s, device);
    for (size_t i = 0; i < NUMBERS; i++) add_number(&s, *from[i]);
    for (size_t i = 0; i < RESULT_REPORTS; i++)
        add_number(&s, part->reports[i]), add_number(&s, part->report_errors[i]);
    cells_end(&s);
    bool ok = write_all(p, &s, d);
    str_release(&s);
    return ok;
}

void parts_remove(struct parts *p)
{
    if (p->fd >= 0) close(p->fd);
    p->fd = -1;
    unlink(p->path);
}
