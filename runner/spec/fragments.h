// A source in pieces: what stands outside of functions, definitions and declarations, each with the names that it
// gives; and its macros. Namespaces and `extern "C" { }` are looked into. What it does not understand is a piece
// without names.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct span {
    const char *from, *end;
};
struct fragment {
    struct span is, head; // head: before its body
    struct span within;   // the type or namespace in the name of a function: `A::f`
    struct span *names;
    size_t name_count, name_room;
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
