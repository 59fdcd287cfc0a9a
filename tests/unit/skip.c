// spec/skip: each piece of C++ source ends where a compiler ends it.
// SPDX-License-Identifier: MIT
#include "spec/source.h"

#include "unit/test.h"

#include <stdlib.h>

static const struct {
    const char *(*skip)(const char *);
    const char *source, *rest;
} rows[] = {
    {skip_comment, "/* a */b", "b"},
    {skip_comment, "/* a", ""},
    {skip_comment, "/*/ a */b", "b"},
    {skip_line, "// a\nb", "\nb"},
    {skip_line, "// a\\\nb\nc", "\nc"},      // a spliced line is one line
    {skip_line, "// a\\ \t\r\nb\nc", "\nc"}, // blanks may stand behind the backslash
    {skip_line, "// a\\ b\nc", "\nc"},
    {skip_blank, " \t/* a\n*/ b", "b"},
    {skip_blank, " \nb", "\nb"},
    {skip_blank, "\\\n b", "b"},
    {skip_directive, "#define A /* x\ny */ b\nc", "\nc"},
    {skip_directive, "#define A \"/*\" // b /*\nc", "\nc"},
    {skip_quoted, "\"a\\\"b\"c", "c"},
    {skip_quoted, "'\\''c", "c"},
    {skip_quoted, "\"a\nb\"", "\nb\""}, // it was never closed: the line ends it
    {skip_quoted, "\"a\\\nb\"c", "c"},
    {skip_quoted, "\"a\\\\\"c", "c"},
    {skip_word, "abc+1", "+1"},
    {skip_word, "1'000'000u;", ";"}, // a number's separators
    {skip_word, "1'x", ""},
    {skip_word, "a'x'", "'x'"}, // but no name's
    {skip_word, "1.5e3f)", ")"},
    {skip_word, "R\"(a\"b)\"c", "c"}, // a raw string has no escapes
    {skip_word, "u8R\"x()\")x\"c", "c"},
    {skip_word, "LR\"(\n)\"c", "c"},
    {skip_word, "xR\"(a)\"c", "\"(a)\"c"}, // a name that ends in R
    {skip_word, "R\"(a", ""},
    {skip_unread, "/*a*/\"b\"'c'//d\ne", "\ne"},
    {skip_unread, "a", "a"},
};

// Where the arms of an #if leave other brackets open, the first is read alone; else all are.
static void arms_that_differ_are_read_once(void)
{
    static const struct {
        const char *source, *read;
    } arms[] = {
        {"#if A\nf() {\n#else\ng() {\n#endif\n}", "#if A\nf() {\n#else\n     \n#endif\n}"},
        {"#if A\nf();\n#else\ng();\n#endif\n", "#if A\nf();\n#else\ng();\n#endif\n"},
        {"#if A\n{\n#elif B\n\"{\" }\n#else\n}\n#endif\n", "#if A\n{\n#elif B\n     \n#else\n \n#endif\n"},
        {"#if A\n{\n#endif\n#if A\n}\n#endif\n", "#if A\n{\n#endif\n#if A\n}\n#endif\n"},
        {"#if A\n{\n#else\n#if B\n{\n#define X (\n#endif\n#endif\n}",
            "#if A\n{\n#else\n#if B\n \n#define X (\n#endif\n#endif\n}"},
    };
    for (size_t i = 0; i < sizeof arms / sizeof *arms; i++) {
        char *const read = skip_arms(arms[i].source);
        CHECK_TEXT(read, arms[i].read);
        free(read);
    }
}

int main(void)
{
    arms_that_differ_are_read_once();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) CHECK_TEXT(rows[i].skip(rows[i].source), rows[i].rest);
    CHECK(skip_is_word('a') && skip_is_word('_') && skip_is_word('9') && skip_is_word('\xc3'));
    CHECK(!skip_is_word('\'') && !skip_is_word('.') && !skip_is_word('\0'));
    return test_end();
}
