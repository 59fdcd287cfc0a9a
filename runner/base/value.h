// A value as experiment files know it: what an axis takes, what a parameter is set to, what an expression gives. Small,
// copied freely; the text and lists it points to live in some arena of the owner's.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"

enum value_kind { VALUE_NONE, VALUE_INT, VALUE_REAL, VALUE_BOOL, VALUE_TEXT, VALUE_LIST };

struct value_list;
struct value {
    enum value_kind kind;
    union {
        int64_t i;
        double r;
        bool b;
        const char *text;
        const struct value_list *list;
    };
};
struct value_list {
    size_t count;
    bool of_rows; // one of each row: expressions see a list, and not its text
    struct value items[];
};

static inline struct value value_int(int64_t i) { return (struct value){VALUE_INT, {.i = i}}; }
static inline struct value value_real(double r) { return (struct value){VALUE_REAL, {.r = r}}; }
static inline struct value value_bool(bool b) { return (struct value){VALUE_BOOL, {.b = b}}; }
static inline struct value value_text(const char *s) { return (struct value){VALUE_TEXT, {.text = s}}; }

bool value_equal(struct value, struct value); // 2 equals 2.0
bool value_number(struct value, double *);    // of an int, real or bool
// As a cell or a plan shows it: 67108864, 0.5 (shortest that reads back the same), true, device, "16x16" for a list, ""
// for none.
void value_print(struct value, struct str *);
void value_hash(struct value, struct hash *);
struct value value_copy(struct value, struct arena *);
