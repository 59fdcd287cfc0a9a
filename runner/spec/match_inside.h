// The inside of matching a kernel's source with its description, for match.c (entries, expressions) and match_called.c
// (what is called for each element). Inside runner/spec/ only.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/describe.h"

struct word_matcher {
    struct kernel *kernel;
    const struct source_function *functions;
    size_t count;
    const struct step *step; // of a sequence, whose launch is looked at
    struct known *names;     // what expressions may use
    struct sandbox *lua;
    struct arena *arena;
    struct diags *diags;
};

struct where match_where(const struct word_matcher *, size_t byte, const char *name);
const struct source_function *match_find(const struct word_matcher *, const char *name); // NULL: there is none
// An argument that nothing fills: says what could fill it; `all`: buffers and reports too.
void match_refuse_argument(const struct word_matcher *, const struct source_function *, size_t i, bool all,
    const char *what);
// An argument must be a pointer, or none.
void match_pointer(const struct word_matcher *, const struct source_function *, size_t i, bool pointer);

// A pointer must be to what the description says: a buffer's `type`, as far as that is the same at all
// points.
void match_pointee(const struct word_matcher *, const struct source_function *, size_t i, const char *type);

// match_tensor.c: a tensor map goes by value to an argument that is one. False after a complaint. `passed` NULL:
// nothing says what the argument gets.
bool match_tensor(const struct word_matcher *, const struct source_function *, size_t i, const struct passed *);

// match_called.c
void match_checks(const struct word_matcher *);
void match_fills(const struct word_matcher *);
void match_variables(const struct word_matcher *);
