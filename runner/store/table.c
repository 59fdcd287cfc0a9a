// Reads a CSV file into memory and finds its records; cells are parsed when a row is asked for.
// SPDX-License-Identifier: MIT
#include "store/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "spec/columns.h"

static char *copy(const char *s)
{
    struct str t = {0};
    str_add(&t, s);
    return str_take(&t);
}

static bool read_header(struct table *t, struct diags *d)
{
    size_t size = cells_record(t->text, t->size);
    if (!size || !cells_parse(t->cells, t->text, size))
        return diag_user(d, (struct where){.file = t->path}, NULL,
            "is not a report: its first line is not a CSV header");
    t->column_count = cells_count(t->cells);
    t->columns = mem_alloc((t->column_count + 1) * sizeof *t->columns);
    for (size_t i = 0; i < t->column_count; i++) t->columns[i] = copy(cells_text(t->cells, i));
    t->whole = size;
    t->checked = t->column_count > 1 && strcmp(t->columns[t->column_count - 1], COLUMN_CHECKSUM) == 0;
    if (t->checked) free(t->columns[--t->column_count]);
    return true;
}

static int line_at(const struct table *t, size_t offset)
{
    int line = 1;
    for (const char *p = t->text; (p = memchr(p, '\n', (size_t)(t->text + offset - p))); p++) line++;
    return line;
}

// The size of the next row; 0 after the last one. A row with a checksum is one line, whatever is in it; other
// files may have line breaks in their cells.
static size_t next_row(struct table *t)
{
    const char *at = t->text + t->whole, *end;
    size_t left = t->size - t->whole;
    if (!t->checked) return cells_record(at, left);
    end = memchr(at, '\n', left);
    return end ? (size_t)(end - at) + 1 : 0;
}

static const char mend[] = "put the line back as it was, or remove it: its point is measured again";

// After the last row there is nothing, or a line that was not written to its end. A quote that is never closed would
// make one such line of all rows after it.
static bool check_tail(const struct table *t, struct diags *d)
{
    struct where at = {.file = t->path};
    if (!memchr(t->text + t->whole, '\n', t->size - t->whole)) return true;
    at.line = line_at(t, t->whole);
    return diag_user(d, at, mend, "has a quote that is not closed");
}

bool table_open(struct table *t, const char *path, struct diags *d)
{
    size_t room = 0, used = 1, next;
    *t = (struct table){.path = copy(path), .cells = cells_new()};
    t->text = file_read(path, (size_t)1 << 40, &t->size, d);
    if (!t->text || !read_header(t, d)) return false;
    size_t *ends = NULL;
    mem_grow(&ends, &room, 1024, sizeof *ends);
    ends[0] = t->whole;
    t->ends = ends + 1;
    while ((next = next_row(t))) {
        if (t->checked && !cells_sealed(t->text + t->whole, next)) {
            struct where at = {.file = t->path, .line = line_at(t, t->whole)};
            return diag_user(d, at, mend, "is not as it was written: its cells do not fit its checksum");
        }
        if (used == room) {
            mem_grow(&ends, &room, used + 1, sizeof *ends);
            t->ends = ends + 1;
        }
        ends[used++] = t->whole += next;
        t->count++;
    }
    return check_tail(t, d);
}

void table_close(struct table *t)
{
    for (size_t i = 0; i < t->column_count && t->columns; i++) free(t->columns[i]);
    free(t->columns);
    free(t->ends ? t->ends - 1 : NULL);
    free(t->text);
    free(t->path);
    cells_free(t->cells);
    *t = (struct table){0};
}

int table_column(const struct table *t, const char *name)
{
    for (size_t i = 0; i < t->column_count; i++)
        if (strcmp(t->columns[i], name) == 0) return (int)i;
    return -1;
}

const char *table_text(const struct table *t, size_t row, size_t *size)
{
    const size_t *end = t->ends + row;
    *size = end[0] - end[-1];
    return t->text + end[-1];
}

const struct cells *table_row(struct table *t, size_t row, struct diags *d)
{
    size_t size;
    const char *text = table_text(t, row, &size);
    struct where at = {.file = t->path};
    if (!cells_parse(t->cells, text, size)) {
        at.line = line_at(t, (size_t)(text - t->text));
        diag_user(d, at, mend, "is not CSV (RFC 4180)");
        return NULL;
    }
    if (t->checked) cells_drop(t->cells);
    if (cells_count(t->cells) != t->column_count) {
        at.line = line_at(t, (size_t)(text - t->text));
        diag_user(d, at, mend, "has %zu cells where the header has %zu", cells_count(t->cells), t->column_count);
        return NULL;
    }
    return t->cells;
}

struct value table_value(const char *cell)
{
    char *end;
    if (!*cell) return (struct value){0};
    if (strcmp(cell, "true") == 0 || strcmp(cell, "false") == 0) return value_bool(*cell == 't');
    if (!strchr("+-.0123456789", *cell)) return value_text(cell);
    errno = 0;
    long long i = strtoll(cell, &end, 10);
    if (!*end && !errno) return value_int(i);
    double r = strtod(cell, &end);
    return *end || !isfinite(r) ? value_text(cell) : value_real(r);
}
