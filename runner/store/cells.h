// One record of a CSV file (RFC 4180, lines end in LF): libcsv makes cells from text, and text from cells. A cell
// is quoted only where it must be (comma, quote, line break, a space at an end), so that files stay readable and
// comparable. A text that begins like a formula has an apostrophe in front in the file, and not for those who read it
// here.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/diag.h"
#include "base/str.h"

// Writing: cells_add each cell, then cells_end, or cells_seal to end with a checksum of the record's text so far, which
// begins at `start`.
void cells_add(struct str *record, const char *text); // NULL: an empty cell
void cells_end(struct str *record);
void cells_seal(struct str *record, size_t start);
bool cells_sealed(const char *record, size_t size); // false: its last cell is not the checksum of the others
enum { CELLS_SEAL = 8 };                            // hexadecimal digits of a checksum
// The size of a sealed record without its checksum, but with the comma before it.
size_t cells_unsealed(const char *record, size_t size);

// Reading: one parser for many records; a cell's text is valid until the next record.
struct cells;
struct cells *cells_new(void);
void cells_free(struct cells *);
bool cells_parse(struct cells *, const char *record, size_t size); // false: not RFC 4180
// The same, where only the first `most` cells are asked for: the others may be empty, but are counted.
bool cells_parse_front(struct cells *, const char *record, size_t size, size_t most);
size_t cells_count(const struct cells *);
void cells_drop(struct cells *);                        // forgets the last one
const char *cells_text(const struct cells *, size_t i); // "" beyond the last

// The size of the first whole record of `text`, its LF included; 0: the record is not whole (torn, or the text is
// empty).
size_t cells_record(const char *text, size_t size);
