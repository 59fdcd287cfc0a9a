// Shared by the two halves of the PTX reader: ptx/module.c reads what is outside of functions, ptx/body.c what is
// inside.
// SPDX-License-Identifier: MIT
#pragma once
#include "ptx/lex.h"
#include "ptx/module.h"

struct parse {
    struct lex lex;
    struct lex_token t; // the current token
    struct arena *arena;
    struct ptx_module *module;
    int main_file; // the source file whose lines are given, 0 until known
};

void parse_step(struct parse *);
bool parse_take(struct parse *, const char *mark); // skips the mark if it is the current token
char *parse_text(struct parse *);                  // a copy of the current token, which is skipped
bool parse_type(struct parse *, size_t *size, bool *predicate);
// From the token after `.global`, `.shared`, `.param`, … up to the token after the declarator and its initialiser.
struct ptx_var *parse_var(struct parse *, enum ptx_space);
// The list in parentheses, which begins here, each parameter with its place in the block: at the next multiple of its
// alignment. `odd`: some are registers.
struct ptx_var *parse_params(struct parse *, bool *odd);
void parse_body(struct parse *, struct ptx_func *); // from after '{' to after '}'
