// The names that an expression may use, and the check that it uses no other.
// SPDX-License-Identifier: MIT
#pragma once
#include "lua/sandbox.h"
#include "spec/kernel.h"

enum { KNOWN_NUMBER = 1, KNOWN_TEXT = 2, KNOWN_BOOL = 4 };
struct known {          // released with known_release
    const char **items; // NULL-terminated once something was added
    size_t count, room;
    bool anything; // the list is not complete: no name is complained of then
    bool types;    // the name of a built-in type stands for itself: sizeof(float)
    // Which kinds of value a name has, KNOWN_NUMBER and so on added up; 0: any. NULL: nobody knows.
    int (*kinds)(const void *context, const char *name);
    const void *context;
    const char *const *words; // NULL-terminated, or NULL: values whose quotes someone may forget
};

void known_add(struct known *, const char *); // not copied; once each
bool known_has(const struct known *, const char *);
void known_release(struct known *);
const char *known_taken(const char *); // what an expression means by it already: "a run setting"; NULL: nothing
// Compiles the expression; complains of syntax, of each free name that is not known, and of a comparison that is never
// true because its sides are of two kinds. Absent is fine.
bool known_check(struct sandbox *, const struct source_expr *, const struct known *known, struct diags *);
