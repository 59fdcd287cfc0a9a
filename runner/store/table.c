// Reads a CSV file into memory and finds its records; cells are parsed when a row is asked for.
// SPDX-License-Identifier: MIT
#include "store/table.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "spec/columns.h"

static bool read_header(struct table *t, struct diags *d)
{
    size_t size = 0, have = 0;
    const char *text = NULL;
    for (size_t want = 1; !size && have < t->pieces.size && have + 1 >= want; want = have + 1) {
        text = pieces_at(&t->pieces, 0, want, &have);
        size = cells_record(text, have);
    }
    if (!size || !cells_parse(t->cells, text, size))
        return diag_user(d, (struct where){.file = t->path}, NULL,
            "is not a report: its first line is not a CSV header");
    t->column_count = cells_count(t->cells);
    t->columns = mem_alloc((t->column_count + 1) * sizeof *t->columns);
    for (size_t i = 0; i < t->column_count; i++) t->columns[i] = str_copy(cells_text(t->cells, i));
    t->whole = size;
    t->checked = t->column_count > 1 && strcmp(t->columns[t->column_count - 1], COLUMN_CHECKSUM) == 0;
    if (t->checked) free(t->columns[--t->column_count]);
    return true;
}

// Read again from the start: it is asked for once, of a file that is refused.
static int line_at(struct table *t, size_t offset)
{
    int line = 1;
    size_t have;
    for (size_t at = 0; at < offset; at += have) {
        const char *text = pieces_at(&t->pieces, at, 1, &have), *end;
        if (have > offset - at) have = offset - at;
        if (!have) break;
        for (const char *p = text; (end = memchr(p, '\n', have - (size_t)(p - text))); p = end + 1) line++;
    }
    return line;
}

// The next row and its size; 0 after the last one. A row with a checksum is one line, whatever is in it; other files
// may have line breaks in their cells.
static const char *next_row(struct table *t, size_t *size)
{
    size_t have = 0;
    for (size_t want = 1;; want = have * 2) {
        const char *at = pieces_at(&t->pieces, t->whole, want, &have), *end = NULL;
        if (have && t->checked) end = memchr(at, '\n', have);
        *size = !have ? 0 : end ? (size_t)(end - at) + 1 : t->checked ? 0 : cells_record(at, have);
        if (*size || t->whole + have >= t->pieces.size) return at;
    }
}

static const char mend[] = "put the line back as it was, or remove it: its point is measured again";

// After the last row there is nothing, or a line that was not written to its end. A quote that is never closed would
// make one such line of all rows after it.
static bool check_tail(struct table *t, struct diags *d)
{
    struct where at = {.file = t->path};
    size_t have;
    t->size = t->pieces.size;
    const char *tail = pieces_at(&t->pieces, t->whole, t->size - t->whole, &have);
    if (!have || !memchr(tail, '\n', have)) return true;
    at.line = line_at(t, t->whole);
    return diag_user(d, at, mend, "has a quote that is not closed");
}

// A row that cannot be read is not one that is not there.
static bool unread(const struct table *t, struct diags *d)
{
    diag_system(d, "run it again", "cannot read %s: %s", t->path, strerror(t->pieces.error));
    return false;
}

static bool read_all(struct table *t, struct diags *d)
{
    size_t room = 0, used = 1, size;
    const char *row;
    t->size = t->pieces.size;
    if (!read_header(t, d)) return false;
    size_t *ends = NULL;
    mem_grow(&ends, &room, 1024, sizeof *ends);
    ends[0] = t->whole;
    t->ends = ends + 1;
    while ((row = next_row(t, &size)) && size) {
        if (t->checked && !cells_sealed(row, size)) {
            struct where at = {.file = t->path, .line = line_at(t, t->whole)};
            return diag_user(d, at, mend, "is not as it was written: its cells do not fit its checksum");
        }
        if (used == room) {
            mem_grow(&ends, &room, used + 1, sizeof *ends);
            t->ends = ends + 1;
        }
        ends[used++] = t->whole += size;
        t->count++;
    }
    return check_tail(t, d);
}

