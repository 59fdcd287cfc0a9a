// Lua in a box, for expressions and scripts. It has an allow list (base functions, math, string, table, utf8; no io,
// os, load, require, debug, coroutines, metatables), takes only source text, limits memory, the instructions and the
// processor time of each call, which pcall cannot get round, and math.random is seeded by the plan. Only this folder
// includes lua.h.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include "base/value.h"

struct sandbox;
struct sandbox_limits {
    uint64_t seed;
    size_t memory;         // bytes; 0: 256 MiB. One last request may go over it by half; then the call ends
    uint64_t instructions; // of one call; 0: 10^8
    uint64_t all;          // of all calls together; 0: 10^10
    double seconds;        // of processor time of one call, whatever it does; 0: 1
};
struct sandbox *sandbox_new(const struct sandbox_limits *); // never NULL
void sandbox_free(struct sandbox *);
// While `asked` says so, the call at hand fails, and so does every other. NULL: nobody is asked.
void sandbox_stop(struct sandbox *, bool (*asked)(void));
// What `sizeof(T)` asks; 0 for a type that it does not know. The plan sets kernel_type_size; before that sizeof knows
// no type.
void sandbox_sizeof(struct sandbox *, size_t (*type_size)(const char *type));

// One expression, compiled once. The names that neither Lua nor the library (math, min, max, sizeof, ceil, log2, ...)
// provides are its free names: the caller says which of them exist and gives their values at each call.
struct expr;
struct expr *expr_new(struct sandbox *, const char *text, struct where at,
    struct diags *); // NULL after a syntax error with its place
void expr_free(struct expr *);
const char *const *expr_names(const struct expr *); // NULL-terminated
// `args`: one value for each name, in that order (VALUE_NONE is nil). Text results live in `a`. A result of NaN or
// infinity is VALUE_NONE. False: the run-time error, added as a DIAG_USER at the expression's place.
bool expr_eval(const struct expr *, const struct value *args, struct arena *a, struct value *result, struct diags *);
// The place of `name` in the expression, for a caret.
struct where expr_where(const struct expr *, const char *name);
// The comparisons of an expression whose sides are a free name or a written value, and nothing around them: `block ==
// 256`. The `n`-th of them; false: there are no more.
enum operand_kind { OPERAND_NAME, OPERAND_NUMBER, OPERAND_TEXT, OPERAND_BOOL };
struct operand {
    enum operand_kind kind;
    const char *text; // the name, or the value as written
};
bool expr_compared(const struct expr *, size_t n, struct arena *, struct operand side[2]);
bool expr_is_library_name(const char *name); // "min", "math", ...: not free for parameters to take
