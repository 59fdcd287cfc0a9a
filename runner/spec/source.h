// What can be read from CUDA C++ without compiling it: which functions a file defines, and their arguments. Comments,
// strings, preprocessor lines and bodies are skipped; `extern "C" { }` and namespaces are looked into.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

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
