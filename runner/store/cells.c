// Records and cells: libcsv parses and quotes; this file says where records end and keeps the cells of one.
// SPDX-License-Identifier: MIT
#include "store/cells.h"

#include <csv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"

struct cells {
    struct csv_parser parser;
    struct str text;           // all cells of the record, each with its NUL
    size_t *starts;            // of each cell, in text
    size_t count, known, room; // known: have a start; the others were not asked for
    bool ended, doubled;       // a whole record was read; more than one was
};

static void add_cell(struct str *record, const char *text, size_t size)
{
    bool quote = size && (strpbrk(text, ",\"\r\n") || text[0] == ' ' || text[size - 1] == ' ');
    if (!quote) {
        if (size) str_add_bytes(record, text, size);
    } else {
        size_t need = csv_write(NULL, 0, text, size);
        LOCAL(mem_drop) char *quoted = mem_alloc(need);
        csv_write(quoted, need, text, size);
        str_add_bytes(record, quoted, need);
    }
    str_add_bytes(record, ",", 1);
}

// A spreadsheet runs a text that begins like a formula. One apostrophe more in front of it keeps it a text; reading
// takes that one away again, so that every text comes back as it was.
static bool like_formula(const char *text)
{
    char *end;
    text += strspn(text, "'");
    if (!*text || !strchr("=+-@\t\r", *text)) return false;
    strtod(text, &end);
    return *end != '\0'; // a number is none
}

void cells_add(struct str *record, const char *text)
{
    size_t size = text ? strlen(text) : 0;
    if (size && like_formula(text)) {
        LOCAL(str_release) struct str marked = {0};
        str_addf(&marked, "'%s", text);
        add_cell(record, marked.text, marked.size);
    } else {
        add_cell(record, text, size);
    }
}

void cells_end(struct str *record) { record->text[record->size - 1] = '\n'; }