bool table_open(struct table *t, const char *path, struct diags *d)
{
    LOCAL(diags_clear) struct diags found = {0};
    *t = (struct table){.path = str_copy(path), .cells = cells_new()};
    if (!pieces_open(&t->pieces, path, d)) return false;
    const bool good = read_all(t, &found);
    if (!t->pieces.error) diags_join(d, &found);
    return t->pieces.error ? unread(t, d) : good;
}

void table_close(struct table *t)
{
    for (size_t i = 0; i < t->column_count && t->columns; i++) free(t->columns[i]);
    free(t->columns);
    free(t->ends ? t->ends - 1 : NULL);
    if (t->path) pieces_close(&t->pieces);
    free(t->path);
    cells_free(t->cells);
    *t = (struct table){0};
}

bool table_has_host(const struct table *t)
{
    return t->column_count && strcmp(t->columns[t->column_count - 1], COLUMN_HOST) == 0;
}

int table_column(const struct table *t, const char *name)
{
    for (size_t i = 0; i < t->column_count; i++)
        if (strcmp(t->columns[i], name) == 0) return (int)i;
    return -1;
}

size_t table_offset(const struct table *t, size_t row) { return t->ends[(ptrdiff_t)row - 1]; }

const char *table_text(struct table *t, size_t row, size_t *size)
{
    const bool header = row == SIZE_MAX;
    size_t from = header ? 0 : table_offset(t, row), have;
    *size = (header ? t->ends[-1] : t->ends[row]) - from;
    const char *text = pieces_at(&t->pieces, from, *size, &have);
    return have >= *size ? text : NULL;
}

static const struct cells *refuse(struct table *t, size_t row, const char *why, struct diags *d)
{
    diag_user(d, (struct where){.file = t->path, .line = line_at(t, table_offset(t, row))}, mend, "%s", why);
    return NULL;
}

const struct cells *table_row(struct table *t, size_t row, struct diags *d) { return table_front(t, row, SIZE_MAX, d); }

const struct cells *table_front(struct table *t, size_t row, size_t most, struct diags *d)
{
    size_t size;
    char why[96];
    const char *text = table_text(t, row, &size);
    if (!text && t->pieces.error) return unread(t, d), NULL;
    if (!text) {
        diag_system(d, "run it again", "%s has become shorter while it was read", t->path);
        return NULL;
    }
    if (!cells_parse_front(t->cells, text, size, most)) return refuse(t, row, "is not CSV (RFC 4180)", d);
    if (t->checked) cells_drop(t->cells);
    if (cells_count(t->cells) == t->column_count) return t->cells;
    snprintf(why, sizeof why, "has %zu cells where the header has %zu", cells_count(t->cells), t->column_count);
    return refuse(t, row, why, d);
}

// Up to 15 digits with a point: two numbers that a double holds exactly, whose quotient is the nearest to the text.
static bool short_number(const char *text, struct value *v)
{
    static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char *p = text + (*text == '-');
    int64_t n = 0;
    int digits = 0, behind = -1;
    for (; (*p >= '0' && *p <= '9') || (*p == '.' && behind < 0); p++) {
        if (*p == '.') behind = 0;
        else if (++digits > 15) return false;
        else n = 10 * n + (*p - '0'), behind += behind >= 0;
    }
    if (*p || !digits) return false;
    const double quotient = behind < 0 ? 0 : (double)n / tens[behind];
    if (behind < 0) *v = value_int(*text == '-' ? -n : n);
    else *v = value_real(*text == '-' ? -quotient : quotient);
    return true;
}

struct value table_value(const char *cell)
{
    char *end;
    struct value v;
    if (short_number(cell, &v)) return v;
    if (!*cell) return (struct value){0};
    if (strcmp(cell, "true") == 0 || strcmp(cell, "false") == 0) return value_bool(*cell == 't');
    if (!strchr("+-.0123456789", *cell)) return value_text(cell);
    errno = 0;
    long long i = strtoll(cell, &end, 10);
    if (!*end && !errno) return value_int(i);
    double r = strtod(cell, &end);
    return *end || !isfinite(r) ? value_text(cell) : value_real(r);
}
