// Writes JSON, to a file through base/say: objects and lists are opened and closed, the commas and the indent follow.
//
//     struct json j = json_begin(stdout, false);
//     json_add(&j, "{ name:%s points:%zu", "stride", n);
//     json_end(&j);
//
// A key is given within an object, and NULL elsewhere.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdio.h>

#include "base/diag.h"
#include "base/value.h"

enum { JSON_DEEPEST = 63 };
struct json {
    FILE *out;
    struct str text; // not written yet
    bool one_line;
    unsigned depth;
    bool filled[JSON_DEEPEST + 1]; // something stands before the next element
    char close[JSON_DEEPEST + 1];
};
struct json json_begin(FILE *, bool one_line); // one_line: without line breaks, as JSON Lines want it
void json_end(struct json *);                  // closes what is open, and ends the line

// Adds what `form` shows, written as JSON is, with bare words as keys and blanks between elements; what it opens may be
// closed by another. 'text', 1 and true stand for themselves; %s is a text (NULL: null), %zu, %u and %llu are counts,
// %g is a number (NAN, infinite: null), %d is true or false.
void json_add(struct json *, const char *form, ...) __attribute__((format(printf, 2, 3)));
void json_object(struct json *, const char *key);
void json_list(struct json *, const char *key);
void json_close(struct json *);
void json_text(struct json *, const char *key, const char *text); // NULL: null
void json_number(struct json *, const char *key, double);         // NAN, infinite: null
void json_count(struct json *, const char *key, uint64_t);
void json_bool(struct json *, const char *key, bool);
void json_value(struct json *, const char *key, struct value);
void json_diags(struct json *, const char *key, const struct diags *); // errors and warnings