// The first half of the hash, its first digits.
static void seal_of(const char *text, size_t size, char digits[CELLS_SEAL + 1])
{
    const uint64_t hash = hash_short(text, size);
    for (int i = 0; i < CELLS_SEAL; i++) digits[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
    digits[CELLS_SEAL] = '\0';
}

void cells_seal(struct str *record, size_t start)
{
    char digits[CELLS_SEAL + 1];
    seal_of(record->text + start, record->size - start, digits);
    str_add(record, digits);
    str_add_bytes(record, "\n", 1);
}

size_t cells_unsealed(const char *record, size_t size)
{
    size -= size && record[size - 1] == '\n';
    size -= size && record[size - 1] == '\r'; // a file that has got the line ends of another system
    return size > CELLS_SEAL && record[size - CELLS_SEAL - 1] == ',' ? size - CELLS_SEAL : 0;
}

bool cells_sealed(const char *record, size_t size)
{
    char digits[CELLS_SEAL + 1];
    size_t n = cells_unsealed(record, size);
    if (!n) return false;
    seal_of(record, n, digits);
    return memcmp(record + n, digits, CELLS_SEAL) == 0;
}

// libcsv would trim blanks around cells; RFC 4180 says they belong to the cell.
static int no_space(unsigned char c) { return (void)c, 0; }

static void begin(struct cells *c)
{
    csv_init(&c->parser, CSV_STRICT | CSV_STRICT_FINI);
    csv_set_space_func(&c->parser, no_space);
}

struct cells *cells_new(void)
{
    struct cells *c = mem_alloc(sizeof *c);
    begin(c);
    return c;
}

void cells_free(struct cells *c)
{
    if (!c) return;
    csv_free(&c->parser);
    str_release(&c->text);
    free(c->starts);
    free(c);
}

static void cell_done(void *text, size_t size, void *context)
{
    struct cells *c = context;
    if (c->count == c->room) mem_grow(&c->starts, &c->room, c->count + 1, sizeof *c->starts);
    const size_t start = c->starts[c->count++] = c->text.size;
    c->known = c->count;
    str_add_bytes(&c->text, text ? text : "", size);
    str_add_bytes(&c->text, "", 1);
    if (c->text.text[start] == '\'' && like_formula(c->text.text + start)) c->starts[c->count - 1]++;
}

static void record_done(int end, void *context)
{
    struct cells *c = context;
    (void)end;
    c->doubled = c->ended;
    c->ended = true;
}

// The bytes of eight that may be a comma or less: that bit of each is set. One behind such a byte may be set too.
static uint64_t low_bytes(const char *text)
{
    const uint64_t each = UINT64_MAX / 255, high = each * 128, least = each * (',' + 1);
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    return (bytes - least) & ~bytes & high;
}

// How many of eight bytes are commas; -1: one of them may be something that `split` has to look at.
static int only_commas(const char *text)
{
    const uint64_t each = UINT64_MAX / 255, high = each * 128;
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    const uint64_t x = bytes ^ each * ',', commas = ~(((x & ~high) + ~high) | x) & high;
    const uint64_t above = (((bytes & ~high) + each * (127 - ',')) | bytes) & high; // exactly those above a comma
    return (commas | above) == high ? (int)((commas >> 7) * each >> 56) : -1;
}

// A record without a quote is what stands between its commas. Cells after the first `most` are counted and no more.
// False: it is for libcsv.
static bool split(struct cells *c, const char *record, size_t size, size_t most)
{
    size -= size && record[size - 1] == '\n';
    size -= size && record[size - 1] == '\r';
    if (!size) return false;
    str_add_bytes(&c->text, record, size);
    str_add_bytes(&c->text, "\0\0\0\0\0\0\0\0", 8); // so that eight can be looked at, up to the end
    char *text = c->text.text;
    size_t start = 0;
    for (size_t word = 0; word <= size; word += 8) { // at `size` is a zero byte, the last cell's end
        const int skipped = c->count >= most ? only_commas(text + word) : -1;
        if (skipped >= 0) {
            c->count += (size_t)skipped;
            continue;
        }
        for (uint64_t found = low_bytes(text + word); found; found &= found - 1) {
            const size_t i = word + (size_t)__builtin_ctzll(found) / 8;
            if (text[i] == '"' || text[i] == '\n' || text[i] == '\r' || (!text[i] && i < size)) return false;
            if (i < size && text[i] != ',') continue;
            if (c->count++ < most) {
                text[i] = '\0';
                if (c->known == c->room) mem_grow(&c->starts, &c->room, c->known + 1, sizeof *c->starts);
                c->starts[c->known++] = start + (text[start] == '\'' && like_formula(text + start));
                start = i + 1;
            }
            if (i == size) return true;
        }
    }
    return false;
}

bool cells_parse_front(struct cells *c, const char *record, size_t size, size_t most)
{
    str_clear(&c->text);
    c->count = c->known = 0;
    c->ended = c->doubled = false;
    if (split(c, record, size, most)) return true;
    str_clear(&c->text);
    c->count = c->known = 0;
    if (csv_parse(&c->parser, record, size, cell_done, record_done, c) == size && c->ended && !c->doubled) return true;
    csv_free(&c->parser); // an error leaves it in the middle of a cell
    begin(c);
    return false;
}

bool cells_parse(struct cells *c, const char *record, size_t size)
{
    return cells_parse_front(c, record, size, SIZE_MAX);
}

size_t cells_count(const struct cells *c) { return c->count; }

void cells_drop(struct cells *c)
{
    c->count -= c->count > 0;
    if (c->known > c->count) c->known = c->count;
}

const char *cells_text(const struct cells *c, size_t i) { return i < c->known ? c->text.text + c->starts[i] : ""; }

size_t cells_record(const char *text, size_t size)
{
    const char *at = text, *end;
    bool open = false;
    while ((end = memchr(at, '\n', size - (size_t)(at - text)))) {
        // An LF inside quotes belongs to its cell: quotes pair up in a whole record.
        for (const char *q = at; (q = memchr(q, '"', (size_t)(end - q))); q++) open = !open;
        at = end + 1;
        if (!open) return (size_t)(at - text);
    }
    return 0;
}
