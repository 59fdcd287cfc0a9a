// What went wrong, where, and what to do next: the one error record. Errors travel up as values: a function that can
// fail takes a `struct diags *`, adds to it and returns false; only the command line prints them and picks the exit
// status.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"

enum diag_kind {
    DIAG_USER,   // a mistake in a file or on the command line: exit 2
    DIAG_SYSTEM, // no device, no memory, disk full: exit 3
    DIAG_WARNING // said, but nothing stops
};

// What somebody decides by, who gets it from afar: never by its words.
enum diag_code {
    DIAG_PLAIN,
    DIAG_AT_POINT,     // it names its point's values
    DIAG_UNKNOWN_NAME, // a compiler does not know what `about` is
    DIAG_NO_INCLUDE,   // a compiler does not find a file
    DIAG_SAMPLE,       // what ran in a sample went wrong
    DIAG_NO_COUNTERS,  // why there are no counts: of the hardware, of a device without times, of the simulator
    DIAG_NOT_COUNTED,
    DIAG_NOT_SIMULATED
};

// A place in a text. `file` NULL: no place; `line` 0: the whole file. `source` is the text of that line, for the caret,
// and `width` how many columns it underlines. diag_add copies all texts: the caller keeps its own.
struct where {
    const char *file;
    int line, column; // from 1
    int width;
    const char *source;
};

struct diag {
    enum diag_kind kind;
    struct where at;
    char *what; // a sentence without a full stop
    char *hint; // what to do next, or NULL
    enum diag_code code;
    char *about; // the word that an unknown name is, or NULL
};

struct diags {
    struct diag *items;
    size_t count, room;
};

// Always returns false, so that `return diag_add(...)` reads well.
bool diag_add(struct diags *, enum diag_kind, struct where, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
#define diag_user(d, at, hint, ...) diag_add(d, DIAG_USER, at, hint, __VA_ARGS__)
#define diag_system(d, hint, ...) diag_add(d, DIAG_SYSTEM, (struct where){0}, hint, __VA_ARGS__)

bool diag_code(struct diags *, enum diag_code, const char *about); // says it of the last one; false, as diag_add
void diags_join(struct diags *, const struct diags *more);         // copies of them

// How many are errors (not warnings); the exit status that follows (0, 2 or 3: the worst one counts).
size_t diags_errors(const struct diags *);
int diags_exit_status(const struct diags *);

// Prints all in order of file and line:
//     experiments/x.yaml:5:3: unknown key `strid`
//         5 |   strid: [1, 2]
//           |   ^^^^^
//       did you mean `stride`?
void diags_print(const struct diags *, FILE *);
// The same by who knows how wide the screen is: `paragraph` prints a text from that column on, and ends its line.
void diags_print_by(const struct diags *, FILE *, void (*paragraph)(FILE *, int from, const char *text));
// The first error in one line, for a row's `reason`; "" when there is none. Valid until the diags change.
const char *diags_first(const struct diags *);
void diags_clear(struct diags *);
void diags_drop(struct diags *, size_t count); // all but the first so many
