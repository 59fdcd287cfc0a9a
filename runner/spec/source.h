// What can be read from CUDA C++ without compiling it: which functions a file defines, and their arguments. Comments,
// strings, preprocessor lines and bodies are skipped; `extern "C" { }` and namespaces are looked into.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "spec/kernel.h"

struct source_function {
    struct function is;
    bool global, is_template;
    bool device, host;    // annotated so
    size_t at;            // byte offset of its name
    size_t from, end;     // of the definition, behind its body
    const size_t *places; // of each argument's name
};

// Every function defined in `text`, in order, in the arena.
const struct source_function *source_functions(const char *text, struct arena *, size_t *count);
// Has it no mark of its own, but a word before `void` that may be a macro with one? (`EXPORTED_KERNEL void f(...)`)
bool source_marked_by_macro(const char *text, const struct source_function *);
// The comment that describes the kernel: the first with a line such as `about:` (a licence may stand before it), else
// the first. The text between its /* and */; false: there is no comment. Offsets in bytes.
bool source_description(const char *text, size_t *start, size_t *end);
// Is there one with such a line?
bool source_described(const char *text);
// Does the word stand anywhere outside comments and strings?
bool source_has_word(const char *text, const char *word);
// Does the source have a variable of that name outside functions: "constant" (__constant__), "symbol" (__device__) or
// NULL?
const char *source_variable(const char *text, const char *name);
bool source_is_identifier(const char *);
// Puts blanks in the place of the three bytes that some editors begin a file with, which are no text.
void source_without_mark(char *text);

// The pieces of C++ source that every reader must step over as a whole. Each function takes where a piece begins
// and returns where it ends, at the latest the end of the text. A spliced line is one line.

const char *skip_splices(const char *);   // a backslash, blanks and the end of the line, as often as it is there
const char *skip_comment(const char *);   // from its slash and star
const char *skip_line(const char *);      // to the end of the line, which stays
const char *skip_blank(const char *);     // blanks and comments, but no end of line
const char *skip_directive(const char *); // to the end of its line; a comment in it may go on behind that
const char *skip_quoted(const char *);    // a string or character, from its quote
const char *skip_word(const char *);      // a name or number; a raw string with its prefix
const char *skip_unread(const char *);    // comments and strings in a row: no words of the program
bool skip_is_word(char);                  // may stand in a name

// A copy with blanks in the place of the other arms of an #if whose arms leave different brackets open: braces opened
// in both would never be closed. Offsets and directives stay. For the caller to free.
char *skip_arms(const char *text);

// A source in pieces: what stands outside of functions, definitions and declarations, each with the names that it
// gives; and its macros. Namespaces and `extern "C" { }` are looked into. What it does not understand is a piece
// without names.

struct span {
    const char *from, *end;
};
struct fragment {
    struct span is, head; // head: before its body
    struct span within;   // the type or namespace in the name of a function: `A::f`
    struct span *names;
    size_t name_count, name_room;
    const char *open;           // of a function: the bracket of its arguments
    size_t around;              // the piece that opens the namespace around it, from 1 on; 0: none
    bool macro, function, type; // else a variable or the like
    bool opens;                 // a namespace, or the names in it for all: to be left as it is
    bool kept, deleted;         // for the caller
};
struct fragments {
    struct fragment *items;
    size_t count, room;
};

bool span_is(struct span, const char *word);
bool span_among(struct span, const char *const *words); // NULL-terminated
bool span_is_name(struct span);
// The next word or single character at or behind `*p`, over comments, texts and directives; false: there is none before
// `end`. `text` is where all begins.
bool span_next(const char **p, const char *end, const char *text, struct span *);

void fragments_read(struct fragments *, const char *text);
void fragments_release(struct fragments *);
