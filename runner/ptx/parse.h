// The state of the PTX reader, for ptx/module.c and for ptx/params.c, which reads a header alone.
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
// The list in parentheses, which begins here, each parameter with its place in the block: at the next multiple of its
// alignment. `odd`: some are registers.
struct ptx_var *parse_params(struct parse *, bool *odd);
