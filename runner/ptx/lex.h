// PTX text to tokens: words (mnemonics with their dots, registers, labels, directives), numbers, strings and single
// marks. Comments and white space are dropped. Nothing is copied: a token points into the text.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lex_kind { LEX_END, LEX_WORD, LEX_NUMBER, LEX_STRING, LEX_MARK };

struct lex_token {
    enum lex_kind kind;
    const char *text; // a string without its quotes
    size_t size;
    int line; // of the PTX text: `.loc` and `.file` end with their line
};

struct lex {
    const char *at;
    int line;
};

struct lex lex_start(const char *text);
struct lex_token lex_next(struct lex *);
bool lex_is(struct lex_token, const char *text); // is it the word or mark `text`?
// Skips everything up to the mark that closes the one just read ('(' or '{' or '['), and that mark too.
void lex_skip_group(struct lex *);

// How many bytes a fundamental type such as ".u32" (or "u32") has; 0 when it is not one, and 0 for predicates.
size_t lex_type_size(const char *type, size_t length);
// The value of a number token: integers in `bits`; 0f and 0d and decimal floats as their IEEE bits with the width in
// bytes.
struct lex_value {
    uint64_t bits;
    int float_size; // 0: an integer, 4 or 8: a float's bits
};
struct lex_value lex_number(struct lex_token);
