// Reading just enough C++ to find a function's parameter names: comments, strings and brackets are known, nothing else
// is.
// SPDX-License-Identifier: MIT
#ifndef COMPILE_SCAN_H
#define COMPILE_SCAN_H
#include <stdbool.h>
#include <stddef.h>

enum { SCAN_ARGUMENTS = 32 };
struct scan_function {
    char arguments[SCAN_ARGUMENTS][64]; // names only
    size_t count;
    int line;
};

// The first definition or declaration `name(...)` outside comments, strings and bodies. False: there is none.
bool scan_function(const char *source, const char *name, struct scan_function *);
// Does the word stand anywhere outside comments and strings?
bool scan_word(const char *source, const char *word);
bool scan_is_word(char); // may stand in an identifier
#endif
