// Appends parts and finds them again. Not synced: a process that dies loses nothing by it, a machine that dies loses
// what one block of points took.
// SPDX-License-Identifier: MIT
#include "store/parts.h"

#include "base/arena.h"
#include "base/beside.h"
#include "spec/columns.h"
#include "store/cells.h"
#include "store/kept.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {
    "time_us", "error_us", "samples", "discarded", "clock_mhz", "rested_s", "place_1_us", "place_2_us", "place_3_us"};
enum { NUMBERS = sizeof names / sizeof *names, FIRST = 2, CELLS = FIRST + NUMBERS + 2 * RESULT_REPORTS };

struct kept_part {
    char key[17], device[96];
    struct portion part;
};

struct parts {
    struct kept file;
    struct kept_part *items;
    size_t count, room;
};

static void numbers_of(struct portion *p, double *to[NUMBERS])
{
    double *const from[NUMBERS] = {&p->time_us, &p->error_us, &p->samples, &p->discarded, &p->clock_mhz, &p->rested_s,
        &p->place_us[0], &p->place_us[1], &p->place_us[2]};
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
    struct kept_part *k = &p->items[p->count++];
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
    cells_add(s, COLUMN_CHECKSUM);
    cells_end(s);
}

static bool read_all(struct parts *p, const struct str *header, struct diags *d)
{
    struct kept_reader r;
    struct cells *cells = cells_new();
    const size_t errors = diags_errors(d);
    const char *line;
    size_t size;
    if (kept_read(&r, p->file.path, header, d))
        while ((line = kept_next(&r, &size, d)))
            if (cells_parse(cells, line, size) && cells_count(cells) == CELLS + 1) read_row(p, cells);
    kept_read_close(&r);
    cells_free(cells);
    return diags_errors(d) == errors;
}

struct parts *parts_open(struct lock *l, const char *report, bool shared, struct diags *d)
{
    struct parts *p = mem_alloc(sizeof *p);
    LOCAL(str_release) struct str header = {0};
    LOCAL(mem_drop) char *path = beside_path(report, BESIDE_PARTS);
    head(&header);
    const bool ok = kept_open(&p->file, l, path, &header, shared, d) && (p->file.fd < 0 || read_all(p, &header, d));
    if (ok) return p;
    parts_close(p);
    return NULL;
}

void parts_close(struct parts *p)
{
    if (!p) return;
    kept_close(&p->file);
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

bool parts_add(struct parts *p, const char *key, const char *device, const struct portion *part, struct diags *d)
{
    LOCAL(str_release) struct str s = {0};
    struct portion copy = *part;
    double *from[NUMBERS];
    numbers_of(&copy, from);
    cells_add(&s, key);
    cells_add(&s, device);
    for (size_t i = 0; i < NUMBERS; i++) add_number(&s, *from[i]);
    for (size_t i = 0; i < RESULT_REPORTS; i++)
        add_number(&s, part->reports[i]), add_number(&s, part->report_errors[i]);
    cells_seal(&s, 0);
    return kept_add(&p->file, s.text, s.size, d);
}

bool parts_remove(struct parts *p, struct diags *d)
{
    if (p->file.fd < 0) return true;
    if (!kept_held(&p->file, d)) return false;
    lock_remove(p->file.lock, p->file.path, p->file.fd);
    close(p->file.fd);
    p->file.fd = -1;
    return true;
}
