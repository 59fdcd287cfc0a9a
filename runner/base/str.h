// A string that grows. `struct str s = {0};` is an empty one; `text` is NULL until something is added and
// NUL-terminated after. str_release gives the contents back; str_take hands them to the caller, who frees them.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct str {
    char *text;
    size_t size; // without the NUL
    size_t room;
};

void str_add(struct str *, const char *);
void str_add_bytes(struct str *, const void *, size_t);
void str_addf(struct str *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_vaddf(struct str *, const char *fmt, va_list) __attribute__((format(printf, 2, 0)));
void str_add_int(struct str *, int64_t);
void str_add_fixed(struct str *, double, int digits); // as "%.*f", several times as fast
void str_add_short(struct str *, double);             // as "%.4g"
// In a function that ends with `fmt, ...`: a string of that name, with what they make; it gives itself back.
#define STR_FORMATTED(name, fmt) \
    LOCAL(str_release) struct str name = {0}; \
    va_list name##_args; \
    va_start(name##_args, fmt); \
    str_vaddf(&name, fmt, name##_args); \
    va_end(name##_args)
void str_clear(struct str *); // keeps the memory
void str_release(struct str *);
char *str_take(struct str *); // never NULL
char *str_copy(const char *); // of a text, for the caller to free; NULL of NULL

// The word of `words` (NULL-terminated) nearest to `word` by edit distance, or NULL where none is near
// enough.
const char *str_nearest(const char *word, const char *const *words);

// Words that mean something, each with its sentence: the reader of a file takes from such a list what is allowed, and
// `describe`, the schema and the manual take from it what there is.

struct choice {
    const char *word, *about;
};
// The lists end with a NULL word. The index of `word`, or -1.
int choice_find(const struct choice *, const char *word);

enum { CHOICES_MOST = 64 };
// The words alone, NULL-terminated, for `str_nearest` and for hints.
void choice_words(const struct choice *, const char *words[CHOICES_MOST]);
