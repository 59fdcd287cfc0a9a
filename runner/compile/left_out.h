// What a kernel does not need may be nothing that its compiler takes: helpers of the host, its classes, the headers of
// libraries that are not here. What the kernel does not name, nor what it names, goes at once. Of the rest the compiler
// says what it refuses, and that is left out, as long as it would be missed if a kernel needed it: then the next
// complaint is about the kernel, and names the cause.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/lookup.h"
#include "compile/compile.h"
#include "spec/source.h"

struct left_out_piece {
    struct span head;
    char *log; // why it is left out: what the compiler said
};
struct left_out {
    char *whole;
    char *source; // but for arms of an #if that no reader of brackets can follow
    char *text;   // the source with blanks in the place of what is left out: lines and columns stay
    struct fragments all;
    struct lookup names;   // which of `all` is called so
    const char *generated; // behind the user's text
    char *asks;            // what that says: what it names is needed
    struct left_out_piece *pieces;
    size_t count, room;
    size_t *todo, todo_count, todo_room; // of `all`: kept, and what they name is not yet
    char headers[256];                   // "<torch/extension.h>, <c10/cuda/CUDAGuard.h>"
};

void left_out_begin(struct left_out *, const char *source);
// Does the log say that a header is not there?
bool left_out_lacks_header(const char *source, const char *log);
// A text that is refused with a complaint about each header that is not there: a compiler ends at the first of them.
void left_out_probe(const struct left_out *, struct str *);
// Leaves out what the log complains of. False: it complains of nothing that may be left out.
bool left_out_more(struct left_out *, const char *log);
// Where the log blames a line of a header: leaves out those that the compiler does not take by themselves, line by
// line. False: there is none.
bool left_out_header(struct left_out *, const char *log, bool (*takes)(void *, const char *include), void *context);
// The log of what was refused at last, as a complaint; of what was left out and is missed, why it was.
void left_out_complain(const struct left_out *, const char *log, const char *path, struct diags *);
void left_out_end(struct left_out *);
